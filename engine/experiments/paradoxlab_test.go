package experiments

import (
	"math"
	"strings"
	"testing"
)

func lab(t *testing.T, task, loss string) Answer {
	t.Helper()
	return answer(t, "paradox-lab", Values{"task": task, "loss": loss, "size": "quick"})
}

// Which paradox holds where: the verdicts of the published toy, whatever the
// draw.
func TestParadoxesHoldWhereTheyShould(t *testing.T) {
	for _, row := range []struct {
		task, loss   string
		always       bool
		ascent, keys string
	}{
		{"recall", "squared", true, "ruinous", "ruinous"},
		{"smoothing", "squared", false, "ruinous", "harmless"},
		{"recall", "dot", true, "harmless", "ruinous"},
		{"smoothing", "dot", true, "harmless", "harmless"},
	} {
		a := lab(t, row.task, row.loss)
		always := strings.Contains(a.Sentence, "more steps always hurt")
		if always != row.always || always != (scalar(t, a, "best") == 1) {
			t.Errorf("%s, %s: %q", row.task, row.loss, a.Sentence)
		}
		want := "gradient ascent is " + row.ascent + ", and keys in place of queries are " + row.keys
		if !strings.Contains(a.Sentence, want) {
			t.Errorf("%s, %s: %q lacks %q", row.task, row.loss, a.Sentence, want)
		}
	}
}

// Under the dot loss K steps are a scale and ascent is a sign; a readout
// absorbs both.
func TestAReadoutAbsorbsScaleAndSign(t *testing.T) {
	a := lab(t, "recall", "dot")
	base := scalar(t, a, "error")
	if up := scalar(t, a, "ascent.again"); up != base {
		t.Errorf("ascent, trained again: %v, descent %v", up, base)
	}
	// the penalty is not scaled with K², so not to the last bit
	if again := scalar(t, a, "error.again"); !(math.Abs(again-base) < 1e-3) {
		t.Errorf("32 steps, trained again: %v, one step %v", again, base)
	}
	if kept := scalar(t, a, "error.kept"); !(kept > 100*base) {
		t.Errorf("32 steps, readout kept: %v, one step %v", kept, base)
	}
	for _, m := range a.Matrices {
		for d := range m.Rows {
			if m.Values[d*m.Cols+d] != 0 {
				t.Errorf("the diagonal of %s holds %v", m.Name, m.Values[d*m.Cols+d])
			}
		}
	}
}

// The matrix carries the errors themselves: those that the numbers have.
func TestMismatchIsWrittenInErrors(t *testing.T) {
	a := lab(t, "recall", "squared")
	m := matrix(t, a, "mismatch")
	for name, n := range map[string]int{"error": 0, "error.two": 1, "error.kept": m.Cols - 1, "error.again": len(m.Cells) - 1} {
		if want := three(scalar(t, a, name)); m.Cells[n] != want {
			t.Errorf("cell %d: %s, and %s is %s", n, m.Cells[n], name, want)
		}
	}
}
