package experiments

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"unrolled/engine"
	"unrolled/engine/say"
)

// The toy of the outer loop: sizes, and numbers of inner steps (powers of two).
const (
	labLength, labKeyDim, labHidden, labValueDim = 48, 16, 24, 8
	labQuick, labFull                            = 10, 60
)

var labSteps = []int{1, 2, 4, 8, 16, 32}

// paradoxLab trains a readout around the inner loop and asks which of the
// paper's paradoxes hold for its error.
func paradoxLab() Experiment {
	return answering(Experiment{
		Name: "paradox-lab", Key: "p", Title: "What training can absorb",
		Question: "Which changes of the inner loop hurt once the outputs are trained on?",
		Knobs: []Knob{
			{
				Name: "task", Key: "k", Kind: Choice, Label: "task", Default: "recall",
				Choices: []Option{{"recall", "recall an earlier value"}, {"smoothing", "smooth the values"}},
				Help:    "What the readout is trained to answer.",
			},
			lossKnob(),
			{
				Name: "rate", Key: "e", Kind: Number, Label: "inner learning rate", Symbol: "η",
				Min: 0.005, Max: 0.1, Step: 0.005, Log: true, Default: "0.05",
				Help: "The size of a gradient step.",
			},
			sizeKnob("n"),
			seedKnob(),
		},
	}, (*form).lab, func(f *form, c engine.Config) (Answer, error) {
		v := labView{c: c}
		if err := v.measure(f.sequences()); err != nil {
			return Answer{}, err
		}
		return v.answer(), nil
	})
}

// sizeKnob is how much the outer loop is given.
func sizeKnob(key string) Knob {
	return Knob{
		Name: "size", Key: key, Kind: Choice, Label: "sequences", Default: "quick",
		Choices: []Option{{"quick", "10 to train on, 10 to test"}, {"full", "60 and 60, as published"}},
		Help:    "More take longer and scatter less.",
	}
}

// sequences reads how many sequences the outer loop trains on, and tests on.
func (f *form) sequences() int {
	if f.choice("size") == "full" {
		return labFull
	}
	return labQuick
}

// lab is one sequence of the toy, near enough for a film.
func (f *form) lab() engine.Config {
	c, err := engine.Default(f.choice("task"))
	if err != nil {
		f.fail("%v", err)
	}
	c.Length, c.Seed = labLength, uint64(f.number("seed"))
	c.Rate, c.Loss = f.number("rate"), f.choice("loss")
	return c
}

// labView is everything that was trained and tested.
type labView struct {
	c      engine.Config
	zero   float64          // error of answering 0
	scores [][]engine.Score // trained at, tested at
	ascent pair
	keys   pair
	work   float64
}

// A pair is the error after a change at K = 1, with the readout trained again
// and with the one kept from before; NaN where a run diverged.
type pair struct{ again, kept float64 }

func (v *labView) measure(count int) error {
	o, err := engine.DrawOuter(v.c.Task, v.c.Seed, count, labLength, labKeyDim, labValueDim)
	if err != nil {
		return err
	}
	down, up := v.loop(1), v.loop(-1)
	if v.scores, err = o.Steps(down, labSteps); err != nil {
		return err
	}
	once, err := o.Read(down)
	if err != nil {
		return err
	}
	v.zero = once.Score(nil).Error
	kept, err := o.Fit(down)
	if err != nil {
		return err
	}
	v.ascent = change(o, up, kept)
	v.keys = change(o.QueriesAreKeys(), down, kept)
	steps := 0
	for _, k := range labSteps {
		steps += k
	}
	// reading a prediction and adding a write, K times a token: training once,
	// and testing twice, with queries and with keys
	v.work = float64(3 * count * labLength * steps * 2 * labHidden * labValueDim)
	return nil
}

// loop is the inner loop of the toy; sign −1 climbs.
func (v *labView) loop(sign float64) *engine.InnerLoop {
	r := rand.New(rand.NewPCG(v.c.Seed, 1<<20))
	p := mat.NewDense(labKeyDim, labHidden, nil)
	for i := range labKeyDim {
		for j := range labHidden {
			p.Set(i, j, r.NormFloat64()/math.Sqrt(labKeyDim))
		}
	}
	loop := &engine.InnerLoop{Feature: engine.TanhProjection{P: p}, Loss: engine.Dot{}, Rate: engine.Constant(sign * v.c.Rate)}
	if v.c.Loss == "squared" {
		loop.Loss = engine.Squared{}
	}
	return loop
}

func change(o *engine.Outer, loop *engine.InnerLoop, kept *mat.Dense) pair {
	p := pair{math.NaN(), math.NaN()}
	read, err := o.Read(loop)
	if err != nil {
		return p
	}
	p.kept = read.Score(kept).Error
	if again, err := o.Fit(loop); err == nil {
		p.again = read.Score(again).Error
	}
	return p
}

// base is the error of one step, trained and tested.
func (v *labView) base() float64 { return v.scores[0][0].Error }

// hurt reports whether the readout of one step gets worse at every larger
// number of steps, and else the number of steps at which it is best.
func (v *labView) hurt() (always bool, best int) {
	for b := range labSteps {
		if v.scores[0][b].Error < v.scores[0][best].Error {
			best = b
		}
	}
	return best == 0, best
}

// left is the share of what one step gains over answering 0 that is left at an
// error; a diverged run leaves nothing.
func (v *labView) left(err float64) float64 {
	if math.IsNaN(err) {
		return 0
	}
	return (v.zero - err) / (v.zero - v.base())
}

// harm names what is left.
func harm(left float64) string {
	switch {
	case left > 0.9:
		return "harmless"
	case left < 0.25:
		return "ruinous"
	}
	return "costly"
}

func (v *labView) answer() Answer {
	sentence, emphasis := v.say()
	a := Answer{
		Sentence: sentence, Emphasis: emphasis, Formula: say.Sprintf("min over R of Σ ‖oₜR − yₜ‖² + 0.01 ‖R‖²,  W ← W − %s ∇ₜ", plain(v.c.Rate)),
		Scalars: v.scalars(), Series: append(v.errors(), v.inner()...), Matrices: []Matrix{v.mismatch()}, Table: v.table(),
		Cost: Cost{MultiplyAdds: v.work, StateBytes: 8 * labHidden * labValueDim},
	}
	return a
}

// say states the first paradox, then the other two.
func (v *labView) say() (sentence, emphasis string) {
	last := len(labSteps) - 1
	always, best := v.hurt()
	first, worst := three(v.base()), three(v.scores[0][last].Error)
	switch {
	case always:
		emphasis = "more steps always hurt"
		sentence = say.Sprintf("For a readout trained at one step %s: its error goes from %s to %s at 32.", emphasis, first, worst)
	default:
		emphasis = "more steps do not always hurt"
		sentence = say.Sprintf("Here %s: a readout trained at one step has error %s, and %s at %d.", emphasis, first, three(v.scores[0][best].Error), labSteps[best])
	}
	sentence += say.Sprintf(" Trained again at 32 it is %s.", three(v.scores[last][last].Error))
	sentence += say.Sprintf(" With a readout trained again, gradient ascent is %s, and keys in place of queries are %s.", harm(v.left(v.ascent.again)), harm(v.left(v.keys.again)))
	return sentence, emphasis
}

// three writes an error with three decimals, or as many digits as make sense.
func three(x float64) string {
	switch {
	case math.IsNaN(x):
		return "none (diverged)"
	case x >= 10:
		return say.Sprintf("%.0f", x)
	}
	return say.Sprintf("%.3f", x)
}
