package engine

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// cosine of two rows.
func cosine(a, b []float64) float64 {
	x, y := mat.NewVecDense(len(a), a), mat.NewVecDense(len(b), b)
	return mat.Dot(x, y) / (mat.Norm(x, 2) * mat.Norm(y, 2))
}

func mean(xs []float64) float64 {
	sum := 0.0
	for _, x := range xs {
		sum += x
	}
	return sum / float64(len(xs))
}

func deviation(xs []float64) float64 {
	m, sum := mean(xs), 0.0
	for _, x := range xs {
		sum += (x - m) * (x - m)
	}
	return math.Sqrt(sum / float64(len(xs)-1))
}

func correlation(xs, ys []float64) float64 {
	mx, my, xy := mean(xs), mean(ys), 0.0
	for i := range xs {
		xy += (xs[i] - mx) * (ys[i] - my)
	}
	return xy / (float64(len(xs)-1) * deviation(xs) * deviation(ys))
}

// alignment runs c and returns, for every token, cos(o, v) and cos(q, k).
func alignment(t *testing.T, c Config) (r *Result, output, query []float64) {
	t.Helper()
	c.SequentialOnly = true
	r, err := Run(c)
	if err != nil {
		t.Fatal(err)
	}
	for i := range c.Length {
		output = append(output, cosine(r.Sequential.Output.RawRowView(i), r.Tokens.V.RawRowView(i)))
		query = append(query, cosine(r.Tokens.Q.RawRowView(i), r.Tokens.K.RawRowView(i)))
	}
	return r, output, query
}

// The four figures of a published NumPy toy with unknown seed and sizes. At the
// defaults of gaussian each lies within 2 sd of the mean over 100 seeds; they
// cannot be constants.
func TestPublishedToyLiesInsideTheSpreadOverSeeds(t *testing.T) {
	found := map[string][]float64{}
	for seed := range uint64(100) {
		c, _ := Default("gaussian")
		c.Seed = seed
		r, output, query := alignment(t, c)
		found["cosine, noisy query"] = append(found["cosine, noisy query"], mean(output))
		found["correlation"] = append(found["correlation"], correlation(query, output))
		var s Spectrum
		values, energy := s.Follow(r.Sequential.State(c.Length-1)), 0.0
		for _, x := range values {
			energy += x * x
		}
		found["top share"] = append(found["top share"], values[0]*values[0]/energy)
		c.QueryNoise = 0
		_, output, _ = alignment(t, c)
		found["cosine, q = k"] = append(found["cosine, q = k"], mean(output))
	}
	for name, published := range map[string]float64{
		"cosine, q = k": 0.7924, "cosine, noisy query": 0.4746, "correlation": 0.4454, "top share": 0.3573,
	} {
		m, sd := mean(found[name]), deviation(found[name])
		t.Logf("%s: published %.4f, here %.4f ± %.4f", name, published, m, sd)
		if !(math.Abs(published-m) < 2*sd) {
			t.Errorf("%s: published %.4f, here %.4f ± %.4f", name, published, m, sd)
		}
	}
}

// At the defaults the squared loss is stable: the largest η‖φ‖² stays below 2.
func TestDefaultRateIsStable(t *testing.T) {
	for _, task := range Tasks() {
		c, _ := Default(task)
		r, err := Run(c)
		if err != nil {
			t.Fatal(err)
		}
		for i := range c.Length {
			phi := r.Sequential.Keys.RowView(i)
			if step := c.Rate * mat.Dot(phi, phi); !(step < 2) {
				t.Errorf("%s: η‖φ‖² is %.2f at token %d", task, step, i)
			}
		}
	}
}

// A run diverges at the first token with ‖o‖∞ > 10³·max‖v‖∞, and says so.
func TestDivergenceStopsTheTrace(t *testing.T) {
	c, _ := Default("gaussian")
	c.Rate, c.Alpha, c.Length = 0.5, 0.9, 256
	r, err := Run(c)
	if err != nil {
		t.Fatal(err)
	}
	at := r.Diverged()
	if at < 1 || r.Length() != at || r.Sequential.Length() != at {
		t.Fatalf("diverged at %d with length %d", at, r.Length())
	}
	if r.StepSize() < 2 {
		t.Errorf("the run diverged with η·mean‖φ‖²/(1−α) at %g", r.StepSize())
	}
	for _, trace := range []*Trace{r.Sequential, r.Unrolled} {
		if size := largest(trace.Output); !(size <= 1e3*largest(r.Tokens.V)) {
			t.Errorf("an output of %g is left in the trace", size)
		}
		if row := trace.Output.Slice(at, c.Length, 0, c.ValueDim); largest(row) != 0 {
			t.Error("rows from the divergence on are not zero")
		}
	}
	states := 0
	for range r.Sequential.States() {
		states++
	}
	if states != at {
		t.Errorf("%d states for %d tokens", states, at)
	}
}

// "Hold" keeps the eventual weight η/(1−α): from α = 0 to 0.98 nothing diverges.
func TestHoldKeepsTheRunStable(t *testing.T) {
	for _, task := range Tasks() {
		for _, alpha := range []float64{0, 0.6, 0.8, 0.9, 0.95, 0.98} {
			c, _ := Default(task)
			c.Length, c.Alpha, c.Hold = 1024, alpha, true
			c.SequentialOnly = true
			r, err := Run(c)
			if err != nil {
				t.Fatal(err)
			}
			if r.Diverged() >= 0 {
				t.Errorf("%s, α=%v: diverged at token %d", task, alpha, r.Diverged())
			}
			if got, want := r.Loop.Rate.At(0), c.Rate*(1-alpha); got != want {
				t.Errorf("α=%v: the rate is %v, want η(1−α) = %v", alpha, got, want)
			}
		}
	}
}

// A longer run begins with the shorter one, and a seed is a seed.
func TestSameSeedSameTokens(t *testing.T) {
	for _, task := range Tasks() {
		short, _ := Default(task)
		long := short
		long.Length = 150
		other := short
		other.Seed = 2
		a, _, err := short.Build()
		if err != nil {
			t.Fatal(err)
		}
		b, _, _ := long.Build()
		c, _, _ := other.Build()
		for name, m := range map[string][3]*mat.Dense{"Q": {a.Q, b.Q, c.Q}, "K": {a.K, b.K, c.K}, "V": {a.V, b.V, c.V}} {
			_, width := m[0].Dims()
			if !mat.Equal(m[0], m[1].Slice(0, short.Length, 0, width)) {
				t.Errorf("%s: %s of the longer run begins differently", task, name)
			}
			if mat.Equal(m[0], m[2]) {
				t.Errorf("%s: %s is the same for two seeds", task, name)
			}
		}
	}
}

// The streams of one seed are apart: k and v of gaussian are not one draw.
func TestStreamsAreApart(t *testing.T) {
	seen := map[string]int{}
	for which := uint64(streamProjection); which <= streamClasses; which++ {
		key := fmt.Sprint(stream(1, which).NormFloat64())
		seen[key]++
		if seen[key] > 1 {
			t.Errorf("stream %d repeats another", which)
		}
	}
}
