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
	for source, twin := range map[string]string{"simd.go": "simd_wasm.go", "simd_product.go": "simd_product_wasm.go"} {
		want := forWasm(t, source)
		if *update {
			if err := os.WriteFile(twin, []byte(want), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		got, err := os.ReadFile(twin)
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != want {
			t.Errorf("%s is not %s with other types; run go generate ./engine/internal/vec", twin, source)
		}
	}
}

// forWasm is a file of kernels with the types of WebAssembly, without what it says
// of itself.
func forWasm(t *testing.T, name string) string {
	source, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	text := string(source)
	if from, to := strings.Index(text, "//go:generate"), strings.Index(text, "// Each kernel takes"); from >= 0 {
		text = text[:from] + text[to:]
	}
	return "// Code generated from " + name + " by go generate; DO NOT EDIT.\n\n" + strings.NewReplacer(
		"//go:build goexperiment.simd && go1.27 && !wasm", "//go:build goexperiment.simd && go1.27",
		`import "simd"`, `import "simd/archsimd"`,
		"simd.LoadFloat64s", "archsimd.LoadFloat64x2",
		"simd.BroadcastFloat64s", "archsimd.BroadcastFloat64x2",
		"simd.BroadcastUint64s", "archsimd.BroadcastUint64x2",
		"simd.Float64s", "archsimd.Float64x2",
	).Replace(text)
}
