package engine

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"unrolled/engine/internal/vec"
	"unrolled/engine/say"
)

// Tokens is what the inner loop reads, row t being token t.
type Tokens struct {
	Q *mat.Dense // T×Dk queries
	K *mat.Dense // T×Dk keys
	V *mat.Dense // T×Dv values

	// Classes names what token t shows (the digit 0 … 9); nil where tokens have
	// no name.
	Classes []int
	// Mean was subtracted from every value, Dv; nil where nothing was.
	Mean []float64
	// Targets are what the outputs should be, T×Dv, where that is not the token's
	// own value; else nil. The inner loop never sees them.
	Targets *mat.Dense
	// Probes are the keys that a state is asked with to show what it holds, one a
	// row: the clean class keys, or words of a text; nil where there are none.
	Probes *mat.Dense
	// Text is where the tokens come from; nil where that is no text.
	Text *Text
}

// Dims returns T, Dk and Dv.
func (x *Tokens) Dims() (n, dk, dv int) {
	n, dk = x.K.Dims()
	_, dv = x.V.Dims()
	return n, dk, dv
}

// check says in one sentence why the tokens cannot be run, or returns nil.
func (x *Tokens) check() error {
	if x.Q == nil || x.K == nil || x.V == nil {
		return say.Errorf("tokens need queries, keys and values")
	}
	n, dk, _ := x.Dims()
	if r, c := x.Q.Dims(); c != dk || r == 0 || n%r != 0 {
		return say.Errorf("queries are %d×%d and keys %d×%d; they must agree", r, c, n, dk)
	}
	if r, _ := x.V.Dims(); r != n {
		return say.Errorf("there are %d values for %d keys", r, n)
	}
	for _, m := range []struct {
		name string
		m    *mat.Dense
	}{{"queries", x.Q}, {"keys", x.K}, {"values", x.V}} {
		if err := finite(m.name, m.m); err != nil {
			return err
		}
	}
	return nil
}

// finite names the first NaN or infinity in m.
func finite(name string, m *mat.Dense) error {
	rows, _ := m.Dims()
	for r := range rows {
		if vec.Finite(m.RawRowView(r)) {
			continue
		}
		for c, x := range m.RawRowView(r) {
			if math.IsNaN(x) || math.IsInf(x, 0) {
				return say.Errorf("%s hold %v in row %d, column %d; every number must be finite", name, x, r, c)
			}
		}
	}
	return nil
}

// tasks lists the tasks that a Config can name, each with its default run. To
// add one, write a function that draws its tokens and a row here.
var tasks = []struct {
	name     string
	defaults Config
	draw     func(c Config) *Tokens
}{
	// Defaults of gaussian: chosen so that a published toy's figures lie inside
	// the spread over seeds (0.7924, 0.4746, 0.4454, 0.3573; tested).
	{"gaussian", Config{
		Task: "gaussian", Seed: 1, Length: 64, KeyDim: 8, HiddenDim: 16, ValueDim: 8, QueryNoise: 0.45,
		Feature: "tanh", Loss: "squared", Rate: 0.06, Steps: 1,
	}, drawGaussian},
	{"digits", Config{
		Task: "digits", Seed: 1, Length: 64, KeyDim: 16, HiddenDim: 32, ValueDim: digitPixels, KeyNoise: 0.3,
		Feature: "tanh", Loss: "squared", Rate: 0.06, Steps: 1,
	}, drawDigits},
	{"recall", Config{
		Task: "recall", Seed: 1, Length: 48, KeyDim: 16, HiddenDim: 24, ValueDim: 8, QueryNoise: 0.2,
		Feature: "tanh", Loss: "squared", Rate: 0.05, Steps: 1,
	}, drawRecall},
	{"smoothing", Config{
		Task: "smoothing", Seed: 1, Length: 48, KeyDim: 16, HiddenDim: 24, ValueDim: 8, QueryNoise: 0.5,
		Feature: "tanh", Loss: "squared", Rate: 0.05, Steps: 1,
	}, drawSmoothing},
}

// Streams keep the draws of one seed apart, so that turning one knob leaves the
// other draws as they are, and a longer run begins with the shorter one.
const (
	streamProjection = iota + 1
	streamState
	streamKeys
	streamValues
	streamQueries
	streamOrder
	streamClasses
)

func stream(seed, which uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, which)) }

// gaussianMatrix draws a rows×cols matrix of scale·N(0, 1).
func gaussianMatrix(r *rand.Rand, rows, cols int, scale float64) *mat.Dense {
	m := mat.NewDense(rows, cols, nil)
	for i := range rows {
		for j := range m.RawRowView(i) {
			m.Set(i, j, scale*r.NormFloat64())
		}
	}
	return m
}

// normalizeRows divides each row by its length; a zero row stays.
func normalizeRows(m *mat.Dense) {
	rows, _ := m.Dims()
	for i := range rows {
		row := m.RawRowView(i)
		length := math.Sqrt(vec.Dot(row, row))
		if length == 0 {
			continue
		}
		for j := range row {
			row[j] /= length
		}
	}
}

// withNoise returns m + scale·N(0, 1).
func withNoise(m *mat.Dense, r *rand.Rand, scale float64) *mat.Dense {
	rows, cols := m.Dims()
	out := gaussianMatrix(r, rows, cols, scale)
	out.Add(out, m)
	return out
}

// drawGaussian: k = g/‖g‖, v ~ N(0, I), q = k + QueryNoise·N(0, I).
func drawGaussian(c Config) *Tokens {
	k := gaussianMatrix(stream(c.Seed, streamKeys), c.Length, c.KeyDim, 1)
	normalizeRows(k)
	return &Tokens{
		K: k,
		Q: withNoise(k, stream(c.Seed, streamQueries), c.QueryNoise),
		V: gaussianMatrix(stream(c.Seed, streamValues), c.Length, c.ValueDim, 1),
	}
}
