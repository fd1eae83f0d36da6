package selftest

import (
	"math"

	"unrolled/engine"
)

// age is c_i^t = Σ_{j=i..t} Π_{s=i+1..j} α_s, by its definition.
func age(alpha engine.Schedule, t, i int) float64 {
	sum := 0.0
	for j := i; j <= t; j++ {
		product := 1.0
		for s := i + 1; s <= j; s++ {
			product *= alpha.At(s)
		}
		sum += product
	}
	return sum
}

// aged compares both ways with plain attention under a weight.
func (t *trial) aged(l *engine.InnerLoop, weight func(t, i int) float64) {
	x := tokens(31)
	r := t.run(x, l)
	phiQ, phiK := l.Features(x.Q), l.Features(x.K)
	want := attend(phiQ, phiK, r.Unrolled.Effective, weight)
	t.near(r.Sequential.Output, want)
	t.near(r.Unrolled.Output, want)
}

// Ages: the multipliers of momentum and decay.
var ages = []Check{
	{"age", "The outputs are attention with the multipliers of Theorem 5.3, also where momentum varies and passes 1.", 1e-12, false, func(t *trial) {
		for _, alpha := range []engine.Schedule{engine.Constant(0.9), varying(32, 0.2, 1.1)} {
			for _, loss := range losses() {
				t.aged(&engine.InnerLoop{Feature: tanh(), Loss: loss, Rate: engine.Constant(0.05), Alpha: alpha}, func(n, i int) float64 { return age(alpha, n, i) })
			}
		}
	}},
	{"mask", "The mask is the matrix product M·A of the causal mask and the products of α.", 1e-13, false, func(t *trial) {
		alpha := varying(33, 0.2, 1.1)
		c := engine.AgeMatrix(alpha)
		for n := range length {
			for i := range length {
				t.off(math.Abs(c.At(n, i)-age(alpha, n, i)) / math.Max(1, c.At(n, i)))
			}
		}
	}},
	{"closed-age", "With one momentum the multiplier is (1 − αⁿ⁺¹)/(1 − α).", 1e-13, false, func(t *trial) {
		for _, alpha := range []float64{0, 0.5, 0.9, 0.98} {
			column := engine.AgeColumn(engine.Constant(alpha).Expand(length), 0)
			for n, c := range column {
				t.off(math.Abs(c-(1-math.Pow(alpha, float64(n+1)))/(1-alpha)) / c)
			}
		}
	}},
	{"half-life", "Half-lives are 6 updates at α = 0.9, and 22 and 34 at 0.98 over 64 tokens.", 0, false, func(t *trial) {
		for _, row := range []struct {
			alpha float64
			own   int
			limit int
		}{{0.9, 6, 6}, {0.98, 22, 34}} {
			limit, _ := engine.HalfLifeLimit(row.alpha)
			t.off(math.Abs(float64(engine.HalfLife(engine.Constant(row.alpha).Expand(64), 0) - row.own)))
			t.off(math.Abs(float64(limit - row.limit)))
		}
	}},
	{"newest-oldest", "At α = 0.98 the newest of 64 tokens counts 0.027565 of the oldest.", 1e-6, false, func(t *trial) {
		row := engine.AgeRow(engine.Constant(0.98).Expand(64), 63)
		t.off(math.Abs(row[63]/row[0] - 0.027565))
	}},
	{"decay-age", "With decay a write is worth the product of what decay left it, Titans’ multipliers included.", 1e-12, false, func(t *trial) {
		alpha, gamma, theta := varying(34, 0.2, 0.9), varying(35, 0.8, 1), varying(36, 0.01, 0.05)
		l := &engine.InnerLoop{Feature: tanh(), Loss: engine.Squared{}, Rate: theta, Alpha: alpha, Gamma: gamma, DecayAfter: true}
		t.aged(l, func(n, i int) float64 {
			sum := 0.0
			for j := i; j <= n; j++ {
				term := 1.0
				for s := i + 1; s <= j; s++ {
					term *= alpha[s]
				}
				for s := j + 1; s <= n; s++ {
					term *= gamma[s]
				}
				sum += term
			}
			return sum
		})
	}},
}
