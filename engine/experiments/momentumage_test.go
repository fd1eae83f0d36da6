package experiments

import (
	"math"
	"slices"
	"strings"
	"testing"

	"unrolled/engine"
)

// The sentences, word for word, at the edges where grammar breaks.
func TestMomentumAgeSentences(t *testing.T) {
	for _, c := range []struct {
		name     string
		values   Values
		sentence string
		emphasis string
	}{
		{"default", nil,
			"At α = 0.90 a token reaches half of its eventual weight 6 updates after it was written; at this reading the newest counts 0.10 of the oldest.",
			"half of its eventual weight 6 updates"},
		{"both half-lives", Values{"alpha": "0.98"},
			"At α = 0.98 the oldest token reaches half of the weight it has at the last reading 22 updates after it was written, and half of its eventual weight after 34; at this reading the newest counts 0.028 of the oldest.",
			"half of the weight it has at the last reading 22 updates"},
		{"no momentum", Values{"alpha": "0"},
			"At α = 0.00 a token has its full weight the moment it is written; at this reading the newest counts as much as the oldest.",
			"its full weight the moment it is written"},
		{"no update", Values{"alpha": "0.5"},
			"At α = 0.50 a token has at least half of its eventual weight the moment it is written; at this reading the newest counts 0.50 of the oldest.",
			"at least half of its eventual weight the moment it is written"},
		{"one update", Values{"alpha": "0.6"},
			"At α = 0.60 a token reaches half of its eventual weight 1 update after it was written; at this reading the newest counts 0.40 of the oldest.",
			"half of its eventual weight 1 update"},
		{"a short run", Values{"length": "8"},
			"At α = 0.90 the oldest token reaches half of the weight it has at the last reading 3 updates after it was written, and half of its eventual weight after 6; at this reading the newest counts 0.18 of the oldest.",
			"half of the weight it has at the last reading 3 updates"},
		{"a limit beyond the run", Values{"length": "8", "alpha": "0.99"},
			"At α = 0.99 the oldest token reaches half of the weight it has at the last reading 3 updates after it was written and would need 68 for half of its eventual weight; at this reading the newest counts 0.13 of the oldest.",
			"half of the weight it has at the last reading 3 updates"},
		{"the last token", Values{"token": "63"},
			"At α = 0.90 token 64 is read only once and would need 6 later updates for half of its eventual weight; at this reading the newest counts 0.10 of the oldest.",
			"6 later updates"},
		{"the last token, one update", Values{"token": "63", "alpha": "0.6"},
			"At α = 0.60 token 64 is read only once and would need 1 later update for half of its eventual weight; at this reading the newest counts 0.40 of the oldest.",
			"1 later update"},
		{"the last token but one", Values{"token": "62"},
			"At α = 0.90 token 63 has at least half of the weight it has at the last reading the moment it is written and would need 6 for half of its eventual weight; at this reading the newest counts 0.10 of the oldest.",
			"at least half of the weight it has at the last reading"},
		{"the first reading", Values{"reading": "0"},
			"At α = 0.90 a token reaches half of its eventual weight 6 updates after it was written; at reading 1 there is one token only.", ""},
		{"another reading", Values{"reading": "9"},
			"At α = 0.90 a token reaches half of its eventual weight 6 updates after it was written; at reading 10 the newest counts 0.15 of the oldest.", ""},
		{"varying α", Values{"alphas": "0.5,0.9,0.8"},
			"With α from 0.50 to 0.90 the oldest token reaches half of the weight it has at the last reading 3 updates after it was written; at this reading the newest counts 0.18 of the oldest.", ""},
		{"varying α, the last token", Values{"alphas": "0.5,0.9,0.8", "token": "63"},
			"With α from 0.50 to 0.90 token 64 is read only once, so that it never grows; at this reading the newest counts 0.18 of the oldest.", ""},
		{"one α for all, token by token", Values{"alphas": "0.9,0.9"},
			"At α = 0.90 a token reaches half of its eventual weight 6 updates after it was written; at this reading the newest counts 0.10 of the oldest.", ""},
		{"more than two decimals", Values{"alpha": "0.985"}, "At α = 0.985 ", ""},
	} {
		a := answer(t, "momentum-age", c.values)
		if !strings.HasPrefix(a.Sentence, c.sentence) {
			t.Errorf("%s:\n got %s\nwant %s", c.name, a.Sentence, c.sentence)
		}
		if c.emphasis != "" && a.Emphasis != c.emphasis {
			t.Errorf("%s: emphasis %q, want %q", c.name, a.Emphasis, c.emphasis)
		}
	}
}

// The published anchors at T = 64 (6 and 6; 22 and 34; 0.0276), as scalars.
func TestMomentumAgeScalars(t *testing.T) {
	for _, c := range []struct {
		alpha           string
		own, limit      float64
		ratio, decimals float64
	}{{"0.9", 6, 6, 0.100118, 5e-7}, {"0.98", 22, 34, 0.027565, 5e-7}} {
		for _, task := range []string{"digits", "gaussian"} {
			a := answer(t, "momentum-age", Values{"alpha": c.alpha, "task": task})
			own, limit, ratio := scalar(t, a, "half-life.own"), scalar(t, a, "half-life.limit"), scalar(t, a, "newest-oldest")
			if own != c.own || limit != c.limit || !(math.Abs(ratio-c.ratio) < c.decimals) {
				t.Errorf("%s, α=%s: %v and %v, newest/oldest %v", task, c.alpha, own, limit, ratio)
			}
			if gap := scalar(t, a, "gap.relative"); !(gap < 1e-12) {
				t.Errorf("%s, α=%s: the two ways differ by %g", task, c.alpha, gap)
			}
			if !math.IsNaN(scalar(t, a, "diverged")) {
				t.Errorf("%s, α=%s: diverged", task, c.alpha)
			}
		}
	}
	varying := answer(t, "momentum-age", Values{"alphas": "0.5,0.9"})
	if !math.IsNaN(scalar(t, varying, "half-life.limit")) {
		t.Error("a varying momentum has an eventual weight")
	}
}

// The column, the row and the matrix are one table of numbers, and the closed
// form lies on the curve.
func TestMomentumAgeChartsAreOneTable(t *testing.T) {
	for _, values := range []Values{
		nil, {"hold": "off", "alpha": "0.7"}, {"alphas": "0.5,0.9,0.8,0.3"}, {"token": "5", "reading": "40"}, {"length": "700", "reading": "300"},
	} {
		a := answer(t, "momentum-age", values)
		profile, ok := series(a, "growth", "profile")
		row, okRow := series(a, "reading", "weights")
		if !ok || !okRow {
			t.Fatalf("%v: a chart is missing", values)
		}
		m := a.Matrices[0]
		reading, token := int(scalar(t, a, "reading")), int(scalar(t, a, "token"))
		if len(row.X) != reading+1 || profile.X[0] != float64(token) {
			t.Errorf("%v: the row has %d tokens, the column begins at %v", values, len(row.X), profile.X[0])
		}
		if x, y := profile.Y[reading-token], row.Y[token]; !(math.Abs(x-y) < 1e-12*x) {
			t.Errorf("%v: the column has %v where the row has %v", values, x, y)
		}
		if reading%m.Stride == 0 {
			for col := range m.Cols {
				want := 0.0
				if col*m.Stride <= reading {
					want = row.Y[col*m.Stride]
				}
				if x := m.Values[reading/m.Stride*m.Cols+col]; x != want {
					t.Errorf("%v: the matrix has %v where the row has %v", values, x, want)
				}
			}
		}
		closed, hasClosed := series(a, "growth", "closed")
		if hasClosed == (values["alphas"] != "") {
			t.Errorf("%v: closed form shown: %v", values, hasClosed)
		}
		for n, x := range closed.X {
			if y := profile.Y[int(x)-token]; !(math.Abs(closed.Y[n]-y) < 1e-12*y) {
				t.Errorf("%v: the closed form is %v at reading %v, the curve %v", values, closed.Y[n], x, y)
			}
		}
	}
}

// With the weight held, a token grows towards 1; without, towards 1/(1−α).
func TestMomentumAgeScale(t *testing.T) {
	held, _ := series(answer(t, "momentum-age", nil), "growth", "profile")
	raw, _ := series(answer(t, "momentum-age", Values{"hold": "off", "rate": "0.01"}), "growth", "profile")
	if first, last := held.Y[0], held.Y[63]; !(math.Abs(first-0.1) < 1e-12) || !(last > 0.99 && last < 1) {
		t.Errorf("held: from %v to %v", first, last)
	}
	if first, last := raw.Y[0], raw.Y[63]; first != 1 || !(last > 9.9 && last < 10) {
		t.Errorf("raw: from %v to %v", first, last)
	}
}

func TestMomentumAgeComparisons(t *testing.T) {
	for alpha, want := range map[string][]string{
		"0.9": {"alpha 0", "alpha 0.6"}, "0": {"alpha 0.6", "alpha 0.9"}, "0.98": {"alpha 0", "alpha 0.6", "alpha 0.9"},
	} {
		var got []string
		for _, s := range answer(t, "momentum-age", Values{"alpha": alpha}).Series {
			if s.Chart == "growth" && s.Style == "dashed" {
				got = append(got, s.Name)
				if s.Role != "muted" || s.Label != strings.Replace(s.Name, "alpha", "α", 1) {
					t.Errorf("α=%s: %q is labelled %q in %q", alpha, s.Name, s.Label, s.Role)
				}
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("α=%s is compared with %q, want %q", alpha, got, want)
		}
	}
}

// α off by one token must be seen in the curve: the multiplier of token 0 at
// reading 1 is 1 + α_1, and α_0 meets an empty buffer.
func TestMomentumAgeUsesTheLaterTokensMomentum(t *testing.T) {
	a := answer(t, "momentum-age", Values{"alphas": "0.3,0.8,0.1,0.5", "hold": "off", "rate": "0.01"})
	profile, _ := series(a, "growth", "profile")
	for t1, want := range []float64{1, 1 + 0.8, 1 + 0.8 + 0.8*0.1, 1 + 0.8 + 0.8*0.1 + 0.8*0.1*0.5} {
		if !(math.Abs(profile.Y[t1]-want) < 1e-15) {
			t.Errorf("c_0^%d is %v, by hand %v", t1, profile.Y[t1], want)
		}
	}
}

// A diverged run says where and why, and its curves stop there.
func TestMomentumAgeDiverges(t *testing.T) {
	a := answer(t, "momentum-age", Values{"hold": "off", "rate": "0.5", "length": "256", "alpha": "0.95"})
	at := scalar(t, a, "diverged")
	if !(at > 0 && at < 256) {
		t.Fatalf("diverged at %v: %s", at, a.Sentence)
	}
	for _, want := range []string{"diverges at token " + plain(at+1), "η·mean‖φ‖²/(1−α) is", "The curves stop there."} {
		if !strings.Contains(a.Sentence, want) {
			t.Errorf("%q lacks %q", a.Sentence, want)
		}
	}
	profile, _ := series(a, "growth", "profile")
	row, _ := series(a, "reading", "weights")
	if len(profile.X) != int(at) || len(row.X) != int(at) {
		t.Errorf("curves of %d and %d tokens for a run that diverged at %v", len(profile.X), len(row.X), at)
	}
	beyond := answer(t, "momentum-age", Values{"hold": "off", "rate": "0.5", "length": "256", "alpha": "0.95", "token": "200"})
	if _, ok := series(beyond, "growth", "profile"); ok {
		t.Error("a token after the divergence has a curve")
	}
}

// Above the longest duel the attention form is left out, and every number that
// needs it gives its reason.
func TestMomentumAgeOfAVeryLongRun(t *testing.T) {
	a := answer(t, "momentum-age", Values{"length": "9000", "task": "gaussian"})
	if !math.IsNaN(scalar(t, a, "gap")) || len(a.Warnings) != 1 {
		t.Errorf("gap %v, warnings %q", scalar(t, a, "gap"), a.Warnings)
	}
	if c, _, _ := ConfigOf("momentum-age", Values{"length": "8192"}); c.SequentialOnly {
		t.Error("8192 tokens are left out too")
	}
}

// The answer's numbers are the engine's.
func TestMomentumAgeIsTheEnginesRun(t *testing.T) {
	values := Values{"alpha": "0.95", "seed": "7", "loss": "dot"}
	c, _, err := ConfigOf("momentum-age", values)
	if err != nil {
		t.Fatal(err)
	}
	r, err := engine.Run(c)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := scalar(t, answer(t, "momentum-age", values), "gap"), engine.Compare(r.Sequential, r.Unrolled).Absolute; got != want {
		t.Errorf("gap %v, the engine's %v", got, want)
	}
}
