package experiments

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// Any invertible M leaves every output of the dot loss where it was.
func TestNoOutputSeesTheGaugeUnderTheDotLoss(t *testing.T) {
	for _, values := range []Values{
		nil, {"angle": "75", "shear": "1.5", "stretch": "8"}, {"w0": "0.6", "shear": "2"}, {"stretch": "1", "angle": "180", "w0": "1", "length": "200"},
	} {
		a := answer(t, "q-vs-k", values)
		if gap := scalar(t, a, "gap.relative"); !(gap < 1e-12) || !strings.Contains(a.Sentence, "and no output moves") {
			t.Errorf("%v: %g: %s", values, gap, a.Sentence)
		}
	}
	a := answer(t, "q-vs-k", nil)
	if before, after := scalar(t, a, "similarity.before"), scalar(t, a, "similarity.after"); !(before-after > 0.2) {
		t.Errorf("the cosine only went from %v to %v", before, after)
	}
}

func TestSquaredLossAllowsOnlyAPureTurn(t *testing.T) {
	turned := answer(t, "q-vs-k", Values{"loss": "squared", "stretch": "1", "angle": "50", "w0": "0.5"})
	if gap := scalar(t, turned, "gap.relative"); !(gap < 1e-12) || !strings.Contains(turned.Sentence, "a pure turn is all that this loss allows") {
		t.Errorf("%g: %s", gap, turned.Sentence)
	}
	for _, values := range []Values{{"loss": "squared"}, {"loss": "squared", "stretch": "1", "shear": "0.5"}} {
		a := answer(t, "q-vs-k", values)
		if !(scalar(t, a, "gap") > 0.001) || !strings.Contains(a.Sentence, "but k·k only if it is a pure turn") {
			t.Errorf("%v: %s", values, a.Sentence)
		}
	}
}

func TestGaugeMatricesUndoEachOther(t *testing.T) {
	m := block{0.7, 3, 1.2}.matrix()
	x := mat.NewDense(2, 5, []float64{1, 2, 3, 4, 5, -1, 0.5, 2, -3, 7})
	q, k := right(x, m), right(x, inverseTransposed(m))
	for r := range 2 {
		for s := range 2 {
			if want, got := dot(x.RawRowView(r), x.RawRowView(s)), dot(q.RawRowView(r), k.RawRowView(s)); !(math.Abs(want-got) < 1e-12) {
				t.Errorf("q·k is %v, was %v", got, want)
			}
		}
	}
	if q.At(0, 4) != 5 {
		t.Error("the odd coordinate moved")
	}
}

// The axes are orthonormal, the same every time, and hold the most variance.
func TestPrincipalAxesOfADiagonalCloud(t *testing.T) {
	cloud := mat.NewDense(4, 3, []float64{3, 0, 0, -3, 0, 0, 0, 0, 5, 0, 1, -5})
	axes := principal(cloud)
	if !(axes[0][2] > 0.98 && math.Abs(axes[1][0]-1) < 1e-9) || !(math.Abs(dot(axes[0], axes[1])) < 1e-9) {
		t.Errorf("%v", axes)
	}
}

func TestOnlyQueriesAndKeysMove(t *testing.T) {
	still, moved := answer(t, "q-vs-k", Values{"stretch": "1", "angle": "0"}), answer(t, "q-vs-k", Values{"stretch": "5"})
	for name, moves := range map[string]bool{"values": false, "outputs": false, "queries": true, "keys": true} {
		a, _ := series(still, "clouds", name)
		b, _ := series(moved, "clouds", name)
		if off := largest(a.X, b.X, 1); (off > 1e-9) != moves {
			t.Errorf("%s move by %v", name, off)
		}
	}
}
