package engine

import (
	"iter"
	"math"

	"gonum.org/v1/gonum/mat"
)

// State returns S_t, the fast weight that query t was answered from: after
// token t's update, or before it in apply-then-update order. State(−1) is W_0.
// It is nil in Unrolled, which never forms it. For a convolution row c holds the
// nine weights of channel c.
func (tr *Trace) State(t int) *mat.Dense {
	if tr.states == nil {
		return nil
	}
	if t < 0 {
		return tr.states.at(0).state()
	}
	var found *mat.Dense
	tr.states.follow(tr.states.phaseOf(t), func(read int, l *learner) bool {
		if read == t {
			found = mat.DenseCopyOf(l.state())
		}
		return read < t
	})
	return found
}

// States yields t and S_t from t = 0 up to Length, going through the inner loop
// once. The matrix is overwritten by the next. Unrolled yields nothing.
func (tr *Trace) States() iter.Seq2[int, *mat.Dense] {
	return func(yield func(int, *mat.Dense) bool) {
		if tr.states == nil || tr.Length() == 0 {
			return
		}
		tr.states.follow(0, func(read int, l *learner) bool {
			return read < tr.Length() && yield(read, l.state()) && read+1 < tr.Length()
		})
	}
}

// FinalState returns W after the last phase, which nothing may have read. It is
// nil in Unrolled. Where the run diverged, it is W at that moment.
func (tr *Trace) FinalState() *mat.Dense {
	if tr.final == nil {
		return nil
	}
	return mat.DenseCopyOf(tr.final.state())
}

// FinalTheta returns the matrices of Θ, and the bias, after the last phase; nil
// in Unrolled.
func (tr *Trace) FinalTheta() []Parameter {
	if tr.final == nil {
		return nil
	}
	var theta []Parameter
	for n, p := range tr.final.net.Theta() {
		value := p.Value
		if w := tr.final.deeper[n]; w != nil {
			value = mat.NewDense(w.rows, w.cols, append([]float64(nil), w.w...))
		}
		theta = append(theta, Parameter{p.Name, value})
	}
	if b := tr.final.bias; b != nil {
		theta = append(theta, Parameter{"bias", mat.NewDense(1, b.cols, append([]float64(nil), b.w...))})
	}
	return theta
}

// FinalNormalizer returns z_0 + Σ k̂ after the last phase; nil without a
// normalizer, and in Unrolled.
func (tr *Trace) FinalNormalizer() []float64 {
	if tr.final == nil {
		return nil
	}
	return tr.final.sum
}

// Ranks returns, for every matrix that is trained, the rank that the polar
// factor found at its last step; empty without Polar or in Unrolled.
func (tr *Trace) Ranks() []int {
	var ranks []int
	if tr.final == nil || tr.final.loop.Muon == nil || tr.final.loop.Muon.Method != Polar {
		return nil
	}
	for _, w := range tr.final.trained {
		ranks = append(ranks, w.rank)
	}
	return ranks
}

// checkpointBytes bounds the memory that the states of one trace may take.
const checkpointBytes = 32 << 20

// states is every S_t, as checkpoints between which the inner loop is replayed.
type states struct {
	start  *learner
	every  int         // phases between two checkpoints
	points [][]float64 // the learner before phase every·index
}

// newStates spaces the checkpoints: about √phases apart, or as far as memory
// asks. The first holds the learner before the first token.
func newStates(l *learner) *states {
	n := len(l.phases)
	first := l.snapshot()
	fit := max(1, checkpointBytes/(8*max(1, len(first))))
	return &states{start: l, every: max(int(math.Sqrt(float64(n))), (n+fit-1)/fit, 1), points: [][]float64{first}}
}

// keep takes a checkpoint of l after phase n, if one is due.
func (s *states) keep(n int, l *learner) {
	if (n+1)%s.every == 0 {
		s.points = append(s.points, l.snapshot())
	}
}

// at returns a learner that stands before phase n.
func (s *states) at(n int) *learner {
	l := s.start.twin()
	point := min(n/s.every, len(s.points)-1)
	l.restore(s.points[point])
	for p := point * s.every; p < n; p++ {
		l.run(p)
	}
	return l
}

// follow replays from phase n on and calls visit at each read, until it returns
// false.
func (s *states) follow(n int, visit func(read int, l *learner) bool) {
	l := s.at(n)
	read := 0
	for _, p := range l.phases[:n] {
		read += p.until - p.read
	}
	l.answered = func() bool {
		read++
		return visit(read-1, l)
	}
	for ; n < len(l.phases); n++ {
		l.loop.Watch.tell("training once more", n, len(l.phases))
		if !l.run(n) {
			return
		}
	}
}

// phaseOf returns the phase that makes read t.
func (s *states) phaseOf(t int) int {
	for n, p := range s.start.phases {
		if t < p.until-p.read {
			return n
		}
		t -= p.until - p.read
	}
	panic("engine: no such read")
}

// numbers lists what a learner's future depends on.
func (l *learner) numbers() [][]float64 {
	list := [][]float64{l.sum}
	for _, w := range l.trained {
		list = append(list, w.w, w.delta, w.moment)
		if w.rule.Norm == PreNorm {
			list = append(list, w.sum)
		}
	}
	return list
}

func (l *learner) snapshot() []float64 {
	flat := []float64{l.time}
	for _, x := range l.numbers() {
		flat = append(flat, x...)
	}
	return flat
}

func (l *learner) restore(flat []float64) {
	l.time, flat = flat[0], flat[1:]
	for _, x := range l.numbers() {
		flat = flat[copy(x, flat):]
	}
}

// twin returns another learner of the same run, before its first token.
func (l *learner) twin() *learner { return newLearner(l.tokens, l.loop) }
