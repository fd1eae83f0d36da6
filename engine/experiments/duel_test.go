package experiments

import (
	"math"
	"strings"
	"testing"

	"unrolled/engine"
)

// A reader is told when the claim fails: nothing the engine can compute shows it.
func TestDuelSaysWhenTheTwoWaysDoNotAgree(t *testing.T) {
	for gap, fails := range map[float64]bool{1e-15: false, 1e-3: true, math.NaN(): true} {
		v := &duelView{gap: engine.Gap{Absolute: gap, Relative: gap, Size: 1}}
		if said, _ := v.say(); strings.Contains(said, "do not agree") != fails {
			t.Errorf("with a gap of %g the figure says %q", gap, said)
		}
	}
}

// The two ways agree whatever the knobs say.
func TestDuelAgreesAtEverySetting(t *testing.T) {
	for _, values := range []Values{
		nil,
		{"task": "digits"},
		{"feature": "identity", "alpha": "0.9"},
		{"loss": "dot", "direction": "ascent", "w0": "0.5"},
		{"steps": "4", "alpha": "0.5", "rate": "0.02"},
		{"alphas": "0.2,0.9,0.4,1.1", "w0": "0.2"},
		{"steps": "16", "rate": "0.005", "task": "digits", "length": "32"},
		{"length": "512", "alpha": "0.98"},
	} {
		a := answer(t, "duel", values)
		if gap := scalar(t, a, "gap.relative"); !(gap < 1e-12) {
			t.Errorf("%v: gap %g", values, gap)
		}
		one, _ := series(a, "outputs", "sequential")
		two, _ := series(a, "outputs", "unrolled")
		if len(one.X) == 0 || len(one.X) != len(two.X) {
			t.Errorf("%v: lines of %d and %d tokens", values, len(one.X), len(two.X))
		}
		last := len(one.Y) - 1
		if one.Y[last] != scalar(t, a, "output.sequential") || two.Y[last] != scalar(t, a, "output.unrolled") {
			t.Errorf("%v: the scalars are not the line's last point", values)
		}
	}
}

func TestDuelSentences(t *testing.T) {
	a := answer(t, "duel", nil)
	if !strings.HasPrefix(a.Sentence, "Trained token by token and read as attention, the two outputs differ by at most ") ||
		!strings.Contains(a.Sentence, " of the largest output, 1.6: about ") {
		t.Error(a.Sentence)
	}
	// Eight tokens of the dot loss with the identity need no rounding in most
	// draws; either way the sentence must hold together.
	short := answer(t, "duel", Values{"length": "8", "feature": "identity", "loss": "dot", "rate": "0.5"})
	if scalar(t, short, "gap") == 0 && !strings.HasSuffix(short.Sentence, "agree to the last bit.") {
		t.Error(short.Sentence)
	}
	diverged := answer(t, "duel", Values{"direction": "ascent", "rate": "0.3"})
	if !strings.Contains(diverged.Sentence, "gradient ascent on the squared loss has no stable rate") {
		t.Error(diverged.Sentence)
	}
	first := answer(t, "duel", Values{"steps": "16", "rate": "1", "hold": "off", "task": "digits"})
	if scalar(t, first, "diverged") != 0 || !math.IsNaN(scalar(t, first, "output.sequential")) ||
		!strings.Contains(first.Sentence, "diverges at token 1") {
		t.Errorf("%s: %+v", first.Sentence, first.Scalars)
	}
}

func TestDuelWordsForTheGap(t *testing.T) {
	for _, c := range []struct {
		gap, size float64
		want      string
	}{
		{0, 1.5, "the two outputs agree to the last bit."},
		{2.3e-16, 1.5, "differ by at most 2.3e-16, which is 1.5e-16 of the largest output, 1.5: about 1 unit in its last place."},
		{8.9e-16, 1.5, "differ by at most 8.9e-16, which is 5.9e-16 of the largest output, 1.5: about 4 units in its last place."},
		{1e-17, 1.5, "differ by at most 1e-17, which is 6.7e-18 of the largest output, 1.5: less than one unit in its last place."},
	} {
		v := duelView{}
		v.gap.Absolute, v.gap.Size = c.gap, c.size
		sentence, emphasis := v.say()
		if !strings.HasSuffix(sentence, c.want) || !strings.Contains(sentence, emphasis) {
			t.Errorf("%q, want %q", sentence, c.want)
		}
	}
}

func TestDuelOutputCoordinateIsClampedToTheTask(t *testing.T) {
	a := answer(t, "duel", Values{"output": "40"})
	if scalar(t, a, "output") != 7 || len(a.Warnings) != 1 || a.Warnings[0] != "Output goes from 0 to 7 here, so 40 became 7." {
		t.Errorf("output %v, warnings %q", scalar(t, a, "output"), a.Warnings)
	}
	if a := answer(t, "duel", Values{"output": "40", "task": "digits"}); scalar(t, a, "output") != 40 || len(a.Warnings) != 0 {
		t.Errorf("digits: output %v, warnings %q", scalar(t, a, "output"), a.Warnings)
	}
}

// Attention is causal and unmultiplied: q̂_t·k̂_i for i ≤ t, and 0 above.
func TestDuelAttentionMatrix(t *testing.T) {
	for _, length := range []string{"64", "600"} {
		m := answer(t, "duel", Values{"length": length}).Matrices[0]
		if !m.Diverging || m.Rows != m.Cols {
			t.Errorf("%+v", m)
		}
		seen := 0
		for row := range m.Rows {
			for col := range m.Cols {
				x := m.Values[row*m.Cols+col]
				if col > row && x != 0 {
					t.Errorf("length %s: attention to a later token, %v", length, x)
				}
				if col <= row && x != 0 {
					seen++
				}
			}
		}
		if want := m.Rows * (m.Rows + 1) / 2; seen != want {
			t.Errorf("length %s: %d weights, want %d", length, seen, want)
		}
	}
}
