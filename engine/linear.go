package engine

import (
	"gonum.org/v1/gonum/mat"

	"unrolled/engine/internal/vec"
)

// A linear layer is what a network is made of: a matrix in Sequential, an
// attention over earlier writes in Unrolled.
type linear interface {
	apply(dst, x []float64)     // dst = x A
	transpose(dst, d []float64) // dst = d Aᵀ
}

// fixed is a matrix as a layer, nothing more.
type fixed struct{ *mat.Dense }

func (m fixed) apply(dst, x []float64)     { rowTimes(dst, x, m.RawMatrix().Data) }
func (m fixed) transpose(dst, d []float64) { rowTimesTransposed(dst, d, m.RawMatrix().Data) }

// rowTimes writes x A to dst, A being len(x)×len(dst), row-major.
func rowTimes(dst, x, a []float64) {
	clear(dst)
	n := len(dst)
	for h, s := range x {
		vec.AddScaled(dst, s, a[h*n:(h+1)*n])
	}
}

// rowTimesTransposed writes d Aᵀ to dst, A being len(dst)×len(d), row-major.
func rowTimesTransposed(dst, d, a []float64) {
	n := len(d)
	for h := range dst {
		dst[h] = vec.Dot(d, a[h*n:(h+1)*n])
	}
}

// flatten returns a copy of m's numbers, row after row; nil gives size zeros.
func flatten(m *mat.Dense, size int) []float64 {
	if m == nil {
		return make([]float64, size)
	}
	rows, cols := m.Dims()
	flat := make([]float64, 0, rows*cols)
	for r := range rows {
		flat = append(flat, m.RawRowView(r)...)
	}
	return flat
}
