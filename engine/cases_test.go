package engine

import (
	"encoding/json"
	"os"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// A peerCase is a case that is a function on one matrix, or that starts from
// gradients, and so no run file. The rest is tested in package runfile.
type peerCase struct {
	Tolerance float64
	Model     struct {
		Coefficients                  [][3]float64
		Eps                           float64
		Momentum, LearningRate, Decay []float64
	}
	Inputs struct {
		G, Q, K, V, W0   [][]float64
		LnWeight, LnBias []float64
	}
	Expected struct{ Result, Output, FinalState [][]float64 }
	Derived  struct{ Gradients, PreNormOutput [][]float64 }
}

func readPeerCase(t *testing.T, name string) peerCase {
	t.Helper()
	raw, err := os.ReadFile("testdata/cases/" + name + ".json")
	if err != nil {
		t.Fatal(err)
	}
	var c peerCase
	if err := json.Unmarshal(raw, &c); err != nil {
		// Scalars stand where other cases have lists; what is needed was read.
		if _, ok := err.(*json.UnmarshalTypeError); !ok {
			t.Fatal(err)
		}
	}
	return c
}

func denseOf(rows [][]float64) *mat.Dense {
	m := mat.NewDense(len(rows), len(rows[0]), nil)
	for r, row := range rows {
		m.SetRow(r, row)
	}
	return m
}

// Newton-Schulz and the polar factor, on the matrix and through the Gram matrix
// of its rows as writes.
func TestOrthogonalizationOfOtherPeoplesCode(t *testing.T) {
	for name, method := range map[string]MuonMethod{"ns5-fixed-rank1": NewtonSchulz, "ns5-variable-wide": NewtonSchulz, "polar-svd-wide": Polar} {
		c := readPeerCase(t, name)
		g, want := denseOf(c.Inputs.G), denseOf(c.Expected.Result)
		rows, cols := g.Dims()
		m := &Muon{Method: method, Coefficients: c.Model.Coefficients, Eps: c.Model.Eps}
		got := make([]float64, rows*cols)
		m.Orthogonalize(got, g.RawMatrix().Data, rows, cols)
		within(t, name, mat.NewDense(rows, cols, got), want, c.Tolerance)

		s := asWrites(g)
		m.mix(s)
		within(t, name+" by the Gram matrix", mat.NewDense(rows, cols, s.values), want, c.Tolerance)
	}
}

// asWrites is a matrix as a sum of one write a row, with unit vectors for keys.
func asWrites(g *mat.Dense) sum {
	rows, cols := g.Dims()
	s := sum{in: rows, out: cols, n: rows, keys: make([]float64, rows*rows), values: flatten(g, 0), scratch: make([]float64, rows)}
	for r := range rows {
		s.keys[r*rows+r] = 1
	}
	return s
}

// Titans from the peer's own gradients (its layer norm's backward has a slip):
// with the dot loss, −v is the gradient.
func TestTitansRecurrenceOfOtherPeoplesCode(t *testing.T) {
	c := readPeerCase(t, "fla-titans-token")
	v := denseOf(c.Derived.Gradients)
	v.Scale(-1, v)
	dim := len(c.Inputs.LnWeight)
	loop := Titans(dim, c.Model.LearningRate, c.Model.Momentum, c.Model.Decay)
	loop.Loss, loop.GradientScale, loop.W0 = Dot{}, 2, denseOf(c.Inputs.W0)
	x := &Tokens{Q: denseOf(c.Inputs.Q), K: denseOf(c.Inputs.K), V: v}

	r := mustRun(t, x, loop)
	want := denseOf(c.Derived.PreNormOutput)
	within(t, "z, sequential", r.Sequential.Output, want, c.Tolerance)
	within(t, "z, unrolled", r.Unrolled.Output, want, c.Tolerance)
	within(t, "state", r.Sequential.FinalState(), denseOf(c.Expected.FinalState), c.Tolerance)

	loop.Readout, loop.LayerNorm = ReadZPlusNorm, &LayerNorm{Weight: c.Inputs.LnWeight, Bias: c.Inputs.LnBias, Eps: 1e-6}
	r = mustRun(t, x, loop)
	within(t, "output, sequential", r.Sequential.Output, denseOf(c.Expected.Output), c.Tolerance)
	within(t, "output, unrolled", r.Unrolled.Output, denseOf(c.Expected.Output), c.Tolerance)
}
