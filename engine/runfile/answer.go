package runfile

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"unrolled/engine"
)

// An Answer is what a run file's run came to.
type Answer struct {
	Sequential *engine.Trace
	Unrolled   *engine.Trace // nil where Reason is set
	Reason     string        // why there is no unrolled form
	Gap        float64       // between the two outputs, relative to max(1, largest)
	Linearity  engine.Linearity

	// Difference is, for each expected array, max|ours − expected| relative to
	// max(1, max|expected|).
	Difference map[string]float64
	Tolerance  float64

	file *File
}

// Run runs the file both ways. Its error is one sentence: what does not fit, or
// that the numbers did not stay finite.
func (f *File) Run() (*Answer, error) {
	if err := f.Loop.Check(f.Tokens); err != nil {
		return nil, err
	}
	if work := f.Loop.Work(f.Tokens); work > maxWork {
		return nil, fmt.Errorf("the run costs %.2g multiply-adds as attention; the limit is %.2g", work, float64(maxWork))
	}
	r, err := engine.RunTokens(f.Tokens, f.Loop)
	if err != nil {
		return nil, err
	}
	if t := r.Diverged(); t >= 0 {
		return nil, fmt.Errorf("the run leaves the finite numbers at output %d; a smaller learning rate may help", t)
	}
	reads, _ := f.Tokens.Q.Dims()
	a := &Answer{
		Sequential: r.Sequential, Unrolled: r.Unrolled, Reason: f.Loop.Unrollable().Reason,
		Linearity: f.Loop.Linearity(reads), Tolerance: f.Tolerance, file: f,
	}
	if r.Unrolled != nil {
		a.Gap = engine.Compare(r.Sequential, r.Unrolled).Relative
	}
	ours, err := f.results(r)
	if err != nil {
		return nil, err
	}
	a.Difference = map[string]float64{}
	for _, name := range slices.Sorted(maps.Keys(f.expected)) {
		if a.Difference[name], err = difference(name, ours[name], f.expected[name]); err != nil {
			return nil, err
		}
	}
	return a, nil
}

// maxWork is some twenty seconds of multiply-adds.
const maxWork = 2e10

// Pass reports whether every expected array lies within the tolerance.
func (a *Answer) Pass() bool { return len(a.Missed()) == 0 }

// Missed lists the expected arrays that do not, in order of their names.
func (a *Answer) Missed() []string {
	var missed []string
	for _, name := range slices.Sorted(maps.Keys(a.Difference)) {
		if !(a.Difference[name] <= a.Tolerance) {
			missed = append(missed, name)
		}
	}
	return missed
}

// results collects what a file may expect, under the same names.
func (f *File) results(r *engine.Result) (map[string]mat.Matrix, error) {
	all := map[string]mat.Matrix{
		"output":      r.Sequential.Output,
		"finalState":  r.Sequential.FinalState(),
		"keyFeatures": r.Sequential.Keys,
		"writeValues": r.Sequential.Effective,
		"loss":        mat.NewDense(1, len(r.Sequential.Loss), r.Sequential.Loss),
	}
	for _, p := range r.Sequential.FinalTheta() {
		all["finalTheta."+p.Name] = p.Value
		if p.Name == "bias" {
			all["finalBias"] = p.Value
		}
	}
	for name, m := range all {
		if err := allFinite(name, m); err != nil {
			return nil, err
		}
	}
	if z := r.Sequential.FinalNormalizer(); z != nil {
		all["finalZ"] = mat.NewDense(1, len(z), z)
	}
	if f.expected["attention"] == nil {
		return all, nil
	}
	var err error
	all["attention"], err = f.attention()
	return all, err
}

func allFinite(name string, m mat.Matrix) error {
	rows, cols := m.Dims()
	for r := range rows {
		for c := range cols {
			if x := m.At(r, c); math.IsNaN(x) || math.IsInf(x, 0) {
				return fmt.Errorf("the run leaves the finite numbers in %s, row %d", name, r)
			}
		}
	}
	return nil
}

// difference compares an array with what was expected.
func difference(name string, ours mat.Matrix, expected *array) (float64, error) {
	if ours == nil {
		return 0, fmt.Errorf("%s is expected, but the model has none", name)
	}
	rows, cols := ours.Dims()
	if expected.dims == 1 && rows == 1 || expected.dims == 2 && expected.rows == rows {
		expectedCols := expected.cols
		if expected.dims == 1 {
			expectedCols = expected.rows
		}
		if expectedCols == cols {
			return farthest(ours, expected.data), nil
		}
	}
	return 0, fmt.Errorf("%s does not have the shape of the result, %d×%d", expected.name, rows, cols)
}

func farthest(ours mat.Matrix, expected []float64) float64 {
	_, cols := ours.Dims()
	gap, size := 0.0, 1.0
	for i, want := range expected {
		gap = math.Max(gap, math.Abs(ours.At(i/cols, i%cols)-want))
		size = math.Max(size, math.Abs(want))
	}
	return gap / size
}

// attention is A with  output = A (η ∘ V)  where W_0 = 0: the outputs for values
// that are the rows of the identity, one divided by each rate. It exists where
// the output is linear in the values.
func (f *File) attention() (*mat.Dense, error) {
	rows, _ := f.Tokens.K.Dims()
	if !f.Loop.LinearInValues() {
		return nil, errors.New("expected.attention is given, but the output is not linear in the values")
	}
	values := mat.NewDense(rows, rows, nil)
	for i := range rows {
		eta := f.Loop.Rate.At(i)
		if eta == 0 {
			return nil, fmt.Errorf("expected.attention is given, but the rate of token %d is 0", i)
		}
		values.Set(i, i, 1/eta)
	}
	loop := *f.Loop
	loop.W0 = nil
	r, err := engine.RunTokens(&engine.Tokens{Q: f.Tokens.Q, K: f.Tokens.K, V: values}, &loop)
	if err != nil {
		return nil, err
	}
	return r.Unrolled.Output, nil
}
