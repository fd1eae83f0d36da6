package wire

import (
	"encoding/json"
	"math"
	"os/exec"
	"reflect"
	"slices"
	"strings"
	"testing"

	"unrolled/engine/experiments"
)

func TestAnAnswerReadsBackAsItWasWritten(t *testing.T) {
	axis := experiments.Axis{Label: "age", Unit: "updates", Log: true}
	a := experiments.Answer{
		Experiment: "momentum-age", Sentence: "At α = 0.90, \"half\"\n\u2028 \\ \x01", Emphasis: "half", Formula: "W ← W − ηΔ",
		Warnings: []string{"one", "two"},
		Scalars: []experiments.Scalar{
			{Name: "gap", Value: 8.881784197001252e-16, Unit: "", Meaning: "m", How: "h"},
			{Name: "half-life.limit", Value: math.NaN()},
		},
		Series: []experiments.Series{
			{Chart: "growth", Name: "profile", Label: "α 0.9", Role: "ink", Style: "line", X: []float64{0, 1}, Y: []float64{1, 1.9}, XAxis: axis},
			{Chart: "growth", Name: "closed", X: []float64{3}, Y: []float64{math.Pi}},
			{Chart: "writes", Style: "bars", X: []float64{2}, Y: []float64{1}, Names: []string{"king → “sang”"}},
			{Chart: "top", Name: "spread", Style: "band", X: []float64{1}, Y: []float64{0.25}, Y2: []float64{0.5}},
		},
		Matrices: []experiments.Matrix{{Name: "c", Label: "C", Rows: 1, Cols: 2, Stride: 4, RowAxis: axis, Diverging: true, Values: []float64{5, 6}, Cells: []string{"five", "6"}}},
		Table:    experiments.Table{Head: []string{"claim"}, Rows: []experiments.Row{{Cells: []string{"one & two"}, Link: "duel?steps=4"}}},
		Cost:     experiments.Cost{MultiplyAdds: 1e6, StateBytes: 4096},
		Words:    []string{"king", ",", "queen"},
	}
	text, numbers := Answer(a)
	var back struct {
		Experiment, Sentence, Emphasis, Formula string
		Warnings                                []string
		Scalars                                 []struct {
			Name, Unit, Meaning, How string
			Value                    *float64
		}
		Series []struct {
			Chart, Name, Label, Role, Style string
			X, Y, Y2                        struct{ At, N int }
			Names                           []string
			XAxis                           experiments.Axis
		}
		Matrices []struct {
			Name, Label        string
			Rows, Cols, Stride int
			RowAxis            experiments.Axis
			Diverging          bool
			Values             struct{ At, N int }
		}
		Table experiments.Table
		Cost  experiments.Cost
		Words []string
	}
	if err := json.Unmarshal(text, &back); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	if back.Sentence != a.Sentence || back.Formula != a.Formula || !reflect.DeepEqual(back.Warnings, a.Warnings) {
		t.Errorf("words changed on the way: %s", text)
	}
	if !slices.Equal(back.Words, a.Words) {
		t.Errorf("the tokens' words changed on the way: %q", back.Words)
	}
	if !reflect.DeepEqual(back.Table, a.Table) {
		t.Errorf("the table changed on the way: %s", text)
	}
	if back.Scalars[0].Value == nil || *back.Scalars[0].Value != a.Scalars[0].Value || back.Scalars[1].Value != nil {
		t.Errorf("scalars changed on the way, or NaN did not become null: %s", text)
	}
	for i, s := range back.Series {
		if x := numbers[s.X.At : s.X.At+s.X.N]; !reflect.DeepEqual(x, a.Series[i].X) {
			t.Errorf("series %d: x = %v, want %v", i, x, a.Series[i].X)
		}
		if y := numbers[s.Y.At : s.Y.At+s.Y.N]; !reflect.DeepEqual(y, a.Series[i].Y) {
			t.Errorf("series %d: y = %v, want %v", i, y, a.Series[i].Y)
		}
		if !slices.Equal(s.Names, a.Series[i].Names) {
			t.Errorf("series %d: names = %q, want %q", i, s.Names, a.Series[i].Names)
		}
		if y := numbers[s.Y2.At : s.Y2.At+s.Y2.N]; !slices.Equal(y, a.Series[i].Y2) {
			t.Errorf("series %d: y2 = %v, want %v", i, y, a.Series[i].Y2)
		}
	}
	m := back.Matrices[0]
	if got := numbers[m.Values.At : m.Values.At+m.Values.N]; !reflect.DeepEqual(got, []float64{5, 6}) || m.RowAxis != axis || !m.Diverging || m.Stride != 4 {
		t.Errorf("the matrix changed on the way: %+v", m)
	}
	if back.Cost != a.Cost {
		t.Errorf("cost = %+v, want %+v", back.Cost, a.Cost)
	}
}

func TestAQuestionIsReadOrRefusedInOneLine(t *testing.T) {
	for _, row := range []struct{ text, experiment, alpha string }{
		{"experiment=momentum-age\x00alpha=0.98", "momentum-age", "0.98"},
		{"alpha=a=b&c%\x00experiment=duel", "duel", "a=b&c%"},
		{"experiment=", "", ""},
	} {
		name, values, err := Question(row.text)
		if err != nil || name != row.experiment || values["alpha"] != row.alpha {
			t.Errorf("%q read as %q %v, %v", row.text, name, values, err)
		}
	}
	_, _, err := Question("alpha\n\n")
	if err == nil || strings.Contains(Sentence(err), "\n") {
		t.Errorf("a field without a value gave %v", err)
	}
}

func TestTheWorkersBinaryDoesWithoutEncodingJSON(t *testing.T) {
	if testing.Short() {
		t.Skip("asks the go command")
	}
	out, err := exec.Command("go", "list", "-deps", "unrolled/wasm/wire").Output()
	if err != nil {
		t.Skipf("no go command here: %v", err)
	}
	for _, dep := range strings.Fields(string(out)) {
		if dep == "encoding/json" || strings.HasPrefix(dep, "github.com/") {
			t.Errorf("wasm/wire pulls in %s", dep)
		}
	}
}
