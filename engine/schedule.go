package engine

import (
	"math"

	"unrolled/engine/say"
)

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

// PerChunk returns the Schedule of n tokens whose chunk c of length has the
// number s[c].
func (s Schedule) PerChunk(length, n int) Schedule {
	each := make(Schedule, n)
	for t := range each {
		each[t] = s[t/length]
	}
	return each
}

// meanOver returns the mean over tokens from ≤ t < to: their common number,
// exactly, where they have one.
func (s Schedule) meanOver(from, to int) float64 {
	first, sum, same := s.At(from), 0.0, true
	for t := from; t < to; t++ {
		same = same && s.At(t) == first
		sum += s.At(t)
	}
	if same {
		return first
	}
	return sum / float64(to-from)
}

// constantOver reports whether tokens from ≤ t < to share one number.
func (s Schedule) constantOver(from, to int) bool {
	for t := from + 1; t < to; t++ {
		if s.At(t) != s.At(from) {
			return false
		}
	}
	return true
}

// check says in one sentence what is wrong with a schedule for n tokens.
func (s Schedule) check(name string, n int, limit float64) error {
	if len(s) > 1 && len(s) != n {
		return say.Errorf("%s has %d values for %d tokens; give one, or one a token", name, len(s), n)
	}
	for t, x := range s {
		if !(math.Abs(x) <= limit) {
			return say.Errorf("%s is %v at token %d; it must be from %v to %v", name, x, t, -limit, limit)
		}
	}
	return nil
}
