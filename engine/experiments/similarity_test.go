package experiments

import (
	"math"
	"strings"
	"testing"
)

// The published figures lie inside the spread over seeds, which is all that can
// be asked: the run's seed and sizes are not known.
func TestPublishedSimilaritiesLieWithinTwoDeviations(t *testing.T) {
	a := answer(t, "similarity", nil)
	for _, name := range []string{"clean", "noisy", "correlation"} {
		mean, deviation, known := scalar(t, a, name+".mean"), scalar(t, a, name+".deviation"), scalar(t, a, name+".published")
		if !(math.Abs(mean-known) <= 2*deviation) {
			t.Errorf("%s: published %v, %v ± %v over seeds", name, known, mean, deviation)
		}
	}
	// Means over 200 seeds of another generator (NumPy), within three standard errors of both.
	for name, want := range map[string]float64{"clean.mean": 0.7946, "noisy.mean": 0.4888, "correlation.mean": 0.4387} {
		deviation := scalar(t, a, strings.Replace(name, "mean", "deviation", 1))
		if x := scalar(t, a, name); !(math.Abs(x-want) < 3*deviation*math.Sqrt(1.0/100+1.0/200)) {
			t.Errorf("%s is %v, elsewhere %v", name, x, want)
		}
	}
}

func TestSimilaritySentences(t *testing.T) {
	for _, row := range []struct {
		values Values
		want   string
	}{
		{nil, "But a single run says little: over 100 seeds it is 0.44 ± 0.12; the published 0.4454 lies within two deviations of that mean."},
		{Values{"seeds": "1"}, "correlate at 0.51."},
		{Values{"noise": "0"}, "Asked with its own key, every token gets an output near its value: cosine 0.81 on average. Over 100 seeds"},
		{Values{"noise": "0", "loss": "dot"}, "deviations away, so it was not measured at these settings."},
		{Values{"rate": "1", "noise": "2"}, "This run diverges at token"},
	} {
		if a := answer(t, "similarity", row.values); !strings.Contains(a.Sentence, row.want) {
			t.Errorf("%v: %s", row.values, a.Sentence)
		}
	}
}

func TestSimilarityDrawsEveryTokenAndEverySeed(t *testing.T) {
	a := answer(t, "similarity", Values{"seeds": "7", "length": "40", "seed": "5"})
	cloud, _ := series(a, "scatter", "tokens")
	runs, _ := series(a, "seeds", "noisy")
	if len(cloud.X) != 40 || len(runs.X) != 7 || runs.X[0] != 5 || runs.X[6] != 11 {
		t.Errorf("%d tokens, seeds %v", len(cloud.X), runs.X)
	}
	line, _ := series(a, "scatter", "fit")
	fitted := fitLine(cloud.X, cloud.Y)
	if !(math.Abs(line.Y[0]-fitted.offset-fitted.slope*line.X[0]) < 1e-12) || runs.Y[0] != scalar(t, a, "noisy") {
		t.Error("the line is not the fit, or the first seed is not the chosen one")
	}
}

func TestFitLineFindsALineAndRefusesAPoint(t *testing.T) {
	if f := fitLine([]float64{0, 1, 2}, []float64{1, 3, 5}); !(math.Abs(f.slope-2)+math.Abs(f.offset-1)+math.Abs(f.correlation-1) < 1e-12) {
		t.Errorf("%+v", f)
	}
	if f := fitLine([]float64{0, 1, 2}, []float64{1, 0, 1}); f.correlation != 0 {
		t.Errorf("%+v", f)
	}
	if f := fitLine([]float64{1, 1 + 1e-16, 1}, []float64{1, 0, 2}); !math.IsNaN(f.correlation) {
		t.Errorf("%+v", f)
	}
}
