package engine

import (
	"math"

	"unrolled/engine/internal/vec"
)

// mixing returns P with M(Δ) = Δ P, from the Gram matrix G = ΔᵀΔ alone, n×n. The
// keys of a write stay what they are; its value is mixed. With Δ = Kᵀ V,
// G = Vᵀ K Kᵀ V, and for Polar P = G^{−1/2} on the singular values that count.
func (m *Muon) mixing(gram []float64, n int) (p []float64, rank int) {
	if m.Method == Polar {
		return inverseRoot(gram, n)
	}
	trace := 0.0
	for d := range n {
		trace += gram[d*n+d]
	}
	p = make([]float64, n*n)
	for d := range n {
		p[d*n+d] = 1 / (math.Sqrt(max(0, trace)) + m.eps())
	}
	if m.Method == NewtonSchulz {
		for _, t := range m.Coefficients {
			p = polynomial(p, gram, n, t)
		}
	}
	return p, 0
}

// polynomial is one round: X = ΔP, B = XᵀX = PᵀGP, and X(aI + bB + cB²) = Δ P′.
func polynomial(p, gram []float64, n int, t [3]float64) []float64 {
	b := product3(p, gram, n)
	poly := times(b, b, n)
	for i := range poly {
		poly[i] = t[1]*b[i] + t[2]*poly[i]
	}
	for d := range n {
		poly[d*n+d] += t[0]
	}
	return times(p, poly, n)
}

// product3 returns Pᵀ G P; P is symmetric, a polynomial of G.
func product3(p, gram []float64, n int) []float64 { return times(p, times(gram, p, n), n) }

// times returns the product of two n×n matrices.
func times(a, b []float64, n int) []float64 {
	out := make([]float64, n*n)
	for i := range n {
		rowTimes(out[i*n:(i+1)*n], a[i*n:(i+1)*n], b)
	}
	return out
}

// inverseRoot returns Σ q qᵀ/√λ over the eigenpairs of gram with √λ above
// polarCut of the largest, by Jacobi's rotations.
func inverseRoot(gram []float64, n int) (p []float64, rank int) {
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
		if !(lambda > polarCut*polarCut*top) {
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
// reports whether anything off the diagonal was left to turn.
func diagonalize(g, q []float64, n int) (moved bool) {
	for i := range n {
		for j := i + 1; j < n; j++ {
			off, a, b := g[i*n+j], g[i*n+i], g[j*n+j]
			if math.Abs(off) <= 1e-18*(math.Abs(a)+math.Abs(b)) {
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
