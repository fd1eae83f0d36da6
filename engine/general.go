package engine

import (
	"gonum.org/v1/gonum/blas/blas64"

	"unrolled/engine/internal/vec"
)

// Small helpers for matrices that are computed in place.

func newGeneral(rows, cols int) blas64.General {
	return blas64.General{Rows: rows, Cols: cols, Stride: cols, Data: make([]float64, rows*cols)}
}

// reuse returns a rows×cols matrix of undefined numbers, in m's memory if it fits.
func reuse(m blas64.General, rows, cols int) blas64.General {
	if cap(m.Data) < rows*cols {
		return newGeneral(rows, cols)
	}
	return blas64.General{Rows: rows, Cols: cols, Stride: cols, Data: m.Data[:rows*cols]}
}

// row returns row i of m.
func row(m blas64.General, i int) []float64 { return m.Data[i*m.Stride : i*m.Stride+m.Cols] }

// rows returns rows from ≤ i < to of m, sharing its memory.
func rows(m blas64.General, from, to int) blas64.General {
	m.Rows, m.Data = to-from, m.Data[from*m.Stride:]
	return m
}

// columns returns the first n columns of m, sharing its memory.
func columns(m blas64.General, n int) blas64.General {
	m.Cols = n
	return m
}

// lastColumns returns the last n columns of m, sharing its memory.
func lastColumns(m blas64.General, n int) blas64.General {
	m.Data = m.Data[m.Cols-n:]
	m.Cols = n
	return m
}

// multiply writes a b to dst.
func multiply(dst, a, b blas64.General) {
	if dst.Stride == dst.Cols {
		clear(dst.Data[:dst.Rows*dst.Cols])
	} else {
		for i := range dst.Rows {
			clear(row(dst, i))
		}
	}
	vec.AddMul(dst, a, b)
}
