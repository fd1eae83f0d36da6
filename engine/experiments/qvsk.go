package experiments

import (
	"math"
	"strings"

	"gonum.org/v1/gonum/mat"

	"unrolled/engine"
	"unrolled/engine/say"
)

// qVersusK asks whether the likeness of queries and keys means anything.
func qVersusK() Experiment {
	dotLoss := lossKnob()
	dotLoss.Default = "dot"
	return oneRun(Experiment{
		Name: "q-vs-k", Key: "g", Title: "Queries need not look like keys",
		Question: "What do the outputs tell about how alike queries and keys are?",
		Knobs: []Knob{
			{
				Name: "angle", Key: "r", Kind: Number, Label: "turn", Symbol: "θ", Unit: "°", Max: 180, Step: 5, Default: "30",
				Help: "The angle by which M turns each pair of coordinates.",
			},
			{
				Name: "stretch", Key: "x", Kind: Number, Label: "stretch", Min: 1, Max: 8, Step: 0.1, Default: "4", Log: true,
				Help: "M makes one coordinate of a pair so much longer and the other so much shorter.",
			},
			{
				Name: "shear", Key: "y", Kind: Number, Label: "shear", Max: 2, Step: 0.1, Default: "0",
				Help: "M adds so much of one coordinate to the other.",
			},
			dotLoss, w0Knob(), rateKnob(), vectorTaskKnob(), textKnob(256), shortKnob(256), seedKnob(),
			cursorKnob("reading", "t", "reading", "t", "Which reading is shown; the last if none is chosen."),
		},
	}, func(f *form) engine.Config {
		c := sequentialOnly(f)
		c.Feature = "identity"
		return c
	}, func(f *form, r *engine.Result) Answer {
		v := gaugeView{r: r, m: block{f.number("angle") * math.Pi / 180, f.number("stretch"), f.number("shear")}}
		v.turn()
		v.reading = min(f.cursor("reading", r.Config.Length, r.Config.Length-1), max(0, v.shown-1))
		return v.answer()
	})
}

// A block is the 2×2 matrix that M has along its diagonal: a turn, then a
// stretch of one coordinate by s and of the other by 1/s, then a shear.
type block struct{ angle, stretch, shear float64 }

// matrix is R(angle) · diag(s, 1/s) · [1 shear; 0 1]; its determinant is 1.
func (b block) matrix() [2][2]float64 {
	cos, sin := math.Cos(b.angle), math.Sin(b.angle)
	s := b.stretch
	return [2][2]float64{
		{cos * s, cos*s*b.shear + sin/s},
		{-sin * s, -sin*s*b.shear + cos/s},
	}
}

// inverseTransposed is m⁻ᵀ of a matrix of determinant 1.
func inverseTransposed(m [2][2]float64) [2][2]float64 {
	return [2][2]float64{{m[1][1], -m[1][0]}, {-m[0][1], m[0][0]}}
}

// right is x·M for every row of x, M holding b along its diagonal; a last odd
// coordinate stays.
func right(x *mat.Dense, b [2][2]float64) *mat.Dense {
	out := mat.DenseCopyOf(x)
	rows, cols := x.Dims()
	for r := range rows {
		row := out.RawRowView(r)
		for c := 0; c+1 < cols; c += 2 {
			row[c], row[c+1] = row[c]*b[0][0]+row[c+1]*b[1][0], row[c]*b[0][1]+row[c+1]*b[1][1]
		}
	}
	return out
}

// gaugeView is a run and the same with Q → QM, K → KM⁻ᵀ, W_0 → M⁻¹W_0.
type gaugeView struct {
	r     *engine.Result
	m     block
	moved *engine.Tokens
	other *engine.Trace

	shown, reading int
	gap, size      float64   // largest difference of the outputs, largest output
	before, after  []float64 // cos(q_t, k_t)
}

func (v *gaugeView) turn() {
	m := v.m.matrix()
	tokens := *v.r.Tokens
	tokens.Q, tokens.K = right(tokens.Q, m), right(tokens.K, inverseTransposed(m))
	loop := *v.r.Loop
	if loop.W0 != nil { // M⁻¹W_0 = (W_0ᵀ M⁻ᵀ)ᵀ
		loop.W0 = mat.DenseCopyOf(right(mat.DenseCopyOf(loop.W0.T()), inverseTransposed(m)).T())
	}
	v.moved, v.other = &tokens, engine.Sequential(&tokens, &loop)
	v.shown = min(v.r.Length(), v.other.Length())
	for t := range v.shown {
		a, b := v.r.Sequential.Output.RawRowView(t), v.other.Output.RawRowView(t)
		v.gap = max(v.gap, largest(a, b, 1))
		v.size = max(v.size, largest(a, a, 0))
		v.before = append(v.before, cosine(v.r.Tokens.Q.RawRowView(t), v.r.Tokens.K.RawRowView(t)))
		v.after = append(v.after, cosine(tokens.Q.RawRowView(t), tokens.K.RawRowView(t)))
	}
}

// held reports whether the outputs stayed, to rounding.
func (v *gaugeView) held() bool { return v.gap <= 1e-11*max(1, v.size) }

func (v *gaugeView) answer() Answer {
	m := v.m.matrix()
	a := Answer{
		Formula: strings.ReplaceAll(say.Sprintf("Q → QM,  K → KM⁻ᵀ,  W₀ → M⁻¹W₀,  M = [%.2f %.2f; %.2f %.2f] on each pair of coordinates", m[0][0], m[0][1], m[1][0], m[1][1]), "-", "−"),
		Cost:    cost(v.r),
	}
	a.Cost.MultiplyAdds += v.other.MultiplyAdds
	if a.Sentence, a.Emphasis = sayDiverged(v.r); a.Sentence == "" {
		a.Sentence, a.Emphasis = v.say()
	}
	if v.shown > 0 {
		a.Series = append(v.clouds(), v.lines()...)
		a.nameWords(v.r, v.reading, reading{"before", v.r.Sequential.Output.RawRowView(v.reading)}, reading{"after", v.other.Output.RawRowView(v.reading)})
	}
	a.Scalars = v.scalars()
	return a
}

func (v *gaugeView) say() (sentence, emphasis string) {
	if v.shown < v.r.Length() {
		emphasis = say.Sprintf("diverges at token %d", v.shown+1)
		return say.Sprintf("The squared loss sees this M: the run on the stretched keys %s.", emphasis), emphasis
	}
	moved := say.Sprintf("The mean cosine of query and key goes from %.2f to %.2f, ", tallied(v.before).value(), tallied(v.after).value())
	if v.held() {
		emphasis = "no output moves"
		why := ""
		if v.r.Config.Loss == "squared" {
			why = ": a pure turn is all that this loss allows"
		}
		return moved + say.Sprintf("and %s: the largest difference is %s, beside outputs of up to %s%s.", emphasis, significant(v.gap), significant(v.size), why), emphasis
	}
	emphasis = say.Sprintf("the outputs move by up to %s", significant(v.gap))
	return moved + say.Sprintf("and under the squared loss %s. There keys also meet earlier keys, to predict; M keeps the products q·k, but k·k only if it is a pure turn: stretch 1, shear 0.", emphasis), emphasis
}

// clouds are Q, K, V and O after the move, on the two axes along which the
// unmoved ones vary most.
func (v *gaugeView) clouds() []Series {
	axes := principal(v.r.Tokens.Q, v.r.Tokens.K, v.r.Tokens.V, v.r.Sequential.Output.Slice(0, v.shown, 0, v.r.Config.ValueDim).(*mat.Dense))
	cloud := func(name, label, role string, m *mat.Dense) Series {
		s := Series{
			Chart: "clouds", Name: name, Label: label, Role: role, Style: "points",
			XAxis: Axis{Label: "first axis"}, YAxis: Axis{Label: "second axis"},
		}
		for t := range v.shown {
			s.X = append(s.X, dot(m.RawRowView(t), axes[0]))
			s.Y = append(s.Y, dot(m.RawRowView(t), axes[1]))
		}
		return s
	}
	return []Series{
		cloud("outputs", "outputs O", "effective", v.other.Output),
		cloud("values", "values V", "value", v.moved.V),
		cloud("queries", "queries Q", "query", v.moved.Q),
		cloud("keys", "keys K", "key", v.moved.K),
	}
}

// principal returns the two directions along which the rows of all matrices
// together vary most, by power iteration from a fixed start. Each is turned so
// that its largest coordinate is positive.
func principal(ms ...*mat.Dense) [2][]float64 {
	_, n := ms[0].Dims()
	spread := make([][]float64, n)
	for d := range spread {
		spread[d] = make([]float64, n)
	}
	for _, m := range ms {
		rows, _ := m.Dims()
		for r := range rows {
			row := m.RawRowView(r)
			for i := range n {
				for j := range n {
					spread[i][j] += row[i] * row[j]
				}
			}
		}
	}
	var axes [2][]float64
	for k := range axes {
		axes[k] = leading(spread)
		size := 0.0
		for i := range n {
			size += axes[k][i] * dot(spread[i], axes[k])
		}
		for i := range n { // take the direction out for the next
			for j := range n {
				spread[i][j] -= size * axes[k][i] * axes[k][j]
			}
		}
	}
	return axes
}

// leading is the direction in which a symmetric matrix is largest.
func leading(m [][]float64) []float64 {
	x := make([]float64, len(m))
	for d := range x {
		x[d] = 1 / float64(d+1)
	}
	for range 200 {
		next := make([]float64, len(m))
		for d := range next {
			next[d] = dot(m[d], x)
		}
		size := norm(next)
		if size == 0 {
			break
		}
		for d := range next {
			x[d] = next[d] / size
		}
	}
	most := 0
	for d := range x {
		if math.Abs(x[d]) > math.Abs(x[most]) {
			most = d
		}
	}
	if x[most] < 0 {
		for d := range x {
			x[d] = -x[d]
		}
	}
	return x
}

func (v *gaugeView) lines() []Series {
	line := func(chart, name, label, role, style, axis string, y func(t int) float64) Series {
		s := Series{Chart: chart, Name: name, Label: label, Role: role, Style: style, XAxis: Axis{Label: "token t"}, YAxis: Axis{Label: axis}}
		for t := range v.shown {
			s.X, s.Y = append(s.X, float64(t)), append(s.Y, y(t))
		}
		return s
	}
	return []Series{
		line("similarity", "before", "before", "muted", "dashed", "cosine of q and k", func(t int) float64 { return v.before[t] }),
		line("similarity", "after", "after", "query", "line", "cosine of q and k", func(t int) float64 { return v.after[t] }),
		line("outputs", "before", "before", "state", "line", "output, coordinate 0", func(t int) float64 { return v.r.Sequential.Output.At(t, 0) }),
		line("outputs", "after", "after", "effective", "dots", "output, coordinate 0", func(t int) float64 { return v.other.Output.At(t, 0) }),
	}
}

func (v *gaugeView) scalars() scalars {
	var s scalars
	s.common(v.r)
	s.put("similarity.before", tallied(v.before).value(), "", "mean cosine of query and key as drawn; none if the run diverged at once", "q·k / ‖q‖‖k‖")
	s.put("similarity.after", tallied(v.after).value(), "", "the same after Q → QM, K → KM⁻ᵀ", "q·k / ‖q‖‖k‖")
	s.put("gap", v.gap, "", "largest difference of the outputs before and after", "over tokens and coordinates")
	s.put("gap.relative", v.gap/max(1, v.size), "", "the same, relative to max(1, largest output)", "gap / max(1, ‖o‖∞)")
	s.put("size", v.size, "", "largest output", "max |o|")
	s.put("reading", float64(v.reading), "", "the reading shown", "the cursor, the last reading if none")
	s.put("shown", float64(v.shown), "tokens", "tokens before either run diverged", "counted")
	return append(s, diverged(v.r))
}
