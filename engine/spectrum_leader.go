package engine

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"unrolled/engine/internal/vec"
)

// A Leader follows the largest singular value of one state after another, with
// its two directions. It starts where it stood at the state before: one more
// write turns the direction only a little, so that a few products with the
// state are enough, where a decomposition costs as many as it has columns. The
// zero value is ready to use.
type Leader struct {
	// Left and Right are the directions u and v, S v = σ u, of length one; zero
	// for a zero state. Their signs go on from state to state: v·(the v before)
	// is not negative. Where another direction took the lead (|v·v before| < ½),
	// and at first, the largest component of v is positive.
	Left, Right []float64

	krylov [leaderSteps][]float64 // an orthonormal basis of v, SᵀS v, (SᵀS)² v, …
	ritz   [leaderSteps * leaderSteps]float64
	turn   [leaderSteps * leaderSteps]float64
	next   []float64
	before []float64
}

const (
	leaderSteps  = 6    // products before the best combination is taken
	leaderRounds = 50   // six products each; a near tie needs many
	leaderGoal   = 1e-9 // ‖SᵀS v − σ² v‖ / σ²; σ² is then good to about its square
)

// Follow returns σ₁ of state and updates Left and Right.
func (l *Leader) Follow(state *mat.Dense) float64 {
	rows, cols := state.Dims()
	if len(l.Left) != rows || len(l.Right) != cols {
		l.start(rows, cols)
	}
	copy(l.before, l.Right)
	l.begin(state)
	energy := 0.0
	for range leaderRounds {
		var done bool
		if energy, done = l.improve(state); done {
			break
		}
	}
	l.finish(state)
	return math.Sqrt(energy)
}

func (l *Leader) start(rows, cols int) {
	*l = Leader{
		Left: make([]float64, rows), Right: make([]float64, cols),
		next: make([]float64, cols), before: make([]float64, cols),
	}
	for k := range l.krylov {
		l.krylov[k] = make([]float64, cols)
	}
}

// begin mixes what v was with the row of the state that is largest: v alone
// could be orthogonal to a new leader.
func (l *Leader) begin(state *mat.Dense) {
	best, row := 0.0, 0
	for i := range len(l.Left) {
		r := state.RawRowView(i)
		if size := vec.Dot(r, r); size > best {
			best, row = size, i
		}
	}
	if best == 0 {
		clear(l.Right)
		return
	}
	weight := 1.0
	if vec.Dot(l.Right, l.Right) > 0 {
		weight = 0.01
	}
	vec.AddScaled(l.Right, weight/math.Sqrt(best), state.RawRowView(row))
	normalize(l.Right)
}

// normalize gives x length one and returns the length it had; zero stays.
func normalize(x []float64) float64 {
	length := math.Sqrt(vec.Dot(x, x))
	if length > 0 {
		vec.Scale(x, 1/length, x)
	}
	return length
}

// gram writes SᵀS x to dst.
func (l *Leader) gram(dst, x []float64, state *mat.Dense) {
	m := state.RawMatrix()
	vec.DotsMatrix(l.Left, m, x)
	vec.ReadMatrix(dst, l.Left, m)
}

// improve replaces v by the best combination of v, SᵀS v, … (Lanczos, with full
// orthogonalisation), and returns σ² and whether v was good before already.
func (l *Leader) improve(state *mat.Dense) (energy float64, done bool) {
	copy(l.krylov[0], l.Right)
	clear(l.ritz[:])
	n := 0
	for n < leaderSteps {
		l.gram(l.next, l.krylov[n], state)
		n++
		for range 2 { // twice is enough
			for k := range n {
				overlap := vec.Dot(l.next, l.krylov[k])
				l.ritz[(n-1)*leaderSteps+k] += overlap
				vec.AddScaled(l.next, -overlap, l.krylov[k])
			}
		}
		left := math.Sqrt(vec.Dot(l.next, l.next))
		if n == 1 {
			energy = l.ritz[0]
			if !(left > leaderGoal*energy) {
				return energy, true
			}
		}
		if n == leaderSteps || !(left > 1e-14*energy) {
			break
		}
		vec.Scale(l.krylov[n], 1/left, l.next)
	}
	energy = l.combine(n)
	return energy, false
}

// combine sets v to the leading eigenvector of the basis, and returns σ².
func (l *Leader) combine(n int) float64 {
	for i := range n { // symmetric but for rounding
		for k := range i {
			l.ritz[k*leaderSteps+i] = l.ritz[i*leaderSteps+k]
		}
	}
	best := jacobi(l.ritz[:], l.turn[:], n, leaderSteps)
	clear(l.Right)
	for k := range n {
		vec.AddScaled(l.Right, l.turn[best*leaderSteps+k], l.krylov[k])
	}
	normalize(l.Right)
	return max(0, l.ritz[best*leaderSteps+best])
}

// finish keeps the sign and sets u = S v / σ.
func (l *Leader) finish(state *mat.Dense) {
	turn := vec.Dot(l.Right, l.before)
	if math.Abs(turn) < 0.5 {
		turn = 0
		for _, x := range l.Right {
			if math.Abs(x) > math.Abs(turn) {
				turn = x
			}
		}
	}
	if turn < 0 {
		vec.Scale(l.Right, -1, l.Right)
	}
	vec.DotsMatrix(l.Left, state.RawMatrix(), l.Right)
	normalize(l.Left)
}

// jacobi diagonalises the symmetric n×n matrix a by rotations (Golub and Van
// Loan, 8.5), writes the eigenvectors to the rows of v, and returns which is the
// largest. Both matrices have rows stride apart.
func jacobi(a, v []float64, n, stride int) (best int) {
	clear(v)
	for i := range n {
		v[i*stride+i] = 1
	}
	for range 20 { // sweeps; four or five are needed
		off, on := 0.0, 0.0
		for p := range n {
			on += math.Abs(a[p*stride+p])
			for q := p + 1; q < n; q++ {
				off += math.Abs(a[p*stride+q])
				rotatePair(a, v, n, stride, p, q)
			}
		}
		if off <= 1e-17*on {
			break
		}
	}
	for i := range n {
		if a[i*stride+i] > a[best*stride+best] {
			best = i
		}
	}
	return best
}

// rotatePair clears a_pq; t is the tangent of the smaller angle that does.
func rotatePair(a, v []float64, n, stride, p, q int) {
	apq := a[p*stride+q]
	if apq == 0 {
		return
	}
	tau := (a[q*stride+q] - a[p*stride+p]) / (2 * apq)
	t := 1 / (math.Abs(tau) + math.Sqrt(1+tau*tau))
	if tau < 0 {
		t = -t
	}
	cos := 1 / math.Sqrt(1+t*t)
	sin := t * cos
	for k := range n { // columns, then rows
		x, y := a[k*stride+p], a[k*stride+q]
		a[k*stride+p], a[k*stride+q] = cos*x-sin*y, sin*x+cos*y
	}
	for k := range n {
		x, y := a[p*stride+k], a[q*stride+k]
		a[p*stride+k], a[q*stride+k] = cos*x-sin*y, sin*x+cos*y
		x, y = v[p*stride+k], v[q*stride+k]
		v[p*stride+k], v[q*stride+k] = cos*x-sin*y, sin*x+cos*y
	}
	a[p*stride+q], a[q*stride+p] = 0, 0
}
