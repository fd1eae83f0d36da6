package runfile

import (
	"encoding/json"
	"io"
	"os"
	"strings"
	"testing"
	"time"
)

// A plain file that runs; each row below changes it.
const plain = `{"model": {"feature": "identity", "loss": "dot", "chunk": 1, "learningRate": 1.0},
 "inputs": {"q": [[1, 2], [3, 4]], "k": [[1, 0], [0, 1]], "v": [[1], [2]], "w0": [[0], [0]]},
 "expected": {"output": [[1], [11]]}}`

func TestThePlainFileRuns(t *testing.T) {
	f, err := Read(strings.NewReader(plain))
	if err != nil {
		t.Fatal(err)
	}
	a, err := f.Run()
	if err != nil || !a.Pass() || a.Difference["output"] != 0 {
		t.Fatalf("%v, %+v", err, a)
	}
}

// refusals change one piece of a file; the sentence must name the words.
var refusals = []struct {
	name     string
	old, new string
	want     []string
}{
	{"an unknown field of the model", `"chunk": 1`, `"chunk": 1, "chunks": 2`, []string{"model.chunks", "ignored"}},
	{"a field in another case", `"chunk": 1`, `"chunk": 1, "Momentum": 0.5`, []string{"model.Momentum"}},
	{"an unknown tensor", `"w0": [[0], [0]]`, `"w0": [[0], [0]], "w1": [[0]]`, []string{"inputs.w1"}},
	{"an unknown part", `"expected"`, `"expect": 1, "expected"`, []string{"expect"}},
	{"an unknown expectation", `"output": [[1], [11]]`, `"outputs": [[1], [11]]`, []string{"expected.outputs"}},
	{"a field twice", `"chunk": 1`, `"chunk": 1, "chunk": 2`, []string{"model.chunk", "twice"}},
	{"no model", `"model"`, `"name": "x", "derived"`, []string{"model"}},
	{"no queries", `"q": [[1, 2], [3, 4]],`, ``, []string{"inputs.q", "missing"}},
	{"no start", `, "w0": [[0], [0]]`, ``, []string{"inputs.w0", "missing"}},
	{"no rate", `, "learningRate": 1.0`, ``, []string{"model.learningRate", "missing"}},
	{"no loss", `"loss": "dot",`, ``, []string{"model.loss", "missing"}},
	{"NaN", `[3, 4]`, `[NaN, 4]`, []string{"not JSON in line 2", "NaN", "finite"}},
	{"minus infinity", `"expected": {`, `"expected": {"loss": [-Infinity], `, []string{"not JSON in line 3", "Infinity"}},
	{"a comma too many", `[3, 4]`, `[3, 4],`, []string{"not JSON in line 2"}},
	{"a number beyond float64", `[3, 4]`, `[1e999, 4]`, []string{"inputs.q", "finite"}},
	{"null in a matrix", `[3, 4]`, `[null, 4]`, []string{"inputs.q", "row 1, column 0 is null"}},
	{"a text in a matrix", `[3, 4]`, `[3, "4"]`, []string{"inputs.q", "row 1, column 1"}},
	{"a number for a row", `[3, 4]`, `3`, []string{"inputs.q", "mixed"}},
	{"a text for a matrix", `"q": [[1, 2], [3, 4]]`, `"q": "abc"`, []string{"inputs.q"}},
	{"a list for a matrix", `"q": [[1, 2], [3, 4]]`, `"q": [1, 2]`, []string{"inputs.q", "matrix"}},
	{"a ragged matrix", `[3, 4]`, `[3]`, []string{"inputs.q", "row 1"}},
	{"an empty matrix", `[[1, 2], [3, 4]]`, `[]`, []string{"inputs.q", "empty"}},
	{"a deeper array", `[[1, 2], [3, 4]]`, `[[[1, 2]], [[3, 4]]]`, []string{"inputs.q"}},
	{"queries of another width", `[[1, 2], [3, 4]]`, `[[1], [3]]`, []string{"queries", "2×1"}},
	{"too few keys", `[[1, 0], [0, 1]]`, `[[1, 0]]`, []string{"inputs.k", "1 rows"}},
	{"too few values", `"v": [[1], [2]]`, `"v": [[1]]`, []string{"values"}},
	{"a start of another shape", `"w0": [[0], [0]]`, `"w0": [[0, 1]]`, []string{"w0", "1×2", "2×1"}},
	{"expected of another shape", `[[1], [11]]`, `[[1, 2], [11, 2]]`, []string{"expected.output", "2×1"}},
	{"expected where there is none", `"output": [[1], [11]]`, `"finalBias": [1]`, []string{"finalBias"}},
	{"an unknown feature", `"identity"`, `"cosine-mlp"`, []string{"model.feature", "cosine-mlp", "tanh-mlp"}},
	{"a slip for a feature", `"identity"`, `"straight-qk-quirk"`, []string{"straight-qk-quirk", "slip"}},
	{"a slip of a loss", `"dot"`, `"mse-quirk"`, []string{"mse-quirk", "slip"}},
	{"a slip in the layer norm", `"chunk": 1`, `"chunk": 1, "innerLayernorm": "fla-titans-quirk"`, []string{"slip"}},
	{"an unknown loss", `"dot"`, `"huber"`, []string{"model.loss", "squared"}},
	{"a number for a text", `"dot"`, `7`, []string{"model.loss", "text"}},
	{"a text for a number", `"chunk": 1`, `"chunk": "1"`, []string{"model.chunk", "number"}},
	{"half a chunk", `"chunk": 1`, `"chunk": 1.5`, []string{"model.chunk", "whole"}},
	{"a chunk beyond all counts", `"chunk": 1`, `"chunk": 1e300`, []string{"model.chunk", "whole number of at most 1000000"}},
	{"an unknown way to advance", `"chunk": 1`, `"chunk": 1, "stateUpdate": "now"`, []string{"must be every token"}},
	{"weight decay that is placed nowhere", `"chunk": 1`, `"chunk": 1, "weightDecay": 0.5`, []string{"model.weightDecay", "decayPlacement"}},
	{"a mean over a chunk whose buffer advances every token", `"chunk": 1`, `"chunk": 2, "order": "token-causal", "momentum": [0.1, 0.2], "momentumReduction": "chunk mean"`, []string{"momentumReduction", "every token"}},
	{"a negative chunk", `"chunk": 1`, `"chunk": -1`, []string{"model.chunk"}},
	{"no operations", `"chunk": 1`, `"chunk": 0`, []string{"operations"}},
	{"no steps", `"chunk": 1`, `"chunk": 1, "steps": 0`, []string{"model.steps"}},
	{"a million steps", `"chunk": 1`, `"chunk": 1, "steps": 1000000`, []string{"steps"}},
	{"rates for other tokens", `"learningRate": 1.0`, `"learningRate": [1, 2, 3]`, []string{"model.learningRate", "3 numbers", "2 tokens"}},
	{"a rate without bound", `"learningRate": 1.0`, `"learningRate": 1e9`, []string{"rate"}},
	{"a rate for nobody", `"learningRate": 1.0`, `"learningRate": {"w0": 1, "gate": 1}`, []string{"learningRate.gate"}},
	{"momentum inside a chunk", `"chunk": 1`, `"chunk": 2, "momentum": [0.1, 0.2]`, []string{"model.momentum", "chunk mean"}},
	{"a layer norm without weights", `"chunk": 1`, `"chunk": 1, "innerLayernorm": true`, []string{"inputs.lnWeight", "missing"}},
	{"weights without a layer norm", `"w0": [[0], [0]]`, `"w0": [[0], [0]], "lnWeight": [1]`, []string{"inputs.lnWeight"}},
	{"a bias nobody has", `"w0": [[0], [0]]`, `"w0": [[0], [0]], "b0": [1]`, []string{"bias"}},
	{"a bias that is missing", `"chunk": 1`, `"chunk": 1, "bias": true`, []string{"inputs.theta.bias"}},
	{"decay that is placed nowhere", `"chunk": 1`, `"chunk": 1, "decay": 0.5`, []string{"decayPlacement"}},
	{"decay that is missing", `"chunk": 1`, `"chunk": 1, "decayPlacement": "before-gradient"`, []string{"model.decay", "missing"}},
	{"no coefficients", `"chunk": 1`, `"chunk": 1, "orthogonalize": "newton-schulz-5"`, []string{"coefficients", "5"}},
	{"an unknown orthogonalisation", `"chunk": 1`, `"chunk": 1, "orthogonalize": "lact-bidir-quirk"`, []string{"slip"}},
	{"Adam with momentum", `"chunk": 1`, `"chunk": 1, "optimizer": "adam", "momentum": 0.5`, []string{"Adam"}},
	{"a function, not a run", `"q": [[1, 2], [3, 4]]`, `"g": [[1, 2], [3, 4]]`, []string{"inputs.g", "function"}},
	{"another precision", `"expected"`, `"dtype": "float32", "expected"`, []string{"dtype", "float64"}},
	{"a tolerance of zero", `"expected"`, `"tolerance": 0, "expected"`, []string{"tolerance"}},
	{"more after the end", `[11]]}}`, `[11]]}} {}`, []string{"follows"}},
	{"a matrix of weights for an MLP", `"identity"`, `"tanh-mlp"`, []string{"inputs.theta.A1", "missing"}},
	{"a blow-up", `"loss": "dot"`, `"loss": "squared", "steps": 1000`, []string{"finite"}},
}

func refuse(t *testing.T, name, text string) string {
	t.Helper()
	f, err := Read(strings.NewReader(text))
	if err == nil {
		_, err = f.Run()
	}
	if err == nil {
		t.Errorf("%s: not refused", name)
		return ""
	}
	if strings.ContainsAny(err.Error(), "\n\r") || len(err.Error()) > 400 {
		t.Errorf("%s: not one clear line: %q", name, err)
	}
	return err.Error()
}

func TestBadFilesAreRefusedInOneSentence(t *testing.T) {
	for _, row := range refusals {
		text := strings.Replace(plain, row.old, row.new, 1)
		if text == plain {
			t.Errorf("%s: nothing was changed", row.name)
		}
		if row.name == "a blow-up" {
			text = strings.Replace(text, "1.0", "50", 1)
		}
		got := refuse(t, row.name, text)
		for _, want := range row.want {
			if !strings.Contains(got, want) {
				t.Errorf("%s: %q does not name %q", row.name, got, want)
			}
		}
	}
}

// What some editors add, and a remark that reads like a slip, change nothing.
func TestMarksAndNamesAreNoneOfTheRun(t *testing.T) {
	for name, text := range map[string]string{
		"a byte order mark":     "\ufeff" + plain,
		"other line ends":       strings.ReplaceAll(plain, "\n", "\r\n"),
		"a name like a slip's":  strings.Replace(plain, `"model"`, `"name": "fla-titans-quirk", "model"`, 1),
		"a weight decay of 0":   strings.Replace(plain, `"chunk": 1`, `"chunk": 1, "weightDecay": 0`, 1),
		"fields that are null":  strings.Replace(plain, `"chunk": 1`, `"chunk": 1, "momentum": null`, 1),
		"spaces after the file": plain + " \n\t",
	} {
		f, err := Read(strings.NewReader(text))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if a, err := f.Run(); err != nil || !a.Pass() {
			t.Errorf("%s: %v", name, err)
		}
	}
	if got := refuse(t, "an empty file", " \n"); !strings.Contains(got, "empty") {
		t.Errorf("an empty file: %q", got)
	}
}

// Muon costs most by the size of its matrices, which a short file can make large.
func TestMatricesTooLargeForMuonAreRefused(t *testing.T) {
	wide := func(rows, cols int) string {
		row := "[" + strings.TrimSuffix(strings.Repeat("1,", cols), ",") + "]"
		return "[" + strings.TrimSuffix(strings.Repeat(row+",", rows), ",") + "]"
	}
	for _, method := range []string{`"polar"`, `"newton-schulz-5", "coefficients": [[3,-4,2],[3,-4,2],[3,-4,2],[3,-4,2],[3,-4,2]]`} {
		got := refuse(t, method, `{"model": {"feature": "identity", "loss": "dot", "chunk": 1, "learningRate": 0.1, "orthogonalize": `+method+`},
			"inputs": {"q": `+wide(20, 600)+`, "k": `+wide(20, 600)+`, "v": `+wide(20, 600)+`, "w0": `+wide(600, 600)+`}}`)
		if !strings.Contains(got, "multiply-adds") {
			t.Errorf("%s: %q", method, got)
		}
	}
}

// A file may end anywhere.
func TestTruncatedFilesAreRefused(t *testing.T) {
	for n := range len(plain) - 1 {
		refuse(t, plain[:n], plain[:n])
	}
}

// brackets gives brackets for ever.
type brackets struct{ read int }

func (b *brackets) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = '['
	}
	b.read += len(p)
	return len(p), nil
}

// spaces gives a file without end that is never deep.
type spaces struct{ read int }

func (s *spaces) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	s.read += len(p)
	return len(p), nil
}

func TestFilesWithoutEndAreNotReadToTheEnd(t *testing.T) {
	b, s := &brackets{}, &spaces{}
	start := time.Now()
	if _, err := Read(b); err == nil || !strings.Contains(err.Error(), "deep") || b.read > 1<<20 {
		t.Errorf("brackets: %v after %d bytes", err, b.read)
	}
	if _, err := Read(s); err == nil || !strings.Contains(err.Error(), "MB") || s.read > maxBytes+1<<20 {
		t.Errorf("spaces: %v after %d bytes", err, s.read)
	}
	if took := time.Since(start); took > 30*time.Second {
		t.Errorf("it took %v", took)
	}
}

var _ io.Reader = (*brackets)(nil)

// Whatever a file holds: a sentence, or finite numbers on which both ways agree.
func FuzzRead(f *testing.F) {
	f.Add(plain)
	for _, row := range refusals {
		f.Add(strings.Replace(plain, row.old, row.new, 1))
	}
	for _, path := range append(caseFiles(f), variationFiles(f)...) {
		raw, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(raw))
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1<<16 {
			t.Skip("long files are tested by themselves")
		}
		file, err := Read(strings.NewReader(text))
		if err != nil {
			if strings.ContainsAny(err.Error(), "\n\r") {
				t.Errorf("more than one line: %q", err)
			}
			return
		}
		if rows, _ := file.Tokens.K.Dims(); rows > 200 || file.Loop.Steps > 20 {
			t.Skip("long runs take long")
		}
		a, err := file.Run()
		if err != nil {
			return
		}
		var out strings.Builder
		if err := a.WriteJSON(&out); err != nil || !json.Valid([]byte(out.String())) {
			t.Errorf("no JSON came out: %v", err)
		}
	})
}
