package experiments

import (
	"math"
	"strings"
	"testing"
)

// The published toy's numbers, from another generator and 60 sequences of its
// own: the same errors to within what 60 draws scatter by.
func TestSwapWithATrainedReadoutIsNearNumPy(t *testing.T) {
	for _, row := range []struct {
		task, loss, noise    string
		queries, kept, again float64
	}{
		{"recall", "squared", "0.2", 0.680, 1.279, 1.013}, {"recall", "dot", "0.2", 0.735, 1.268, 1.018},
		{"smoothing", "squared", "0.5", 0.082, 0.077, 0.076}, {"smoothing", "dot", "0.5", 0.098, 0.096, 0.096},
	} {
		a := answer(t, "q-to-k", Values{"task": row.task, "loss": row.loss, "noise": row.noise, "rate": "0.05", "size": "full"})
		for name, want := range map[string]float64{"": row.queries, ".kept": row.kept, ".again": row.again} {
			if got := scalar(t, a, row.task+".error"+name); !(math.Abs(got-want) < 0.06*want) {
				t.Errorf("%+v: error%s is %v", row, name, got)
			}
		}
	}
}

func TestReadoutSavesNothingOfRecallAndSmoothingNeedsNoSaving(t *testing.T) {
	for _, seed := range []string{"1", "2", "3"} {
		a := answer(t, "q-to-k", Values{"seed": seed})
		for _, want := range []string{" On recall it is ruinous even for a readout trained again: error 0.", " On smoothing it is harmless for a trained readout, kept or trained again: error 0.07"} {
			if !strings.Contains(a.Sentence, want) {
				t.Errorf("seed %s: %q lacks %q", seed, a.Sentence, want)
			}
		}
		for n, task := range trainedTasks {
			zero := scalar(t, a, task+".error.zero")
			for name, part := range map[string]string{"queries": "", "kept": ".kept", "again": ".again"} {
				bars, ok := series(a, "retrained", name)
				if want := scalar(t, a, task+".error"+part) / zero; !ok || bars.Names[n] != task || bars.Y[n] != want {
					t.Errorf("seed %s: %s of %s is drawn at %v, not %v", seed, name, task, bars.Y, want)
				}
			}
		}
	}
}

// Where a query is its key, the swap changes no number at all.
func TestTrainedReadoutSeesNoSwapWithoutNoise(t *testing.T) {
	a := answer(t, "q-to-k", Values{"task": "smoothing", "noise": "0"})
	one := scalar(t, a, "smoothing.error")
	if kept, again := scalar(t, a, "smoothing.error.kept"), scalar(t, a, "smoothing.error.again"); kept != one || again != one {
		t.Errorf("errors %v, kept %v, again %v", one, kept, again)
	}
}

func TestSwapSaysWhatAReadoutMakesOfIt(t *testing.T) {
	nan := math.NaN()
	for _, row := range []struct {
		s    swapTrained
		want string
	}{
		{swapTrained{"recall", 1, 0.6, 1.2, 1}, "On recall it is ruinous even for a readout trained again: error 0.600"},
		{swapTrained{"recall", 1, 0.6, 1.2, 0.61}, "it is ruinous for a readout that is kept, and harmless for one trained again: error 0.600, after the swap 1.200, trained again 0.610."},
		{swapTrained{"recall", 1, 0.6, 0.7, 0.65}, "it is costly for a trained readout, kept or trained again"},
		{swapTrained{"recall", 1, 0.99, 1, 1}, "No readout learns recall here"},
		{swapTrained{"recall", 1, 0.6, nan, nan}, "trained again none (diverged)."},
		{swapTrained{"recall", nan, nan, nan, nan}, "sequences of recall diverge"},
	} {
		if got := row.s.say(); !strings.Contains(got, row.want) {
			t.Errorf("%+v: %q lacks %q", row.s, got, row.want)
		}
	}
}
