package experiments

import (
	"math"
	"strings"
	"testing"
)

// The mirrors hold to the last bit: negation is exact.
func TestMirrorsOfTheDotLossAreExact(t *testing.T) {
	for _, mirror := range []string{"values", "start", "both"} {
		for _, values := range []Values{{}, {"w0": "0.5"}, {"alpha": "0.9", "w0": "0.3", "task": "gaussian"}, {"rate": "1", "length": "200", "w0": "1"}} {
			values["mirror"] = mirror
			a := answer(t, "ascent", values)
			if gap := scalar(t, a, "gap"); gap != 0 || !strings.Contains(a.Sentence, "of the two outputs is 0.") {
				t.Errorf("%v: %g: %s", values, gap, a.Sentence)
			}
		}
	}
}

func TestAscentFromZeroIsTheNegative(t *testing.T) {
	a := answer(t, "ascent", nil)
	if scalar(t, a, "gap") != 0 || !(math.Abs(scalar(t, a, "correlation")+1) < 1e-12) || a.Emphasis != "the exact negative of descent" {
		t.Error(a.Sentence)
	}
	up, down, sum := matrix(t, a, "negative"), matrix(t, a, "descent"), matrix(t, a, "sum")
	for p := range up.Values {
		if up.Values[p] != -down.Values[p] || sum.Values[p] != 0 {
			t.Fatalf("pixel %d: %v, %v, %v", p, up.Values[p], down.Values[p], sum.Values[p])
		}
	}
}

// W_0 ≠ 0 breaks the negative by 2 q̂ W_0 and by nothing else.
func TestAscentFromAStartThatIsNotZero(t *testing.T) {
	a := answer(t, "ascent", Values{"w0": "0.3"})
	if gap, rest := scalar(t, a, "gap"), scalar(t, a, "rest"); !(gap > 0.1 && rest < 1e-13) {
		t.Errorf("gap %g, rest %g", gap, rest)
	}
	if !strings.Contains(a.Sentence, "Ascent is not the exact negative of descent") || !strings.Contains(a.Sentence, "Both start from the same W₀") {
		t.Error(a.Sentence)
	}
}

func TestSquaredLossHasOneMirrorOnly(t *testing.T) {
	if a := answer(t, "ascent", Values{"loss": "squared", "mirror": "both", "w0": "0.2"}); scalar(t, a, "gap") != 0 {
		t.Error(a.Sentence)
	}
	for _, mirror := range []string{"none", "values", "start"} {
		a := answer(t, "ascent", Values{"loss": "squared", "mirror": mirror, "length": "12", "rate": "0.02"})
		if !(scalar(t, a, "gap") > 0.001) || !strings.Contains(a.Sentence, "The squared loss is not odd in f") {
			t.Errorf("%s: %s", mirror, a.Sentence)
		}
	}
	a := answer(t, "ascent", Values{"loss": "squared"})
	if !strings.Contains(a.Sentence, "Ascent runs away at token") || scalar(t, a, "shown") >= 64 {
		t.Error(a.Sentence)
	}
}
