package engine

import (
	"runtime"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"unrolled/engine/say"
)

// A Form is a way to compute all outputs of an inner loop without going
// through it token by token.
type Form string

// The parallel forms.
const (
	// Masked is one masked product over the whole sequence,
	// O = Φ_Q W_0 + (C ∘ Φ_Q Φ_Kᵀ) V̂ with C = M A: O(T²).
	Masked Form = "masked"
	// Chunkwise is the masked product inside a chunk and a state between
	// chunks: O(T·L) for chunks of L tokens.
	Chunkwise Form = "chunkwise"
	// HillisSteele and Blelloch find the state before every chunk by an
	// associative scan, so that no chunk waits for the one before.
	HillisSteele Form = "hillis-steele"
	Blelloch     Form = "blelloch"
)

// Forms returns the parallel forms, in order.
func Forms() []Form { return []Form{Masked, Chunkwise, HillisSteele, Blelloch} }

// DefaultChunk is the length of a chunk where none is asked for: long enough
// for products in place of steps, short enough that L² stays small. With momentum
// a chunk moves two matrices, and twice as long a chunk is as fast.
const DefaultChunk = 16

// A ParallelRun is what a parallel form computed.
type ParallelRun struct {
	Output    *mat.Dense // T×Dv: o_t
	Effective *mat.Dense // T·K×Dv: v̂_i, K rows a token
	Chunks    int        // how many chunks, 1 for Masked
	Rounds    int        // rounds of the scan, 0 without one; of both scans for Muon with momentum
	// MultiplyAdds counts the work, summed over all that could run at once.
	MultiplyAdds float64
}

// Parallel computes the outputs of an inner loop in one of the Forms. chunk is
// the tokens in a chunk, 0 for DefaultChunk; Masked ignores it. Nothing is read
// from Sequential or Unrolled, and nothing stops where a run diverges. The
// error says why the loop has no parallel form, or what does not fit.
func Parallel(tokens *Tokens, loop *InnerLoop, form Form, chunk int) (*ParallelRun, error) {
	if err := tokens.check(); err != nil {
		return nil, err
	}
	if err := loop.check(tokens); err != nil {
		return nil, err
	}
	if !slices.Contains(Forms(), form) {
		return nil, say.Errorf("form %q is unknown; choose %s, %s, %s or %s", form, Masked, Chunkwise, HillisSteele, Blelloch)
	}
	if chunk < 0 {
		return nil, say.Errorf("chunk is %d; it must be at least 1", chunk)
	}
	if err := loop.Parallelizable(tokens.size().reads); err != nil {
		return nil, err
	}
	r := loop.recurrence(tokens)
	if chunk == 0 {
		chunk = DefaultChunk
		if r.momentum {
			chunk *= 2
		}
	}
	if err := r.fits(form, chunk*loop.steps()); err != nil {
		return nil, err
	}
	run := &ParallelRun{
		Output:    zeros(len(r.reads), r.dv),
		Effective: zeros(len(r.joins), r.dv),
	}
	switch {
	case r.buffered:
		r.orthogonal(run, form)
	case form == Masked:
		r.chunkwise(run, len(r.joins))
	case form == Chunkwise:
		r.chunkwise(run, chunk*loop.steps())
	default:
		r.scan(run, form, chunk*loop.steps())
	}
	return run, nil
}

// fits says what a form cannot do with a recurrence that others can.
func (r *recurrence) fits(form Form, length int) error {
	n, size, chunks := float64(len(r.joins)), float64(r.stateRows()), 0.0
	for range r.chunks(length) {
		chunks++
	}
	buffers := 4 * float64(len(r.updates)*r.dh*r.dv)
	switch scans := form == HillisSteele || form == Blelloch; {
	case form == Masked && n*n > maxNumbers:
		return say.Errorf("the %s form keeps %.3g numbers for %.0f writes; the limit is %.3g: use chunkwise", form, n*n, n, float64(maxNumbers))
	case r.buffered && form == Masked:
		return say.Errorf("the %s form cannot carry Muon with momentum, under which a write comes back at every update with another mixture of its values: use chunkwise or a scan", form)
	case r.buffered && buffers > maxNumbers:
		return say.Errorf("the %s form keeps %.3g numbers for the buffers of %d updates; the limit is %.3g: write more tokens together", form, buffers, len(r.updates), float64(maxNumbers))
	case scans && r.predicts && chunks > 1 && (r.channels != nil || r.gate != nil):
		return say.Errorf("the %s form would need one map of the state for each of %d channels, whose rates or gates differ: use chunkwise", form, r.dv)
	case scans && (r.predicts || r.byRow) && 2*chunks*size*(size+float64(r.dv)) > maxNumbers:
		return say.Errorf("the %s form keeps %.3g numbers for the maps of %.0f chunks; the limit is %.3g: use longer chunks or chunkwise", form, 2*chunks*size*(size+float64(r.dv)), chunks, float64(maxNumbers))
	}
	return nil
}

// Parallelizable returns nil if Parallel can compute the loop on n tokens, and
// else the reason: that there is no parallel form (InnerLoop.Linearity), or what
// Parallel would need to carry it.
func (l *InnerLoop) Parallelizable(n int) error {
	if form := l.parallelForm(n); !form.Holds {
		return say.Errorf("no parallel form: %s", strings.TrimSuffix(form.Reason, "."))
	}
	if reason := l.notCarried(n); reason != "" {
		return say.Errorf("the parallel forms here do not carry %s", reason)
	}
	return nil
}

// notCarried names what of a rule that has a parallel form Parallel leaves out,
// with what it would need, or "".
func (l *InnerLoop) notCarried(n int) string {
	_, dot := l.Loss.(Dot)
	_, ownRate := l.ThetaRates["bias"]
	for _, part := range []struct {
		holds bool
		text  string
	}{
		{l.trainsTheta(), "a trained Θ: its one step moves φ, so that a query needs the gradients of all keys first"},
		{l.isConv(), "a convolution: every channel has a small W of its own and would need its own recurrence"},
		{l.GammaChannels != nil && l.Norm != NoNorm, "weight norm with a decay by channel"},
		{l.GammaChannels != nil && l.Muon != nil && (l.anyAlpha() && !l.oneUpdate(n) || len(l.Momentum0) > 0), "Muon with momentum and a decay by channel"},
		{l.Muon != nil && len(l.Momentum0) > 0 && !dot, "Muon on a first buffer under a loss that looks at the weight"},
		{l.Norm != NoNorm && !dot, "weight norm under a loss that looks at the weight"},
		{l.Norm == PostNorm && !l.oneUpdate(n), "weight norm after every row: each norm looks at the one before"},
		{l.Bias != nil && ownRate, "a bias with a rate of its own: it would be written with another key than it is read with"},
		{l.Bias != nil && l.Clip, "clipping with a bias: W and the bias are clipped each by its own norms"},
	} {
		if part.holds {
			return part.text
		}
	}
	return ""
}

// oneUpdate reports whether all that n tokens write joins one update.
func (l *InnerLoop) oneUpdate(n int) bool {
	if !l.onePhase(n) {
		return false
	}
	for _, p := range l.plan(n) {
		if p.causal && p.writes() > 1 {
			return false
		}
	}
	return true
}

// chunkwise goes through chunks of at least length writes with a state between
// them. With one chunk it is the masked product. Only the state must wait for
// the chunk before: what a chunk computes first, and what it reads at the end,
// runs beside other chunks where there are processors for it.
func (r *recurrence) chunkwise(run *ParallelRun, length int) {
	s := r.start()
	r.fill(run)
	done := func(b *block) {
		run.Chunks++
		run.MultiplyAdds += b.multiplyAdds
	}
	chunks := slices.Collect(r.chunks(length))
	if runtime.GOMAXPROCS(0) == 1 || len(chunks) < 4 {
		work := &workspace{}
		for _, c := range chunks {
			b := r.block(c, work)
			b.mask()
			b.predict(s)
			b.solve()
			b.answer(s)
			b.advance(s)
			done(b)
		}
		return
	}
	pipeline(len(chunks), func(i int, work *workspace) *block {
		b := r.block(chunks[i], work)
		b.mask()
		return b
	}, func(b *block) {
		b.before = s.snapshot(b.before)
		b.predict(s)
		b.solve()
		b.advance(s)
	}, func(b *block) {
		b.answer(b.before)
	}, done)
}

// pipeline runs first for every chunk, then second in order, then third. Chunks
// overlap, each in a workspace of its own; the numbers do not depend on how.
// done is called in order, alone.
func pipeline(n int, first func(i int, work *workspace) *block, second, third, done func(*block)) {
	ahead := 2 * runtime.GOMAXPROCS(0)
	free := make(chan *workspace, ahead)
	for range ahead {
		free <- &workspace{}
	}
	made, read := make([]chan *block, n), make([]chan *block, n)
	for i := range n {
		made[i], read[i] = make(chan *block, 1), make(chan *block, 1)
	}
	go func() {
		for i := range n {
			work := <-free
			go func() { made[i] <- first(i, work) }()
		}
	}()
	go func() {
		for i := range n {
			b := <-made[i]
			second(b)
			go func() {
				third(b)
				read[i] <- b
			}()
		}
	}()
	for i := range n {
		b := <-read[i]
		done(b)
		free <- b.workspace
	}
}
