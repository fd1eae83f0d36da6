package engine

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
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

func BenchmarkSpectrumDigits(b *testing.B) {
	c, _ := Default("digits")
	c.Alpha, c.Hold = 0.9, true
	r, err := Run(c)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		var s Spectrum
		for _, state := range r.Sequential.States() {
			s.Follow(state)
		}
	}
}
