package experiments

import (
	"math"
	"slices"

	"unrolled/engine"
)

// compared are the momenta drawn beside the present one.
var compared = []float64{0, 0.6, 0.9}

// weightAxis names what is drawn: c, or c(1−α) where the eventual weight is held.
func (v *ageView) weightAxis() Axis {
	if v.r.Config.Hold {
		return Axis{Label: "weight (1−α)·c"}
	}
	return Axis{Label: "multiplier c"}
}

// growth is one token, read later and later: a column of C.
func (v *ageView) growth() []Series {
	if v.token >= v.shown {
		return nil
	}
	series := []Series{v.column("profile", v.present(), "ink", "line", engine.AgeColumn(v.alphas, v.token), v.scale)}
	if v.same {
		series = append(series, v.closed())
	}
	for _, alpha := range compared {
		if v.same && math.Abs(alpha-v.alpha) < 0.005 {
			continue
		}
		scale := 1.0
		if v.r.Config.Hold {
			scale = 1 - alpha
		}
		text := plain(alpha)
		flat := engine.Constant(alpha).Expand(len(v.alphas))
		series = append(series, v.column("alpha "+text, "α "+text, "muted", "dashed", engine.AgeColumn(flat, v.token), scale))
	}
	return series
}

// present is the label of the momentum that the run has.
func (v *ageView) present() string {
	if v.same {
		return "α " + decimals(v.alpha)
	}
	return "α varies"
}

// column is the series of a column of C from the token on, up to where the run
// diverged.
func (v *ageView) column(name, label, role, style string, c []float64, scale float64) Series {
	s := Series{
		Chart: "growth", Name: name, Label: label, Role: role, Style: style,
		XAxis: Axis{Label: "reading t"}, YAxis: v.weightAxis(),
	}
	for n := range v.shown - v.token {
		s.X = append(s.X, float64(v.token+n))
		s.Y = append(s.Y, c[n]*scale)
	}
	return s
}

// closed is (1 − α^{n+1})/(1 − α) at some 32 readings.
func (v *ageView) closed() Series {
	s := Series{
		Chart: "growth", Name: "closed", Label: "(1−αⁿ⁺¹)/(1−α)", Role: "muted", Style: "dots",
		XAxis: Axis{Label: "reading t"}, YAxis: v.weightAxis(),
	}
	for n := 0; n < v.shown-v.token; n += max(1, (v.shown-v.token+31)/32) {
		s.X = append(s.X, float64(v.token+n))
		s.Y = append(s.Y, engine.AgeClosed(v.alpha, n)*v.scale)
	}
	return s
}

// row is one reading, every token: a row of C.
func (v *ageView) row() []Series {
	if v.shown == 0 {
		return nil
	}
	s := Series{
		Chart: "reading", Name: "weights", Label: "weight of each token", Role: "ink", Style: "bars",
		XAxis: Axis{Label: "token i"}, YAxis: v.weightAxis(),
	}
	if v.pinComparable() {
		s.Label = v.present()
	}
	for i, c := range engine.AgeRow(v.alphas, v.reading) {
		s.X = append(s.X, float64(i))
		s.Y = append(s.Y, c*v.scale)
	}
	return []Series{s}
}

// momenta is α_t, for the editor: all of it, diverged or not.
func (v *ageView) momenta() []Series {
	s := Series{
		Chart: "alphas", Name: "alphas", Label: "αₜ", Role: "ink", Style: "bars",
		XAxis: Axis{Label: "token t"}, YAxis: Axis{Label: "momentum αₜ"},
	}
	for t, alpha := range v.alphas {
		s.X = append(s.X, float64(t))
		s.Y = append(s.Y, alpha)
	}
	return []Series{s}
}

// largestSide bounds a matrix that is drawn.
const largestSide = 256

// every returns the stride that brings n below largestSide, and the rows left.
func every(n int) (stride, left int) {
	stride = max(1, (n+largestSide-1)/largestSide)
	return stride, (n + stride - 1) / stride
}

// multipliers is C itself, readings × tokens, scaled as the charts.
func (v *ageView) multipliers() Matrix {
	stride, side := every(v.shown)
	m := Matrix{
		Name: "multipliers", Label: "weight of every token at every reading", Rows: side, Cols: side, Stride: stride,
		RowAxis: Axis{Label: "reading t"}, ColAxis: Axis{Label: "token i"},
		Values: make([]float64, side*side),
	}
	for row := range side {
		c := engine.AgeRow(v.alphas, row*stride)
		for col := range row + 1 {
			m.Values[row*side+col] = c[col*stride] * v.scale
		}
	}
	return m
}

func (v *ageView) scalars() []Scalar {
	c := v.r.Config
	limit, exists := v.limit()
	alphaMeaning, limitMeaning := "momentum", "later updates until a token has half of its eventual weight 1/(1−α)"
	if !v.same {
		alphaMeaning = "mean momentum over the tokens"
	}
	limitValue := float64(limit)
	if !exists {
		limitValue, limitMeaning = math.NaN(), "an eventual weight 1/(1−α) exists only for one constant α from 0 to below 1"
	}
	scalars := []Scalar{
		{"alpha", c.MeanAlpha(), "", alphaMeaning, "the knob"},
		{"eta", c.Rate, "", "inner learning rate η", "the knob"},
		{"eta.used", c.Rate * v.scale, "", "inner learning rate that the run uses", "η(1−α) where the eventual weight is held, else η"},
		{"length", float64(c.Length), "tokens", "tokens read", "the knob"},
		{"half-life.own", float64(engine.HalfLife(v.alphas, v.token)), "updates",
			"later updates until the token has half of its own weight at the last reading", "first n with c_i^{i+n} ≥ ½ c_i^{T−1}"},
		{"half-life.limit", limitValue, "updates", limitMeaning, "first n with 1 − α^{n+1} ≥ ½"},
		{"newest-oldest", v.newestOldest(), "", "weight of the newest token over that of the oldest, at the reading", "c_t^t / c_0^t by Horner's rule"},
		{"reading", float64(v.reading), "", "the reading shown", "the cursor, the last reading if none"},
		{"token", float64(v.token), "", "the token shown", "the cursor, the oldest token if none"},
		{"step-size", v.r.StepSize(), "", "η·mean‖φ‖²/(1−α); the squared loss stays bounded while it is below about 2", "over the keys of the run"},
	}
	if s := &scalars[len(scalars)-1]; math.IsInf(s.Value, 0) {
		s.Value, s.Meaning = math.NaN(), "η·mean‖φ‖²/(1−α) has no value for a mean momentum of 1 or more"
	}
	return slices.Concat(scalars, v.beyond(), gapScalars(v.r))
}

// gapScalars compares the two ways and names the token where a run diverged.
func gapScalars(r *engine.Result) []Scalar {
	scalars := []Scalar{
		{"gap", math.NaN(), "", "left out: the attention form costs T² and was not run at this length", ""},
		{"gap.relative", math.NaN(), "", "left out: the attention form costs T² and was not run at this length", ""},
		{"diverged", math.NaN(), "", "the run did not diverge", "first token with ‖o‖∞ > 10³·max‖v‖∞"},
	}
	if r.Unrolled != nil {
		gap := engine.Compare(r.Sequential, r.Unrolled)
		scalars[0] = Scalar{"gap", gap.Absolute, "", "largest difference between the two outputs", "max |sequential − unrolled| over tokens and coordinates"}
		scalars[1] = Scalar{"gap.relative", gap.Relative, "", "the same, relative to max(1, largest output)", "gap / max(1, ‖o‖∞)"}
	}
	if t := r.Diverged(); t >= 0 {
		scalars[2].Value, scalars[2].Meaning = float64(t), "token at which the run diverged"
	}
	return scalars
}
