package vec

import (
	"math"
	"testing"
)

// Small whole numbers, so that every sum is exact.
func TestByHand(t *testing.T) {
	x, y := []float64{1, 2, 3, -4, 5}, []float64{2, 0, -1, 1, 3}
	if got := Dot(x, y); got != 10 {
		t.Errorf("Dot is %v, want 10", got)
	}
	AddScaled(y, -2, x)
	for d, want := range []float64{0, -4, -7, 9, -7} {
		if y[d] != want {
			t.Errorf("AddScaled gives %v at %d, want %v", y[d], d, want)
		}
	}
	if got := MaxAbs(x); got != 5 {
		t.Errorf("MaxAbs is %v, want 5", got)
	}
	if Dot(nil, nil) != 0 || MaxAbs(nil) != 0 {
		t.Error("empty vectors are not zero")
	}
}

// A NaN anywhere must reach the divergence rule.
func TestMaxAbsOfNaNIsNaN(t *testing.T) {
	for d := range 3 {
		x := []float64{1, 2, math.Inf(1)}
		x[d] = math.NaN()
		if got := MaxAbs(x); !math.IsNaN(got) && !math.IsInf(got, 1) {
			t.Errorf("NaN at %d: MaxAbs is %v", d, got)
		}
	}
}
