package experiments

import (
	"strings"
	"testing"

	"unrolled/engine/selftest"
)

func TestEveryCheckAnswers(t *testing.T) {
	for n, c := range selftest.All() {
		a := answer(t, "self-test", Values{"check": c.Name})
		if scalar(t, a, "passes") != 1 || scalar(t, a, "bound") != c.Bound || !strings.Contains(a.Sentence, "holds") {
			t.Errorf("check %d: %q", n, a.Sentence)
		}
	}
	// Each answer says what all checks measure, for the rows that are still to run.
	rows := answer(t, "self-test", nil).Table.Rows
	for n, c := range selftest.All() {
		if cells := rows[n].Cells; cells[0] != c.Name || cells[1] != c.Says || cells[2] != map[bool]string{true: "≥", false: "≤"}[c.Least] || mustParse(cells[3]) != c.Bound {
			t.Errorf("%q", cells)
		}
	}
	// One that fails says so.
	c, _ := selftest.Find("strict")
	c.Least = false
	a, err := checked(0, 1, c)
	if err != nil || a.Emphasis != "fails" || !strings.Contains(a.Sentence, "at most 0.05") {
		t.Errorf("%q, %v", a.Sentence, err)
	}
}
