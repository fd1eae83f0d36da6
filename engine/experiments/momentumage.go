package experiments

import (
	"math"
	"slices"

	"unrolled/engine"
	"unrolled/engine/say"
)

// momentumAge asks how the weight of a write grows with its age.
func momentumAge() Experiment {
	return oneRun(Experiment{
		Name: "momentum-age", Key: "m", Title: "Momentum gives old tokens more weight",
		Question: "How much does a token count, and how does that change after it was written?",
		Knobs: []Knob{
			alphaKnob("0.9"), alphasKnob(), lengthKnob(), rateKnob(), lossKnob(), holdKnob(), taskKnob("digits"), textKnob(mostWords), seedKnob(),
			cursorKnob("reading", "t", "reading", "t", "Which reading is shown; the last if none is chosen."),
			cursorKnob("token", "i", "token", "i", "Which token's growth is shown; the oldest if none is chosen."),
			{
				Name: "deeper", Key: "d", Kind: Switch, Label: "look deeper", Default: "off",
				Help: "Draw both matrices, and every momentum at every age.",
			},
			pinKnob(),
		}}, (*form).ageConfig, func(f *form, r *engine.Result) Answer {
		n := r.Config.Length
		v := ageView{
			reading: f.cursor("reading", n, n-1),
			token:   f.cursor("token", n, 0),
			pin:     f.sequence("pin", n),
			deeper:  f.on("deeper"),
		}
		v.fill(r)
		return v.answer()
	})
}

// longestDuel is the length above which momentum-age leaves the attention form
// out; its cost grows with T².
const longestDuel = 8192

func (f *form) ageConfig() engine.Config {
	c := f.config()
	if c.SequentialOnly = c.Length > longestDuel; c.SequentialOnly {
		f.warn("Above %d tokens the attention form, whose work grows with T², is left out.", longestDuel)
	}
	f.warnOfSquare(c)
	return c
}

// ageView is one run seen from a reading and from a token.
type ageView struct {
	r              *engine.Result
	reading, token int
	pin            []float64 // α_t to compare with, or nil
	deeper         bool
	two            twoMatrices // where deeper

	alphas []float64
	alpha  float64 // where same
	same   bool    // one momentum everywhere
	shown  int     // tokens before the run diverged
	scale  float64 // η used / η
}

func (v *ageView) fill(r *engine.Result) {
	v.r = r
	v.alphas = r.Alphas()
	v.alpha, v.same = constant(r.Config)
	v.shown = r.Length()
	v.scale = r.Config.Scale()
	v.reading = min(v.reading, max(0, v.shown-1))
	if v.deeper {
		v.two.replay(r.Sequential, v.shown, v.reading)
	}
}

func (v *ageView) answer() Answer {
	sentence, emphasis := sayDiverged(v.r)
	if sentence == "" {
		sentence, emphasis = v.say()
	}
	series, matrices := slices.Concat(v.growth(), v.row(), v.pinned(), v.momenta()), []Matrix{v.multipliers()}
	if v.deeper {
		series = slices.Concat(series, v.two.charts(), v.holding(), v.halves())
		matrices = slices.Concat(matrices, v.two.pictures(), []Matrix{v.sweep()})
	}
	a := Answer{
		Sentence: sentence, Emphasis: emphasis,
		Formula:  rule(v.r.Config),
		Scalars:  v.scalars(),
		Series:   series,
		Matrices: matrices,
		Cost:     cost(v.r),
	}
	if text := v.r.Tokens.Text; text != nil && v.shown > 0 {
		output := readState(v.r.Sequential.Keys.RawRowView(v.token), v.r.Sequential.State(v.reading))
		a.nameWords(v.r, v.reading, reading{"asked “" + text.Word(v.reading) + "”", v.r.Sequential.Output.RawRowView(v.reading)}, reading{"asked “" + text.Word(v.token) + "”", output})
	}
	return a
}

// limit is the second half-life, if it exists.
func (v *ageView) limit() (int, bool) {
	if !v.same {
		return 0, false
	}
	return engine.HalfLifeLimit(v.alpha)
}

// say is the finding, with the part to stress.
func (v *ageView) say() (sentence, emphasis string) {
	start := say.Sprintf("At α = %s", decimals(v.alpha))
	if !v.same {
		start = say.Sprintf("With α from %s to %s", decimals(slices.Min(v.alphas)), decimals(slices.Max(v.alphas)))
	}
	growth, emphasis := v.sayGrowth()
	sentence = start + " " + growth + "; " + v.sayReading() + "." + v.sayPinned()
	if v.deeper {
		sentence += v.two.say() + v.sayHolding()
	}
	return sentence, emphasis
}

// sayGrowth names the half-lives: one if they agree, both if not.
func (v *ageView) sayGrowth() (clause, emphasis string) {
	own := engine.HalfLife(v.alphas, v.token)
	limit, exists := v.limit()
	later := len(v.alphas) - 1 - v.token
	switch {
	case v.same && v.alpha == 0:
		emphasis = "its full weight the moment it is written"
		return "a token has " + emphasis, emphasis
	case exists && limit == own && own == 0:
		emphasis = "at least half of its eventual weight the moment it is written"
		return "a token has " + emphasis, emphasis
	case exists && limit == own:
		emphasis = "half of its eventual weight " + count(own, "update", "updates")
		return "a token reaches " + emphasis + " after it was written", emphasis
	case later == 0 && exists:
		emphasis = count(limit, "later update", "later updates")
		return say.Sprintf("%s is read only once and would need %s for half of its eventual weight", v.name(), emphasis), emphasis
	case later == 0:
		emphasis = "read only once"
		return say.Sprintf("%s is %s, so that it never grows", v.name(), emphasis), emphasis
	}
	emphasis = "half of the weight it has at the last reading " + count(own, "update", "updates")
	clause = say.Sprintf("%s reaches %s after it was written", v.name(), emphasis)
	if own == 0 {
		emphasis = "at least half of the weight it has at the last reading"
		clause = say.Sprintf("%s has %s the moment it is written", v.name(), emphasis)
	}
	switch {
	case exists && limit > later:
		clause += say.Sprintf(" and would need %d for half of its eventual weight", limit)
	case exists:
		clause += say.Sprintf(", and half of its eventual weight after %d", limit)
	}
	return clause, emphasis
}

// name is the token's name within a sentence.
func (v *ageView) name() string {
	if v.token == 0 {
		return "the oldest token" + called(v.r, 0)
	}
	return say.Sprintf("token %d", v.token+1) + called(v.r, v.token)
}

// sayReading compares the newest token with the oldest.
func (v *ageView) sayReading() string {
	at := "at this reading"
	if v.reading != len(v.alphas)-1 {
		at = say.Sprintf("at reading %d", v.reading+1)
	}
	ratio := v.newestOldest()
	switch {
	case v.reading == 0:
		return at + " there is one token only"
	case math.Abs(ratio-1) < 1e-12:
		return say.Sprintf("%s the newest%s counts as much as the oldest", at, called(v.r, v.reading))
	}
	return say.Sprintf("%s the newest%s counts %s of the oldest", at, called(v.r, v.reading), significant(ratio))
}

// newestOldest is c_t^t / c_0^t at the reading.
func (v *ageView) newestOldest() float64 {
	return 1 / engine.AgeRow(v.alphas, v.reading)[0]
}

func cost(r *engine.Result) Cost {
	total := Cost{MultiplyAdds: r.Sequential.MultiplyAdds}
	if r.Unrolled != nil {
		total.MultiplyAdds += r.Unrolled.MultiplyAdds
	}
	n, dk, dv := r.Tokens.Dims()
	total.CacheBytes = float64(8 * n * (dk + dv))
	total.StateBytes = float64(8 * r.Loop.Feature.Out() * dv)
	if r.Loop.Alpha.Mean() != 0 {
		total.StateBytes *= 2 // the buffer
	}
	return total
}
