package engine

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"unrolled/engine/internal/vec"
)

// A Spectrum follows the singular values of a state from token to token. It
// keeps the directions it found: one more write turns them only a little, so
// that Jacobi's rotations start almost done. The zero value is ready to use.
//
// It works on the Gram matrix of the shorter side, so a singular value below
// about 1e-8 of the largest is lost in rounding.
type Spectrum struct {
	n      int
	basis  []float64 // n×n, rows are the directions
	gram   []float64 // n×n, the Gram matrix in that basis
	work   []float64 // n×n
	values []float64
	age    int // states since the basis was last made orthonormal
}

// Follow returns the singular values of state, min(rows, columns) of them,
// largest first. The slice is overwritten by the next call.
func (s *Spectrum) Follow(state *mat.Dense) []float64 {
	rows, cols := state.Dims()
	if n := min(rows, cols); n != s.n {
		s.start(n)
	}
	s.form(state)
	s.turn()
	for range maxSweeps {
		if !s.sweep() {
			break
		}
	}
	for i := range s.n {
		s.values[i] = math.Sqrt(max(0, s.gram[i*s.n+i]))
	}
	slices.SortFunc(s.values, func(a, b float64) int { return cmp.Compare(b, a) })
	return s.values
}

// maxSweeps is far above what Jacobi needs, which converges quadratically.
const maxSweeps = 30

// start begins with the unit vectors as directions.
func (s *Spectrum) start(n int) {
	*s = Spectrum{
		n: n, basis: make([]float64, n*n), gram: make([]float64, n*n),
		work: make([]float64, n*n), values: make([]float64, n),
	}
	for i := range n {
		s.basis[i*n+i] = 1
	}
}

// form writes S Sᵀ, or Sᵀ S if that is smaller, to work.
func (s *Spectrum) form(state *mat.Dense) {
	rows, cols := state.Dims()
	if rows <= cols {
		for i := range rows {
			for j := range i + 1 {
				x := vec.Dot(state.RawRowView(i), state.RawRowView(j))
				s.work[i*s.n+j], s.work[j*s.n+i] = x, x
			}
		}
		return
	}
	clear(s.work)
	for r := range rows {
		row := state.RawRowView(r)
		for i, x := range row {
			vec.AddScaled(s.work[i*s.n:(i+1)*s.n], x, row)
		}
	}
}

// turn writes basis·work·basisᵀ to gram.
func (s *Spectrum) turn() {
	if s.age++; s.age%64 == 0 {
		s.orthonormalize()
	}
	n := s.n
	half := make([]float64, n)
	for i := range n {
		clear(half) // row i of basis·work
		for k, x := range s.basis[i*n : (i+1)*n] {
			vec.AddScaled(half, x, s.work[k*n:(k+1)*n])
		}
		for j := range n {
			s.gram[i*n+j] = vec.Dot(half, s.basis[j*n:(j+1)*n])
		}
	}
}

// sweep rotates every pair of directions once until its off-diagonal element
// is zero, and reports whether any was worth it.
func (s *Spectrum) sweep() bool {
	n, worked := s.n, false
	trace := 0.0
	for i := range n {
		trace += math.Abs(s.gram[i*n+i])
	}
	for p := range n {
		for q := p + 1; q < n; q++ {
			if math.Abs(s.gram[p*n+q]) <= 1e-17*trace {
				continue
			}
			worked = true
			s.rotate(p, q)
		}
	}
	return worked
}

// rotate is Jacobi's rotation of directions p and q (Golub and Van Loan, Matrix
// Computations, 8.5): t = tan of the smaller angle that clears G_pq.
func (s *Spectrum) rotate(p, q int) {
	n, g := s.n, s.gram
	tau := (g[q*n+q] - g[p*n+p]) / (2 * g[p*n+q])
	t := 1 / (math.Abs(tau) + math.Sqrt(1+tau*tau))
	if tau < 0 {
		t = -t
	}
	cos := 1 / math.Sqrt(1+t*t)
	sin := t * cos
	gpq := g[p*n+q]
	g[p*n+p] -= t * gpq
	g[q*n+q] += t * gpq
	g[p*n+q], g[q*n+p] = 0, 0
	for k := range n {
		if k == p || k == q {
			continue
		}
		x, y := g[p*n+k], g[q*n+k]
		x, y = cos*x-sin*y, sin*x+cos*y
		g[p*n+k], g[k*n+p] = x, x
		g[q*n+k], g[k*n+q] = y, y
	}
	a, b := s.basis[p*n:(p+1)*n], s.basis[q*n:(q+1)*n]
	for k := range a {
		a[k], b[k] = cos*a[k]-sin*b[k], sin*a[k]+cos*b[k]
	}
}

// orthonormalize removes the rounding of many rotations (Gram-Schmidt).
func (s *Spectrum) orthonormalize() {
	n := s.n
	for i := range n {
		row := s.basis[i*n : (i+1)*n]
		for j := range i {
			other := s.basis[j*n : (j+1)*n]
			vec.AddScaled(row, -vec.Dot(row, other), other)
		}
		length := math.Sqrt(vec.Dot(row, row))
		for k := range row {
			row[k] /= length
		}
	}
}
