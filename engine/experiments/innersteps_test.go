package experiments

import (
	"math"
	"strings"
	"testing"
)

// K steps are one step at another rate, to rounding, at every K that is drawn.
func TestInnerStepsAreOneStepAtAnotherRate(t *testing.T) {
	for _, values := range []Values{
		nil, {"loss": "dot"}, {"steps": "64", "rate": "0.1"}, {"steps": "5", "task": "digits"}, {"loss": "dot", "steps": "64", "task": "digits"},
	} {
		a := answer(t, "inner-steps", values)
		if gap := scalar(t, a, "closed.relative"); !(gap < 1e-12) {
			t.Errorf("%v: the closed form is off by %g", values, gap)
		}
		if !strings.Contains(a.Sentence, "All this is exactly one step at ") {
			t.Errorf("%v: %s", values, a.Sentence)
		}
		steps, _ := series(a, "distance", "steps")
		closed, _ := series(a, "distance", "closed")
		for i := range steps.Y {
			if !(math.Abs(steps.Y[i]-closed.Y[i]) < 1e-9) {
				t.Errorf("%v: K = %v lies at %v, the closed form at %v", values, steps.X[i], steps.Y[i], closed.Y[i])
			}
		}
	}
}

func TestInnerStepsOfTheDotLossOnlyScale(t *testing.T) {
	a := answer(t, "inner-steps", Values{"loss": "dot", "steps": "6"})
	if d, c := scalar(t, a, "distance"), scalar(t, a, "cosine"); !(math.Abs(d-5) < 1e-12 && math.Abs(c-1) < 1e-14) {
		t.Errorf("distance %v, cosine %v", d, c)
	}
	if x := scalar(t, a, "rate.closed"); !(math.Abs(x-6*0.06) < 1e-15) || !strings.Contains(a.Sentence, "become 6 times as large and keep their direction") {
		t.Errorf("rate %v: %s", x, a.Sentence)
	}
}

func TestInnerStepsBindTighterAndMoveAway(t *testing.T) {
	a := answer(t, "inner-steps", nil)
	loss, _ := series(a, "binding", "steps")
	for i := 1; i < len(loss.Y); i++ {
		if !(loss.Y[i] < loss.Y[i-1]) {
			t.Errorf("the loss at K = %v is %v, at %v it was %v", loss.X[i], loss.Y[i], loss.X[i-1], loss.Y[i-1])
		}
	}
	if len(loss.X) != len(sweep) || loss.X[0] != 1 || !(scalar(t, a, "cosine") < 0.95) {
		t.Errorf("K drawn at %v, cosine %v", loss.X, scalar(t, a, "cosine"))
	}
}

// Momentum breaks the closed form, and the page says so and by how much.
func TestInnerStepsWithdrawTheClosedFormUnderMomentum(t *testing.T) {
	a := answer(t, "inner-steps", Values{"alpha": "0.5", "steps": "4"})
	if !strings.Contains(a.Sentence, "The closed form is withdrawn, because momentum carries each step into the next: one step at ") {
		t.Error(a.Sentence)
	}
	if gap := scalar(t, a, "closed.gap"); !(gap > 0.1) {
		t.Errorf("the withdrawn form is off by %g only", gap)
	}
	if _, drawn := series(a, "distance", "closed"); drawn {
		t.Error("the closed form is drawn where it does not hold")
	}
}

func TestInnerStepsSayWhatOneStepIs(t *testing.T) {
	if a := answer(t, "inner-steps", Values{"steps": "1"}); !strings.Contains(a.Sentence, "One step is what the others are compared with") || scalar(t, a, "distance") != 0 {
		t.Error(a.Sentence)
	}
	if a := answer(t, "inner-steps", Values{"steps": "7"}); len(a.Series[0].X) != len(sweep)+1 {
		t.Errorf("K = 7 is not drawn: %v", a.Series[0].X)
	}
	if a := answer(t, "inner-steps", Values{"rate": "1"}); !strings.Contains(a.Sentence, "diverges at token") {
		t.Error(a.Sentence)
	}
}

// Whether an extra rule takes the closed form away is measured: a clip does not
// under the dot loss, whose gradient is the same at every step.
func TestExtraRulesTakeTheClosedFormAwayAndSayWhy(t *testing.T) {
	for _, x := range extras[1:] {
		for _, loss := range []string{"squared", "dot"} {
			a := answer(t, "inner-steps", Values{"extra": x.name, "loss": loss, "steps": "4"})
			_, drawn := series(a, "distance", "closed")
			if x.name == "clip" && loss == "dot" {
				if !(scalar(t, a, "closed.relative") < 1e-12) || !drawn || !strings.Contains(a.Sentence, "All this is exactly one step at ") {
					t.Errorf("%s, %s: %s", x.name, loss, a.Sentence)
				}
				continue
			}
			if !strings.Contains(a.Sentence, x.reason) || !(scalar(t, a, "closed.gap") > 1e-3) || drawn {
				t.Errorf("%s, %s: off by %g: %s", x.name, loss, scalar(t, a, "closed.gap"), a.Sentence)
			}
		}
	}
}
