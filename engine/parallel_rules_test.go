package engine

import (
	"fmt"
	"strings"
	"testing"
)

// Over the whole product of rules and the presets: what Parallel carries it
// computes, in every form and for chunks of any length; what it does not carry it
// names, and what has no parallel form it refuses with the verdict's own reason.
func TestParallelFormsAgreeOverTheProductOfRules(t *testing.T) {
	cases := allRuleCases(1)
	for _, p := range presetCases() {
		cases = append(cases, ruleCase{p.name, p.x, p.loop})
	}
	carried, left := 0, map[string]int{}
	for _, c := range cases {
		n := c.tokens.size().reads
		verdict, refusal := c.loop.Linearity(n).Parallel, c.loop.Parallelizable(n)
		if refusal != nil {
			if _, err := Parallel(c.tokens, c.loop, Chunkwise, 0); err == nil || err.Error() != refusal.Error() {
				t.Errorf("%s: refused with %v, but asked it answers %v", c.name, refusal, err)
			}
			if text, ok := strings.CutPrefix(refusal.Error(), "the parallel forms here do not carry "); ok && verdict.Holds {
				left[text]++
			} else if verdict.Holds || refusal.Error()+"." != "no parallel form: "+verdict.Reason {
				t.Errorf("%s: verdict %v, %q; refusal %v", c.name, verdict.Holds, verdict.Reason, refusal)
			}
			continue
		}
		if !verdict.Holds {
			t.Errorf("%s: computed, although it has no parallel form", c.name)
		}
		carried++
		agreesInEveryForm(t, c, n)
	}
	if carried < 1100 {
		t.Errorf("only %d rules were computed", carried)
	}
	t.Logf("%d rules; not carried: %v", carried, left)
}

// agreesInEveryForm compares with Sequential, in chunks that do and do not divide T.
func agreesInEveryForm(t *testing.T, c ruleCase, n int) {
	t.Helper()
	r := mustRun(t, c.tokens, c.loop)
	tol := ruleTolerance(c.loop)
	for _, form := range Forms() {
		for _, chunk := range []int{1, 3, n} {
			run, err := Parallel(c.tokens, c.loop, form, chunk)
			if err != nil {
				if strings.Contains(err.Error(), "would need one map of the state for each of") {
					continue // the scans of the squared loss under rates or gates by channel
				}
				t.Fatal(c.name, err)
			}
			name := fmt.Sprintf("%s, %s, chunks of %d", c.name, form, chunk)
			within(t, name, run.Output, r.Sequential.Output, tol)
			within(t, name+": effective values", run.Effective, r.Sequential.Effective, tol)
		}
	}
}
