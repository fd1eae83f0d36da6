package experiments

import (
	"math"
	"slices"
	"strings"
	"testing"
)

// Any momentum can be pinned: its curves are those of the answer under it, in
// both charts, whatever the present one is.
func TestPinnedCurvesAreTheAnswersOwn(t *testing.T) {
	for _, hold := range []string{"on", "off"} {
		for _, alphas := range []string{"0.7,0.7", "0.5,0.9,0.25,1.1,0", "ZLQ8"} {
			shown := Values{"loss": "dot", "hold": hold, "reading": "40", "token": "2"}
			own, pinned := Values{"alphas": alphas}, Values{"pin": alphas}
			for knob, text := range shown {
				own[knob], pinned[knob] = text, text
			}
			a, b := answer(t, "momentum-age", own), answer(t, "momentum-age", pinned)
			for chart, name := range map[string]string{"growth": "profile", "reading": "weights"} {
				want, _ := series(a, chart, name)
				got, ok := series(b, chart, "pinned")
				if !ok || !slices.Equal(got.X, want.X) || !slices.Equal(got.Y, want.Y) {
					t.Errorf("hold %s, %s, %s: %v, want %v", hold, alphas, chart, got.Y, want.Y)
				}
			}
		}
	}
	if _, ok := series(answer(t, "momentum-age", nil), "growth", "pinned"); ok {
		t.Error("a curve is pinned that nobody pinned")
	}
}

// The published toy's momentum, pinned: half after 22 updates, the newest token
// at 0.027565 of the oldest.
func TestPinIsComparedInNumbers(t *testing.T) {
	a := answer(t, "momentum-age", Values{"pin": "0.98"})
	if half, ratio := scalar(t, a, "pin.half-life"), scalar(t, a, "pin.newest-oldest"); half != 22 || !(math.Abs(ratio-0.027565) < 1e-6) {
		t.Errorf("half after %v, newest over oldest %v", half, ratio)
	}
	token, now, then := scalar(t, a, "pin.token"), scalar(t, a, "pin.now"), scalar(t, a, "pin.then")
	weights, _ := series(a, "reading", "weights")
	pinned, _ := series(a, "reading", "pinned")
	for i := range weights.Y {
		if math.Abs(weights.Y[i]-pinned.Y[i]) > math.Abs(now-then) {
			t.Errorf("token %d differs by more than token %v", i, token)
		}
	}
	if weights.Y[int(token)] != now || pinned.Y[int(token)] != then {
		t.Errorf("token %v: %v and %v are drawn, %v and %v said", token, weights.Y[int(token)], pinned.Y[int(token)], now, then)
	}
}

func TestPinIsComparedInWords(t *testing.T) {
	for _, row := range []struct {
		values Values
		want   string
	}{
		{Values{"pin": "0.98"}, " The oldest token has half of its last weight 16 updates sooner than under the pinned α = 0.98; at this reading token "},
		{Values{"pin": "0.6"}, " 5 updates later than under the pinned α = 0.60; "},
		{Values{"pin": "0.9"}, " The pinned momentum is the present one."},
		{Values{"pin": "0.2,0.9"}, " under the pinned α from 0.20 to 0.90; "},
		{Values{"pin": "1.0"}, " The pinned α = 1.00 has no eventual weight to hold, so it is not drawn."},
		{Values{"pin": "1.0", "hold": "off", "loss": "dot"}, " under the pinned α = 1.00; "},
		{Values{"pin": "0.5", "reading": "0", "hold": "off", "loss": "dot"}, "; at this reading every token has the same weight under both."},
	} {
		if a := answer(t, "momentum-age", row.values); !strings.Contains(a.Sentence, row.want) {
			t.Errorf("%v: %q lacks %q", row.values, a.Sentence, row.want)
		}
	}
	if _, err := Run("momentum-age", Values{"pin": "!"}); err == nil || !strings.Contains(err.Error(), "pin is") {
		t.Errorf("a pin that is none: %v", err)
	}
}
