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

func caseFiles(t testing.TB) []string { return filesIn(t, "cases", 47) }

// variationFiles vary what the cases say; testdata/variations.py writes them, and
// testdata/reference.py, a second implementation in NumPy, what they expect.
func variationFiles(t testing.TB) []string { return filesIn(t, "variations", 36) }

func filesIn(t testing.TB, folder string, count int) []string {
	t.Helper()
	files, err := filepath.Glob("../testdata/" + folder + "/*.json")
	if err != nil || len(files) != count {
		t.Fatalf("%d files in %s, %v; there are %d", len(files), folder, err, count)
	}
	return files
}

func TestEveryCaseOfOtherPeoplesCodeIsReproduced(t *testing.T) {
	for _, path := range caseFiles(t) {
		if name := strings.TrimSuffix(filepath.Base(path), ".json"); !elsewhere(name) {
			t.Run(name, func(t *testing.T) { reproduce(t, path, name != "torch-tanh1-last-dot-adam") })
		}
	}
}

func TestEveryVariationIsReproduced(t *testing.T) {
	for _, path := range variationFiles(t) {
		name := strings.TrimSuffix(filepath.Base(path), ".json")
		t.Run(name, func(t *testing.T) { reproduce(t, path, name != "mlp-adam-squared-chunk") })
	}
}

// reproduce runs a file, compares every array that it expects, and the two ways
// with each other where there are two.
func reproduce(t *testing.T, path string, unrollable bool) {
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
	if (a.Unrolled != nil) != unrollable {
		t.Errorf("unrolled form: %v, reason %q", a.Unrolled != nil, a.Reason)
	}
	if bound := gapBound(f); !(a.Gap < bound) {
		t.Errorf("the two ways differ by %.3g, more than %.0e", a.Gap, bound)
	}
	t.Logf("gap %.2g, differences %v", a.Gap, a.Difference)
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
