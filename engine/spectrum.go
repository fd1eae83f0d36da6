package engine

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"unrolled/engine/internal/vec"
)

// A Spectrum finds all singular values of one state after another, without a
// singular value decomposition: it reduces the Gram matrix of the shorter side
// to three diagonals and takes their eigenvalues. For the largest value and its
// directions alone a Leader is far cheaper. The zero value is ready to use.
//
// A singular value below about 1e-8 of the largest is lost in rounding, as the
// Gram matrix squares them.
type Spectrum struct {
	gram     blas64.General // n×n
	flipped  blas64.General // Sᵀ, where the Gram matrix is S Sᵀ
	diagonal []float64
	beside   []float64 // beside[i] lies between diagonal i−1 and i
	p        []float64
}

// Follow returns the singular values of state, min(rows, columns) of them,
// largest first. The slice is overwritten by the next call.
func (s *Spectrum) Follow(state *mat.Dense) []float64 {
	rows, cols := state.Dims()
	if n := min(rows, cols); n != s.gram.Rows {
		*s = Spectrum{
			gram: newGeneral(n, n), flipped: newGeneral(cols, n),
			diagonal: make([]float64, n), beside: make([]float64, n), p: make([]float64, n),
		}
	}
	s.form(state.RawMatrix())
	s.reduce()
	s.rotateAway()
	for i, x := range s.diagonal {
		s.diagonal[i] = math.Sqrt(max(0, x))
	}
	slices.SortFunc(s.diagonal, func(a, b float64) int { return cmp.Compare(b, a) })
	return s.diagonal
}

// form writes S Sᵀ, or Sᵀ S if that is smaller, to gram.
func (s *Spectrum) form(state blas64.General) {
	clear(s.gram.Data)
	if state.Rows > state.Cols {
		vec.AddMulT(s.gram, state, state)
		return
	}
	s.flipped = reuse(s.flipped, state.Cols, state.Rows)
	vec.Transpose(s.flipped, state)
	vec.AddMul(s.gram, state, s.flipped)
}

// reduce brings gram to three diagonals by Householder reflections from the
// last row up (Golub and Van Loan, Matrix Computations, 8.3.1): with u the row
// left of the diagonal, h = ‖u‖²/2 after its last element was moved by its own
// length, p = A u / h and q = p − (u·p / 2h) u, the rest becomes A − q uᵀ − u qᵀ.
func (s *Spectrum) reduce() {
	n := s.gram.Rows
	for i := n - 1; i >= 1; i-- {
		u := row(s.gram, i)[:i]
		s.diagonal[i] = row(s.gram, i)[i]
		length := math.Sqrt(vec.Dot(u, u))
		s.beside[i] = u[i-1]
		if !(length > math.Abs(u[i-1])) { // nothing left of the last element
			continue
		}
		if u[i-1] > 0 {
			length = -length
		}
		s.beside[i] = length
		h := length*length - u[i-1]*length
		u[i-1] -= length
		p := s.p[:i]
		rest := columns(rows(s.gram, 0, i), i)
		vec.ReadMatrix(p, u, rest)
		vec.Scale(p, 1/h, p)
		vec.AddScaled(p, -vec.Dot(u, p)/(2*h), u)
		vec.WriteMatrix(rest, -1, p, u)
		vec.WriteMatrix(rest, -1, u, p)
	}
	if n > 0 {
		s.diagonal[0] = row(s.gram, 0)[0]
	}
}

// rotateAway makes the diagonals beside the main one zero, by the implicit QL
// method with Wilkinson's shift (Golub and Van Loan, 8.3.5).
func (s *Spectrum) rotateAway() {
	d, n := s.diagonal, len(s.diagonal)
	if n == 0 {
		return
	}
	e := s.beside // from here on e[i] lies between i and i+1
	copy(e, e[1:])
	e[n-1] = 0
	for l := range n {
		for range maxTurns {
			m := l
			for m < n-1 && math.Abs(e[m]) > 0x1p-53*(math.Abs(d[m])+math.Abs(d[m+1])) {
				m++
			}
			if m == l {
				break
			}
			g := (d[l+1] - d[l]) / (2 * e[l])
			r := math.Sqrt(1 + g*g)
			g = d[m] - d[l] + e[l]/(g+math.Copysign(r, g))
			sin, cos, p := 1.0, 1.0, 0.0
			i := m - 1
			for ; i >= l; i-- {
				f, b := sin*e[i], cos*e[i]
				r = math.Sqrt(f*f + g*g)
				e[i+1] = r
				if r == 0 { // the matrix falls apart here
					d[i+1] -= p
					e[m] = 0
					break
				}
				sin, cos = f/r, g/r
				g = d[i+1] - p
				r = (d[i]-g)*sin + 2*cos*b
				p = sin * r
				d[i+1] = g + p
				g = cos*r - b
			}
			if i >= l {
				continue
			}
			d[l] -= p
			e[l], e[m] = g, 0
		}
	}
}

// maxTurns is far above the two or three turns that an eigenvalue needs.
const maxTurns = 60

// TopEnergy returns σ₁²/Σσ², the share of the largest singular value in the
// squared norm of a state; 0 for a zero state.
func TopEnergy(values []float64) float64 {
	return share(values, func(x float64) float64 { return x * x })
}

// TopShare returns σ₁/Σσ; 0 for a zero state.
func TopShare(values []float64) float64 { return share(values, func(x float64) float64 { return x }) }

func share(values []float64, measure func(float64) float64) float64 {
	sum := 0.0
	for _, x := range values {
		sum += measure(x)
	}
	if sum == 0 {
		return 0
	}
	return measure(slices.Max(values)) / sum
}

// EffectiveRank returns exp(−Σ p log p) with p = σ/Σσ: the number of equal
// singular values that would be as spread out (Roy and Vetterli, 2007). It is
// the rank where all σ are equal, 1 for one direction, 0 for a zero state.
func EffectiveRank(values []float64) float64 {
	sum := 0.0
	for _, x := range values {
		sum += x
	}
	if sum == 0 {
		return 0
	}
	entropy := 0.0
	for _, x := range values {
		if p := x / sum; p > 0 {
			entropy -= p * math.Log(p)
		}
	}
	return math.Exp(entropy)
}
