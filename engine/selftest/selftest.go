// Package selftest is what must be true of the engine, as a list of checks that
// run anywhere: in a reader's browser on a button, and as `unrolled -self-test`.
//
// A check measures one number and compares it with a bound. Most measure an
// error, which must stay below it: how far two computations lie apart that the
// theorems, a textbook or plain arithmetic say are equal. Some make a known
// mistake on purpose and measure how far it leads astray; that must lie above
// the bound, or the checks beside them could not see the mistake either.
package selftest

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"unrolled/engine"
	"unrolled/engine/say"
)

// A Check is one thing that must be true.
type Check struct {
	Name  string  // "trained-theta"
	Says  string  // what is true, one sentence
	Bound float64 // of the number that it measures
	Least bool    // the number must be at least Bound: a mistake that must be seen
	run   func(t *trial)
}

// All returns every check, in order: both ways, anchors that share no code
// with the engine, ages, mirrors and closed forms, parallel forms, mistakes.
func All() []Check {
	var all []Check
	for _, part := range [][]Check{bothWays, anchors, ages, mirrors, parallel, mistakes} {
		all = append(all, part...)
	}
	return all
}

// Find returns the check of that name.
func Find(name string) (Check, bool) {
	for _, c := range All() {
		if c.Name == name {
			return c, true
		}
	}
	return Check{}, false
}

// Measure runs the check. An error says why there is no number.
func (c Check) Measure() (number float64, err error) {
	defer func() {
		if said := recover(); said != nil {
			number, err = math.NaN(), say.Errorf("%s: %v", c.Name, said)
		}
	}()
	t := &trial{}
	c.run(t)
	return t.number, nil
}

// Passes compares a number with the bound; NaN never passes.
func (c Check) Passes(number float64) bool {
	if c.Least {
		return number >= c.Bound
	}
	return number <= c.Bound
}

// A trial collects the number of one check: the largest error.
type trial struct{ number float64 }

// off takes an error into account; NaN stays.
func (t *trial) off(by float64) {
	if math.IsNaN(by) || by > t.number {
		t.number = by
	}
}

// near takes |a − b| relative to max(1, |b|) into account.
func (t *trial) near(a, b mat.Matrix) {
	t.off(distance(a, b) / math.Max(1, size(b)))
}

// run runs a loop both ways; it must neither be refused nor diverge.
func (t *trial) run(x *engine.Tokens, l *engine.InnerLoop) *engine.Result {
	r, err := engine.RunTokens(x, l)
	if err != nil {
		panic(err)
	}
	if at := r.Diverged(); at >= 0 {
		panic(say.Errorf("a run diverged at token %d", at))
	}
	return r
}

// agree runs a loop and compares the two ways.
func (t *trial) agree(x *engine.Tokens, l *engine.InnerLoop) {
	r := t.run(x, l)
	t.near(r.Unrolled.Output, r.Sequential.Output)
}

// The sizes of all checks: small, with no two equal.
const (
	length, keyDim, hidden, valueDim = 24, 6, 9, 5
)

func draw(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 4)) }

// random is rows×cols numbers N(0, scale²).
func random(r *rand.Rand, rows, cols int, scale float64) *mat.Dense {
	m := mat.NewDense(rows, cols, nil)
	for i := range rows {
		for j := range cols {
			m.Set(i, j, scale*r.NormFloat64())
		}
	}
	return m
}

// tokens are random; keys are short enough for the squared loss to be stable.
func tokens(seed uint64) *engine.Tokens {
	r := draw(seed)
	return &engine.Tokens{Q: random(r, length, keyDim, 0.5), K: random(r, length, keyDim, 0.5), V: random(r, length, valueDim, 1)}
}

// varying is one number a token, from … to.
func varying(seed uint64, from, to float64) engine.Schedule {
	r := draw(seed)
	s := make(engine.Schedule, length)
	for t := range s {
		s[t] = from + (to-from)*r.Float64()
	}
	return s
}

func tanh() engine.Feature { return engine.TanhProjection{P: random(draw(3), keyDim, hidden, 1)} }

// network is φ with two layers of Θ.
func network() engine.MLP {
	r := draw(4)
	return engine.MLP{Act: engine.Tanh, Layers: []engine.Layer{{A: random(r, keyDim, hidden, 0.6)}, {A: random(r, hidden, hidden, 0.4)}}}
}

func start(f engine.Feature) *mat.Dense { return random(draw(5), f.Out(), valueDim, 0.3) }

func losses() []engine.Loss { return []engine.Loss{engine.Squared{}, engine.Dot{}} }

func distance(a, b mat.Matrix) float64 {
	rows, cols := a.Dims()
	most := 0.0
	for i := range rows {
		for j := range cols {
			by := math.Abs(a.At(i, j) - b.At(i, j))
			if math.IsNaN(by) {
				return by
			}
			most = max(most, by)
		}
	}
	return most
}

func size(m mat.Matrix) float64 {
	rows, cols := m.Dims()
	return distance(m, mat.NewDense(rows, cols, nil))
}

// product is a b, the plain way.
func product(a, b mat.Matrix) *mat.Dense {
	rows, inner := a.Dims()
	_, cols := b.Dims()
	out := mat.NewDense(rows, cols, nil)
	for i := range rows {
		for j := range cols {
			sum := 0.0
			for k := range inner {
				sum += a.At(i, k) * b.At(k, j)
			}
			out.Set(i, j, sum)
		}
	}
	return out
}

// times is c·m.
func times(c float64, m *mat.Dense) *mat.Dense {
	out := mat.DenseCopyOf(m)
	rows, cols := m.Dims()
	for i := range rows {
		for j := range cols {
			out.Set(i, j, c*m.At(i, j))
		}
	}
	return out
}

// attend is Σ_i weight(t, i) (q_t·k_i) u_i, the plain way.
func attend(q, k, u *mat.Dense, weight func(t, i int) float64) *mat.Dense {
	reads, _ := q.Dims()
	writes, cols := u.Dims()
	out := mat.NewDense(reads, cols, nil)
	for t := range reads {
		for i := range writes {
			w := weight(t, i)
			if w == 0 {
				continue
			}
			w *= inner(q.RawRowView(t), k.RawRowView(i))
			for d := range cols {
				out.Set(t, d, out.At(t, d)+w*u.At(i, d))
			}
		}
	}
	return out
}

func inner(a, b []float64) float64 {
	sum := 0.0
	for d, x := range a {
		sum += x * b[d]
	}
	return sum
}

// inclusive is the mask i ≤ t.
func inclusive(t, i int) float64 {
	if i <= t {
		return 1
	}
	return 0
}
