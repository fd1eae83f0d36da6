package experiments

import (
	"math"
	"strings"

	"gonum.org/v1/gonum/mat"

	"unrolled/engine"
	"unrolled/engine/say"
)

// mirrors are the ways to set an ascending run against the descending one. Each
// of the last three is an exact symmetry of a loss that is odd in f and in v,
// whatever W_0, φ, momentum and rate.
var mirrors = []struct {
	name, label   string
	rate, w0, v   float64 // what the other run's η, W_0 and values are multiplied by
	sign          float64 // of the outputs that it should then give
	mirrored, how string
}{
	{"none", "none", -1, 1, 1, -1, "the exact negative of descent", "ascent"},
	{"values", "flip V", -1, 1, -1, 1, "exactly what descent gives", "ascent on −v"},
	{"start", "flip W₀", -1, -1, 1, -1, "the exact negative of descent", "ascent from −W₀"},
	{"both", "flip both, descend", 1, -1, -1, -1, "the exact negative of descent", "descent on −v from −W₀"},
}

// ascent asks what climbing the loss does to the outputs.
func ascent() Experiment {
	var options []Option
	for _, m := range mirrors {
		options = append(options, Option{m.name, m.label})
	}
	dotLoss := lossKnob()
	dotLoss.Default = "dot"
	return oneRun(Experiment{
		Name: "ascent", Key: "u", Title: "The wrong way, and nothing lost",
		Question: "What if every step climbs the loss, where it should go down?",
		Knobs: []Knob{
			{
				Name: "mirror", Key: "x", Kind: Choice, Label: "mirror", Default: "none", Choices: options,
				Help: "What else is turned round in the run that is compared with descent.",
			},
			dotLoss, w0Knob(), alphaKnob("0"), rateKnob(), taskKnob("digits"), textKnob(256), shortKnob(256), seedKnob(),
			cursorKnob("reading", "t", "reading", "t", "Which reading is shown; the last if none is chosen."),
		},
	}, func(f *form) engine.Config {
		c := sequentialOnly(f)
		c.Hold = true
		return c
	}, func(f *form, r *engine.Result) Answer {
		v := ascentView{r: r}
		chosen := f.choice("mirror")
		for _, m := range mirrors {
			if m.name == chosen {
				v.name, v.how, v.mirrored, v.sign = m.name, m.how, m.mirrored, m.sign
				v.short, _, _ = strings.Cut(m.how, " ")
				if m.name == "both" {
					v.short = "the other"
				}
				v.turn(m.rate, m.w0, m.v)
			}
		}
		v.reading = min(f.cursor("reading", r.Config.Length, r.Config.Length-1), max(0, v.shown-1))
		return v.answer()
	})
}

// ascentView is the descending run and the other.
type ascentView struct {
	r                   *engine.Result // descent
	other               *engine.Trace
	name, how, mirrored string
	short               string // how, in a word
	sign                float64

	shown, reading int
	off            []float64 // a token: largest |other − sign·descent|
	rest           float64   // largest |other + descent − 2 q̂ W_0|
	correlation    float64
}

// turn runs the other run and measures how far it is from the mirror image.
func (v *ascentView) turn(rate, w0, values float64) {
	loop := *v.r.Loop
	loop.Rate = append(engine.Schedule(nil), loop.Rate...)
	for t := range loop.Rate {
		loop.Rate[t] *= rate
	}
	if loop.W0 != nil {
		loop.W0 = scaled(loop.W0, w0)
	}
	tokens := *v.r.Tokens
	tokens.V = scaled(tokens.V, values)
	v.other = engine.Sequential(&tokens, &loop)

	v.shown = min(v.r.Length(), v.other.Length())
	var x, y []float64
	for t := range v.shown {
		a, b := v.other.Output.RawRowView(t), v.r.Sequential.Output.RawRowView(t)
		x, y = append(x, a...), append(y, b...)
		v.off = append(v.off, largest(a, b, v.sign))
		if v.r.Loop.W0 == nil {
			continue
		}
		start := readState(v.r.Sequential.Queries.RawRowView(t), v.r.Loop.W0)
		for d := range a {
			v.rest = max(v.rest, math.Abs(a[d]+b[d]-2*start[d]))
		}
	}
	if v.name != "none" || v.r.Config.Loss != "dot" {
		v.rest = math.NaN()
	}
	v.correlation = fitLine(x, y).correlation
}

func scaled(m *mat.Dense, by float64) *mat.Dense {
	var out mat.Dense
	out.Scale(by, m)
	return &out
}

// gap is how far the mirror image is missed, at worst; NaN of no token.
func (v *ascentView) gap() float64 {
	most := math.NaN()
	for _, x := range v.off {
		if !(x <= most) {
			most = x
		}
	}
	return most
}

func (v *ascentView) answer() Answer {
	a := Answer{Formula: v.formula(), Scalars: v.scalars(), Cost: cost(v.r)}
	a.Cost.MultiplyAdds += v.other.MultiplyAdds
	if a.Sentence, a.Emphasis = sayDiverged(v.r); a.Sentence == "" {
		a.Sentence, a.Emphasis = v.say()
	}
	a.Series = v.series()
	if v.shown > 0 {
		a.nameWords(v.r, v.reading, reading{"descent", v.r.Sequential.Output.RawRowView(v.reading)}, reading{v.short, v.other.Output.RawRowView(v.reading)})
	}
	if v.r.Tokens.Classes != nil && v.shown > 0 {
		a.Matrices = v.pictures()
	}
	return a
}

// pictures are the two outputs at the reading and what they leave of each other.
func (v *ascentView) pictures() []Matrix {
	down, up := v.r.Sequential.Output.RawRowView(v.reading), v.other.Output.RawRowView(v.reading)
	left := append([]float64(nil), up...)
	for d := range left {
		left[d] -= v.sign * down[d]
	}
	other, rest := "negative", picture("sum", "their sum", left)
	if v.sign > 0 {
		other, rest = "same", picture("difference", "their difference", left)
	}
	return []Matrix{picture(other, "output, "+v.how, up), picture("descent", "output, descent", down), rest}
}

func (v *ascentView) formula() string {
	c := v.r.Config
	up := c
	up.Rate = -up.Rate
	if v.name == "both" {
		return rule(c)
	}
	return rule(up)
}

func (v *ascentView) say() (sentence, emphasis string) {
	gap := v.gap()
	if v.shown < v.r.Length() {
		emphasis = say.Sprintf("runs away at token %d", v.shown+1)
		return say.Sprintf("%s %s: under the squared loss a step up pushes the prediction away from the value, each time by more.", upper(v.how), emphasis), emphasis
	}
	word := "sum"
	if v.sign > 0 {
		word = "difference"
	}
	if gap == 0 {
		emphasis = v.mirrored
		return say.Sprintf("%s gives %s: over all %d tokens and every coordinate the largest %s of the two outputs is 0.", upper(v.how), emphasis, v.shown, word), emphasis
	}
	emphasis = "is not " + v.mirrored
	sentence = say.Sprintf("%s %s: the largest %s is %s, beside outputs of up to %s", upper(v.how), emphasis, word, significant(gap), significant(v.size()))
	if v.r.Config.Loss == "squared" {
		return sentence + ". The squared loss is not odd in f: descent writes η(v − f) and ascent −η(v − f), where f is what each has made of it so far.", emphasis
	}
	return sentence + say.Sprintf(". Both start from the same W₀, which keeps its sign; take its share q̂W₀ out of each, and their sum is %s.", significant(v.rest)), emphasis
}

// size is the largest output of descent.
func (v *ascentView) size() float64 {
	most := 0.0
	for t := range v.shown {
		for _, x := range v.r.Sequential.Output.RawRowView(t) {
			most = max(most, math.Abs(x))
		}
	}
	return most
}

// drawnCoordinate is the output coordinate whose course is drawn: on the digits
// a pixel in the middle, elsewhere the first.
func (v *ascentView) drawnCoordinate() int {
	if v.r.Tokens.Classes != nil {
		return 27
	}
	return 0
}

func (v *ascentView) series() []Series {
	d := v.drawnCoordinate()
	line := func(name, label, role, style string, y func(t int) float64) Series {
		s := Series{
			Chart: "outputs", Name: name, Label: label, Role: role, Style: style,
			XAxis: Axis{Label: "token t"}, YAxis: Axis{Label: say.Sprintf("output, coordinate %d", d)},
		}
		for t := range v.shown {
			s.X, s.Y = append(s.X, float64(t)), append(s.Y, y(t))
		}
		return s
	}
	down := func(t int) float64 { return v.r.Sequential.Output.At(t, d) }
	up := func(t int) float64 { return v.other.Output.At(t, d) }
	left := "sum"
	if v.sign > 0 {
		left = "difference"
	}
	return []Series{
		line("descent", "descent", "state", "line", down),
		line("other", v.short, "effective", "line", up),
		line("left", left, "gap", "dashed", func(t int) float64 { return up(t) - v.sign*down(t) }),
	}
}

func (v *ascentView) scalars() scalars {
	var s scalars
	s.common(v.r)
	s.put("gap", v.gap(), "", "how far "+v.how+" is from "+v.mirrored+"; none if it diverged at once", "largest over tokens and coordinates")
	s.put("correlation", v.correlation, "", "correlation of all outputs of the two runs; none if nothing varies", "over tokens and coordinates")
	s.put("rest", v.rest, "", "largest sum of the two outputs less 2 q̂ W_0; for plain ascent on the dot loss only", "over tokens and coordinates")
	s.put("size", v.size(), "", "largest output of descent", "max |o|")
	s.put("reading", float64(v.reading), "", "the reading shown", "the cursor, the last reading if none")
	s.put("shown", float64(v.shown), "tokens", "tokens before either run diverged", "counted")
	return append(s, diverged(v.r))
}
