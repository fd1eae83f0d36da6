package experiments

import (
	"math"

	"unrolled/engine"
	"unrolled/engine/say"
)

// effectiveValue asks how far what is written is from the value.
func effectiveValue() Experiment {
	return oneRun(Experiment{
		Name: "effective-value", Key: "v", Title: "What is really written",
		Question: "How far is the effective value from the value?",
		Knobs: []Knob{
			lossKnob(), rateKnob(), taskKnob("digits"), textKnob(mostWords), alphaKnob("0"), holdKnob(), w0Knob(), lengthKnob(), seedKnob(),
			cursorKnob("token", "i", "token", "i", "Which token's write is shown; the last if none is chosen."),
		},
	}, sequentialOnly, func(f *form, r *engine.Result) Answer {
		v := writesView{r: r, shown: r.Length()}
		v.token = min(f.cursor("token", r.Config.Length, r.Config.Length-1), max(0, v.shown-1))
		v.measure()
		return v.answer()
	})
}

// writesView is every write of a run beside its value.
type writesView struct {
	r     *engine.Result
	shown int // tokens before the run diverged
	token int

	predictions [][]float64 // f_t = φ(k_t) W before token t's step, from the states
	cosines     []float64   // of v̂_t and v_t; NaN if either is zero
	lengths     []float64   // ‖v̂_t‖ / (η‖v_t‖)
	known       []bool      // digits and words: whether the same was written before
	rule        float64     // largest |v̂ − η(v − f)|, or |v̂ − ηv| under the dot loss
}

func (v *writesView) rate() float64 { return v.r.Config.Rate * v.r.Config.Scale() }
func (v *writesView) dot() bool     { return v.r.Config.Loss == "dot" }

func (v *writesView) value(t int) []float64     { return v.r.Tokens.V.RawRowView(t) }
func (v *writesView) effective(t int) []float64 { return v.r.Sequential.Effective.RawRowView(t) }

func (v *writesView) measure() {
	v.predict()
	seen := map[int]bool{}
	for t := range v.shown {
		value, effective := v.value(t), v.effective(t)
		v.cosines = append(v.cosines, cosine(effective, value))
		v.lengths = append(v.lengths, norm(effective)/(v.rate()*norm(value)))
		target := append([]float64(nil), value...)
		if !v.dot() {
			for d, f := range v.predictions[t] {
				target[d] -= f
			}
		}
		v.rule = max(v.rule, largest(effective, target, v.rate()))
		if names := v.names(); names != nil {
			v.known = append(v.known, seen[names[t]])
			seen[names[t]] = true
		}
	}
}

// names are what the tokens show, equal where they show the same; nil where they
// have no names.
func (v *writesView) names() []int {
	if text := v.r.Tokens.Text; text != nil {
		return text.Words
	}
	return v.r.Tokens.Classes
}

// noun is what such a name stands for, picture what its value is.
func (v *writesView) noun() (noun, picture string) {
	if v.r.Tokens.Text != nil {
		return "word", "the word after it"
	}
	return "digit", "its picture"
}

// predict asks the state before each token for the value of its key.
func (v *writesView) predict() {
	if v.shown == 0 {
		return
	}
	v.predictions = append(v.predictions, readState(v.r.Sequential.Keys.RawRowView(0), v.r.Sequential.State(-1)))
	for t, state := range v.r.Sequential.States() {
		if t+1 < v.shown {
			v.predictions = append(v.predictions, readState(v.r.Sequential.Keys.RawRowView(t+1), state))
		}
	}
}

// groups are the tokens in the order in which the charts name them: digits not
// seen before and digits seen before, or all.
func (v *writesView) groups() []group {
	if v.known == nil {
		return []group{{"all", "all tokens", "effective", func(int) bool { return true }}}
	}
	noun, _ := v.noun()
	return []group{
		{"first", "new " + noun, "effective", func(t int) bool { return !v.known[t] }},
		{"again", "seen before", "muted", func(t int) bool { return v.known[t] }},
	}
}

type group struct {
	name, label, role string
	holds             func(t int) bool
}

// mean is the mean of xs over a group of tokens.
func (g group) mean(xs []float64) float64 {
	var s tally
	for t, x := range xs {
		if g.holds(t) {
			s.add(x)
		}
	}
	return s.value()
}

func (v *writesView) answer() Answer {
	a := Answer{
		Formula: v.formula(),
		Scalars: v.scalars(),
		Cost:    cost(v.r),
	}
	if a.Sentence, a.Emphasis = sayDiverged(v.r); a.Sentence == "" {
		a.Sentence, a.Emphasis = v.say()
	}
	for _, c := range []struct {
		chart, axis string
		ys          []float64
	}{{"cosine", "cosine of v̂ and v", v.cosines}, {"length", "‖v̂‖ / η‖v‖", v.lengths}} {
		for _, g := range v.groups() {
			a.Series = append(a.Series, g.series(c.chart, c.axis, c.ys))
		}
	}
	a.Matrices = v.pictures()
	if v.shown > 0 {
		a.nameWords(v.r, v.token, reading{"value", v.value(v.token)}, reading{"prediction", v.predictions[v.token]}, reading{"written", v.effective(v.token)})
	}
	return a
}

func (g group) series(chart, axis string, ys []float64) Series {
	s := Series{
		Chart: chart, Name: g.name, Label: g.label, Role: g.role, Style: "points",
		XAxis: Axis{Label: "token i"}, YAxis: Axis{Label: axis},
	}
	for t, y := range ys {
		if g.holds(t) && !math.IsNaN(y) && !math.IsInf(y, 0) {
			s.X, s.Y = append(s.X, float64(t)), append(s.Y, y)
		}
	}
	return s
}

// formula names the write with the present numbers.
func (v *writesView) formula() string {
	if v.dot() {
		return say.Sprintf("v̂ = η v,  η = %.3g", v.rate())
	}
	return say.Sprintf("v̂ = η (v − f),  f = φ(k) W,  η = %.3g", v.rate())
}

func (v *writesView) say() (sentence, emphasis string) {
	if v.dot() {
		emphasis = "the value itself"
		return say.Sprintf("Under the dot loss what is written is %s: v̂ = ηv at all %d tokens; the largest difference is %s.",
			emphasis, v.shown, significant(v.rule)), emphasis
	}
	if groups := v.groups(); len(groups) == 2 {
		first, again := groups[0], groups[1]
		emphasis = "what the state did not know yet"
		noun, picture := v.noun()
		start := say.Sprintf("Under the squared loss a write is %s: a %s seen for the first time is written with cosine %.2f to %s and %s of its size",
			emphasis, noun, first.mean(v.cosines), picture, significant(first.mean(v.lengths)))
		if math.IsNaN(again.mean(v.cosines)) {
			return start + "; none comes a second time.", emphasis
		}
		return start + say.Sprintf(", one seen before with cosine %.2f and %s.", again.mean(v.cosines), significant(again.mean(v.lengths))), emphasis
	}
	edge := min(8, v.shown)
	begin, end := tallied(v.cosines[:edge]).value(), tallied(v.cosines[v.shown-edge:]).value()
	emphasis = "what the state did not predict"
	verb := "falls"
	if end > begin {
		verb = "rises"
	}
	return say.Sprintf("Under the squared loss a write is %s: its cosine with the value %s from %.2f over the first %d tokens to %.2f over the last %d, and it is %s as long as ηv on average.",
		emphasis, verb, begin, edge, end, edge, significant(tallied(v.lengths).value())), emphasis
}

// pictures are the three parts of the chosen token's write, where a value is a
// picture; under the dot loss, the two.
func (v *writesView) pictures() []Matrix {
	if v.r.Tokens.Classes == nil || v.shown == 0 {
		return nil
	}
	effective := append([]float64(nil), v.effective(v.token)...)
	for d := range effective {
		effective[d] /= v.rate()
	}
	value := picture("value", say.Sprintf("value v of token %d", v.token+1), v.value(v.token))
	if v.dot() {
		return []Matrix{value, picture("copy", "effective value v̂/η", effective)}
	}
	return []Matrix{
		value,
		picture("prediction", "prediction f", v.predictions[v.token]),
		picture("effective", "effective value v̂/η", effective),
	}
}

func (v *writesView) scalars() scalars {
	what := "η (v − f), f asked of the state before the step"
	if v.dot() {
		what = "η v"
	}
	var s scalars
	s.common(v.r)
	s.put("cosine.mean", tallied(v.cosines).value(), "", "mean cosine of effective value and value", "v̂·v / ‖v̂‖‖v‖ over the tokens shown")
	s.put("length.mean", tallied(v.lengths).value(), "", "mean length of the effective value over that of ηv", "‖v̂‖ / η‖v‖ over the tokens shown")
	s.put("ratio.mean", v.rate()*tallied(v.lengths).value(), "", "mean length of the effective value over that of the value", "‖v̂‖ / ‖v‖ over the tokens shown")
	s.put("rule", v.rule, "", "largest difference of v̂ from "+what, "over tokens and coordinates")
	noun, _ := v.noun()
	for _, g := range v.groups() {
		if g.name != "all" {
			s.put("cosine."+g.name, g.mean(v.cosines), "", "mean cosine, "+noun+"s: "+g.label, "over these tokens")
			s.put("length."+g.name, g.mean(v.lengths), "", "mean length over that of ηv, "+noun+"s: "+g.label, "over these tokens")
		}
	}
	s.put("token", float64(v.token), "", "the token shown", "the cursor, the last token if none")
	if v.shown > 0 {
		s.put("token.cosine", v.cosines[v.token], "", "cosine at the token shown", "v̂·v / ‖v̂‖‖v‖")
		s.put("token.length", v.lengths[v.token], "", "length at the token shown, over that of ηv", "‖v̂‖ / η‖v‖")
	}
	return append(s, diverged(v.r))
}
