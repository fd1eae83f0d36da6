package engine

import (
	"slices"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

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
// momentum A_ji = Π α. With d = b = 1, c_i^n is the package's c_i^t. Reader rates
// hold the writes of a chunk at one c. Where clipping or Muon come in, what
// counts is not v̂_i but what they make of the values of an update (rewrite).
type recurrence struct {
	keys    blas64.General // k̂, writes × Dh; empty until something needs all
	queries blas64.General // q̂, reads × Dh; the same
	values  *mat.Dense     // v of row rows_i
	// featurize writes the k̂ and q̂ of a chunk; nil where keys and queries hold
	// them already.
	featurize func(keys, queries blas64.General, c chunk)
	loss      Loss
	predicts  bool // the loss looks at f

	updates []transition
	rows    []int     // row of K and V of write i
	joins   []int     // update of write i
	sees    []int     // updates that the prediction of write i has seen
	fades   []float64 // s_i
	rates   []float64 // a_i; without η where channels has it
	asks    []int     // row of Q of read t
	reads   []int     // updates that read t has seen

	// What single rules add; nil or false without them.

	channels          *mat.Dense // η by row of V and channel
	gate              *DataGate  // s(x): f = s ∘ x W
	keyRows           *mat.Dense // what the gate is applied to
	askRows           *mat.Dense
	byRow, decayAfter bool // decay by channel, after the gradient
	clip              bool
	muon              *Muon
	buffered          bool      // Muon acts on a buffer of several updates
	norms             []float64 // first column norms: what is read has them
	normEps           float64
	ones              bool                                            // the last feature is the 1 of a bias
	sum               []float64                                       // z_0 of a normalizer, Dh
	finish            func(dst, z []float64, row int, normal float64) // readout of z by a row of Q

	output, effective blas64.General // o and v̂ of the run
	written           blas64.General // what of v̂ counts: v̂ itself where nothing changes it

	w0, delta0 []float64 // Dh×Dv; nil means zero
	momentum   bool      // some α is not zero
	plain      bool      // every multiplier c is 1: neither momentum nor decay nor rates outside
	dh, dv     int
}

// A transition is how the state moves on: d, α and b.
type transition struct {
	decay, alpha, rate float64
	clipped            float64   // η that follows clipping
	channels           []float64 // γ of each row of W, in place of d; nil for none
	hold               int       // the newest writes whose multiplier becomes b, 0 for none
}

// still reports whether an update leaves every multiplier at 1.
func (u transition) still() bool {
	return u.decay == 1 && u.alpha == 0 && u.rate == 1 && u.hold == 0 && u.channels == nil
}

// recurrence writes the loop down as numbers.
func (l *InnerLoop) recurrence(tokens *Tokens) *recurrence {
	x := newView(tokens, l)
	phases := l.plan(tokens.size().reads)
	_, dv := tokens.V.Dims()
	r := &recurrence{
		values: x.v, loss: l.Loss, dh: l.Feature.Out(), dv: dv, plain: true,
		channels: l.ChannelRate, clip: l.Clip, muon: l.Muon, keyRows: x.k, askRows: x.q,
		byRow: l.decaysByRow(), decayAfter: l.DecayAfter,
	}
	if gate, ok := l.Feature.(DataGate); ok {
		r.gate = &gate
	}
	_, dot := l.Loss.(Dot)
	r.predicts = !dot
	reads, writes := l.counts(phases)
	r.updates, r.reads, r.asks = make([]transition, 0, writes), make([]int, 0, reads), make([]int, 0, reads)
	r.rows, r.joins, r.sees = make([]int, 0, writes), make([]int, 0, writes), make([]int, 0, writes)
	r.fades, r.rates = make([]float64, 0, writes), make([]float64, 0, writes)
	for _, p := range phases {
		r.phase(l, p)
	}
	r.begin(l)
	r.featurize = func(keys, queries blas64.General, c chunk) {
		l.featuresOf(keys, x.k.RawMatrix(), r.rows[c.from:c.to])
		l.featuresOf(queries, x.q.RawMatrix(), r.asks[c.read:c.until])
	}
	if l.Readout != ReadRaw {
		r.finish = func(dst, z []float64, row int, normal float64) {
			l.finish(dst, z, x.residual.RawRowView(row), normal)
		}
	}
	return r
}

// begin sets what stands before the first update: W_0, Δ_0, column norms and z_0.
// A bias is one more row of W, whose feature is 1.
func (r *recurrence) begin(l *InnerLoop) {
	if l.W0 != nil {
		r.w0 = flatten(l.W0, 0)
	}
	first := l.Momentum0["w0"]
	if first != nil {
		r.delta0 = flatten(first, 0)
	}
	if l.Norm != NoNorm {
		r.norms, r.normEps = columnNorms(append(r.w0, make([]float64, r.dh*r.dv-len(r.w0))...), r.dh, r.dv), l.normEps()
	}
	if l.Readout == ReadNormalizer {
		r.sum = make([]float64, r.dh, r.dh+1)
		copy(r.sum, l.Z0)
	}
	if l.Bias != nil {
		r.w0 = append(append(r.w0, make([]float64, r.dh*r.dv-len(r.w0))...), l.Bias...)
		if bias := l.Momentum0["bias"]; first != nil || bias != nil {
			r.delta0 = append(append(r.delta0, make([]float64, r.dh*r.dv-len(r.delta0))...), flatten(bias, r.dv)...)
		}
		if r.sum != nil {
			r.sum = append(r.sum, 0)
		}
		r.ones = true
		r.dh++
	}
	r.momentum = r.delta0 != nil
	r.buffered = l.Muon != nil && (r.momentum || l.anyAlpha() && len(r.updates) > 1)
	for _, u := range r.updates {
		r.momentum = r.momentum || u.alpha != 0
		r.plain = r.plain && u.still()
	}
}

// featuresOf computes φ of the rows of x that are asked for, in their order. Rows
// that follow one another are one product, and a row that is repeated is
// computed once. With a bias, the last feature is 1.
func (l *InnerLoop) featuresOf(dst, x blas64.General, which []int) {
	once, target := which, dst
	if l.steps() > 1 {
		once = slices.Compact(slices.Clone(which))
	}
	if len(once) < len(which) || l.Bias != nil {
		target = newGeneral(len(once), l.Feature.Out())
	}
	for i := 0; i < len(once); {
		j := i + 1
		for j < len(once) && once[j] == once[j-1]+1 {
			j++
		}
		l.applyRows(rows(target, i, j), rows(x, once[i], once[j-1]+1))
		i = j
	}
	if len(once) == len(which) && l.Bias == nil {
		return
	}
	n := -1
	for i, w := range which {
		if i == 0 || w != which[i-1] || len(once) == len(which) {
			n++
		}
		to := row(dst, i)
		if copy(to, row(target, n)) < len(to) {
			to[len(to)-1] = 1
		}
	}
}

// phase appends what a phase of the plan does.
func (r *recurrence) phase(l *InnerLoop, p phase) {
	if p.before {
		r.readAfter(p.read, p.until)
	}
	together := p.writes()
	if p.causal {
		together = 1
	}
	start := len(r.updates)
	for n := 0; n < p.writes(); n += together {
		row := p.from + n
		for step := range l.steps() {
			r.updates = append(r.updates, l.transition(p, row, together, step))
			seen := len(r.updates) - 1
			if p.causal && p.writes() > 1 && (r.predicts || l.Reader != nil) {
				seen = start
			}
			r.write(l, row, together, seen)
		}
		if p.causal {
			r.readAfter(row, row+1)
		}
	}
	if !p.before && (!p.causal || p.writes() == 0) {
		r.readAfter(p.read, p.until)
	}
}

// transition is the update that writes rows of a phase together.
func (l *InnerLoop) transition(p phase, row, together, step int) transition {
	token := row / l.writesPerToken()
	u := transition{decay: 1, alpha: l.Alpha.meanOver(token, token+max(1, together/l.writesPerToken())), rate: 1}
	if l.DecayAfter || p.decays && step == 0 {
		u.decay = l.keep(token)
		if l.decaysByRow() {
			u.channels = l.rowDecay(token)
		}
	}
	switch {
	case l.RateOutside:
		u.rate, u.clipped = l.Rate.At(row), 1
	case l.Reader != nil:
		u.rate, u.hold = l.Reader.At(token), row-p.from+1
	default:
		u.clipped = l.Rate.At(row)
	}
	return u
}

// write appends the writes of the newest update.
func (r *recurrence) write(l *InnerLoop, row, together, seen int) {
	fade := 1.0
	if !l.DecayAfter { // predictions see W decayed
		fade = r.updates[len(r.updates)-1].decay
	}
	for i := row; i < row+together; i++ {
		a := l.gradientFactor(together)
		if !l.RateOutside && l.ChannelRate == nil {
			a *= l.Rate.At(i)
		}
		r.rows, r.joins, r.sees = append(r.rows, i), append(r.joins, len(r.updates)-1), append(r.sees, seen)
		r.fades, r.rates = append(r.fades, fade), append(r.rates, a)
	}
}

// readAfter appends reads of rows from ≤ row < until after the updates so far.
func (r *recurrence) readAfter(from, until int) {
	for row := from; row < until; row++ {
		r.asks, r.reads = append(r.asks, row), append(r.reads, len(r.updates))
	}
}

// A state is W and Δ, and Σ k̂ of a normalizer. Without momentum Δ is nil.
type state struct {
	w, delta blas64.General
	sum      []float64
}

// snapshot returns a copy of s, in old's memory if it fits.
func (s state) snapshot(old state) state {
	out := state{w: reuse(old.w, s.w.Rows, s.w.Cols)}
	copy(out.w.Data, s.w.Data)
	if s.delta.Data != nil {
		out.delta = reuse(old.delta, s.delta.Rows, s.delta.Cols)
		copy(out.delta.Data, s.delta.Data)
	}
	if s.sum != nil {
		out.sum = append(old.sum[:0], s.sum...)
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
	s.sum = slices.Clone(r.sum)
	return s
}

// A chunk is a stretch of writes with the updates they make and the reads that
// need nothing newer: [from, to) each.
type chunk struct{ from, to, update, updated, read, until int }

// chunks cuts the recurrence into chunks of at least length writes. A cut lies
// where no later write or read needs a state from before it.
func (r *recurrence) chunks(length int) func(yield func(chunk) bool) {
	return func(yield func(chunk) bool) {
		if len(r.joins) == 0 { // nothing is ever written
			yield(chunk{until: len(r.reads)})
			return
		}
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
