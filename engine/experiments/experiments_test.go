package experiments

import (
	"encoding/base64"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"unrolled/engine"
)

func answer(t *testing.T, name string, values Values) Answer {
	t.Helper()
	a, err := Run(name, values)
	if err != nil {
		t.Fatalf("%s %v: %v", name, values, err)
	}
	checkAnswer(t, name, values, a)
	return a
}

func scalar(t *testing.T, a Answer, name string) float64 {
	t.Helper()
	for _, s := range a.Scalars {
		if s.Name == name {
			return s.Value
		}
	}
	t.Fatalf("no scalar %q", name)
	return 0
}

func series(a Answer, chart, name string) (Series, bool) {
	i := slices.IndexFunc(a.Series, func(s Series) bool { return s.Chart == chart && s.Name == name })
	if i < 0 {
		return Series{}, false
	}
	return a.Series[i], true
}

// checkAnswer fails on what no answer may hold: half a sentence, a number
// without a reason, a curve that is not finite.
func checkAnswer(t *testing.T, name string, values Values, a Answer) {
	t.Helper()
	if a.Experiment != name || a.Formula == "" {
		t.Errorf("%s %v: experiment %q, formula %q", name, values, a.Experiment, a.Formula)
	}
	for _, sentence := range append([]string{a.Sentence}, a.Warnings...) {
		if !strings.HasSuffix(sentence, ".") || strings.ContainsAny(sentence, "\n%") || strings.Contains(sentence, "NaN") {
			t.Errorf("%s %v: not a sentence: %q", name, values, sentence)
		}
	}
	if a.Emphasis == "" || !strings.Contains(a.Sentence, a.Emphasis) {
		t.Errorf("%s %v: emphasis %q is not in %q", name, values, a.Emphasis, a.Sentence)
	}
	for _, s := range a.Scalars {
		if math.IsInf(s.Value, 0) || s.Meaning == "" || s.How == "" && !math.IsNaN(s.Value) {
			t.Errorf("%s %v: scalar %+v", name, values, s)
		}
	}
	for _, s := range a.Series {
		if len(s.X) != len(s.Y) || s.Label == "" || s.XAxis.Label == "" || s.YAxis.Label == "" {
			t.Errorf("%s %v: series %s/%s has %d and %d numbers", name, values, s.Chart, s.Name, len(s.X), len(s.Y))
		}
		if !slices.Contains([]string{"key", "value", "query", "effective", "state", "gap", "ink", "muted"}, s.Role) ||
			!slices.Contains([]string{"line", "dashed", "dots", "bars", "points", "band"}, s.Style) {
			t.Errorf("%s %v: series %s/%s has role %q, style %q", name, values, s.Chart, s.Name, s.Role, s.Style)
		}
		checkFinite(t, s.Name, slices.Concat(s.X, s.Y, s.Y2))
		if s.Style == "band" != (len(s.Y2) > 0) || s.Style == "band" && len(s.Y2) != len(s.Y) {
			t.Errorf("%s %v: %s series %s/%s has %d second numbers", name, values, s.Style, s.Chart, s.Name, len(s.Y2))
		}
		if s.YAxis.Log && slices.Min(append(s.Y, 1)) <= 0 {
			t.Errorf("%s %v: series %s/%s goes below zero on a log axis", name, values, s.Chart, s.Name)
		}
	}
	for _, m := range a.Matrices {
		if m.Rows > largestSide || m.Cols > largestSide || m.Stride < 1 || len(m.Values) != m.Rows*m.Cols {
			t.Errorf("%s %v: matrix %s is %d×%d with %d values", name, values, m.Name, m.Rows, m.Cols, len(m.Values))
		}
		checkFinite(t, m.Name, m.Values)
	}
}

func checkFinite(t *testing.T, name string, values []float64) {
	t.Helper()
	for _, x := range values {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			t.Errorf("%s holds %v", name, x)
			return
		}
	}
}

// The catalog is what the page builds its controls from.
func TestCatalogIsWhole(t *testing.T) {
	keys := map[string]bool{}
	for _, e := range All() {
		if e.Title == "" || !strings.HasSuffix(e.Question, "?") || keys[e.Key] || e.Key == "" {
			t.Errorf("%s: title %q, question %q, key %q", e.Name, e.Title, e.Question, e.Key)
		}
		keys[e.Key] = true
		knobKeys := map[string]bool{}
		for _, k := range e.Knobs {
			if k.Label == "" || k.Help == "" || k.Key == "" || knobKeys[k.Key] || strings.Contains(k.Help, "\n") {
				t.Errorf("%s: knob %+v", e.Name, k)
			}
			knobKeys[k.Key] = true
			if k.Kind == Choice && !slices.ContainsFunc(k.Choices, func(o Option) bool { return o.Value == k.Default }) {
				t.Errorf("%s: the default of %s is no choice", e.Name, k.Name)
			}
			if (k.Kind == Number || k.Kind == Seed) && !(k.Min < k.Max && k.Step > 0) || k.Log && !(k.Min > 0) {
				t.Errorf("%s: %s goes from %v to %v by %v", e.Name, k.Name, k.Min, k.Max, k.Step)
			}
		}
		a := answer(t, e.Name, nil)
		if len(a.Warnings) > 0 {
			t.Errorf("%s: the default answer warns: %q", e.Name, a.Warnings)
		}
		again := Values{}
		for _, k := range e.Knobs {
			again[k.Name] = k.Default
		}
		if b := answer(t, e.Name, again); !reflect.DeepEqual(printable(a), printable(b)) {
			t.Errorf("%s: spelling the defaults out changes the answer", e.Name)
		}
	}
}

// printable replaces NaN, which equals nothing.
func printable(a Answer) Answer {
	a.Scalars = slices.Clone(a.Scalars)
	for i, s := range a.Scalars {
		if math.IsNaN(s.Value) {
			a.Scalars[i].Value = -12345
		}
	}
	return a
}

func TestConfigOfIsTheRunOfTheAnswer(t *testing.T) {
	c, warnings, err := ConfigOf("momentum-age", Values{"alpha": "0.98", "task": "gaussian", "rate": "9"})
	if err != nil || c.Alpha != 0.98 || c.Task != "gaussian" || c.Rate != 1 || !c.Hold || len(warnings) != 1 {
		t.Errorf("%+v, %q, %v", c, warnings, err)
	}
	c, _, err = ConfigOf("duel", Values{"direction": "ascent", "steps": "4", "w0": "0.3", "feature": "identity"})
	if err != nil || c.Rate != -0.06 || c.Steps != 4 || c.W0 != 0.3 || c.Feature != "identity" {
		t.Errorf("%+v, %v", c, err)
	}
	if _, _, err := ConfigOf("nothing", nil); err == nil {
		t.Error("an unknown experiment has a Config")
	}
}

// refused are values that get one clear sentence.
var refused = []struct {
	experiment string
	values     Values
	want       []string
}{
	{"nothing", nil, []string{`"nothing"`, "momentum-age", "duel"}},
	{"momentum-age", Values{"beta": "1"}, []string{`"beta"`, "alpha"}},
	{"momentum-age", Values{"alpha": "NaN"}, []string{"alpha", "NaN", "0.99"}},
	{"momentum-age", Values{"alpha": "much"}, []string{"alpha", "much"}},
	{"momentum-age", Values{"rate": "inf"}, []string{"rate", "inf"}},
	{"momentum-age", Values{"length": "1e999"}, []string{"length", "1e999"}},
	{"momentum-age", Values{"task": "poems"}, []string{"task", "poems", "digits"}},
	{"momentum-age", Values{"hold": "maybe"}, []string{"hold", "maybe", "off"}},
	{"momentum-age", Values{"seed": "x"}, []string{"seed"}},
	{"momentum-age", Values{"reading": "x"}, []string{"reading", "63"}},
	{"momentum-age", Values{"alphas": "0.5,,0.6"}, []string{"alphas"}},
	{"momentum-age", Values{"alphas": "0.5,NaN"}, []string{"alphas"}},
	{"momentum-age", Values{"alphas": "!!!"}, []string{"alphas"}},
	{"momentum-age", Values{"alpha": strings.Repeat("9x", 5000)}, []string{"alpha", "…"}},
	{"duel", Values{"length": "65536", "steps": "16"}, []string{"length", "steps"}},
	{"duel", Values{"loss": "cube"}, []string{"loss", "cube", "dot"}},
}

func TestBadValuesAreRefusedInOneSentence(t *testing.T) {
	for _, row := range refused {
		_, err := Run(row.experiment, row.values)
		if err == nil {
			t.Errorf("%s %v: not refused", row.experiment, row.values)
			continue
		}
		if strings.Contains(err.Error(), "\n") || len(err.Error()) > 300 {
			t.Errorf("%s: not one sentence: %q", row.experiment, err)
		}
		for _, want := range row.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %q does not name %q", row.experiment, err, want)
			}
		}
	}
}

// clamped are values out of range that run all the same, with a warning.
var clamped = []struct {
	values Values
	scalar string
	want   float64
	warns  string
}{
	{Values{"alpha": "3"}, "alpha", 0.99, "Alpha goes from 0 to 0.99, so 3 became 0.99."},
	{Values{"alpha": "-1"}, "alpha", 0, "Alpha goes from 0 to 0.99, so -1 became 0."},
	{Values{"length": "2"}, "length", 8, "Length goes from 8 to 65536, so 2 became 8."},
	{Values{"length": "20.4"}, "length", 20, "Length takes whole numbers, so 20.4 became 20."},
	{Values{"rate": "50"}, "eta", 1, "Rate goes from 0.001 to 1, so 50 became 1."},
	{Values{"reading": "99"}, "reading", 63, "Reading 100 is not among the 64 here; the nearest is shown."},
	{Values{"token": "-7"}, "token", 0, "Token -6 is not among the 64 here; the nearest is shown."},
	{Values{"seed": "-4"}, "length", 64, "Seed goes from 0 to 4294967295, so -4 became 0."},
	{Values{"alphas": "0.5,9"}, "length", 64, "Momentum of each token goes from 0 to 1.2, so 63 values were clamped."},
}

func TestValuesOutOfRangeAreClampedWithAWarning(t *testing.T) {
	for _, row := range clamped {
		a := answer(t, "momentum-age", row.values)
		if got := scalar(t, a, row.scalar); got != row.want {
			t.Errorf("%v: %s is %v, want %v", row.values, row.scalar, got, row.want)
		}
		if !slices.Contains(a.Warnings, row.warns) {
			t.Errorf("%v: warnings %q lack %q", row.values, a.Warnings, row.warns)
		}
	}
}

// A sequence reads the same from a link and as a list; a short one goes on with
// its last value, a long one is cut.
func TestSequenceForms(t *testing.T) {
	want := []float64{0.5, 0.9, 0.25, 1.005}
	bytes := make([]byte, len(want))
	for i, x := range want {
		bytes[i] = byte(math.Round(200 * x))
	}
	packed, ok := parseSequence(base64.RawURLEncoding.EncodeToString(bytes))
	list, okList := parseSequence("0.5, 0.9,0.25 , 1.005")
	if !ok || !okList || !slices.Equal(packed, want) || !slices.Equal(list, want) {
		t.Errorf("packed %v, list %v", packed, list)
	}
	for _, n := range []int{2, 4, 7} {
		f := read("momentum-age", []Knob{alphasKnob()}, Values{"alphas": "0.5,0.9,0.25,1.005"})
		all := f.sequence("alphas", n)
		for i, x := range all {
			if x != want[min(i, 3)] {
				t.Errorf("%d tokens: %v", n, all)
			}
		}
		if len(all) != n || len(f.warnings) > 0 || f.err != nil {
			t.Errorf("%d tokens: %v, %q, %v", n, all, f.warnings, f.err)
		}
	}
	// Every two-decimal value from 0 to 1.27 survives the packing exactly.
	for i := range 128 {
		x := float64(i) / 100
		if back := float64(byte(math.Round(packedUnit*x))) / packedUnit; back != x {
			t.Errorf("%v comes back as %v", x, back)
		}
	}
}

// Any text in any knob gives a sentence, and never a panic or a silent NaN.
func FuzzValues(f *testing.F) {
	for _, row := range refused {
		for name, value := range row.values {
			f.Add(name, value, "rate", "0.2", uint8(0))
		}
	}
	for _, row := range clamped {
		for name, value := range row.values {
			f.Add(name, value, "alpha", "0.99", uint8(1))
		}
	}
	f.Add("hold", "off", "alphas", "1.2", uint8(1))
	f.Add("loss", "dot", "hold", "off", uint8(0))
	list := All()
	for which, e := range list {
		f.Add("rate", "1", "loss", "squared", uint8(which))
		for _, k := range e.Knobs {
			for _, value := range []string{"0", "1e9"} {
				f.Add(k.Name, value, "rate", "0.3", uint8(which))
			}
			for _, o := range k.Choices {
				f.Add(k.Name, o.Value, "length", "9", uint8(which))
			}
		}
	}
	f.Fuzz(func(t *testing.T, name, value, otherName, otherValue string, which uint8) {
		experiment := list[int(which)%len(list)].Name
		values := Values{name: value, otherName: otherValue}
		if c, _, err := ConfigOf(experiment, values); err == nil && c.Length > 256 {
			values["length"] = "256"
		}
		a, err := Run(experiment, values)
		if err != nil {
			if strings.Contains(err.Error(), "\n") && !strings.Contains(name+value+otherName+otherValue, "\n") {
				t.Errorf("more than one line: %q", err)
			}
			return
		}
		checkAnswer(t, experiment, values, a)
	})
}

// Switching the held weight off and on is the only difference in the rate.
func TestHoldShowsInFormulaAndRate(t *testing.T) {
	on, off := answer(t, "momentum-age", nil), answer(t, "momentum-age", Values{"hold": "off"})
	if x := scalar(t, on, "eta.used"); !(math.Abs(x-0.006) < 1e-15) || !strings.Contains(on.Formula, "η(1−α) = 0.06 · 0.10 = 0.006") {
		t.Errorf("held: η used %v, formula %q", x, on.Formula)
	}
	if x := scalar(t, off, "eta.used"); x != 0.06 || strings.Contains(off.Formula, "(1−α)") {
		t.Errorf("raw: η used %v, formula %q", x, off.Formula)
	}
	high := answer(t, "momentum-age", Values{"alphas": "1.1", "length": "8"})
	if x := scalar(t, high, "eta.used"); x != 0.06 || len(high.Warnings) != 1 || !strings.Contains(high.Warnings[0], "mean below 1") {
		t.Errorf("a mean of 1.1: η used %v, warnings %q", x, high.Warnings)
	}
	if c, _, _ := ConfigOf("momentum-age", Values{"alphas": "0,1", "length": "8"}); !(math.Abs(c.Scale()-(1-7.0/8)) < 1e-15) {
		t.Errorf("the held rate of a varying α is scaled by %v, not by one minus the mean", c.Scale())
	}
	if _, err := engine.Run(engine.Config{}); err == nil {
		t.Error("an empty Config runs")
	}
}
