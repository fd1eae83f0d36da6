package engine

import (
	"math"
	"slices"
)

// TopEnergy returns σ₁²/Σσ², the share of the largest singular value in the
// squared norm of a state; 0 for a zero state.
func TopEnergy(values []float64) float64 {
	return share(values, func(x float64) float64 { return x * x })
}

// TopShare returns σ₁/Σσ; 0 for a zero state.
func TopShare(values []float64) float64 { return share(values, func(x float64) float64 { return x }) }

func share(values []float64, measure func(float64) float64) float64 {
	sum := 0.0
	for _, x := range values {
		sum += measure(x)
	}
	if sum == 0 {
		return 0
	}
	return measure(slices.Max(values)) / sum
}

// EffectiveRank returns exp(−Σ p log p) with p = σ/Σσ: the number of equal
// singular values that would be as spread out (Roy and Vetterli, 2007). It is
// the rank where all σ are equal, 1 for one direction, 0 for a zero state.
func EffectiveRank(values []float64) float64 {
	sum := 0.0
	for _, x := range values {
		sum += x
	}
	if sum == 0 {
		return 0
	}
	entropy := 0.0
	for _, x := range values {
		if p := x / sum; p > 0 {
			entropy -= p * math.Log(p)
		}
	}
	return math.Exp(entropy)
}
