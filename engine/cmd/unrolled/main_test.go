package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

func output(t *testing.T, args ...string) string {
	t.Helper()
	var out bytes.Buffer
	if err := run(args, &out); err != nil {
		t.Fatalf("unrolled %s: %v", strings.Join(args, " "), err)
	}
	return out.String()
}

func TestListNamesTheExperiments(t *testing.T) {
	for _, want := range []string{"momentum-age ", "duel "} {
		if list := output(t); !strings.Contains(list, want) {
			t.Errorf("%q lacks %q", list, want)
		}
	}
	if knobs := output(t, "-catalog"); !strings.Contains(knobs, "alpha") || !strings.Contains(knobs, "digits|gaussian") {
		t.Error(knobs)
	}
}

func TestSourcesNameOriginAndLicence(t *testing.T) {
	text := output(t, "-sources")
	for _, want := range []string{"E. Alpaydin", "CC BY 4.0", "scaled", "GloVe", "Public Domain Dedication and License 1.0", "8 bits"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q lacks %q", text, want)
		}
	}
}

func TestRunPrintsSentenceAndScalars(t *testing.T) {
	text := output(t, "-run", "momentum-age", "-set", "alpha=0.98", "-set", "task=gaussian")
	for _, want := range []string{"At α = 0.98 the oldest token", "half-life.own      22", "half-life.limit    34", "newest-oldest      0.0275654"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q lacks %q", text, want)
		}
	}
	if text := output(t, "-run", "momentum-age", "-set", "alpha=7"); !strings.Contains(text, "became 0.99") {
		t.Errorf("%q lacks its warning", text)
	}
}

// The names are those of web/messages.ts; NaN is null; no array is null.
func TestJSONIsTheAnswer(t *testing.T) {
	text := output(t, "-run", "momentum-age", "-json")
	var a struct {
		Experiment, Sentence, Emphasis, Formula string
		Warnings                                []string
		Scalars                                 []struct {
			Name  string
			Value *float64
		}
		Series []struct {
			Chart, Name string
			X, Y        []float64
			XAxis       struct{ Label string }
		}
		Matrices []struct {
			Rows, Cols int
			Values     []float64
		}
		Cost struct{ MultiplyAdds, StateBytes float64 }
	}
	decoder := json.NewDecoder(strings.NewReader(text))
	if err := decoder.Decode(&a); err != nil {
		t.Fatal(err)
	}
	if a.Experiment != "momentum-age" || a.Sentence == "" || a.Formula == "" || a.Warnings == nil || !(a.Cost.MultiplyAdds > 0) {
		t.Errorf("%+v", a)
	}
	for _, s := range a.Scalars {
		if (s.Name == "diverged") != (s.Value == nil) {
			t.Errorf("scalar %s is %v", s.Name, s.Value)
		}
	}
	if len(a.Series) == 0 || len(a.Series[0].X) != 64 || a.Series[0].XAxis.Label == "" || len(a.Matrices[0].Values) != 64*64 {
		t.Error("series or matrices are not whole")
	}
	if strings.Contains(text, `"warnings":null`) || !strings.Contains(text, `"multiplyAdds"`) || !strings.Contains(text, `"xAxis"`) {
		t.Error("field names differ from web/messages.ts")
	}
}

func TestCatalogJSON(t *testing.T) {
	var all []struct {
		Name, Key, Title, Question string
		Knobs                      []struct {
			Name, Kind, Default string
			Min, Max            float64
			Choices             []struct{ Value, Label string }
		}
	}
	if err := json.Unmarshal([]byte(output(t, "-catalog", "-json")), &all); err != nil {
		t.Fatal(err)
	}
	if len(all) < 2 || all[0].Name != "momentum-age" || all[0].Key != "m" || all[0].Knobs[0].Name != "alpha" || all[0].Knobs[0].Max != 0.99 {
		t.Errorf("%+v", all)
	}
}

func TestBadInputIsOneLine(t *testing.T) {
	for _, args := range [][]string{
		{"-run", "nothing"},
		{"-run", "momentum-age", "-set", "alpha=NaN"},
		{"-run", "momentum-age", "-set", "alpha"},
		{"-run", "momentum-age", "-set", "x=1"},
		{"-run", "momentum-age", "-set", "task=a\nb"},
		{"-set", "alpha=1"},
		{"-nonsense"},
		{"momentum-age"},
		{"-run"},
	} {
		var out bytes.Buffer
		err := run(args, &out)
		if err == nil || out.Len() > 0 || oneLine(err.Error()) == "" || strings.Contains(oneLine(err.Error()), "\n") {
			t.Errorf("%q: error %v, output %q", args, err, out.String())
		}
	}
}
