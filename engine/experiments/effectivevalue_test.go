package experiments

import (
	"math"
	"strings"
	"testing"
)

func matrix(t *testing.T, a Answer, name string) Matrix {
	t.Helper()
	for _, m := range a.Matrices {
		if m.Name == name {
			return m
		}
	}
	t.Fatalf("no matrix %q", name)
	return Matrix{}
}

func TestDotLossWritesTheValueItself(t *testing.T) {
	for _, values := range []Values{
		{"loss": "dot"}, {"loss": "dot", "task": "gaussian", "alpha": "0.9", "w0": "0.5"}, {"loss": "dot", "length": "300"},
	} {
		a := answer(t, "effective-value", values)
		if scalar(t, a, "rule") != 0 || !(math.Abs(scalar(t, a, "cosine.mean")-1) < 1e-15) || !(math.Abs(scalar(t, a, "length.mean")-1) < 1e-15) {
			t.Errorf("%v: %s", values, a.Sentence)
		}
		if !strings.Contains(a.Sentence, "the value itself: v̂ = ηv at all") {
			t.Error(a.Sentence)
		}
	}
}

// The prediction is read from the state before the step, the effective value
// from the write: that they fit is not true by construction.
func TestSquaredLossWritesWhatWasMissing(t *testing.T) {
	for _, values := range []Values{nil, {"alpha": "0.9"}, {"task": "gaussian", "w0": "0.3"}, {"alpha": "0.5", "hold": "off", "rate": "0.02"}} {
		a := answer(t, "effective-value", values)
		if x := scalar(t, a, "rule"); !(x < 1e-13) {
			t.Errorf("%v: v̂ is off η(v − f) by %g", values, x)
		}
	}
	a := answer(t, "effective-value", Values{"token": "40"})
	v, f, e := matrix(t, a, "value"), matrix(t, a, "prediction"), matrix(t, a, "effective")
	for p := range v.Values {
		if !(math.Abs(v.Values[p]-f.Values[p]-e.Values[p]) < 1e-13) {
			t.Fatalf("pixel %d: %v − %v is not %v", p, v.Values[p], f.Values[p], e.Values[p])
		}
	}
	if v.Rows != 8 || v.Cols != 8 || !v.Diverging {
		t.Errorf("the value is drawn as %d×%d", v.Rows, v.Cols)
	}
}

func TestFirstWriteIntoAnEmptyStateIsTheValue(t *testing.T) {
	a := answer(t, "effective-value", Values{"token": "0"})
	if x := scalar(t, a, "token.cosine"); !(math.Abs(x-1) < 1e-15) {
		t.Errorf("cosine %v", x)
	}
	if x := scalar(t, a, "token.length"); !(math.Abs(x-1) < 1e-15) {
		t.Errorf("length %v", x)
	}
}

func TestDigitsSeenBeforeAreToldFromNewOnes(t *testing.T) {
	a := answer(t, "effective-value", nil)
	first, _ := series(a, "cosine", "first")
	again, _ := series(a, "cosine", "again")
	if len(first.X) != 10 || len(first.X)+len(again.X) != 64 || first.X[0] != 0 {
		t.Errorf("%d new digits, %d seen before, first at %v", len(first.X), len(again.X), first.X)
	}
	if !(scalar(t, a, "cosine.first") > scalar(t, a, "cosine.again")) {
		t.Error(a.Sentence)
	}
	if b := answer(t, "effective-value", Values{"task": "gaussian"}); len(b.Matrices) != 0 || !strings.Contains(b.Sentence, "over the first 8 tokens") {
		t.Errorf("random vectors: %d pictures, %s", len(b.Matrices), b.Sentence)
	}
}

func TestEffectiveValueOfADivergedRunStops(t *testing.T) {
	a := answer(t, "effective-value", Values{"rate": "1", "alpha": "0.9", "hold": "off"})
	if math.IsNaN(scalar(t, a, "diverged")) || !strings.Contains(a.Sentence, "diverges") {
		t.Error(a.Sentence)
	}
}
