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
	// One that fails says so.
	c, _ := selftest.Find("strict")
	c.Least = false
	a, err := checked(0, 1, c)
	if err != nil || a.Emphasis != "fails" || !strings.Contains(a.Sentence, "at most 0.05") {
		t.Errorf("%q, %v", a.Sentence, err)
	}
}
