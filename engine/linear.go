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

func (m fixed) apply(dst, x []float64)     { read(dst, x, m.RawMatrix().Data) }
func (m fixed) transpose(dst, d []float64) { dots(dst, m.RawMatrix().Data, d) }

// The loops over a matrix, row-major, are vec's; the names are the layers'.

// read writes x A to dst, A being len(x)×len(dst).
func read(dst, x, a []float64) { vec.Read(dst, x, a) }

// addRead adds x A to dst.
func addRead(dst, x, a []float64) { vec.AddRead(dst, x, a) }

// dots writes A x to dst, A being len(dst)×len(x): a Dot with every row.
func dots(dst, a, x []float64) { vec.Dots(dst, a, x) }

// write adds a·xᵀg to A, which is len(x)×len(g).
func write(m []float64, a float64, x, g []float64) { vec.Write(m, a, x, g) }

// descend is one inner step: Δ ← α Δ + xᵀg,  W ← W − Δ.
func descend(w, delta []float64, alpha float64, x, g []float64) {
	vec.Descend(w, delta, 1, alpha, x, g)
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
