package engine

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"unrolled/engine/internal/vec"
)

// The Gram matrix squares the condition, so a singular value is known to about
// the root of rounding, 1e-8 of the largest, and the large ones far better.
func TestSpectrumFollowsGonumsSVD(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*Config)
	}{
		{"gaussian", func(c *Config) {}},
		{"digits with momentum", func(c *Config) { *c, _ = Default("digits"); c.Alpha, c.Hold = 0.9, true }},
		{"more columns than rows", func(c *Config) { c.HiddenDim, c.ValueDim = 4, 11 }},
		{"one column", func(c *Config) { c.ValueDim = 1 }},
		{"from a full start", func(c *Config) { c.W0, c.Length = 0.5, 300 }},
	} {
		config, _ := Default("gaussian")
		c.change(&config)
		config.SequentialOnly = true
		r, err := Run(config)
		if err != nil {
			t.Fatal(err)
		}
		var s Spectrum
		for token, state := range r.Sequential.States() {
			values := s.Follow(state)
			if token%7 != 0 && token != config.Length-1 {
				continue
			}
			var svd mat.SVD
			if !svd.Factorize(state, mat.SVDNone) {
				t.Fatal("gonum's SVD failed")
			}
			want := svd.Values(nil)
			energy := 0.0
			for i, x := range values {
				energy += x * x
				tol := 1e-7 * want[0]
				if want[i] > 1e-3*want[0] {
					tol = 1e-11 * want[0]
				}
				if !(math.Abs(x-want[i]) < tol) {
					t.Errorf("%s, token %d: σ_%d is %v, gonum has %v", c.name, token, i, x, want[i])
				}
			}
			if norm := mat.Norm(state, 2); !(math.Abs(energy-norm*norm) < 1e-12*norm*norm) {
				t.Errorf("%s, token %d: Σσ² is %v, ‖S‖² is %v", c.name, token, energy, norm*norm)
			}
		}
	}
}

func TestSpectrumOfZeroAndOfAnotherShape(t *testing.T) {
	var s Spectrum
	for _, x := range s.Follow(mat.NewDense(3, 5, nil)) {
		if x != 0 {
			t.Errorf("a zero state has σ = %v", x)
		}
	}
	values := s.Follow(mat.NewDense(2, 2, []float64{0, 3, -4, 0}))
	if len(values) != 2 || !(math.Abs(values[0]-4) < 1e-14) || !(math.Abs(values[1]-3) < 1e-14) {
		t.Errorf("diag(3, −4) turned has σ = %v", values)
	}
}

// The leader against gonum's SVD, token by token: σ₁, both directions up to
// what a near tie leaves open, and signs that go on.
func TestLeaderFollowsGonumsSVD(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*Config)
	}{
		{"gaussian", func(c *Config) {}},
		{"digits with momentum", func(c *Config) { *c, _ = Default("digits"); c.Alpha, c.Hold = 0.9, true }},
		{"more columns than rows", func(c *Config) { c.HiddenDim, c.ValueDim = 4, 11 }},
		{"one column", func(c *Config) { c.ValueDim = 1 }},
		{"from a full start", func(c *Config) { c.W0, c.Length = 0.5, 200 }},
	} {
		config, _ := Default("gaussian")
		c.change(&config)
		config.SequentialOnly = true
		r, err := Run(config)
		if err != nil {
			t.Fatal(err)
		}
		var l Leader
		before := make([]float64, config.ValueDim)
		for token, state := range r.Sequential.States() {
			sigma := l.Follow(state)
			var svd mat.SVD
			if !svd.Factorize(state, mat.SVDThin) {
				t.Fatal("gonum's SVD failed")
			}
			values := svd.Values(nil)
			if !(math.Abs(sigma-values[0]) <= 1e-12*values[0]) {
				t.Errorf("%s, token %d: σ₁ is %v, gonum has %v", c.name, token, sigma, values[0])
			}
			var u, v mat.Dense
			svd.UTo(&u)
			svd.VTo(&v)
			tie := 1.0 // how far σ₂² lies below σ₁², relatively
			if len(values) > 1 {
				tie = 1 - math.Pow(values[1]/values[0], 2)
			}
			right := mat.NewVecDense(len(l.Right), l.Right)
			left := mat.NewVecDense(len(l.Left), l.Left)
			for _, d := range []float64{mat.Dot(right, v.ColView(0)), mat.Dot(left, u.ColView(0))} {
				if !(1-math.Abs(d) <= 1e-10/(tie*tie)) {
					t.Errorf("%s, token %d: a direction lies %.2g off gonum's, tie %v", c.name, token, 1-math.Abs(d), tie)
				}
			}
			if turn := vec.Dot(before, l.Right); token > 0 && !(turn >= 0.5 || math.Abs(turn) < 0.5) {
				t.Errorf("%s, token %d: the sign of v changed", c.name, token)
			}
			answer := make([]float64, len(l.Left))
			vec.Dots(answer, mat.DenseCopyOf(state).RawMatrix().Data, l.Right)
			if !(vec.Dot(answer, l.Left) > 0) {
				t.Errorf("%s, token %d: u and v have different signs", c.name, token)
			}
			copy(before, l.Right)
		}
	}
}

func TestLeaderOfZeroAndOfANewLeader(t *testing.T) {
	var l Leader
	if sigma := l.Follow(mat.NewDense(3, 2, nil)); sigma != 0 || vec.MaxAbs(l.Left) != 0 || vec.MaxAbs(l.Right) != 0 {
		t.Errorf("a zero state has σ₁ = %v, u %v, v %v", sigma, l.Left, l.Right)
	}
	// v stands along the first axis, exactly; then the second takes the lead
	l.Follow(mat.NewDense(3, 2, []float64{2, 0, 0, 0, 0, 0}))
	if sigma := l.Follow(mat.NewDense(3, 2, []float64{2, 0, 0, -5, 0, 0})); !(math.Abs(sigma-5) < 1e-12) || !(l.Right[1] > 0.999) || !(l.Left[1] < -0.999) {
		t.Errorf("σ₁ = %v, u %v, v %v", sigma, l.Left, l.Right)
	}
}

func TestSharesAndEffectiveRank(t *testing.T) {
	for _, c := range []struct {
		values                []float64
		energy, share, spread float64
	}{
		{[]float64{2, 2, 2, 2}, 0.25, 0.25, 4},
		{[]float64{3, 0, 0}, 1, 1, 1},
		{[]float64{4, 3}, 16.0 / 25, 4.0 / 7, math.Exp(-4.0/7*math.Log(4.0/7) - 3.0/7*math.Log(3.0/7))},
		{[]float64{0, 0}, 0, 0, 0},
		{nil, 0, 0, 0},
	} {
		if e, s, r := TopEnergy(c.values), TopShare(c.values), EffectiveRank(c.values); !(math.Abs(e-c.energy) < 1e-15) || !(math.Abs(s-c.share) < 1e-15) || !(math.Abs(r-c.spread) < 1e-14) {
			t.Errorf("%v: energy %v, share %v, effective rank %v; want %v, %v, %v", c.values, e, s, r, c.energy, c.share, c.spread)
		}
	}
}

// What one token costs: all values, the leader, and gonum's SVD beside them.
func BenchmarkSpectrumDigits(b *testing.B) {
	c, _ := Default("digits")
	c.Alpha, c.Hold, c.SequentialOnly = 0.9, true, true
	r, err := Run(c)
	if err != nil {
		b.Fatal(err)
	}
	var states []*mat.Dense
	for _, state := range r.Sequential.States() {
		states = append(states, mat.DenseCopyOf(state))
	}
	each := func(name string, follow func(state *mat.Dense)) {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				for _, state := range states {
					follow(state)
				}
			}
		})
	}
	var s Spectrum
	var l Leader
	var svd mat.SVD
	each("values", func(state *mat.Dense) { s.Follow(state) })
	each("leader", func(state *mat.Dense) { l.Follow(state) })
	each("gonum", func(state *mat.Dense) { svd.Factorize(state, mat.SVDNone) })
}
