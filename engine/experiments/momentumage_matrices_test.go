package experiments

import (
	"math"
	"slices"
	"strings"
	"testing"

	"unrolled/engine"
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

// The step is all of Δ: every earlier write, faded by α for each update since,
// as the attention form has them. Its picture says how much stronger it is drawn.
func TestTheStepIsEveryWriteFaded(t *testing.T) {
	values := Values{"alpha": "0.9", "reading": "20", "deeper": "on", "task": "gaussian"}
	a := answer(t, "momentum-age", values)
	delete(values, "reading")
	c, _, err := ConfigOf("momentum-age", values)
	if err != nil {
		t.Fatal(err)
	}
	r, err := engine.Run(c)
	if err != nil {
		t.Fatal(err)
	}
	state, step := matrix(t, a, "state"), matrix(t, a, "step")
	if step.Label != "the step −ηΔ that led to it, 10 times as strong" {
		t.Fatal(step.Label)
	}
	for h := range step.Rows {
		for d := range step.Cols {
			want, n := 0.0, h*step.Cols+d
			for i := range 21 {
				want += math.Pow(0.9, float64(20-i)) * r.Unrolled.Keys.At(i, h) * r.Unrolled.Effective.At(i, d)
			}
			if s := r.Sequential.State(20).At(h, d); !(math.Abs(step.Values[n]/10-want) < 1e-14) || state.Values[n] != s {
				t.Fatalf("%d, %d: the step is %v, Δ has %v; the state is %v, not %v", h, d, step.Values[n]/10, want, state.Values[n], s)
			}
		}
	}
}

// Directions: 1 without momentum; with it between 1 and the rank, and never more
// than there are writes. (A singular value below 1e-8 of the largest is rounding.)
// Two matrices, however long the text.
func TestDirectionsOfTheStep(t *testing.T) {
	for _, row := range []struct {
		alpha string
		kept  float64
	}{{"0", 16 * 8}, {"0.9", 2 * 16 * 8}} {
		a := answer(t, "momentum-age", Values{"alpha": row.alpha, "task": "gaussian", "deeper": "on", "length": "300"})
		line, _ := series(a, "directions", "step")
		if n := len(line.X); n < 64 || n > mostSpectra {
			t.Errorf("α %s: %d spectra", row.alpha, n)
		}
		for n, y := range line.Y {
			if most := min(line.X[n]+1, 8); !(y > 1-1e-5 && y < most+1e-5) || row.alpha == "0" && !(math.Abs(y-1) < 1e-5) {
				t.Errorf("α %s, reading %v: %v directions", row.alpha, line.X[n], y)
			}
		}
		if kept := scalar(t, a, "kept"); kept != row.kept {
			t.Errorf("α %s: %v numbers kept", row.alpha, kept)
		}
		if writes := scalar(t, a, "kept.writes"); writes != 300*(16+8) {
			t.Errorf("α %s: %v numbers in the writes", row.alpha, writes)
		}
	}
}

// On a log axis holding moves the curve down by 1−α everywhere, and bends it
// nowhere.
func TestHoldingMovesTheWholeCurve(t *testing.T) {
	for _, hold := range []string{"on", "off"} {
		a := answer(t, "momentum-age", Values{"alpha": "0.9", "deeper": "on", "hold": hold, "loss": "dot"})
		raw, _ := series(a, "holding", "raw")
		held, _ := series(a, "holding", "held")
		for n := range raw.Y {
			if !(math.Abs(held.Y[n]/raw.Y[n]-0.1) < 1e-12) {
				t.Errorf("reading %v: %v held, %v raw", raw.X[n], held.Y[n], raw.Y[n])
			}
		}
		if want := " Holding makes a write grow to 0.06, where at the rate η it would grow to 0.60. It changes no half-life and no ratio of two weights."; !strings.HasSuffix(a.Sentence, want) {
			t.Error(a.Sentence)
		}
		used := map[string]string{"on": held.Style, "off": raw.Style}[hold]
		if used != "line" {
			t.Errorf("hold %s: the rate in use is drawn %s", hold, used)
		}
	}
}
