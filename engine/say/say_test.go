package say

import (
	"errors"
	"fmt"
	"math"
	"testing"
)

type (
	name   string
	length float64
	count  int
)

func TestASentenceReadsAsFmtWouldWriteIt(t *testing.T) {
	type row struct {
		format string
		args   []any
	}
	rows := []row{
		{"plain, 100%%", nil},
		{"%s is %q at %d", []any{"alpha", "a\"b\n", -7}},
		{"%.3q and %.2s", []any{"häßlich", "αβγ"}},
		{"%v %v %v %v", []any{errors.New("no"), true, uint64(7), []float64{1, 2.5, -3e-9}}},
		{"%v %v", []any{[]float64{}, [3]float64{1, 2, 3}}},
		{"%s %q %v %d %v", []any{name("x"), name("y"), length(2.5), count(3), [][3]float64{{1, 2, 3}}}},
		{"%c%c", []any{'α', 'x'}},
	}
	for _, x := range []float64{0, 1, -1, 0.06, 1e-9, 123456789, 1e21, 2.0 / 3, 1e6, 100000, math.Pi, math.Inf(1), math.Inf(-1), math.NaN(), math.MaxFloat64, 5e-324} {
		for _, verb := range []string{"%v", "%g", "%.3g", "%.4g", "%.12g", "%f", "%.0f", "%.2f", "%.4f", "%e", "%.0e", "%.1e"} {
			rows = append(rows, row{"x = " + verb + ".", []any{x}})
		}
	}
	for _, r := range rows {
		want := fmt.Sprintf(r.format, r.args...)
		if got := Sprintf(r.format, r.args...); got != want {
			t.Errorf("%q says %q, fmt %q", r.format, got, want)
		}
		if got := Errorf(r.format, r.args...).Error(); got != want {
			t.Errorf("the error of %q says %q, fmt %q", r.format, got, want)
		}
	}
}

func TestAFormatThatDoesNotFitItsArgumentsPanics(t *testing.T) {
	for _, format := range []string{"%s", "%d %d", "", "%", "%y", "%.3"} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%q with one or no argument went through", format)
				}
			}()
			if format == "%s" {
				_ = Sprintf(format)
				return
			}
			_ = Sprintf(format, 1)
		}()
	}
}
