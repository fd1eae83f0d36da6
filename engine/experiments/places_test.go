package experiments

import (
	"strings"
	"testing"
)

// A cursor's value is an index; the sentence counts from 1, and the number says
// which of the two it is.
func TestPlacesAreCountedFromOneInSentencesAndMarkedInNumbers(t *testing.T) {
	a := answer(t, "momentum-age", Values{"token": "9", "reading": "20"})
	if !strings.Contains(a.Sentence, "at reading 21 ") {
		t.Error(a.Sentence)
	}
	if late := answer(t, "momentum-age", Values{"token": "60"}); !strings.Contains(late.Sentence, "token 61 ") {
		t.Error(late.Sentence)
	}
	for name, want := range map[string]float64{"token": 9, "reading": 20} {
		for _, s := range a.Scalars {
			if s.Name == name && (s.Value != want || s.Unit != Index) {
				t.Errorf("%s is %v %s, want %v %s", name, s.Value, s.Unit, want, Index)
			}
		}
	}
}

func TestAxesOfTokensAndReadingsAreMarked(t *testing.T) {
	for _, row := range []struct {
		axis Axis
		unit string
	}{
		{Axis{Label: "token i"}, Index},
		{Axis{Label: "reading t"}, Index},
		{Axis{Label: "tokens / D"}, ""},
		{Axis{Label: "age", Unit: "updates"}, "updates"},
	} {
		if row.axis.markPlace(); row.axis.Unit != row.unit {
			t.Errorf("%q has the unit %q, want %q", row.axis.Label, row.axis.Unit, row.unit)
		}
	}
	marked := 0
	for _, e := range All() {
		if a, err := Run(e.Name, nil); err == nil && len(a.Series) > 0 && a.Series[0].XAxis.Unit == Index {
			marked++
		}
	}
	if marked == 0 {
		t.Error("no chart over tokens or readings is marked")
	}
}
