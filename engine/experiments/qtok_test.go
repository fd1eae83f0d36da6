package experiments

import (
	"math"
	"strings"
	"testing"

	"unrolled/engine"
)

func TestSwapIsRuinousForRecallAndHarmlessForSmoothing(t *testing.T) {
	for _, row := range []struct{ task, loss, verdict string }{
		{"recall", "squared", "is ruinous"}, {"recall", "dot", "is ruinous"},
		{"smoothing", "squared", "is harmless"}, {"smoothing", "dot", "is harmless"},
		{"gaussian", "squared", "helps"}, {"digits", "squared", "helps"},
	} {
		a := answer(t, "q-to-k", Values{"task": row.task, "loss": row.loss})
		if a.Emphasis != row.verdict || !strings.HasPrefix(a.Sentence, "Here the swap "+row.verdict+": ") {
			t.Errorf("%+v: %s", row, a.Sentence)
		}
		before, after := scalar(t, a, row.task+".before"), scalar(t, a, row.task+".after")
		if verdict(before, after) != row.verdict {
			t.Errorf("%+v: over seeds from %v to %v", row, before, after)
		}
	}
}

// With no noise the queries of three tasks are their keys: the two runs are one.
func TestSwapChangesNothingWhereQueriesAreKeys(t *testing.T) {
	for _, task := range []string{"smoothing", "gaussian", "digits"} {
		a := answer(t, "q-to-k", Values{"task": task, "noise": "0"})
		if scalar(t, a, "before") != scalar(t, a, "after") || scalar(t, a, "own.before") != scalar(t, a, "own.after") {
			t.Errorf("%s: %s", task, a.Sentence)
		}
	}
}

// Asked with its key a token meets itself with weight ‖φ(k)‖².
func TestDiagonalIsTheSquaredLengthOfTheKey(t *testing.T) {
	a := answer(t, "q-to-k", nil)
	c, _, _ := ConfigOf("q-to-k", nil)
	r, err := engine.Run(c)
	if err != nil {
		t.Fatal(err)
	}
	m := matrix(t, a, "keys")
	for i := range m.Rows {
		k := r.Sequential.Keys.RawRowView(i)
		if !(math.Abs(m.Values[i*m.Cols+i]-dot(k, k)) < 1e-12) {
			t.Errorf("token %d: %v, ‖φ(k)‖² is %v", i, m.Values[i*m.Cols+i], dot(k, k))
		}
	}
	if !(scalar(t, a, "own.after") > scalar(t, a, "own.before")) {
		t.Error(a.Sentence)
	}
}

func TestVerdictsOnTheSwap(t *testing.T) {
	for _, row := range []struct {
		before, after float64
		want          string
	}{{0.6, 0.1, "is ruinous"}, {0.6, 0.3, "is ruinous"}, {0.6, 0.4, "costs something"}, {0.6, 0.59, "is harmless"}, {0.6, 0.61, "is harmless"}, {0.6, 0.7, "helps"}} {
		if got := verdict(row.before, row.after); got != row.want {
			t.Errorf("from %v to %v %s, want %s", row.before, row.after, got, row.want)
		}
	}
}

func TestSwapOfADivergedRunSaysSo(t *testing.T) {
	a := answer(t, "q-to-k", Values{"rate": "1"})
	if !strings.Contains(a.Sentence, "diverges at token") {
		t.Error(a.Sentence)
	}
}
