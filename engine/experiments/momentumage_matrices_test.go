package experiments

import (
	"math"
	"slices"
	"testing"
)

// Without momentum each update adds one outer product; with it, all of Δ.
func TestMomentumAddsMoreThanOneOuterProduct(t *testing.T) {
	for _, row := range []struct {
		alpha, reading string
		want           float64
	}{{"0", "20", 1}, {"0.9", "0", 1}, {"0.9", "2", 3}} {
		a := answer(t, "momentum-age", Values{"alpha": row.alpha, "task": "gaussian", "reading": row.reading, "deeper": "on"})
		if rank := scalar(t, a, "step.rank"); rank != row.want {
			t.Errorf("α %s, reading %s: the step has rank %v, not %v", row.alpha, row.reading, rank, row.want)
		}
	}
}

// The white line of the sweep is the half-life.
func TestSweepChangesSignAtTheHalfLife(t *testing.T) {
	a := answer(t, "momentum-age", Values{"deeper": "on"})
	i := slices.IndexFunc(a.Matrices, func(m Matrix) bool { return m.Name == "sweep" })
	m := a.Matrices[i]
	for alpha, half := range map[int]int{90: 6, 95: 13, 98: 34} {
		row := m.Values[alpha*m.Cols:][:m.Cols]
		if first := slices.IndexFunc(row, func(x float64) bool { return x >= 0 }); first != half {
			t.Errorf("α 0.%d: half at age %d, not %d", alpha, first, half)
		}
	}
}

// Holding changes the eventual weight, and neither the half-life nor the shape.
func TestHoldingMovesTheWeightAndNotTheHalfLife(t *testing.T) {
	held, raw := answer(t, "momentum-age", Values{"loss": "dot"}), answer(t, "momentum-age", Values{"loss": "dot", "hold": "off"})
	if scalar(t, held, "half-life.own") != scalar(t, raw, "half-life.own") || scalar(t, held, "newest-oldest") != scalar(t, raw, "newest-oldest") {
		t.Error("the half-life or the ratio depends on the rate")
	}
	if h, r := scalar(t, held, "eventual"), scalar(t, raw, "eventual"); !(math.Abs(h-0.06) < 1e-12) || !(math.Abs(r-0.6) < 1e-12) || scalar(t, held, "eventual.raw") != r {
		t.Errorf("eventual weight %v held, %v raw", h, r)
	}
}

// A pinned curve is that of the answer under its own momentum.
func TestPinnedCurveIsTheAnswersOwn(t *testing.T) {
	for _, hold := range []string{"on", "off"} {
		own := answer(t, "momentum-age", Values{"alpha": "0.7", "loss": "dot", "hold": hold})
		pinned := answer(t, "momentum-age", Values{"pin": "70", "loss": "dot", "hold": hold})
		want, _ := series(own, "growth", "profile")
		got, ok := series(pinned, "growth", "pinned")
		if !ok || got.Label != "pinned α 0.70" || !slices.Equal(got.Y, want.Y) {
			t.Errorf("hold %s: %q, %v", hold, got.Label, ok)
		}
	}
	if _, ok := series(answer(t, "momentum-age", nil), "growth", "pinned"); ok {
		t.Error("a curve is pinned that nobody pinned")
	}
}
