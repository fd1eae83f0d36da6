package engine

import (
	"math"

	"unrolled/engine/internal/vec"
)

// mix replaces the sum Δ = Kᵀ V by M(Δ) = Kᵀ (V P), without ever adding it up: the
// keys of the writes stay what they are, their values are mixed by what the Gram
// matrix ΔᵀΔ = Vᵀ K Kᵀ V says. It returns the rank that Polar found, else 0.
func (m *Muon) mix(s sum) (rank int) {
	n := s.out
	gram := s.gram()
	if m.Method == Polar {
		p, rank := inverseRoot(gram, n, polarCut)
		s.times(p)
		// Rounding has left the small singular values a little off 1; those of
		// the sum as it now stands are well apart from the zeros.
		p, _ = inverseRoot(s.gram(), n, 0.5)
		s.times(p)
		return rank
	}
	trace := 0.0
	for d := range n {
		trace += gram[d*n+d]
	}
	size := math.Sqrt(max(0, trace)) + m.eps()
	scale(s.first, 1/size)
	scale(s.values, 1/size)
	if m.Method == Frobenius {
		return 0
	}
	for _, t := range m.Coefficients {
		s.times(rightPolynomial(s.gram(), n, t))
	}
	return 0
}

// rightPolynomial returns aI + bB + cB² for B = XᵀX: one round is X ← X of it,
// the same as (aI + bA + cA²)X with A = XXᵀ. B is taken from the values of each
// round anew: to make it from the first Gram matrix would lose the small
// singular values, squared, in the rounding of the large ones.
func rightPolynomial(b []float64, n int, t [3]float64) []float64 {
	poly := make([]float64, n*n)
	for i := range n {
		row := poly[i*n : (i+1)*n]
		read(row, b[i*n:(i+1)*n], b)
		for j := range row {
			row[j] = t[1]*b[i*n+j] + t[2]*row[j]
		}
		row[i] += t[0]
	}
	return poly
}

// inverseRoot returns Σ q qᵀ/√λ over the eigenpairs of gram with √λ above cut
// times the largest, by Jacobi's rotations.
func inverseRoot(gram []float64, n int, cut float64) (p []float64, rank int) {
	g := append([]float64(nil), gram...)
	q := make([]float64, n*n) // row d is an eigenvector
	for d := range n {
		q[d*n+d] = 1
	}
	for range 60 {
		if !diagonalize(g, q, n) {
			break
		}
	}
	top := 0.0
	for d := range n {
		top = max(top, g[d*n+d])
	}
	p = make([]float64, n*n)
	for d := range n {
		lambda := g[d*n+d]
		if !(lambda > cut*cut*top) {
			continue
		}
		rank++
		v := q[d*n : (d+1)*n]
		for i, x := range v {
			vec.AddScaled(p[i*n:(i+1)*n], x/math.Sqrt(lambda), v)
		}
	}
	return p, rank
}

// diagonalize makes one sweep of Jacobi's rotations over g, adds them to q, and
// reports whether anything off the diagonal was left to turn: not what is lost in
// the rounding of its own two eigenvalues, nor in that of the largest.
func diagonalize(g, q []float64, n int) (moved bool) {
	trace := 0.0
	for d := range n {
		trace += g[d*n+d]
	}
	tiny := 1e-20 * trace
	for i := range n {
		for j := i + 1; j < n; j++ {
			off, a, b := g[i*n+j], g[i*n+i], g[j*n+j]
			if math.Abs(off) <= 1e-18*(math.Abs(a)+math.Abs(b)) || math.Abs(off) <= tiny {
				continue
			}
			moved = true
			theta := math.Atan2(2*off, b-a) / 2
			s, c := math.Sincos(theta)
			for k := range n { // columns, then rows
				x, y := g[k*n+i], g[k*n+j]
				g[k*n+i], g[k*n+j] = c*x-s*y, s*x+c*y
			}
			for k := range n {
				x, y := g[i*n+k], g[j*n+k]
				g[i*n+k], g[j*n+k] = c*x-s*y, s*x+c*y
				x, y = q[i*n+k], q[j*n+k]
				q[i*n+k], q[j*n+k] = c*x-s*y, s*x+c*y
			}
			g[i*n+j], g[j*n+i] = 0, 0
		}
	}
	return moved
}
