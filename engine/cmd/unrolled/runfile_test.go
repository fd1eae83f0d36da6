package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func writeRunFile(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "run.json")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

const deltaNet = `{"name": "two tokens", "model": {"feature": "identity", "loss": "squared", "chunk": 1, "learningRate": 0.5},
 "inputs": {"q": [[1, 0], [0.6, 0.8]], "k": [[1, 0], [0.6, 0.8]], "v": [[2], [1]], "w0": [[0], [0]]},
 "expected": {"output": [[1], [0.8]]}}`

func TestRunFileIsRunBothWays(t *testing.T) {
	var out bytes.Buffer
	path := writeRunFile(t, deltaNet)
	if err := run([]string{"-run", path}, &out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"two tokens", "differ by", "parallel form: yes", "output"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q does not say %q", out.String(), want)
		}
	}
	out.Reset()
	if err := run([]string{"-run", path, "-json"}, &out); err != nil {
		t.Fatal(err)
	}
	var got struct {
		Sequential struct {
			Output, FinalState [][]float64
			FinalTheta         map[string]any
			Loss               []float64
		}
		Unrolled   struct{ Output [][]float64 }
		Gap        *float64
		Difference map[string]float64
	}
	if err := json.Unmarshal(out.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if len(got.Sequential.Output) != 2 || len(got.Unrolled.Output) != 2 || len(got.Sequential.FinalState) != 2 || got.Sequential.FinalTheta == nil || len(got.Sequential.Loss) != 2 || got.Gap == nil || len(got.Difference) != 1 {
		t.Errorf("the JSON lacks a part: %s", out.String())
	}
}

func TestAMissedExpectationIsItsOwnError(t *testing.T) {
	var out bytes.Buffer
	err := run([]string{"-run", writeRunFile(t, strings.Replace(deltaNet, "[0.8]]}", "[0.9]]}", 1))}, &out)
	if !errors.Is(err, errDiffers) || out.Len() == 0 || !strings.HasSuffix(err.Error(), "1e-12: output") {
		t.Errorf("error %v, output %q", err, out.String())
	}
	for name, args := range map[string][]string{
		"no file":   {"-run", "nowhere.json"},
		"truncated": {"-run", writeRunFile(t, deltaNet[:90])},
		"knobs":     {"-run", writeRunFile(t, deltaNet), "-set", "alpha=1"},
	} {
		if err := run(args, &out); err == nil || errors.Is(err, errDiffers) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
