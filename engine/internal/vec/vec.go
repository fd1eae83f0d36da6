// Package vec holds the engine's hot loops over flat float64 slices.
//
// A matrix is row-major. Every kernel exists twice: simd.go uses the portable
// simd package of Go 1.27 (AVX on amd64, 128-bit vectors in WebAssembly),
// generic.go is plain Go for any other compiler. Both keep a block of columns
// in registers while they go down the rows, so each element of a result adds
// its products in the same order, row by row, in both. Only sums along a row
// (Dot, Dots) use another order with vectors, and products of matrices round
// once for x·y+z where the processor can. No kernel allocates.
package vec

import (
	"math"

	"gonum.org/v1/gonum/blas/blas64"
)

// Dot returns Σ x_d y_d of two vectors of one length.
func Dot(x, y []float64) float64 {
	if len(x) < short {
		return genericDot(x, y)
	}
	return dot(x, y[:len(x)])
}

// AddScaled adds a·x to dst, which has the length of x.
func AddScaled(dst []float64, a float64, x []float64) {
	if len(x) < short {
		genericAddScaled(dst[:len(x)], a, x)
		return
	}
	addScaled(dst[:len(x)], a, x)
}

// Scale writes a·x to dst, which has the length of x and may be x.
func Scale(dst []float64, a float64, x []float64) {
	if len(x) < short {
		genericScale(dst[:len(x)], a, x)
		return
	}
	scale(dst[:len(x)], a, x)
}

// Read writes x m to dst: dst_d = Σ_h x_h m_hd. m is len(x)×len(dst).
func Read(dst, x, m []float64) {
	clear(dst)
	AddRead(dst, x, m)
}

// ReadMatrix is Read of a matrix whose rows need not lie close together.
func ReadMatrix(dst, x []float64, m blas64.General) {
	if len(x) != m.Rows || len(dst) != m.Cols {
		panic("vec: the vector does not fit the matrix")
	}
	clear(dst)
	addRead(dst, x, m.Data, m.Stride)
}

// AddRead adds x m to dst. m is len(x)×len(dst).
func AddRead(dst, x, m []float64) {
	addRead(dst, x, m[:len(x)*len(dst)], len(dst))
}

// Dots writes m x to dst: dst_i = Σ_d m_id x_d. m is len(dst)×len(x).
func Dots(dst, m, x []float64) { dots(dst, m[:len(dst)*len(x)], x, len(x)) }

// DotsMatrix is Dots of a matrix whose rows need not lie close together.
func DotsMatrix(dst []float64, m blas64.General, x []float64) {
	if len(dst) != m.Rows || len(x) != m.Cols {
		panic("vec: the vector does not fit the matrix")
	}
	dots(dst, m.Data, x, m.Stride)
}

// Write adds the outer product a·xᵀg to m, which is len(x)×len(g).
func Write(m []float64, a float64, x, g []float64) { write(m[:len(x)*len(g)], a, x, g, len(g)) }

// WriteMatrix is Write to a matrix whose rows need not lie close together.
func WriteMatrix(m blas64.General, a float64, x, g []float64) {
	if len(x) != m.Rows || len(g) != m.Cols {
		panic("vec: the outer product does not fit the matrix")
	}
	write(m.Data, a, x, g, m.Stride)
}

// Descend is one inner step: Δ ← α Δ + η xᵀg,  W ← W − Δ. w and delta are
// len(x)×len(g).
func Descend(w, delta []float64, rate, alpha float64, x, g []float64) {
	n := len(x) * len(g)
	descend(w[:n], delta[:n], rate, alpha, x, g)
}

// Tanh writes tanh x_d to dst, which has the length of x and may be x. It lies
// within 2 units in the last place of math.Tanh.
func Tanh(dst, x []float64) { tanhs(dst[:len(x)], x) }

// MaxAbs returns max |x_d|, 0 for an empty x and NaN if any element is NaN.
func MaxAbs(x []float64) float64 {
	largest := 0.0
	for _, a := range x {
		a = math.Abs(a)
		if a > largest {
			largest = a
		} else if a != a {
			return a
		}
	}
	return largest
}

// Finite reports whether x holds neither NaN nor infinity: 0·x is then 0.
func Finite(x []float64) bool {
	var a, b, c, d float64
	for ; len(x) >= 4; x = x[4:] {
		a += 0 * x[0]
		b += 0 * x[1]
		c += 0 * x[2]
		d += 0 * x[3]
	}
	for _, y := range x {
		a += 0 * y
	}
	return a+b+c+d == 0
}
