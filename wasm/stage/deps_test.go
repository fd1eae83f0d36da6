//go:build !js

package main

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// The engine and gonum would add 0.8 MB to the canvas's binary, encoding/json
// half of that.
func TestTheStageCarriesNoEngine(t *testing.T) {
	list := exec.Command("go", "list", "-deps", ".")
	list.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	out, err := list.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, path := range strings.Fields(string(out)) {
		ours := strings.HasPrefix(path, "unrolled/") && path != "unrolled/wasm/stage" && path != "unrolled/wasm/scene"
		if ours || path == "encoding/json" || strings.HasPrefix(path, "gonum.org/") {
			t.Errorf("the stage imports %s", path)
		}
	}
}
