package engine

import (
	"math"

	"unrolled/engine/internal/vec"
	"unrolled/engine/say"
)

// Muon orthogonalises the buffer Δ before it is taken off W. With Δ = Kᵀ V the
// result is Kᵀ (V P): keys stay, values are mixed by a small matrix P.
type Muon struct {
	Method       MuonMethod
	Coefficients [][3]float64 // NewtonSchulz: (a, b, c) of each round
	Eps          float64      // added to ‖Δ‖_F; 0 means 1e-7
}

// A MuonMethod says what is done to the singular values.
type MuonMethod string

// The methods. Polar is the partial isometry over σ > 1e-6·σ_1: those singular
// values become 1, the rest 0, since the polar factor of a matrix that has not
// full rank is not unique.
const (
	NewtonSchulz MuonMethod = "newton-schulz" // X ← aX + (bA + cA²)X, A = XXᵀ, from X = Δ/(‖Δ‖_F + eps)
	Frobenius    MuonMethod = "frobenius"     // Δ/(‖Δ‖_F + eps): no rounds at all
	Polar        MuonMethod = "polar"
)

// The two sets of Newton-Schulz coefficients in use. A single write comes out
// with σ = 0.978345 under the first and 0.696436 under the second.
var (
	// NewtonSchulzLaCT: five different triples, of LaCT's minimal and language code.
	NewtonSchulzLaCT = [][3]float64{
		{4.0848, -6.8946, 2.9270}, {3.9505, -6.3029, 2.6377}, {3.7418, -5.5913, 2.3037},
		{2.8769, -3.1427, 1.2046}, {2.8366, -3.0525, 1.2012},
	}
	// NewtonSchulzNVS: one triple five times, of LaCT's view synthesis and the
	// paper's ablation code.
	NewtonSchulzNVS = [][3]float64{
		{3.4445, -4.7750, 2.0315}, {3.4445, -4.7750, 2.0315}, {3.4445, -4.7750, 2.0315},
		{3.4445, -4.7750, 2.0315}, {3.4445, -4.7750, 2.0315},
	}
)

// polarCut is the share of σ_1 below which a singular value counts as zero.
const polarCut = 1e-6

func (m *Muon) eps() float64 {
	if m.Eps == 0 {
		return 1e-7
	}
	return m.Eps
}

func (m *Muon) check() error {
	switch m.Method {
	case NewtonSchulz:
		if n := len(m.Coefficients); n < 1 || n > 20 {
			return say.Errorf("newton-schulz has %d triples of coefficients; it must have from 1 to 20", n)
		}
		for _, c := range m.Coefficients {
			if err := finiteNumbers("newton-schulz coefficients", c[:]); err != nil {
				return err
			}
			if vec.MaxAbs(c[:]) > 100 {
				return say.Errorf("newton-schulz coefficients are %v; each must be from -100 to 100", c)
			}
		}
	case Frobenius, Polar:
	default:
		return unknown("muon method", string(m.Method), []string{string(NewtonSchulz), string(Frobenius), string(Polar)})
	}
	if !(m.Eps >= 0 && m.Eps <= 1) {
		return say.Errorf("muon's eps is %v; it must be from 0 to 1", m.Eps)
	}
	return nil
}

// Orthogonalize writes M(Δ) to dst, for a rows×cols matrix in row-major order,
// working on the matrix itself. It returns the rank that Polar found, else 0.
func (m *Muon) Orthogonalize(dst, delta []float64, rows, cols int) (rank int) {
	copy(dst, delta)
	if m.Method == Polar {
		return polarFactor(dst, rows, cols)
	}
	scale := 1 / (math.Sqrt(vec.Dot(delta, delta)) + m.eps())
	for i := range dst {
		dst[i] *= scale
	}
	if m.Method == Frobenius {
		return 0
	}
	if rows > cols { // the smaller Gram matrix: X(XᵀX) = (XXᵀ)X
		flip := transposed(dst, rows, cols)
		newtonSchulz(flip, cols, rows, m.Coefficients)
		copy(dst, transposed(flip, cols, rows))
		return 0
	}
	newtonSchulz(dst, rows, cols, m.Coefficients)
	return 0
}

// newtonSchulz runs X ← aX + (bA + cA²)X, A = XXᵀ, one round a triple.
func newtonSchulz(x []float64, rows, cols int, triples [][3]float64) {
	a, b, next := make([]float64, rows*rows), make([]float64, rows*rows), make([]float64, len(x))
	for _, t := range triples {
		for i := range rows {
			for j := range rows {
				a[i*rows+j] = vec.Dot(x[i*cols:(i+1)*cols], x[j*cols:(j+1)*cols])
			}
		}
		for i := range rows {
			row := b[i*rows : (i+1)*rows]
			read(row, a[i*rows:(i+1)*rows], a)
			for j := range row {
				row[j] = t[1]*a[i*rows+j] + t[2]*row[j]
			}
		}
		for i := range rows {
			row := next[i*cols : (i+1)*cols]
			read(row, b[i*rows:(i+1)*rows], x)
			vec.AddScaled(row, t[0], x[i*cols:(i+1)*cols])
		}
		copy(x, next)
	}
}

// polarFactor replaces x = U Σ Vᵀ by Σ_{σ > cut} u vᵀ. One-sided Jacobi
// rotations make the columns of the taller side orthogonal: XV = UΣ.
func polarFactor(x []float64, rows, cols int) (rank int) {
	if cols > rows {
		flip := transposed(x, rows, cols)
		rank = polarFactor(flip, cols, rows)
		copy(x, transposed(flip, cols, rows))
		return rank
	}
	u := transposed(x, rows, cols) // row d is column d of XV
	v := make([]float64, cols*cols)
	for d := range cols {
		v[d*cols+d] = 1
	}
	for range 60 {
		if !rotateColumns(u, v, rows, cols) {
			break
		}
	}
	sigma, top := make([]float64, cols), 0.0
	for d := range cols {
		sigma[d] = math.Sqrt(vec.Dot(u[d*rows:(d+1)*rows], u[d*rows:(d+1)*rows]))
		top = max(top, sigma[d])
	}
	clear(x)
	for d, s := range sigma {
		if !(s > polarCut*top) {
			continue
		}
		rank++
		for r := range rows {
			vec.AddScaled(x[r*cols:(r+1)*cols], u[d*rows+r]/s, v[d*cols:(d+1)*cols])
		}
	}
	return rank
}

// rotateColumns makes one sweep over all pairs of columns and reports whether
// any pair was still oblique.
func rotateColumns(u, v []float64, rows, cols int) (moved bool) {
	for p := range cols {
		for q := p + 1; q < cols; q++ {
			a, b := u[p*rows:(p+1)*rows], u[q*rows:(q+1)*rows]
			aa, bb, ab := vec.Dot(a, a), vec.Dot(b, b), vec.Dot(a, b)
			if math.Abs(ab) <= 1e-16*math.Sqrt(aa*bb) {
				continue
			}
			moved = true
			tau := (bb - aa) / (2 * ab)
			t := 1 / (math.Abs(tau) + math.Sqrt(1+tau*tau))
			if tau < 0 {
				t = -t
			}
			c := 1 / math.Sqrt(1+t*t)
			rotate(a, b, c, c*t)
			rotate(v[p*cols:(p+1)*cols], v[q*cols:(q+1)*cols], c, c*t)
		}
	}
	return moved
}

// rotate turns (a, b) into (c a − s b, s a + c b).
func rotate(a, b []float64, c, s float64) {
	for i, x := range a {
		y := b[i]
		a[i], b[i] = c*x-s*y, s*x+c*y
	}
}

func transposed(x []float64, rows, cols int) []float64 {
	out := make([]float64, len(x))
	for r := range rows {
		for c := range cols {
			out[c*rows+r] = x[r*cols+c]
		}
	}
	return out
}
