package runfile

import (
	"encoding/json"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"unrolled/engine"
)

// An array is a number, a list, or a list of equally long lists.
type array struct {
	name string
	dims int // 0, 1, 2
	rows int // of a list: its length
	cols int
	data []float64
}

// array returns a field as an array, nil where it is missing.
func (o *object) array(field string) (*array, error) {
	raw, ok := o.take(field)
	if !ok {
		return nil, nil
	}
	a := &array{name: o.name(field)}
	var number float64
	var list []float64
	var table [][]float64
	switch {
	case json.Unmarshal(raw, &number) == nil:
		a.data = []float64{number}
	case json.Unmarshal(raw, &list) == nil && !hasNull(raw):
		a.dims, a.rows, a.data = 1, len(list), list
	case json.Unmarshal(raw, &table) == nil && !hasNull(raw):
		a.dims, a.rows = 2, len(table)
		if len(table) > 0 {
			a.cols = len(table[0])
		}
		for r, row := range table {
			if len(row) != a.cols {
				return nil, fmt.Errorf("%s has %d numbers in row %d and %d in row 0; a matrix has equal rows", a.name, len(row), r, a.cols)
			}
			a.data = append(a.data, row...)
		}
	default:
		return nil, fmt.Errorf("%s must be a number, a list of numbers or a matrix of finite numbers%s", a.name, where(raw))
	}
	if len(a.data) == 0 {
		return nil, fmt.Errorf("%s is empty", a.name)
	}
	return a, nil
}

// where names the first element of a list that is neither a number nor a list of
// numbers.
func where(raw json.RawMessage) string {
	var rows, cells []json.RawMessage
	if json.Unmarshal(raw, &rows) != nil {
		return ""
	}
	for r, row := range rows {
		if isNumber(row) {
			continue
		}
		if json.Unmarshal(row, &cells) != nil {
			return fmt.Sprintf("; row %d is %s", r, shorten(string(row)))
		}
		for c, cell := range cells {
			if !isNumber(cell) {
				return fmt.Sprintf("; row %d, column %d is %s", r, c, shorten(string(cell)))
			}
		}
	}
	return "; rows and numbers are mixed"
}

func isNumber(raw json.RawMessage) bool {
	var x float64
	return json.Unmarshal(raw, &x) == nil && !hasNull(raw)
}

// hasNull reports whether a list holds null, which would read as 0.
func hasNull(raw json.RawMessage) bool {
	for _, b := range raw {
		if b == 'u' {
			return true
		}
	}
	return false
}

// matrix returns a field that must be a matrix, nil where it is missing.
func (o *object) matrix(field string) (*mat.Dense, error) {
	a, err := o.array(field)
	if a == nil || err != nil {
		return nil, err
	}
	if a.dims != 2 {
		return nil, fmt.Errorf("%s must be a matrix, a list of rows", a.name)
	}
	return mat.NewDense(a.rows, a.cols, a.data), nil
}

// needMatrix is matrix for a field that must be there.
func (o *object) needMatrix(field string) (*mat.Dense, error) {
	m, err := o.matrix(field)
	if err == nil && m == nil {
		err = fmt.Errorf("%s is missing", o.name(field))
	}
	return m, err
}

// list returns a field that must be a list of numbers, nil where it is missing.
func (o *object) list(field string) ([]float64, error) {
	a, err := o.array(field)
	if a == nil || err != nil {
		return nil, err
	}
	if a.dims != 1 {
		return nil, fmt.Errorf("%s must be a list of numbers", a.name)
	}
	return a.data, nil
}

// A spread is how the numbers of a list lie over a run.
type spread struct {
	rows  int // one number each: tokens, or rows of k where a token has several
	chunk int // tokens in a chunk; 0 with operations
	per   string
}

// chunks returns how many chunks there are.
func (s spread) chunks() int {
	if s.chunk == 0 {
		return -1
	}
	return (s.rows + s.chunk - 1) / s.chunk
}

// schedule lays an array of numbers over the tokens: one, one a token, or one a
// chunk.
func (s spread) schedule(a *array) (engine.Schedule, error) {
	switch {
	case a.dims == 0:
		return engine.Constant(a.data[0]), nil
	case a.dims == 2:
		return nil, fmt.Errorf("%s must be a number or a list", a.name)
	case s.per == "constant":
		return nil, fmt.Errorf("%s is a list, but is said to be constant", a.name)
	case a.rows == s.rows && s.per != "chunk" || a.rows == s.rows && s.chunk == 1:
		return engine.Schedule(a.data), nil
	case a.rows == s.chunks() && s.per != "token":
		return engine.Schedule(a.data).PerChunk(s.chunk, s.rows), nil
	}
	if s.chunk > 1 {
		return nil, fmt.Errorf("%s has %d numbers for %d tokens in %d chunks", a.name, a.rows, s.rows, s.chunks())
	}
	return nil, fmt.Errorf("%s has %d numbers for %d tokens", a.name, a.rows, s.rows)
}

// same checks that two ways to state one thing agree, up to printed digits.
func same(a, b *array, what string) error {
	for i := range max(len(a.data), len(b.data)) {
		x, y := a.data[i%len(a.data)], b.data[i%len(b.data)]
		if !(math.Abs(x-y) <= 1e-9*math.Max(1, math.Abs(y))) {
			return fmt.Errorf("%s and %s disagree: %v and %v %s", a.name, b.name, x, y, what)
		}
	}
	return nil
}
