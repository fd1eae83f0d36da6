package experiments

import (
	"math"

	"unrolled/engine"
	"unrolled/engine/say"
)

// longestReplay bounds the readings at which the state is looked at; going
// through them replays the inner loop.
const longestReplay = 1024

// replay measures the two matrices that momentum keeps, W and Δ: the size of the
// state at every reading, and that of what the reading's update added, ηΔ_t.
func (v *ageView) replay() {
	v.rank = math.NaN()
	if v.shown == 0 || v.shown > longestReplay {
		return
	}
	_, _, dv := v.r.Tokens.Dims()
	before := make([]float64, v.r.Loop.Feature.Out()*dv) // W_0, which is zero here
	step := make([]float64, len(before))
	for t, state := range v.r.Sequential.States() {
		data := state.RawMatrix().Data
		for i, w := range data {
			step[i] = w - before[i]
		}
		copy(before, data)
		v.sizes, v.steps = append(v.sizes, norm(data)), append(v.steps, norm(step))
		if t == v.reading {
			v.rank = rankOf(step, state.RawMatrix().Rows)
		}
	}
}

// rankOf counts the singular values of a matrix of so many rows that are not
// rounding.
func rankOf(data []float64, rows int) float64 {
	sigma := new(engine.Spectrum).Follow(dense(rows, data))
	count := 0
	for _, s := range sigma {
		if s > 1e-6*sigma[0] {
			count++
		}
	}
	return float64(count)
}

// matrices is W and the step towards it, reading by reading.
func (v *ageView) matrices() []Series {
	curve := func(name, label, role string, y []float64) Series {
		s := Series{
			Chart: "matrices", Name: name, Label: label, Role: role, Style: "line",
			XAxis: Axis{Label: "reading t"}, YAxis: Axis{Label: "size ‖·‖"},
		}
		for t, size := range y {
			s.X, s.Y = append(s.X, float64(t)), append(s.Y, size)
		}
		return s
	}
	if len(v.sizes) == 0 {
		return nil
	}
	return []Series{curve("state", "W", "state", v.sizes), curve("step", "step", "effective", v.steps)}
}

// halves is how long a token takes to reach half of its eventual weight, for
// every constant α. Holding η/(1−α) does not move it.
func (v *ageView) halves() []Series {
	axis := Axis{Label: "updates to half", Log: true}
	line := Series{
		Chart: "halves", Name: "half-life", Label: "log½/logα", Role: "ink", Style: "line",
		XAxis: Axis{Label: "momentum α"}, YAxis: axis,
	}
	for hundredth := 50; hundredth <= 99; hundredth++ {
		alpha := float64(hundredth) / 100
		line.X, line.Y = append(line.X, alpha), append(line.Y, math.Log(0.5)/math.Log(alpha))
	}
	all := []Series{line}
	if v.same && v.alpha >= 0.5 && v.alpha < 1 {
		all = append(all, Series{
			Chart: "halves", Name: "here", Label: "α " + decimals(v.alpha), Role: "effective", Style: "points",
			X: []float64{v.alpha}, Y: []float64{math.Log(0.5) / math.Log(v.alpha)}, XAxis: line.XAxis, YAxis: axis,
		})
	}
	return all
}

// sweep is the share of its eventual weight that a token has, less one half, for
// every momentum and age: the white line between the colours is the half-life.
func (v *ageView) sweep() Matrix {
	ages := min(len(v.alphas), 128)
	m := Matrix{
		Name: "sweep", Label: "share of the eventual weight, less ½", Rows: 100, Cols: ages, Stride: 1,
		RowAxis: Axis{Label: "momentum, 100 α"}, ColAxis: Axis{Label: "age n"}, Diverging: true,
	}
	for hundredth := range 100 {
		for n := range ages {
			m.Values = append(m.Values, 0.5-math.Pow(float64(hundredth)/100, float64(n+1)))
		}
	}
	return m
}

// pinned is the growth under the momentum that the reader has pinned.
func (v *ageView) pinned() []Series {
	if v.pin < 0 || v.token >= v.shown {
		return nil
	}
	alpha, scale := float64(v.pin)/100, 1.0
	if v.r.Config.Hold {
		scale = 1 - alpha
	}
	flat := engine.Constant(alpha).Expand(len(v.alphas))
	return []Series{v.column("pinned", say.Sprintf("pinned α %s", decimals(alpha)), "query", "dashed", engine.AgeColumn(flat, v.token), scale)}
}

// beyond are the numbers of the views above.
func (v *ageView) beyond() []Scalar {
	var s scalars
	c := v.r.Config
	if len(v.steps) > v.reading {
		s.put("step.rank", v.rank, "", "rank of what the update at the reading added to the state; 1 without momentum", "singular values above 10⁻⁶ of the largest")
		s.put("step.share", v.steps[v.reading]/v.sizes[v.reading], "", "size of that step over the size of the state", "‖ηΔ_t‖ / ‖S_t‖")
	}
	rest := 1 - c.MeanAlpha()
	if !(rest > 0) {
		rest = math.NaN()
	}
	s.put("eventual.raw", math.Abs(c.Rate)/rest, "", "eventual weight of a write at the rate η", "η/(1−α), with the mean of α")
	s.put("eventual", math.Abs(c.Rate)*v.scale/rest, "", "eventual weight of a write as the run uses it", "η used/(1−α): η where the weight is held")
	return s
}
