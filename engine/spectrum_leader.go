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
	alpha  [leaderSteps]float64   // SᵀS in that basis has three diagonals: alpha,
	beta   [leaderSteps]float64   // and beta[k] between k and k+1
	next   []float64
	before []float64
}

const (
	leaderSteps  = 8    // products before the best combination is taken
	leaderRounds = 50   // eight products each; a near tie needs many
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
	n := 0
	for {
		l.gram(l.next, l.krylov[n], state)
		l.alpha[n] = vec.Dot(l.next, l.krylov[n])
		n++
		for range 2 { // twice is enough
			for k := range n {
				vec.AddScaled(l.next, -vec.Dot(l.next, l.krylov[k]), l.krylov[k])
			}
		}
		left := math.Sqrt(vec.Dot(l.next, l.next))
		if n == 1 && !(left > leaderGoal*l.alpha[0]) {
			return l.alpha[0], true
		}
		if n == leaderSteps || !(left > 1e-14*l.alpha[0]) {
			return l.combine(n), false
		}
		l.beta[n-1] = left
		vec.Scale(l.krylov[n], 1/left, l.next)
	}
}

// combine sets v to the leading eigenvector in the first n of the basis, and
// returns σ². From the last component up, (σ² − α_k) x_k = β_{k−1} x_{k−1} +
// β_k x_{k+1} grows towards the first, where v was, and so loses nothing.
func (l *Leader) combine(n int) float64 {
	energy := l.leading(n)
	var x [leaderSteps + 1]float64
	x[n-1] = 1
	for k := n - 1; k > 0; k-- {
		x[k-1] = ((energy-l.alpha[k])*x[k] - l.beta[k]*x[k+1]) / l.beta[k-1]
	}
	clear(l.Right)
	for k := range n {
		vec.AddScaled(l.Right, x[k], l.krylov[k])
	}
	normalize(l.Right)
	return energy
}

// leading returns the largest eigenvalue of the n×n matrix of alpha and beta:
// Newton's method on its characteristic polynomial comes down to the largest
// root from any bound above, and never passes it.
func (l *Leader) leading(n int) float64 {
	l.beta[n-1] = 0
	bound := 0.0
	for k := range n {
		radius := l.beta[k]
		if k > 0 {
			radius += l.beta[k-1]
		}
		bound = max(bound, l.alpha[k]+radius)
	}
	x := bound
	for range 100 { // ten are usual
		// q = p_k / p_{k−1} and d = q'/q, so that Σ d = p'/p and nothing overflows
		q, slope, sum := 1.0, 0.0, 0.0
		for k := range n {
			below := 0.0
			if k > 0 {
				below = l.beta[k-1] * l.beta[k-1] / q
			}
			q, slope = x-l.alpha[k]-below, 1+below*slope
			if !(q > 0) {
				return x // at the root, as far as rounding lets one see
			}
			slope /= q
			sum += slope
		}
		step := 1 / sum
		if !(step > 1e-16*x) {
			break
		}
		x -= step
	}
	return x
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
