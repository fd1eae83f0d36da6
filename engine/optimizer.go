package engine

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// An InnerLoop is the learning rule of the fast weight: what it minimises and
// how it steps. Each inner step on token t is
//
//	Δ ← α_t Δ + η_t ∂ℓ/∂W,   W ← W − Δ,   Δ = 0 before the first
//
// so the rate stands inside the buffer, as in LaCT. (With a rate that changes
// from token to token, a rate outside the buffer is another model.)
type InnerLoop struct {
	Feature Feature
	Loss    Loss
	Rate    Schedule   // η_t; negative is gradient ascent
	Alpha   Schedule   // α_t; empty is no momentum; with Steps = 1, α_0 meets an empty buffer
	Steps   int        // K; 0 means 1
	W0      *mat.Dense // Dh×Dv; nil means zero
}

// A Schedule is a number for every token: none (zero everywhere), one (the
// same everywhere), or one a token.
type Schedule []float64

// Constant returns the Schedule that is x at every token.
func Constant(x float64) Schedule { return Schedule{x} }

// At returns the number of token t.
func (s Schedule) At(t int) float64 {
	switch len(s) {
	case 0:
		return 0
	case 1:
		return s[0]
	}
	return s[t]
}

// Expand returns the numbers of tokens 0 to n−1.
func (s Schedule) Expand(n int) []float64 {
	all := make([]float64, n)
	for t := range all {
		all[t] = s.At(t)
	}
	return all
}

// Mean returns the mean over the tokens.
func (s Schedule) Mean() float64 {
	if len(s) == 0 {
		return 0
	}
	sum := 0.0
	for _, x := range s {
		sum += x
	}
	return sum / float64(len(s))
}

// check says in one sentence what is wrong with a schedule for n tokens.
func (s Schedule) check(name string, n int, limit float64) error {
	if len(s) > 1 && len(s) != n {
		return fmt.Errorf("%s has %d values for %d tokens; give one, or one a token", name, len(s), n)
	}
	for t, x := range s {
		if !(math.Abs(x) <= limit) {
			return fmt.Errorf("%s is %v at token %d; it must be from %v to %v", name, x, t, -limit, limit)
		}
	}
	return nil
}

// steps returns K, at least 1.
func (l *InnerLoop) steps() int { return max(1, l.Steps) }

// check says in one sentence why the rule cannot run on tokens, or returns nil.
func (l *InnerLoop) check(tokens *Tokens) error {
	if l.Feature == nil || l.Loss == nil {
		return fmt.Errorf("the inner loop needs a feature map and a loss")
	}
	n, dk, dv := tokens.Dims()
	if l.Feature.In() != dk {
		return fmt.Errorf("the feature map takes keys of width %d; these have width %d", l.Feature.In(), dk)
	}
	if l.Steps < 0 || l.Steps > maxSteps {
		return fmt.Errorf("steps is %d; it must be from 1 to %d", l.Steps, maxSteps)
	}
	if err := l.Rate.check("rate", n, maxRate); err != nil {
		return err
	}
	if err := l.Alpha.check("alpha", n, maxAlpha); err != nil {
		return err
	}
	if l.W0 == nil {
		return nil
	}
	if r, c := l.W0.Dims(); r != l.Feature.Out() || c != dv {
		return fmt.Errorf("w0 is %d×%d; it must be %d×%d", r, c, l.Feature.Out(), dv)
	}
	return finite("w0", l.W0)
}
