package engine

import (
	"runtime"
	"slices"
	"strings"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"unrolled/engine/internal/vec"
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
	Rounds    int        // rounds of the scan, 0 without one
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
	if err := loop.Parallelizable(); err != nil {
		return nil, err
	}
	r := loop.recurrence(tokens)
	if chunk == 0 {
		chunk = DefaultChunk
		if r.momentum {
			chunk *= 2
		}
	}
	if n := float64(len(r.joins)); n*n > maxNumbers && (form == Masked || form != Chunkwise && r.squared) {
		return nil, say.Errorf("the %s form keeps %.3g numbers for %.0f writes; the limit is %.3g: use chunkwise", form, n*n, n, float64(maxNumbers))
	}
	run := &ParallelRun{
		Output:    mat.NewDense(len(r.reads), r.dv, nil),
		Effective: mat.NewDense(len(r.joins), r.dv, nil),
	}
	switch form {
	case Masked:
		r.chunkwise(run, len(r.joins))
	case Chunkwise:
		r.chunkwise(run, chunk*r.steps)
	default:
		r.scan(run, form, chunk*r.steps)
	}
	return run, nil
}

// Parallelizable returns nil if Parallel can compute the loop, and else the
// reason: that there is no parallel form (φ must stand still, and a write must be
// affine in the state), or that Parallel does not carry it.
func (l *InnerLoop) Parallelizable() error {
	if reason := l.nonlinear(); reason != "" {
		return say.Errorf("no parallel form: %s", strings.TrimSuffix(reason, "."))
	}
	for _, part := range []struct {
		holds bool
		name  string
	}{
		{l.Muon != nil, "Muon"}, {l.Norm != NoNorm, "weight norm"}, {l.Clip, "clipping"},
		{l.Bias != nil, "a bias"}, {l.isGated(), "a gate behind W"}, {l.isConv(), "a convolution"},
		{l.ChannelRate != nil || l.GammaChannels != nil, "a rate or a decay by channel"},
		{l.Reader != nil, "reader rates"}, {l.Readout != ReadRaw, "a readout other than o = z"},
		{len(l.Operations) > 0, "operations"}, {l.Chunk > 1 && l.steps() > 1, "several inner steps on a chunk"},
	} {
		if part.holds {
			return say.Errorf("the parallel forms here do not carry %s", part.name)
		}
	}
	return nil
}

// A recurrence is an inner loop with a still φ, as plain numbers. Update u is
//
//	Δ ← α_u Δ + Σ_i a_i k̂_iᵀ g_i  over the writes i that join it
//	W ← d_u W − b_u Δ
//
// with g_i = ∂ℓ/∂f at f_i = s_i k̂_i W, W as it stood after sees_i updates, and
// read t is q̂_t W after reads_t updates. Hence, with v̂_i = −a_i g_i and n
// updates seen,
//
//	W = D_n W_0 − B_n Δ_0 + Σ_i c_i^n k̂_iᵀ v̂_i
//	c_i^n = Σ_{j=u(i)..n−1} b_j Π_{s=j+1..n−1} d_s Π_{s=u(i)+1..j} α_s
//
// which is the matrix product C = M A of the decay mask M_nj = b_j Π d and the
// momentum A_ji = Π α. With d = b = 1, c_i^n is the package's c_i^t.
type recurrence struct {
	keys    blas64.General // k̂, writes × Dh; empty until something needs all
	queries blas64.General // q̂, reads × Dh; the same
	values  *mat.Dense     // v of row i/steps
	// featurize writes the k̂ and q̂ of a chunk; nil where keys and queries hold
	// them already.
	featurize func(keys, queries blas64.General, c chunk)
	steps     int  // writes of one row of keys and values
	squared   bool // g = f − v; else g = −v

	updates []transition
	joins   []int     // update of write i
	sees    []int     // updates that the prediction of write i has seen
	fades   []float64 // s_i
	rates   []float64 // a_i
	reads   []int     // updates that read t has seen

	w0, delta0 []float64 // Dh×Dv; nil means zero
	momentum   bool      // some α is not zero
	plain      bool      // every multiplier c is 1: neither momentum nor decay nor rates outside
	dh, dv     int
}

// A transition is how the state moves on: d, α and b.
type transition struct{ decay, alpha, rate float64 }

// recurrence writes the loop down as numbers. Write i is a row of keys and
// values; with several steps a token, step i%K of token i/K.
func (l *InnerLoop) recurrence(tokens *Tokens) *recurrence {
	x := newView(tokens, l)
	phases := l.plan(tokens.size().reads)
	_, dv := tokens.V.Dims()
	r := &recurrence{
		values: x.v, steps: l.steps(), dh: l.Feature.Out(), dv: dv, plain: true,
	}
	_, r.squared = l.Loss.(Squared)
	r.featurize = func(keys, queries blas64.General, c chunk) { l.featurize(keys, queries, c, x) }
	reads, writes := l.counts(phases)
	r.updates, r.reads = make([]transition, 0, writes), make([]int, 0, reads)
	r.joins, r.sees = make([]int, 0, writes), make([]int, 0, writes)
	r.fades, r.rates = make([]float64, 0, writes), make([]float64, 0, writes)
	for _, p := range phases {
		r.phase(l, p)
	}
	if l.W0 != nil {
		r.w0 = flatten(l.W0, 0)
	}
	if first := l.Momentum0["w0"]; first != nil {
		r.delta0, r.momentum = flatten(first, 0), true
	}
	for _, u := range r.updates {
		r.momentum = r.momentum || u.alpha != 0
		r.plain = r.plain && u == transition{decay: 1, rate: 1}
	}
	return r
}

// featurize computes φ of the rows that a chunk needs: once for all the steps of
// a row, which write with the same key.
func (l *InnerLoop) featurize(keys, queries blas64.General, c chunk, x view) {
	steps := l.steps()
	l.applyRows(queries, rows(x.q.RawMatrix(), c.read, c.until))
	from := rows(x.k.RawMatrix(), c.from/steps, c.to/steps)
	if steps == 1 {
		l.applyRows(keys, from)
		return
	}
	once := newGeneral(from.Rows, keys.Cols)
	l.applyRows(once, from)
	for i := range keys.Rows {
		copy(row(keys, i), row(once, i/steps))
	}
}

// phase appends what a phase of the plan does.
func (r *recurrence) phase(l *InnerLoop, p phase) {
	if p.before {
		r.readAfter(p.until - p.read)
	}
	together := p.writes()
	if p.causal {
		together = 1
	}
	start := len(r.updates)
	for n := 0; n < p.writes(); n += together {
		row := p.from + n
		token := row / l.writesPerToken()
		for step := range r.steps {
			decays := l.DecayAfter || p.decays && step == 0
			u := transition{decay: 1, alpha: l.Alpha.meanOver(token, token+max(1, together/l.writesPerToken())), rate: 1}
			fade := 1.0
			if decays {
				u.decay = l.keep(token)
			}
			if decays && !l.DecayAfter {
				fade = u.decay
			}
			if l.RateOutside {
				u.rate = l.Rate.At(row)
			}
			seen := len(r.updates)
			if p.causal {
				seen = start
			}
			for i := row; i < row+together; i++ {
				a := l.gradientFactor(together)
				if !l.RateOutside {
					a *= l.Rate.At(i)
				}
				r.joins, r.sees = append(r.joins, len(r.updates)), append(r.sees, seen)
				r.fades, r.rates = append(r.fades, fade), append(r.rates, a)
			}
			r.updates = append(r.updates, u)
		}
		if p.causal {
			r.readAfter(1)
		}
	}
	if !p.before && (!p.causal || p.writes() == 0) {
		r.readAfter(p.until - p.read)
	}
}

// readAfter appends n reads after the updates so far.
func (r *recurrence) readAfter(n int) {
	for range n {
		r.reads = append(r.reads, len(r.updates))
	}
}

// chunkwise goes through chunks of at least length writes with a state between
// them. With one chunk it is the masked product. Only the state must wait for
// the chunk before: what a chunk computes first, and what it reads at the end,
// runs beside other chunks where there are processors for it.
func (r *recurrence) chunkwise(run *ParallelRun, length int) {
	s := r.start()
	effective, output := run.Effective.RawMatrix(), run.Output.RawMatrix()
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
			b.solve(effective)
			b.answer(output, s, effective)
			b.advance(s, effective)
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
		b.solve(effective)
		b.advance(s, effective)
	}, func(b *block) {
		b.answer(output, b.before, effective)
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

// A state is W and Δ. Without momentum Δ is nil.
type state struct{ w, delta blas64.General }

// snapshot returns a copy of s, in old's memory if it fits.
func (s state) snapshot(old state) state {
	out := state{w: reuse(old.w, s.w.Rows, s.w.Cols)}
	copy(out.w.Data, s.w.Data)
	if s.delta.Data != nil {
		out.delta = reuse(old.delta, s.delta.Rows, s.delta.Cols)
		copy(out.delta.Data, s.delta.Data)
	}
	return out
}

// start returns the state before the first update.
func (r *recurrence) start() state {
	s := state{w: newGeneral(r.dh, r.dv)}
	copy(s.w.Data, r.w0)
	if r.momentum {
		s.delta = newGeneral(r.dh, r.dv)
		copy(s.delta.Data, r.delta0)
	}
	return s
}

// A chunk is a stretch of writes with the updates they make and the reads that
// need nothing newer: [from, to) each.
type chunk struct{ from, to, update, updated, read, until int }

// chunks cuts the recurrence into chunks of at least length writes. A cut lies
// where no later write or read needs a state from before it.
func (r *recurrence) chunks(length int) func(yield func(chunk) bool) {
	return func(yield func(chunk) bool) {
		c := chunk{}
		for i := range r.joins {
			c.to, c.updated = i+1, r.joins[i]+1
			last := i == len(r.joins)-1
			if last {
				c.updated = len(r.updates)
			}
			for c.until < len(r.reads) && (last || r.reads[c.until] <= c.updated) {
				c.until++
			}
			if !last && (c.to-c.from < length || r.joins[i+1] < c.updated || r.sees[i+1] < c.updated) {
				continue
			}
			if !yield(c) {
				return
			}
			c = chunk{from: c.to, to: c.to, update: c.updated, updated: c.updated, read: c.until, until: c.until}
		}
	}
}

func newGeneral(rows, cols int) blas64.General {
	return blas64.General{Rows: rows, Cols: cols, Stride: max(1, cols), Data: make([]float64, rows*cols)}
}

// row returns row i of m.
func row(m blas64.General, i int) []float64 { return m.Data[i*m.Stride : i*m.Stride+m.Cols] }

// rows returns rows from ≤ i < to of m, sharing its memory.
func rows(m blas64.General, from, to int) blas64.General {
	m.Rows, m.Data = to-from, m.Data[from*m.Stride:]
	return m
}

// columns returns the first n columns of m, sharing its memory.
func columns(m blas64.General, n int) blas64.General {
	m.Cols = n
	return m
}

// multiply writes a b to dst.
func multiply(dst, a, b blas64.General) {
	if dst.Stride == dst.Cols {
		clear(dst.Data[:dst.Rows*dst.Cols])
	} else {
		for i := range dst.Rows {
			clear(row(dst, i))
		}
	}
	vec.AddMul(dst, a, b)
}
