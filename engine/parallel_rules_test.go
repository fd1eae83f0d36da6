package engine

import (
	"fmt"
	"testing"
)

// Over the whole product of rules: what Parallel carries it computes, in every
// form and for chunks of any length; what has no parallel form it refuses.
func TestParallelFormsAgreeOverTheProductOfRules(t *testing.T) {
	seen := 0
	for _, c := range allRuleCases(1) {
		refusal := c.loop.Parallelizable()
		if !c.loop.Linearity(ruleT).Parallel.Holds && refusal == nil {
			t.Errorf("%s: computed, although it has no parallel form", c.name)
		}
		if refusal != nil {
			continue
		}
		seen++
		r := mustRun(t, c.tokens, c.loop)
		for _, form := range Forms() {
			for _, chunk := range []int{1, 3, ruleT} {
				run, err := Parallel(c.tokens, c.loop, form, chunk)
				if err != nil {
					t.Fatal(c.name, err)
				}
				name := fmt.Sprintf("%s, %s, chunks of %d", c.name, form, chunk)
				within(t, name, run.Output, r.Sequential.Output, tolerance)
				within(t, name+": effective values", run.Effective, r.Sequential.Effective, tolerance)
			}
		}
	}
	if seen < 400 {
		t.Errorf("only %d rules were computed", seen)
	}
	t.Logf("%d rules", seen)
}
