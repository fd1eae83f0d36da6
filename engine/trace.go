package engine

import (
	"iter"
	"math"

	"gonum.org/v1/gonum/mat"

	"unrolled/engine/internal/vec"
)

// Trace is what one of the two ways did, token by token. Where the run diverged
// at token t, the rows from t on are zero, and Length is t.
type Trace struct {
	Queries   *mat.Dense // T×Dh: q̂_t
	Keys      *mat.Dense // T·K×Dh: k̂_i, K rows a token
	Effective *mat.Dense // T·K×Dv: v̂_i, K rows a token
	Output    *mat.Dense // T×Dv: o_t
	Loss      []float64  // T: ℓ(f_t, v_t) before the token's first step

	// MultiplyAdds counts the work, up to where the run diverged.
	MultiplyAdds float64

	tokens, steps int
	diverged      int     // token, or −1
	states        *states // nil in Unrolled, which has none
}

func newTrace(n, dh, dv, steps int) *Trace {
	return &Trace{
		Queries:   mat.NewDense(n, dh, nil),
		Keys:      mat.NewDense(n*steps, dh, nil),
		Effective: mat.NewDense(n*steps, dv, nil),
		Output:    mat.NewDense(n, dv, nil),
		Loss:      make([]float64, n),
		tokens:    n,
		steps:     steps,
		diverged:  -1,
	}
}

// Length returns how many tokens ran before the trace diverged: T if it did not.
func (tr *Trace) Length() int {
	if tr.diverged >= 0 {
		return tr.diverged
	}
	return tr.tokens
}

// write records k̂ and v̂ = scale·gradient of one inner step.
func (tr *Trace) write(t, step int, key, gradient []float64, scale float64) {
	i := t*tr.steps + step
	copy(tr.Keys.RawRowView(i), key)
	vec.AddScaled(tr.Effective.RawRowView(i), scale, gradient)
}

// stop records that the run diverged at token t and clears what it left there.
func (tr *Trace) stop(t int) {
	tr.diverged = t
	tr.Loss[t] = 0
	clear(tr.Output.RawRowView(t))
	clear(tr.Queries.RawRowView(t))
	for i := t * tr.steps; i < (t+1)*tr.steps; i++ {
		clear(tr.Keys.RawRowView(i))
		clear(tr.Effective.RawRowView(i))
	}
}

// divergenceLimit returns 10³·max|v|: a run has diverged at the first token
// whose output exceeds it.
func divergenceLimit(tokens *Tokens) float64 {
	n, _, _ := tokens.Dims()
	limit := 0.0
	for t := range n {
		limit = max(limit, 1e3*vec.MaxAbs(tokens.V.RawRowView(t)))
	}
	if limit == 0 {
		return math.MaxFloat64 // no value to compare with
	}
	return limit
}

// Attention writes q̂_t·k̂_i for every token i ≤ t to dst and returns it, t+1
// numbers. The weight of write i in output t is c_i^t times this. With K inner
// steps it takes each token's first write; as long as φ is fixed, all K agree.
func (tr *Trace) Attention(dst []float64, t int) []float64 {
	dst = dst[:0]
	query := tr.Queries.RawRowView(t)
	for i := range t + 1 {
		dst = append(dst, vec.Dot(query, tr.Keys.RawRowView(i*tr.steps)))
	}
	return dst
}

// State returns S_t, the fast weight after token t's update, which token t's
// query reads; State(−1) is W_0. It is nil in Unrolled, which never forms it.
func (tr *Trace) State(t int) *mat.Dense {
	if tr.states == nil {
		return nil
	}
	return tr.states.at(t).state()
}

// States yields t and S_t from t = 0 up to Length, going through the inner loop
// once. The matrix is overwritten by the next. Unrolled yields nothing.
func (tr *Trace) States() iter.Seq2[int, *mat.Dense] {
	return func(yield func(int, *mat.Dense) bool) {
		if tr.states == nil {
			return
		}
		l := tr.states.at(-1)
		for t := range tr.Length() {
			l.learn(t, nil)
			if !yield(t, l.state()) {
				return
			}
		}
	}
}

// state returns W; it shares the learner's memory.
func (l *learner) state() *mat.Dense { return mat.NewDense(len(l.phi), len(l.f), l.w) }

// checkpointBytes bounds the memory that the states of one trace may take.
const checkpointBytes = 32 << 20

// states is every S_t, as checkpoints between which the inner loop is replayed.
type states struct {
	start  *learner // before the first token
	every  int      // tokens between two checkpoints
	points []checkpoint
}

// A checkpoint is the learner after token every·(its index+1) − 1.
type checkpoint struct{ w, delta []float64 }

// newStates spaces the checkpoints: about √T apart, or as far as memory asks.
func newStates(tokens *Tokens, loop *InnerLoop) *states {
	n, _, _ := tokens.Dims()
	s := &states{start: newLearner(tokens, loop)}
	bytes := 8 * (len(s.start.w) + len(s.start.delta))
	fit := max(1, checkpointBytes/bytes)
	s.every = max(int(math.Sqrt(float64(n))), (n+fit-1)/fit, 1)
	return s
}

// keep takes a checkpoint of l after token t, if one is due.
func (s *states) keep(t int, l *learner) {
	if (t+1)%s.every != 0 {
		return
	}
	s.points = append(s.points, checkpoint{
		w:     append([]float64(nil), l.w...),
		delta: append([]float64(nil), l.delta...),
	})
}

// at returns a learner that has learnt tokens 0 … t.
func (s *states) at(t int) *learner {
	l := newLearner(s.start.tokens, s.start.loop)
	from := 0
	if p := min((t+1)/s.every, len(s.points)); p > 0 {
		copy(l.w, s.points[p-1].w)
		copy(l.delta, s.points[p-1].delta)
		from = p * s.every
	}
	for ; from <= t; from++ {
		l.learn(from, nil)
	}
	return l
}

// A Gap is how far the outputs of two traces lie apart.
type Gap struct {
	Absolute float64   // max |a − b| over tokens and coordinates
	Relative float64   // Absolute / max(1, Size)
	Size     float64   // max |o|
	PerToken []float64 // max |a − b| over the coordinates of one token
}

// Compare measures the gap up to where either trace diverged.
func Compare(a, b *Trace) Gap {
	gap := Gap{PerToken: make([]float64, min(a.Length(), b.Length()))}
	for t := range gap.PerToken {
		x, y := a.Output.RawRowView(t), b.Output.RawRowView(t)
		for d := range x {
			gap.PerToken[t] = math.Max(gap.PerToken[t], math.Abs(x[d]-y[d]))
		}
		gap.Absolute = math.Max(gap.Absolute, gap.PerToken[t])
		gap.Size = math.Max(gap.Size, math.Max(vec.MaxAbs(x), vec.MaxAbs(y)))
	}
	gap.Relative = gap.Absolute / math.Max(1, gap.Size)
	return gap
}
