package experiments

import (
	"math"
	"strings"
	"testing"

	"unrolled/engine"
)

var allMistakes = Values{"old-query": "on", "strict": "on", "new-keys": "on"}

func withMistakes(more Values) Values {
	values := Values{}
	for _, v := range []Values{allMistakes, more} {
		for name, text := range v {
			values[name] = text
		}
	}
	return values
}

// With Θ frozen the query before the write and keys computed again are what
// they were; the token's own write is missed all the same.
func TestFrozenThetaForgivesTwoMistakesOfThree(t *testing.T) {
	for _, feature := range []string{"tanh", "mlp", "swiglu", "identity"} {
		for _, more := range []Values{{}, {"alpha": "0.9", "w0": "0.3"}, {"steps": "3", "alphas": "0.2,0.9,0.4"}} {
			values := withMistakes(more)
			values["feature"] = feature
			a := answer(t, "duel", values)
			for name, forgiven := range map[string]bool{"old-query": true, "new-keys": true, "strict": false} {
				if by := scalar(t, a, "mistake."+name); forgiven != (by < 1e-12) || math.IsNaN(by) {
					t.Errorf("%v: %s is wrong by %g", values, name, by)
				}
			}
			if !strings.Contains(a.Sentence, "makes no difference while Θ is frozen") {
				t.Errorf("%v: %q", values, a.Sentence)
			}
		}
	}
}

// With Θ trained all three are seen, and the two ways still agree.
func TestTrainedThetaShowsEveryMistake(t *testing.T) {
	for _, feature := range []string{"tanh", "mlp", "swiglu"} {
		for _, more := range []Values{{}, {"alpha": "0.9"}, {"steps": "2", "loss": "dot", "w0": "0.3", "rate": "0.02"}} {
			values := withMistakes(more)
			values["feature"], values["train"] = feature, "on"
			a := answer(t, "duel", values)
			if gap := scalar(t, a, "gap.relative"); !(gap < 1e-12) {
				t.Errorf("%v: the two ways differ by %g", values, gap)
			}
			for _, name := range []string{"old-query", "new-keys", "strict"} {
				if by := scalar(t, a, "mistake."+name); !(by > 1e-5) {
					t.Errorf("%v: %s is wrong by %g only", values, name, by)
				}
			}
		}
	}
}

// A sum that makes no mistake is the output: what the switches show is theirs.
func TestMistakesAreMeasuredAgainstTheRightSum(t *testing.T) {
	c, _, err := ConfigOf("duel", Values{"feature": "mlp", "train": "on", "alpha": "0.9", "w0": "0.3", "steps": "2", "rate": "0.02"})
	if err != nil {
		t.Fatal(err)
	}
	r, err := engine.Run(c)
	if err != nil {
		t.Fatal(err)
	}
	m := mistake{knob: "none"}
	if m.measure(r, r.Length()); !(m.most < 1e-12) {
		t.Errorf("without a mistake the sum is off by %g", m.most)
	}
}

func TestIdentityHasNoThetaToTrain(t *testing.T) {
	a := answer(t, "duel", Values{"feature": "identity", "train": "on"})
	if len(a.Warnings) != 1 || !strings.Contains(a.Warnings[0], "no Θ") {
		t.Errorf("%q", a.Warnings)
	}
	if a := answer(t, "duel", Values{"train": "on", "length": "300", "new-keys": "on"}); len(a.Warnings) != 1 || !math.IsNaN(scalar(t, a, "mistake.new-keys")) {
		t.Errorf("%q", a.Warnings)
	}
}
