package engine

import (
	"iter"
	"math"

	"gonum.org/v1/gonum/mat"
)

// ages holds the multipliers of all writes at the present reading, by the
// recurrence  β_i^t = α_t β_i^{t−1},  c_i^t = γ_t c_i^{t−1} + ρ_t β_i^t, in
// which γ is what decay leaves and ρ a rate outside the buffer; both are 1 in
// the plain rule.
type ages struct {
	c    []float64 // c_i^t
	beta []float64 // β_i^t
}

// advance moves from reading t−1 to reading t, whose momentum is alpha, and
// adds n writes with β = 1, c = ρ.
func (a *ages) advance(alpha, rate float64, n int) {
	for i, b := range a.beta {
		b *= alpha
		a.beta[i] = b
		a.c[i] += rate * b
	}
	for range n {
		a.beta = append(a.beta, 1)
		a.c = append(a.c, rate)
	}
}

// fade is  c ← γ c.
func (a *ages) fade(keep float64) {
	for i := range a.c {
		a.c[i] *= keep
	}
}

// AgeRows yields, for every reading t, the multipliers c_0^t … c_t^t of the
// writes so far, by the recurrence. alpha holds α_t per write. The row is
// overwritten by the next.
func AgeRows(alpha []float64) iter.Seq2[int, []float64] {
	return func(yield func(int, []float64) bool) {
		now := ages{c: make([]float64, 0, len(alpha)), beta: make([]float64, 0, len(alpha))}
		for t, a := range alpha {
			now.advance(a, 1, 1)
			if !yield(t, now.c) {
				return
			}
		}
	}
}

// AgeMatrix returns C, readings × writes, C_ti = c_i^t for i ≤ t and else 0. It
// is the matrix product M A of the causal mask M and A_ti = β_i^t (science of
// the chunk form: not the element-wise product, which is A itself).
func AgeMatrix(alpha []float64) *mat.Dense {
	n := len(alpha)
	c := mat.NewDense(n, n, nil)
	for t, row := range AgeRows(alpha) {
		copy(c.RawRowView(t), row)
	}
	return c
}

// AgeRow returns c_0^t … c_t^t, the multipliers of one reading, by Horner's
// rule from the newest write down: c_t^t = 1, c_i^t = 1 + α_{i+1} c_{i+1}^t.
func AgeRow(alpha []float64, t int) []float64 {
	c := make([]float64, t+1)
	c[t] = 1
	for i := t - 1; i >= 0; i-- {
		c[i] = 1 + alpha[i+1]*c[i+1]
	}
	return c
}

// AgeColumn returns c_i^i … c_i^{T−1}, one write read later and later, as the
// running sum of β_i^j.
func AgeColumn(alpha []float64, i int) []float64 {
	c := make([]float64, 0, len(alpha)-i)
	beta, sum := 1.0, 1.0
	c = append(c, sum)
	for _, a := range alpha[i+1:] {
		beta *= a
		sum += beta
		c = append(c, sum)
	}
	return c
}

// AgeClosed returns the multiplier of a write after n later updates under one
// constant momentum: (1 − α^{n+1}) / (1 − α), and n+1 where α = 1.
func AgeClosed(alpha float64, n int) float64 {
	if alpha == 1 {
		return float64(n + 1)
	}
	return (1 - math.Pow(alpha, float64(n+1))) / (1 - alpha)
}

// HalfLife returns how many later updates write i needs until it has at least
// half of its own multiplier at the last reading T−1. Under constant α the
// answer depends on T: it is 22 for α = 0.98 and the oldest of 64 tokens.
func HalfLife(alpha []float64, i int) int {
	c := AgeColumn(alpha, i)
	half := c[len(c)-1] / 2
	for n, x := range c {
		if x >= half {
			return n
		}
	}
	return len(c) - 1 // unreachable: the last value is at least half of itself or negative
}

// HalfLifeLimit returns how many later updates a write needs until it has at
// least half of its eventual multiplier 1/(1−α): the smallest n with
// 1 − α^{n+1} ≥ ½. The limit exists for constant 0 ≤ α < 1 only.
func HalfLifeLimit(alpha float64) (n int, exists bool) {
	if !(alpha >= 0 && alpha < 1) {
		return 0, false
	}
	if alpha <= 0.5 {
		return 0, true
	}
	n = max(0, int(math.Ln2/-math.Log(alpha))-2) // close below; the loop settles it
	for 1-math.Pow(alpha, float64(n+1)) < 0.5 {
		n++
	}
	return n, true
}
