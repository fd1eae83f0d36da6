//go:build !js

package vec

import (
	"flag"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write simd_wasm.go again from simd.go")

// One source for both: what differs is the names of the types.
func TestWasmKernelsAreTheSame(t *testing.T) {
	source, err := os.ReadFile("simd.go")
	if err != nil {
		t.Fatal(err)
	}
	text := string(source)
	from := strings.Index(text, "//go:generate")
	to := strings.Index(text, "// Each kernel takes")
	text = text[:from] + text[to:]
	want := "// Code generated from simd.go by go generate; DO NOT EDIT.\n\n" + strings.NewReplacer(
		"//go:build goexperiment.simd && go1.27 && !wasm", "//go:build goexperiment.simd && go1.27",
		`import "simd"`, `import "simd/archsimd"`,
		"simd.LoadFloat64s", "archsimd.LoadFloat64x2",
		"simd.BroadcastFloat64s", "archsimd.BroadcastFloat64x2",
		"simd.BroadcastUint64s", "archsimd.BroadcastUint64x2",
		"simd.Float64s", "archsimd.Float64x2",
	).Replace(text)
	if *update {
		if err := os.WriteFile("simd_wasm.go", []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile("simd_wasm.go")
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Error("simd_wasm.go is not simd.go with other types; run go generate ./engine/internal/vec")
	}
}
