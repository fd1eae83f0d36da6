package runfile

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"unrolled/engine"
)

// WriteJSON prints the answer as one JSON object:
//
//	{"sequential": {"output": [[…]], "finalState": [[…]], "finalTheta": {…}, "loss": […]},
//	 "unrolled": {"output": [[…]]} or {"reason": "…"}, "gap": x,
//	 "difference": {"output": x, …}, "form": {"linear": {"holds": …, "reason": "…"}, …}}
//
// difference is there where the file expects something, and then pass and
// tolerance are, too; without an unrolled form gap is null.
func (a *Answer) WriteJSON(w io.Writer) error {
	sequential := map[string]any{
		"output":     rowsOf(a.Sequential.Output),
		"finalState": rowsOf(a.Sequential.FinalState()),
		"loss":       a.Sequential.Loss,
	}
	theta := map[string]any{}
	for _, p := range a.Sequential.FinalTheta() {
		theta[p.Name] = rowsOf(p.Value)
		if rows, _ := p.Value.Dims(); rows == 1 {
			theta[p.Name] = p.Value.RawRowView(0)
		}
		if p.Name == "bias" && a.file.hasB0 {
			sequential["finalBias"] = p.Value.RawRowView(0)
		}
	}
	sequential["finalTheta"] = theta
	if z := a.Sequential.FinalNormalizer(); z != nil {
		sequential["finalZ"] = z
	}
	out := map[string]any{"sequential": sequential, "unrolled": map[string]any{"reason": a.Reason}, "gap": nil, "form": linearityJSON(a.Linearity)}
	if a.Unrolled != nil {
		out["unrolled"] = map[string]any{"output": rowsOf(a.Unrolled.Output)}
		out["gap"] = a.Gap
	}
	if a.file.expected != nil {
		out["difference"], out["tolerance"], out["pass"] = a.Difference, a.Tolerance, a.Pass()
	}
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(out)
}

// linearityJSON answers the three questions of engine.Linearity.
func linearityJSON(f engine.Linearity) map[string]any {
	out := map[string]any{}
	for name, v := range map[string]engine.Verdict{"linear": f.Form, "closed": f.Closed, "parallel": f.Parallel} {
		out[name] = map[string]any{"holds": v.Holds, "reason": v.Reason}
	}
	return out
}

func rowsOf(m *mat.Dense) [][]float64 {
	rows, _ := m.Dims()
	out := make([][]float64, rows)
	for r := range out {
		out[r] = m.RawRowView(r)
	}
	return out
}

// WriteText prints the answer for a reader.
func (a *Answer) WriteText(w io.Writer) error {
	var text strings.Builder
	rows, cols := a.Sequential.Output.Dims()
	if a.file.Name != "" {
		fmt.Fprintf(&text, "%s: ", shorten(a.file.Name))
	}
	fmt.Fprintf(&text, "%d outputs of width %d.\n", rows, cols)
	if a.Unrolled == nil {
		fmt.Fprintf(&text, "Training only. %s\n", a.Reason)
	} else {
		fmt.Fprintf(&text, "Trained and attended outputs differ by %.2g of max(1, largest output).\n", a.Gap)
	}
	for _, q := range []struct {
		text  string
		holds bool
		why   string
	}{
		{"readout linear in Σ k̂ᵀv̂", a.Linearity.Form.Holds, a.Linearity.Form.Reason},
		{"effective values in closed form", a.Linearity.Closed.Holds, a.Linearity.Closed.Reason},
		{"parallel form", a.Linearity.Parallel.Holds, a.Linearity.Parallel.Reason},
	} {
		answer := "no"
		if q.holds {
			answer = "yes"
		}
		fmt.Fprintf(&text, "%s: %s. %s\n", q.text, answer, q.why)
	}
	for _, name := range slices.Sorted(maps.Keys(a.Difference)) {
		fmt.Fprintf(&text, "%-20s off by %.2g, allowed %.0g\n", name, a.Difference[name], a.Tolerance)
	}
	_, err := io.WriteString(w, text.String())
	return err
}
