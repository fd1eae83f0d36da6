package runfile

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The cases are the outputs of other people's code; README.md in testdata/cases
// says whose. What a name begins with says how it is tested: functions on one
// matrix and Titans in package engine, the rest here.
func elsewhere(name string) bool {
	return strings.HasPrefix(name, "ns5-") || strings.HasPrefix(name, "polar-svd-") || strings.HasPrefix(name, "fla-titans-")
}

func caseFiles(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob("../testdata/cases/*.json")
	if err != nil || len(files) != 47 {
		t.Fatalf("%d case files, %v; there are 47", len(files), err)
	}
	return files
}

func TestEveryCaseOfOtherPeoplesCodeIsReproduced(t *testing.T) {
	for _, path := range caseFiles(t) {
		name := strings.TrimSuffix(filepath.Base(path), ".json")
		if elsewhere(name) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			file, err := os.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			defer file.Close()
			f, err := Read(file)
			if err != nil {
				t.Fatal(err)
			}
			a, err := f.Run()
			if err != nil {
				t.Fatal(err)
			}
			if len(a.Difference) == 0 {
				t.Error("nothing was compared")
			}
			for array, d := range a.Difference {
				if !(d <= f.Tolerance) {
					t.Errorf("%s is off by %.3g, more than %.0e", array, d, f.Tolerance)
				}
			}
			if a.Unrolled == nil && name != "torch-tanh1-last-dot-adam" {
				t.Errorf("no unrolled form: %s", a.Reason)
			}
			if bound := gapBound(f); !(a.Gap < bound) {
				t.Errorf("the two ways differ by %.3g, more than %.0e", a.Gap, bound)
			}
			t.Logf("gap %.2g, differences %v", a.Gap, a.Difference)
		})
	}
}

// gapBound is 1e-12, 1e-11 with Newton-Schulz and 1e-10 with the polar factor,
// whose own steps amplify rounding.
func gapBound(f *File) float64 {
	switch m := f.Loop.Muon; {
	case m == nil:
		return 1e-12
	case m.Method == "polar":
		return 1e-10
	}
	return 1e-11
}
