package engine

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"unrolled/engine/internal/vec"
)

// A Spectrum finds the singular values of one state after another in memory of
// its own. The zero value is ready to use.
//
// They are the roots of the eigenvalues of the Gram matrix of the shorter side,
// by tridiagonal form and implicit QL (Golub and Van Loan, Matrix Computations,
// 8.3), without vectors: for a 32×64 state some 10⁵ multiply-adds, a twentieth
// of an SVD. (Jacobi's rotations from the last state's directions were tried
// and cost several times as much: one write turns every direction.) A
// singular value below about 1e-8 of the largest is lost in rounding.
type Spectrum struct {
	n        int
	gram     []float64 // n×n, overwritten
	diagonal []float64 // n, becomes the eigenvalues
	off      []float64 // n, off[i] stands between i and i+1
	v, w     []float64 // n, one reflection
}

// Follow returns the singular values of state, min(rows, columns) of them,
// largest first. The slice is overwritten by the next call.
func (s *Spectrum) Follow(state *mat.Dense) []float64 {
	rows, cols := state.Dims()
	if n := min(rows, cols); n != s.n {
		*s = Spectrum{
			n: n, gram: make([]float64, n*n), diagonal: make([]float64, n), off: make([]float64, n),
			v: make([]float64, n), w: make([]float64, n),
		}
	}
	scale := s.form(state)
	s.tridiagonalize()
	s.solve()
	for i, x := range s.diagonal {
		s.diagonal[i] = scale * math.Sqrt(max(0, x))
	}
	slices.SortFunc(s.diagonal, func(a, b float64) int { return cmp.Compare(b, a) })
	return s.diagonal
}

func (s *Spectrum) row(i int) []float64 { return s.gram[i*s.n : (i+1)*s.n] }

// form sets gram to S Sᵀ, or Sᵀ S if that is smaller, for S divided by its
// largest element, which it returns.
func (s *Spectrum) form(state *mat.Dense) (scale float64) {
	rows, cols := state.Dims()
	for r := range rows {
		scale = max(scale, vec.MaxAbs(state.RawRowView(r)))
	}
	clear(s.gram)
	if scale == 0 {
		return 0
	}
	if rows <= cols {
		for i := range rows {
			for j := range i + 1 {
				x := vec.Dot(state.RawRowView(i), state.RawRowView(j)) / scale / scale
				s.gram[i*s.n+j], s.gram[j*s.n+i] = x, x
			}
		}
		return scale
	}
	for r := range rows {
		row := state.RawRowView(r)
		for i, x := range row {
			vec.AddScaled(s.row(i), x/scale/scale, row)
		}
	}
	return scale
}

// tridiagonalize reflects gram into tridiagonal form, kept in diagonal and off:
// with H = I − b v vᵀ, H G H = G − v wᵀ − w vᵀ, w = b G v − ½ b² (vᵀ G v) v.
func (s *Spectrum) tridiagonalize() {
	n := s.n
	for k := range n {
		s.diagonal[k], s.off[k] = s.gram[k*n+k], 0
		if k+1 == n {
			break
		}
		v, w := s.v[k+1:], s.w[k+1:]
		copy(v, s.row(k)[k+1:])
		s.off[k] = v[0]
		rest := vec.Dot(v[1:], v[1:])
		if rest == 0 {
			continue // already tridiagonal here
		}
		length := math.Copysign(math.Sqrt(v[0]*v[0]+rest), -v[0])
		s.off[k] = length
		v[0] -= length
		b := 2 / (v[0]*v[0] + rest)
		for i := range w {
			w[i] = b * vec.Dot(v, s.row(k + 1 + i)[k+1:])
		}
		vec.AddScaled(w, -b/2*vec.Dot(v, w), v)
		for i := range v {
			vec.AddScaled(s.row(k + 1 + i)[k+1:], -v[i], w)
			vec.AddScaled(s.row(k + 1 + i)[k+1:], -w[i], v)
		}
	}
}

// solve turns diagonal into the eigenvalues: implicit QL steps, each of which
// chases a bulge from m up to l, until off[l] vanishes.
func (s *Spectrum) solve() {
	const most = 60 // steps an eigenvalue; two or three are usual
	for l := range s.n {
		for range most {
			m := l
			for m+1 < s.n && math.Abs(s.off[m]) > 1e-16*(math.Abs(s.diagonal[m])+math.Abs(s.diagonal[m+1])) {
				m++
			}
			if m == l {
				break
			}
			s.step(l, m)
		}
	}
}

// step is one implicit QL step on rows l … m, with Wilkinson's shift.
func (s *Spectrum) step(l, m int) {
	d, e := s.diagonal, s.off
	g := (d[l+1] - d[l]) / (2 * e[l])
	g = d[m] - d[l] + e[l]/(g+math.Copysign(math.Sqrt(g*g+1), g))
	sin, cos, p := 1.0, 1.0, 0.0
	for i := m - 1; i >= l; i-- {
		f, b := sin*e[i], cos*e[i]
		r := math.Sqrt(f*f + g*g)
		e[i+1] = r
		if r == 0 { // the block splits at i+1
			d[i+1] -= p
			e[m] = 0
			return
		}
		sin, cos = f/r, g/r
		g = d[i+1] - p
		r = (d[i]-g)*sin + 2*cos*b
		p = sin * r
		d[i+1] = g + p
		g = cos*r - b
	}
	d[l] -= p
	e[l] = g
	e[m] = 0
}
