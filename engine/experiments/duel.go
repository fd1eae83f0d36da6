package experiments

import (
	"math"
	"slices"

	"unrolled/engine"
	"unrolled/engine/say"
)

// duel asks whether training and attention give the same outputs.
func duel() Experiment {
	return oneRun(Experiment{
		Name: "duel", Key: "d", Title: "Both ways",
		Question: "Do training token by token and attending over what was written give the same outputs?",
		Knobs: []Knob{
			taskKnob("gaussian"), textKnob(mostWords),
			{
				Name: "feature", Key: "f", Kind: Choice, Label: "feature map", Symbol: "φ", Default: "tanh",
				Choices: []Option{{"tanh", "tanh of a random projection"}, {"mlp", "two layers of tanh"}, {"swiglu", "SwiGLU"}, {"identity", "identity"}},
				Help:    "What a key passes through in front of the fast weight.",
			},
			trainKnob(),
			lossKnob(), rateKnob(),
			{
				Name: "direction", Key: "r", Kind: Choice, Label: "direction", Default: "descent",
				Choices: []Option{{"descent", "descent, as usual"}, {"ascent", "ascent, the wrong way"}},
				Help:    "Which way along the gradient a step goes.",
			},
			{
				Name: "steps", Key: "K", Kind: Number, Label: "inner steps", Symbol: "K", Unit: "a token",
				Min: 1, Max: 16, Step: 1, Integer: true, Default: "1",
				Help: "How many gradient steps each token makes.",
			},
			alphaKnob("0"), alphasKnob(), holdKnob(),
			w0Knob(),
			lengthKnob(), seedKnob(),
			mistakeKnob("old-query", "q", "query before the write", "φₜ(q)", "Mistake: read it with the old Θ."),
			mistakeKnob("strict", "x", "without the token itself", "i < t", "Mistake: leave its own write out."),
			mistakeKnob("new-keys", "n", "keys with the newest Θ", "φₜ₊₁(kᵢ)", "Mistake: compute all keys again."),
			cursorKnob("reading", "t", "reading", "t", "Which reading is shown; the last if none is chosen."),
			{
				Name: "output", Key: "o", Kind: Number, Label: "output coordinate", Max: 63, Step: 1, Integer: true, Default: "0",
				Help: "Which coordinate of the output is drawn.",
			},
		}}, (*form).duelConfig, func(f *form, r *engine.Result) Answer {
		v := duelView{reading: f.cursor("reading", r.Config.Length, r.Config.Length-1), output: int(f.number("output"))}
		if last := r.Config.ValueDim - 1; v.output > last {
			f.warn("Output goes from 0 to %d here, so %d became %d.", last, v.output, last)
			v.output = last
		}
		v.fill(r)
		v.mistakes = f.mistakes(r, v.shown)
		return v.answer()
	})
}

func (f *form) duelConfig() engine.Config {
	c := f.config()
	f.warnOfSquare(c)
	return c
}

// duelView is one run seen from a reading and an output coordinate.
type duelView struct {
	r               *engine.Result
	gap             engine.Gap
	reading, output int
	shown           int // tokens before the run diverged
	mistakes        []mistake
}

func (v *duelView) fill(r *engine.Result) {
	v.r = r
	v.gap = engine.Compare(r.Sequential, r.Unrolled)
	v.shown = r.Length()
	v.reading = min(v.reading, max(0, v.shown-1))
}

func (v *duelView) answer() Answer {
	sentence, emphasis := sayDiverged(v.r)
	if sentence == "" {
		sentence, emphasis = v.say()
		sentence += sayMistakes(v.mistakes, v.r.Config.Train)
	}
	formula := rule(v.r.Config)
	if v.r.Config.Train {
		formula += ",  Θ likewise"
	}
	a := Answer{
		Sentence: sentence, Emphasis: emphasis,
		Formula:  formula,
		Scalars:  v.scalars(),
		Series:   slices.Concat([]Series{v.line("sequential", "training", "state", "line", v.r.Sequential), v.line("unrolled", "attention", "effective", "dots", v.r.Unrolled), v.gaps()}, v.mistaken()),
		Matrices: []Matrix{attention("attention", "attention q̂·k̂", v.r.Unrolled, v.shown)},
		Cost:     cost(v.r),
	}
	if v.shown > 0 {
		a.nameWords(v.r, v.reading, reading{"training", v.r.Sequential.Output.RawRowView(v.reading)}, reading{"attention", v.r.Unrolled.Output.RawRowView(v.reading)})
	}
	return a
}

// say measures the gap in units in the last place of the largest output.
func (v *duelView) say() (sentence, emphasis string) {
	start := "Trained token by token and read as attention, the two outputs "
	if v.gap.Absolute == 0 {
		emphasis = "agree to the last bit"
		return start + emphasis + ".", emphasis
	}
	emphasis = "differ by at most " + significant(v.gap.Absolute)
	relative := significant(v.gap.Absolute / v.gap.Size)
	units := math.Round(v.gap.Absolute / (math.Nextafter(v.gap.Size, math.Inf(1)) - v.gap.Size))
	places := "about " + count(int(units), "unit", "units")
	if units < 1 {
		places = "less than one unit"
	}
	sentence = say.Sprintf("%s%s, which is %s of the largest output, %s: %s in its last place.", start, emphasis, relative, significant(v.gap.Size), places)
	// The claim of the page, put so that it can fail.
	if !(v.gap.Relative <= rounding) {
		sentence += " That is more than rounding explains: here the two ways do not agree."
	}
	return sentence, emphasis
}

// line is one coordinate of one way's output.
func (v *duelView) line(name, label, role, style string, trace *engine.Trace) Series {
	s := Series{
		Chart: "outputs", Name: name, Label: label, Role: role, Style: style,
		XAxis: Axis{Label: "token t"}, YAxis: Axis{Label: say.Sprintf("output, coordinate %d", v.output)},
	}
	for t := range v.shown {
		s.X = append(s.X, float64(t))
		s.Y = append(s.Y, trace.Output.At(t, v.output))
	}
	return s
}

// gapFloor is where a gap of exactly zero is drawn on the log axis.
const gapFloor = 1e-18

func (v *duelView) gaps() Series {
	s := Series{
		Chart: "gap", Name: "gap", Label: "largest difference", Role: "gap", Style: "dots",
		XAxis: Axis{Label: "token t"}, YAxis: Axis{Label: say.Sprintf("largest |difference| (0 is drawn at %s)", plain(gapFloor)), Log: true},
	}
	for t, gap := range v.gap.PerToken {
		s.X = append(s.X, float64(t))
		s.Y = append(s.Y, max(gap, gapFloor))
	}
	return s
}

func (v *duelView) scalars() []Scalar {
	c := v.r.Config
	first, last, one, other := math.NaN(), math.NaN(), math.NaN(), math.NaN()
	reason := ""
	if v.shown > 0 {
		first, last = v.r.Sequential.Loss[0], v.r.Sequential.Loss[v.shown-1]
		one = v.r.Sequential.Output.At(v.reading, v.output)
		other = v.r.Unrolled.Output.At(v.reading, v.output)
	} else {
		reason = "; none: the run diverged at its first token"
	}
	scalars := []Scalar{
		{"alpha", c.MeanAlpha(), "", "momentum, its mean where it varies", "the knob"},
		{"eta", c.Rate, "", "inner learning rate η, negative for ascent", "the knob"},
		{"eta.used", c.Rate * c.Scale(), "", "inner learning rate that the run uses", "η(1−α) where the eventual weight is held, else η"},
		{"length", float64(c.Length), "tokens", "tokens read", "the knob"},
		{"reading", float64(v.reading), "", "the reading shown", "the cursor, the last reading if none"},
		{"output", float64(v.output), "", "the output coordinate shown", "the knob"},
		{"output.sequential", one, "", "that output, by training" + reason, "q̂_t S_t"},
		{"output.unrolled", other, "", "that output, by attention" + reason, "q̂_t W_0 + Σ c_i^t (q̂_t·k̂_i) v̂_i"},
		{"loss.first", first, "", "inner loss of the first token before its step" + reason, "ℓ(φ(k) W, v)"},
		{"loss.last", last, "", "inner loss of the last token before its step" + reason, "ℓ(φ(k) W, v)"},
	}
	return slices.Concat(scalars, gapScalars(v.r), v.mistakeScalars())
}
