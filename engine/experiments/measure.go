package experiments

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"unrolled/engine"
)

// Small measures that several experiments take.

// dense is rows of numbers as a matrix that shares them.
func dense(rows int, data []float64) *mat.Dense { return mat.NewDense(rows, len(data)/rows, data) }

func dot(a, b []float64) float64 {
	sum := 0.0
	for d, x := range a {
		sum += x * b[d]
	}
	return sum
}

func norm(a []float64) float64 { return math.Sqrt(dot(a, a)) }

// cosine is the cosine of the angle between a and b; NaN if either is zero.
func cosine(a, b []float64) float64 {
	size := norm(a) * norm(b)
	if size == 0 {
		return math.NaN()
	}
	return min(max(dot(a, b)/size, -1), 1)
}

// largest is the largest |a − scale·b|.
func largest(a, b []float64, scale float64) float64 {
	most := 0.0
	for d, x := range a {
		most = max(most, math.Abs(x-scale*b[d]))
	}
	return most
}

// A tally is a mean and a spread, taken number by number (Welford).
type tally struct {
	n          int
	mean, sum2 float64
}

// add counts x, unless it is not a number.
func (s *tally) add(x float64) {
	if math.IsNaN(x) {
		return
	}
	s.n++
	step := x - s.mean
	s.mean += step / float64(s.n)
	s.sum2 += step * (x - s.mean)
}

// value is the mean, NaN of nothing.
func (s *tally) value() float64 {
	if s.n == 0 {
		return math.NaN()
	}
	return s.mean
}

// deviation is the standard deviation of the numbers, NaN of fewer than two.
func (s *tally) deviation() float64 {
	if s.n < 2 {
		return math.NaN()
	}
	return math.Sqrt(s.sum2 / float64(s.n-1))
}

func tallied(xs []float64) *tally {
	var s tally
	for _, x := range xs {
		s.add(x)
	}
	return &s
}

// A fit is the least-squares line through points, with Pearson's correlation.
type fit struct{ slope, offset, correlation float64 }

// fitLine fits y = offset + slope·x; all NaN where x or y does not vary.
func fitLine(x, y []float64) fit {
	mx, my := tallied(x).value(), tallied(y).value()
	var xx, xy, yy float64
	for i := range x {
		dx, dy := x[i]-mx, y[i]-my
		xx, xy, yy = xx+dx*dx, xy+dx*dy, yy+dy*dy
	}
	// Rounding alone makes a cosine of a vector with itself vary by 1e-16.
	if floor := 1e-20 * float64(len(x)); !(xx > floor && yy > floor) {
		return fit{math.NaN(), math.NaN(), math.NaN()}
	}
	slope := xy / xx
	return fit{slope, my - slope*mx, xy / math.Sqrt(xx*yy)}
}

// picture is a vector of pixels as a square matrix.
func picture(name, label string, pixels []float64) Matrix {
	side := int(math.Round(math.Sqrt(float64(len(pixels)))))
	return Matrix{
		Name: name, Label: label, Rows: side, Cols: side, Stride: 1,
		RowAxis: Axis{Label: "row"}, ColAxis: Axis{Label: "column"}, Diverging: true,
		Values: append([]float64(nil), pixels...),
	}
}

// attention is q̂_t·k̂_i for i ≤ t over the first shown tokens, from the
// features of one of the two ways.
func attention(name, label string, trace *engine.Trace, shown int) Matrix {
	stride, side := every(shown)
	m := Matrix{
		Name: name, Label: label, Rows: side, Cols: side, Stride: stride,
		RowAxis: Axis{Label: "query t"}, ColAxis: Axis{Label: "key i"}, Diverging: true,
		Values: make([]float64, side*side),
	}
	var weights []float64
	for row := range side {
		weights = trace.Attention(weights, row*stride)
		for col := range row + 1 {
			m.Values[row*side+col] = weights[col*stride]
		}
	}
	return m
}

// readState is φ S, what a state answers to a feature.
func readState(phi []float64, state *mat.Dense) []float64 {
	_, cols := state.Dims()
	out := make([]float64, cols)
	for h, p := range phi {
		for d, w := range state.RawRowView(h) {
			out[d] += p * w
		}
	}
	return out
}

// scalars collects an answer's numbers. (Calls make a smaller binary than one
// literal of many strings.)
type scalars []Scalar

// put adds a number; an infinite one does not exist either.
func (s *scalars) put(name string, value float64, unit, meaning, how string) {
	if math.IsInf(value, 0) {
		value = math.NaN()
	}
	*s = append(*s, Scalar{name, value, unit, meaning, how})
}

// common adds what every run has: its rate and its length.
func (s *scalars) common(r *engine.Result) {
	s.put("eta.used", r.Config.Rate*r.Config.Scale(), "", "inner learning rate that the run uses", "η(1−α) where the eventual weight is held, else η")
	s.put("length", float64(r.Config.Length), "tokens", "tokens read", "the knob")
}
