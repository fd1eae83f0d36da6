package experiments

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"unrolled/engine"
)

// Share, rank and effective rank against hand-made spectra.
func TestShapeOfAState(t *testing.T) {
	for _, row := range []struct {
		sigma                  []float64
		energy, size, entropic float64
		rank                   int
	}{
		{[]float64{2, 2, 2, 2}, 0.25, 0.25, 4, 4},
		{[]float64{3, 0, 0}, 1, 1, 1, 1},
		{[]float64{3, 1}, 0.9, 0.75, math.Exp(-0.75*math.Log(0.75) - 0.25*math.Log(0.25)), 2},
		{[]float64{1, 1e-9}, 1, 1, 1, 1},
	} {
		s := shapeOf(row.sigma)
		for _, pair := range [][2]float64{{s.energy, row.energy}, {s.size, row.size}, {s.effectiveRank, row.entropic}} {
			if !(math.Abs(pair[0]-pair[1]) < 1e-6) {
				t.Errorf("%v: %+v", row.sigma, s)
			}
		}
		if s.rank != row.rank {
			t.Errorf("%v: rank %d", row.sigma, s.rank)
		}
	}
}

// The rank is bounded by tokens, width and value width, and Σσ² is ‖S‖².
func TestStateIsAsWideAsWhatWasWritten(t *testing.T) {
	for _, row := range []struct {
		values Values
		rank   float64
	}{
		{Values{"reading": "0"}, 1}, {Values{"reading": "4"}, 5}, {nil, 8}, {Values{"width": "4"}, 4}, {Values{"task": "digits", "width": "20"}, 20},
	} {
		a := answer(t, "state", row.values)
		if got := scalar(t, a, "rank"); got != row.rank {
			t.Errorf("%v: rank %v, want %v", row.values, got, row.rank)
		}
		line, _ := series(a, "rank", "rank")
		spread, _ := series(a, "rank", "effective")
		if at := int(scalar(t, a, "reading")); line.Y[at] != row.rank || spread.Y[at] != scalar(t, a, "rank.effective") {
			t.Errorf("%v: rank %v and %v are drawn", row.values, line.Y[at], spread.Y[at])
		}
		if want := "It is written in " + count(int(row.rank), "direction", "directions") + ", spread as over "; !strings.Contains(a.Sentence, want) {
			t.Errorf("%v: %q lacks %q", row.values, a.Sentence, want)
		}
	}
	c, _, _ := ConfigOf("state", nil)
	r, _ := engine.Run(c)
	size := mat.Norm(r.Sequential.State(63), 2)
	a := answer(t, "state", nil)
	sum := 0.0
	for _, s := range a.Series {
		if s.Chart == "spectrum" {
			sum += s.Y[63] * s.Y[63]
		}
	}
	if !(math.Abs(sum-size*size) < 1e-9*sum) {
		t.Errorf("Σσ² is %v, ‖S‖² %v", sum, size*size)
	}
}

func TestPublishedShareLiesWithinTwoDeviations(t *testing.T) {
	a := answer(t, "state", nil)
	mean, deviation := scalar(t, a, "share.mean"), scalar(t, a, "share.deviation")
	if !(math.Abs(mean-0.3573) <= 2*deviation) || !strings.Contains(a.Sentence, "the published 0.3573 lies within two deviations.") {
		t.Errorf("%v ± %v: %s", mean, deviation, a.Sentence)
	}
	// 200 seeds of another generator (NumPy): 0.3573 ± 0.0464.
	if !(math.Abs(mean-0.3573) < 3*0.0464*math.Sqrt(1.0/100+1.0/200)) {
		t.Errorf("the mean share is %v, elsewhere 0.3573", mean)
	}
	if a := answer(t, "state", Values{"length": "8"}); !strings.Contains(a.Sentence, "was not measured at these settings.") {
		t.Error(a.Sentence)
	}
}

// More room keeps more: the interference is one of dimensions.
func TestWiderStatesKeepMore(t *testing.T) {
	last := -1.0
	for _, width := range []string{"4", "16", "64"} {
		a := answer(t, "state", Values{"width": width})
		kept := scalar(t, a, "recall.mean")
		if !(kept > last) {
			t.Errorf("width %s keeps %v, a narrower one %v", width, kept, last)
		}
		last = kept
	}
	a := answer(t, "state", nil)
	load, _ := series(a, "load", "kept")
	if first, end := load.Y[0], load.Y[len(load.Y)-1]; !(first > 0.99 && end < 0.5) || load.X[len(load.X)-1] != 4 || end != scalar(t, a, "recall.mean") {
		t.Errorf("recall goes from %v to %v at %v tokens to a dimension", first, end, load.X[len(load.X)-1])
	}
}

func TestStateFollowsTheReading(t *testing.T) {
	a := answer(t, "state", Values{"reading": "15"})
	bars, _ := series(a, "recall", "recall")
	if len(bars.X) != 16 || !strings.Contains(a.Sentence, "After 16 tokens") || !strings.HasSuffix(a.Sentence, "there are 1.0 for every dimension.") {
		t.Errorf("%d bars: %s", len(bars.X), a.Sentence)
	}
	if a := answer(t, "state", Values{"rate": "1"}); !strings.Contains(a.Sentence, "diverges") {
		t.Error(a.Sentence)
	}
	if a := answer(t, "state", Values{"seeds": "1"}); strings.Contains(a.Sentence, "seeds") || !math.IsNaN(scalar(t, a, "share.deviation")) {
		t.Error(a.Sentence)
	}
}
