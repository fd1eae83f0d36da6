package engine

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"unrolled/engine/internal/vec"
	"unrolled/engine/say"
)

// Outer is an outer loop in miniature. The inner loop runs on sequences; a
// readout R learns, by ridge regression over all of them, to turn its outputs
// into the task's targets,
//
//	R = argmin Σ_t ‖o_t R − y_t‖² + penalty ‖R‖²
//
// and is then asked on sequences it has not seen. What the inner loop does to
// its outputs can hurt only as far as R cannot absorb it.
type Outer struct {
	Train, Test []Sequence
	Penalty     float64
}

// A Sequence is tokens with what should be answered at each, T×O.
type Sequence struct {
	Tokens *Tokens
	Target *mat.Dense
}

// A Score is how well a readout answers.
type Score struct {
	Error     float64 // mean squared error over tokens and coordinates
	InnerLoss float64 // mean ℓ on each token's own pair, after its K steps
}

// Fit trains the readout, Dv×O, on the outputs of loop.
func (o *Outer) Fit(loop *InnerLoop) (*mat.Dense, error) {
	if len(o.Train) == 0 {
		return nil, say.Errorf("the outer loop has no sequence to train on")
	}
	var gram, moment *mat.Dense
	for n, s := range o.Train {
		output, err := s.run(loop, s.Tokens.Q)
		if err != nil {
			return nil, say.Errorf("training sequence %d: %v", n, err)
		}
		if gram == nil {
			_, dv := output.Dims()
			_, width := s.Target.Dims()
			gram, moment = mat.NewDense(dv, dv, nil), mat.NewDense(dv, width, nil)
		}
		vec.AddMulT(gram.RawMatrix(), output.RawMatrix(), output.RawMatrix())
		vec.AddMulT(moment.RawMatrix(), output.RawMatrix(), s.Target.RawMatrix())
	}
	for d := range gram.RawMatrix().Rows {
		gram.Set(d, d, gram.At(d, d)+o.Penalty)
	}
	if !solvePositive(gram, moment) {
		return nil, say.Errorf("the outputs are not finite or span too little for a penalty of %v", o.Penalty)
	}
	return moment, nil
}

// Ask scores a readout on the test sequences, read through loop.
func (o *Outer) Ask(loop *InnerLoop, readout *mat.Dense) (Score, error) {
	read, err := o.Read(loop)
	if err != nil {
		return Score{}, err
	}
	return read.Score(readout), nil
}

// An OuterReading is the test sequences read through one inner loop. Any number
// of readouts can be scored on it.
type OuterReading struct {
	tests     []Sequence
	outputs   []*mat.Dense
	innerLoss float64
}

// Read runs loop on the test sequences.
func (o *Outer) Read(loop *InnerLoop) (*OuterReading, error) {
	if len(o.Test) == 0 {
		return nil, say.Errorf("the outer loop has no sequence to test on")
	}
	all := &OuterReading{tests: o.Test}
	tokens := 0
	for n, s := range o.Test {
		output, err := s.run(loop, s.Tokens.Q)
		if err != nil {
			return nil, say.Errorf("test sequence %d: %v", n, err)
		}
		own := output // what each key reads after its own write
		if s.Tokens.Q != s.Tokens.K {
			if own, err = s.run(loop, s.Tokens.K); err != nil {
				return nil, say.Errorf("test sequence %d: %v", n, err)
			}
		}
		all.outputs = append(all.outputs, output)
		length, _ := own.Dims()
		for t := range length {
			all.innerLoss += loop.Loss.Value(own.RawRowView(t), s.Tokens.V.RawRowView(t))
		}
		tokens += length
	}
	all.innerLoss /= float64(tokens)
	return all, nil
}

// Score is the mean of (o R − y)² over the test sequences; a nil readout answers
// 0 to everything.
func (all *OuterReading) Score(readout *mat.Dense) Score {
	sum, terms := 0.0, 0
	for n, output := range all.outputs {
		length, width := all.tests[n].Target.Dims()
		answer := make([]float64, width)
		for t := range length {
			if readout != nil {
				vec.ReadMatrix(answer, output.RawRowView(t), readout.RawMatrix())
			}
			for d, y := range all.tests[n].Target.RawRowView(t) {
				sum += (answer[d] - y) * (answer[d] - y)
			}
		}
		terms += length * width
	}
	return Score{Error: sum / float64(terms), InnerLoss: all.innerLoss}
}

// run returns the outputs of loop on the sequence, with these queries.
func (s Sequence) run(loop *InnerLoop, queries *mat.Dense) (*mat.Dense, error) {
	tokens := &Tokens{Q: queries, K: s.Tokens.K, V: s.Tokens.V}
	if err := tokens.check(); err != nil {
		return nil, err
	}
	if err := loop.check(tokens); err != nil {
		return nil, err
	}
	n, _, _ := tokens.Dims()
	if rows, _ := s.Target.Dims(); rows != n {
		return nil, say.Errorf("there are %d targets for %d tokens", rows, n)
	}
	trace := Sequential(tokens, loop)
	if trace.Length() < n {
		return nil, say.Errorf("the inner loop diverged at token %d", trace.Length())
	}
	return trace.Output, nil
}

// Steps trains a readout at each of these numbers of inner steps and tests it
// at each: row a, column b is the score of the one trained at steps[a], tested
// at steps[b]. The inner loss depends on the column alone.
func (o *Outer) Steps(loop *InnerLoop, steps []int) ([][]Score, error) {
	tested := make([]*OuterReading, len(steps))
	for b := range steps {
		var err error
		if tested[b], err = o.Read(loop.withSteps(steps[b])); err != nil {
			return nil, err
		}
	}
	scores := make([][]Score, len(steps))
	for a := range steps {
		readout, err := o.Fit(loop.withSteps(steps[a]))
		if err != nil {
			return nil, err
		}
		for b := range steps {
			scores[a] = append(scores[a], tested[b].Score(readout))
		}
	}
	return scores, nil
}

// withSteps returns the loop with K = steps.
func (l *InnerLoop) withSteps(steps int) *InnerLoop {
	other := *l
	other.Steps = steps
	return &other
}

// QueriesAreKeys returns the same tasks with every query replaced by its
// token's key.
func (o *Outer) QueriesAreKeys() *Outer {
	swap := func(all []Sequence) []Sequence {
		var out []Sequence
		for _, s := range all {
			tokens := *s.Tokens
			tokens.Q = tokens.K
			out = append(out, Sequence{&tokens, s.Target})
		}
		return out
	}
	return &Outer{Train: swap(o.Train), Test: swap(o.Test), Penalty: o.Penalty}
}

// OuterTasks returns the names of the tasks, in order.
func OuterTasks() []string { return []string{"recall", "smoothing"} }

// DrawOuter draws an outer loop of count training and count test sequences of
// length tokens, with keys N(0, I) and values N(0, I):
//
//	recall     q_t = k_j + 0.2·N(0, I) with j uniform in 0…t; answer v_j
//	smoothing  q_t = k_t + 0.5·N(0, I); answer a_t = 0.8 a_{t−1} + 0.2 v_t
//
// The penalty is 0.01.
func DrawOuter(task string, seed uint64, count, length, keyDim, valueDim int) (*Outer, error) {
	target := map[string]func(*rand.Rand, *Tokens) Sequence{"recall": recall, "smoothing": smoothing}[task]
	if target == nil {
		return nil, unknown("outer task", task, OuterTasks())
	}
	for _, x := range []struct {
		knob  string
		value int
		top   int
	}{{"sequences", count, 1024}, {"length", length, 4096}, {"key dim", keyDim, maxDim}, {"value dim", valueDim, maxDim}} {
		if x.value < 1 || x.value > x.top {
			return nil, say.Errorf("%s is %d; it must be from 1 to %d", x.knob, x.value, x.top)
		}
	}
	o := &Outer{Penalty: 0.01}
	for n := range 2 * count {
		r := stream(seed, streamOuter+uint64(n))
		s := target(r, &Tokens{K: gaussianMatrix(r, length, keyDim, 1), V: gaussianMatrix(r, length, valueDim, 1)})
		if n < count {
			o.Train = append(o.Train, s)
		} else {
			o.Test = append(o.Test, s)
		}
	}
	return o, nil
}

// streamOuter is the first of the streams that sequences are drawn from.
const streamOuter = 1 << 16

func recall(r *rand.Rand, tokens *Tokens) Sequence {
	which := make([]int, tokens.K.RawMatrix().Rows)
	for t := range which {
		which[t] = r.IntN(t + 1)
	}
	s := recallOf(tokens, which)
	s.Tokens.Q = withNoise(s.Tokens.Q, r, 0.2)
	return s
}

// recallOf asks at token t for the value of token which[t], by its clean key.
func recallOf(tokens *Tokens, which []int) Sequence {
	q, y := mat.DenseCopyOf(tokens.K), mat.DenseCopyOf(tokens.V)
	for t, j := range which {
		q.SetRow(t, tokens.K.RawRowView(j))
		y.SetRow(t, tokens.V.RawRowView(j))
	}
	tokens.Q = q
	return Sequence{tokens, y}
}

func smoothing(r *rand.Rand, tokens *Tokens) Sequence {
	tokens.Q = withNoise(tokens.K, r, 0.5)
	return smoothingOf(tokens)
}

// smoothingOf asks for the running mean of the values.
func smoothingOf(tokens *Tokens) Sequence {
	n, dv := tokens.V.Dims()
	y, a := mat.NewDense(n, dv, nil), make([]float64, dv)
	for t := range n {
		for d, v := range tokens.V.RawRowView(t) {
			a[d] = 0.8*a[d] + 0.2*v
		}
		y.SetRow(t, a)
	}
	return Sequence{tokens, y}
}

// solvePositive solves a x = b for a symmetric positive definite a by Cholesky
// factors, a = L Lᵀ, and leaves x in b and L in a. It reports false where a is
// not positive definite.
func solvePositive(a, b *mat.Dense) bool {
	n, _ := a.Dims()
	for i := range n {
		for j := range i + 1 {
			x := a.At(i, j) - vec.Dot(a.RawRowView(i)[:j], a.RawRowView(j)[:j])
			if i == j {
				if !(x > 0) || math.IsInf(x, 1) {
					return false
				}
				a.Set(i, i, math.Sqrt(x))
			} else {
				a.Set(i, j, x/a.At(j, j))
			}
		}
	}
	for i := range n { // L z = b
		for j := range i {
			vec.AddScaled(b.RawRowView(i), -a.At(i, j), b.RawRowView(j))
		}
		vec.Scale(b.RawRowView(i), 1/a.At(i, i), b.RawRowView(i))
	}
	for i := n - 1; i >= 0; i-- { // Lᵀ x = z
		for j := i + 1; j < n; j++ {
			vec.AddScaled(b.RawRowView(i), -a.At(j, i), b.RawRowView(j))
		}
		vec.Scale(b.RawRowView(i), 1/a.At(i, i), b.RawRowView(i))
	}
	return true
}
