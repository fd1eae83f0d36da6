//go:build !js

package engine

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// The engine and its experiments go into a wasm binary that must stay small,
// and know nothing of a browser.
func TestEngineStaysSmallAndPure(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "unrolled/engine", "unrolled/engine/experiments").CombinedOutput()
	if err != nil {
		t.Skipf("go list: %v: %s", err, out)
	}
	deps := strings.Fields(string(out))
	for _, heavy := range []string{"encoding/json", "syscall/js", "net", "net/http", "text/template", "os/exec", "flag", "testing"} {
		if slices.Contains(deps, heavy) {
			t.Errorf("the engine depends on %s", heavy)
		}
	}
	if slices.Contains(deps, "unrolled/engine/words") {
		t.Error("the engine links the word list, which a browser fetches only when it is needed")
	}
	for _, dep := range deps {
		if strings.Contains(dep, "ebiten") || strings.HasPrefix(dep, "unrolled/") && !strings.HasPrefix(dep, "unrolled/engine") {
			t.Errorf("the engine depends on %s", dep)
		}
	}
}
