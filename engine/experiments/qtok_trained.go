package experiments

import (
	"math"

	"unrolled/engine"
	"unrolled/engine/say"
)

// trainedTasks are the tasks on which a readout is trained: one where the query
// knows what the key does not, and one where it does not.
var trainedTasks = []string{"recall", "smoothing"}

// A swapTrained is the swap as an outer loop sees it, in mean squared errors on
// sequences that the readout was not trained on; NaN where a run diverged.
type swapTrained struct {
	task    string
	zero    float64 // of answering 0 to everything
	queries float64 // trained and asked with queries
	kept    float64 // the same readout, asked with keys
	again   float64 // trained and asked with keys
}

// firstSequence keeps the seeds of sequences apart from those of runs, whose
// knob ends below it, and room for 256 of them a seed.
const firstSequence = 1 << 40

// train fits a readout to the outputs of count sequences and tests it on as many
// others, through the feature map of the seed.
func (v *swapView) train(task string, count int) (swapTrained, error) {
	s := swapTrained{task, math.NaN(), math.NaN(), math.NaN(), math.NaN()}
	c, err := v.config(task, v.c.Seed)
	if err != nil {
		return s, err
	}
	_, loop, err := c.Build()
	if err != nil {
		return s, err
	}
	o := &engine.Outer{Penalty: 0.01}
	for n := range uint64(2 * count) {
		c.Seed = firstSequence + v.c.Seed<<8 + n
		tokens, _, err := c.Build()
		if err != nil {
			return s, err
		}
		if s := (engine.Sequence{Tokens: tokens, Target: tokens.Targets}); n < uint64(count) {
			o.Train = append(o.Train, s)
		} else {
			o.Test = append(o.Test, s)
		}
	}
	// five passes over as many sequences, each of two feature maps a token, a
	// prediction, a write and a reading
	v.work += float64(5 * count * c.Length * c.HiddenDim * (2*c.KeyDim + 3*c.ValueDim))
	s.measure(o, loop)
	return s, nil
}

// measure leaves NaN where the inner loop diverged.
func (s *swapTrained) measure(o *engine.Outer, loop *engine.InnerLoop) {
	keys := o.QueriesAreKeys()
	readout, err := o.Fit(loop)
	asked, err2 := o.Read(loop)
	if err != nil || err2 != nil {
		return
	}
	s.zero, s.queries = asked.Score(nil).Error, asked.Score(readout).Error
	swapped, err := keys.Read(loop)
	if err != nil {
		return
	}
	s.kept = swapped.Score(readout).Error
	if again, err := keys.Fit(loop); err == nil {
		s.again = swapped.Score(again).Error
	}
}

// learns reports whether the readout answers better than 0 does at all: else
// there is nothing that the swap could take away.
func (s *swapTrained) learns() bool { return s.queries < 0.98*s.zero }

// harm names what is left of what the readout gains over answering 0.
func (s *swapTrained) harm(err float64) string {
	if math.IsNaN(err) {
		return harm(0)
	}
	return harm((s.zero - err) / (s.zero - s.queries))
}

// say is a sentence on one task, with a space in front.
func (s *swapTrained) say() string {
	switch {
	case math.IsNaN(s.queries):
		return say.Sprintf(" Some sequences of %s diverge at this rate, so no readout is trained on them.", s.task)
	case !s.learns():
		return say.Sprintf(" No readout learns %s here, with queries or with keys.", s.task)
	}
	kept, again := s.harm(s.kept), s.harm(s.again)
	effect := again + " for a trained readout, kept or trained again"
	switch {
	case kept != again:
		effect = say.Sprintf("%s for a readout that is kept, and %s for one trained again", kept, again)
	case again == "ruinous":
		effect = "ruinous even for a readout trained again"
	}
	return say.Sprintf(" On %s it is %s: error %s, after the swap %s, trained again %s.", s.task, effect, three(s.queries), three(s.kept), three(s.again))
}

// retrained draws the errors of both tasks as parts of that of answering 0.
func (v *swapView) retrained() []Series {
	axis := Axis{Label: "test error, as a part of that of always answering 0"}
	bars := func(name, label, role string, err func(s swapTrained) float64) Series {
		b := Series{Chart: "retrained", Name: name, Label: label, Role: role, Style: "bars", XAxis: Axis{Label: "task"}, YAxis: axis}
		for n, s := range v.trained {
			if part := err(s) / s.zero; !math.IsNaN(part) {
				b.X, b.Y, b.Names = append(b.X, float64(n)), append(b.Y, part), append(b.Names, s.task)
			}
		}
		return b
	}
	level := Series{
		Chart: "retrained", Name: "zero", Label: "always answering 0", Role: "muted", Style: "dashed",
		X: []float64{0, 1}, Y: []float64{1, 1}, XAxis: Axis{Label: "task"}, YAxis: axis,
	}
	return []Series{
		bars("queries", "asked with q", "query", func(s swapTrained) float64 { return s.queries }),
		bars("kept", "with k, readout kept", "key", func(s swapTrained) float64 { return s.kept }),
		bars("again", "with k, trained again", "effective", func(s swapTrained) float64 { return s.again }),
		level,
	}
}

func (v *swapView) trainedScalars(s *scalars) {
	how := say.Sprintf("mean of ‖oR − y‖² over tokens, coordinates and %d test sequences", v.count)
	for _, t := range v.trained {
		s.put(t.task+".error", t.queries, "", "task "+t.task+": test error of a readout trained and asked with queries; none if a run diverged", how)
		s.put(t.task+".error.kept", t.kept, "", "the same readout, asked with keys", how)
		s.put(t.task+".error.again", t.again, "", "a readout trained and asked with keys", how)
		s.put(t.task+".error.zero", t.zero, "", "always answering 0", how)
	}
}
