package engine

import (
	"testing"

	"gonum.org/v1/gonum/mat"
)

// Both ways agree to 1e-12 of max(1, ‖o‖∞): measured gaps are 1e-16 to 1e-15,
// so a wrong term anywhere is seen, and rounding never is.
const tolerance = 1e-12

func TestBothWaysAgreeForEveryRule(t *testing.T) {
	tokens := randomTokens(1)
	for _, c := range allRules() {
		r := mustRun(t, tokens, c.loop)
		if r.Diverged() >= 0 {
			t.Errorf("%s: diverged at token %d; the comparison would be empty", c.name, r.Diverged())
		}
		if gap := Compare(r.Sequential, r.Unrolled); !(gap.Relative < tolerance) || len(gap.PerToken) != testT {
			t.Errorf("%s: outputs differ by %.3g over %d tokens", c.name, gap.Relative, len(gap.PerToken))
		}
		within(t, c.name+": keys", r.Unrolled.Keys, r.Sequential.Keys, tolerance)
		within(t, c.name+": queries", r.Unrolled.Queries, r.Sequential.Queries, tolerance)
		within(t, c.name+": effective values", r.Unrolled.Effective, r.Sequential.Effective, tolerance)
		within(t, c.name+": losses", mat.NewVecDense(testT, r.Unrolled.Loss), mat.NewVecDense(testT, r.Sequential.Loss), tolerance)
	}
}

func TestBothWaysAgreeOnEveryTask(t *testing.T) {
	for _, task := range Tasks() {
		for _, feature := range Features() {
			for _, loss := range Losses() {
				c, err := Default(task)
				if err != nil {
					t.Fatal(err)
				}
				c.Feature, c.Loss, c.W0, c.Hold, c.Alphas = feature, loss, 0.3, true, varying(c.Length)
				r, err := Run(c)
				if err != nil {
					t.Fatal(err)
				}
				if gap := Compare(r.Sequential, r.Unrolled); !(gap.Relative < tolerance) || len(gap.PerToken) != c.Length {
					t.Errorf("%s, %s, %s: outputs differ by %.3g over %d tokens", task, feature, loss, gap.Relative, len(gap.PerToken))
				}
			}
		}
	}
}

// Neither way may lean on the other: with one of the two run alone, the numbers
// are the same as together.
func TestEachWayRunsAlone(t *testing.T) {
	tokens := randomTokens(2)
	loop := &InnerLoop{Feature: Identity{Dim: testDk}, Loss: Squared{}, Rate: Constant(0.05), Alpha: varying(testT)}
	together := mustRun(t, tokens, loop)
	if gap := maxDifference(t, Unrolled(tokens, loop).Output, together.Unrolled.Output); gap != 0 {
		t.Errorf("Unrolled alone differs by %g", gap)
	}
	if gap := maxDifference(t, Sequential(tokens, loop).Output, together.Sequential.Output); gap != 0 {
		t.Errorf("Sequential alone differs by %g", gap)
	}
}

// No way may write to the tokens or to W_0.
func TestInputsStayUntouched(t *testing.T) {
	tokens, before := randomTokens(3), randomTokens(3)
	w0 := random(testRand(5), testDk, testDv, 0.3)
	start := mat.DenseCopyOf(w0)
	mustRun(t, tokens, &InnerLoop{Feature: Identity{Dim: testDk}, Loss: Squared{}, Rate: Constant(0.05), Alpha: Constant(0.9), W0: w0})
	if !mat.Equal(tokens.Q, before.Q) || !mat.Equal(tokens.K, before.K) || !mat.Equal(tokens.V, before.V) || !mat.Equal(w0, start) {
		t.Error("a run changed its inputs")
	}
}
