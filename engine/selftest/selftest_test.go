package selftest

import (
	"math"
	"strings"
	"testing"
)

func TestEveryCheckHolds(t *testing.T) {
	names := map[string]bool{}
	for _, c := range All() {
		if names[c.Name] || c.Name == "" || !strings.HasSuffix(c.Says, ".") {
			t.Errorf("%q: %q", c.Name, c.Says)
		}
		names[c.Name] = true
		number, err := c.Measure()
		t.Logf("%-16s %.2g (%.0e)", c.Name, number, c.Bound)
		if err != nil || !c.Passes(number) {
			t.Errorf("%s: %g, bound %g, %v", c.Name, number, c.Bound, err)
		}
	}
}

// A check that cannot fail would prove nothing: each bound refuses what lies
// beyond it, and no number at all.
func TestABoundRefuses(t *testing.T) {
	most, least := Check{Bound: 1e-12}, Check{Bound: 0.05, Least: true}
	if !most.Passes(0) || most.Passes(1e-11) || most.Passes(math.NaN()) || most.Passes(math.Inf(1)) {
		t.Error("an upper bound lets through what lies above it, or NaN")
	}
	if !least.Passes(0.1) || least.Passes(0) || least.Passes(math.NaN()) {
		t.Error("a lower bound lets through what lies below it, or NaN")
	}
	broken := Check{Name: "broken", run: func(t *trial) { t.off(math.NaN()); t.off(1) }}
	if number, err := broken.Measure(); err != nil || !math.IsNaN(number) {
		t.Errorf("NaN is forgotten: %v, %v", number, err)
	}
	broken.run = func(t *trial) { panic("no") }
	if number, err := broken.Measure(); err == nil || !math.IsNaN(number) {
		t.Errorf("a check that stopped has the number %v", number)
	}
}
