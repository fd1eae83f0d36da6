package engine

import (
	"gonum.org/v1/gonum/mat"

	"unrolled/engine/internal/vec"
)

// Unrolled computes the same outputs as linear attention: it keeps every write
// as a pair (k̂_i, v̂_i) and never forms W. A prediction is what the key reads
// from the writes before it, an output what the query reads from the writes so
// far:
//
//	o_t = q̂_t W_0 + Σ_i c_i^t (q̂_t·k̂_i) v̂_i      (Theorem 5.3)
//
// Where Θ is trained, its matrices are memories of the same kind: φ is then a
// network of attentions, and the gradient that reaches it, ∂ℓ/∂φ = ∂ℓ/∂f Wᵀ, is
// attended with too. Nothing is read from Sequential. Unrolled returns nil where
// the rule has no such form; InnerLoop.Linearity says why.
func Unrolled(tokens *Tokens, loop *InnerLoop) *Trace {
	if loop.notUnrolled() != "" {
		return nil
	}
	u := newUnroller(tokens, loop)
	for n, p := range u.phases {
		loop.Watch.tell("attention", n, len(u.phases))
		if !u.pass(p) {
			break
		}
	}
	for _, m := range u.all {
		u.trace.MultiplyAdds += m.work
	}
	return u.trace
}

// An unroller holds every write of a run.
type unroller struct {
	loop   *InnerLoop
	view   view
	phases []phase
	trace  *Trace
	limit  float64

	net   Network
	tape  *tape
	theta []linear  // the matrices of Θ: memories, or as they are where frozen
	deep  []*memory // the same memories; empty where frozen
	last  []*memory // W, in one block or in one a channel
	bias  *memory   // b, a memory whose every key is 1; nil: none
	all   []*memory

	z, y   []float64 // φ(x) W + b; that times the network's gate
	dz, dy []float64 // ∂ℓ/∂z, ∂ℓ/∂y
	value  []float64 // v̂ = −η ∂ℓ/∂z
	read   int       // reads so far
}

func newUnroller(tokens *Tokens, loop *InnerLoop) *unroller {
	n, _ := tokens.Q.Dims()
	_, dv := tokens.V.Dims()
	u := &unroller{
		loop: loop, view: newView(tokens, loop), phases: loop.plan(n), net: loop.network(),
		z: make([]float64, dv), y: make([]float64, dv), dz: make([]float64, dv), dy: make([]float64, dv), value: make([]float64, dv),
	}
	u.limit = loop.divergenceLimit(u.view.v)
	u.trace = newTrace(tokens, loop, u.phases)
	u.tape = u.net.newTape()
	blocks, rows, cols := loop.blocks(dv)
	for b := range blocks {
		m := u.remember("w0", rows, cols, loop.W0, b)
		m.block, m.input = b, u.tape.phi[b*rows:(b+1)*rows]
		u.last = append(u.last, m)
	}
	if loop.GammaChannels != nil {
		u.last[0].dimmed = []float64{}
	}
	if loop.Bias != nil {
		u.bias = u.remember("bias", 1, dv, mat.NewDense(1, dv, loop.Bias), 0)
		u.bias.input, u.bias.delta = one, u.dz
	}
	for n, p := range u.net.Theta() {
		if !loop.Train {
			u.theta = append(u.theta, fixed{p.Value})
			continue
		}
		rows, cols := p.Value.Dims()
		m := u.remember(p.Name, rows, cols, p.Value, 0)
		m.input, m.delta = u.tape.inputs[n], u.tape.deltas[n]
		u.theta, u.deep = append(u.theta, m), append(u.deep, m)
	}
	return u
}

// remember starts a memory from part b of rows·cols numbers of its first value
// and of its first buffer, either of which may be nil.
func (u *unroller) remember(name string, rows, cols int, first *mat.Dense, b int) *memory {
	part := func(m *mat.Dense) []float64 {
		if m == nil {
			return nil
		}
		return flatten(m, 0)[b*rows*cols : (b+1)*rows*cols]
	}
	_, writes := u.loop.counts(u.phases)
	m := newMemory(rows, cols, writes, part(first), part(u.loop.Momentum0[name]), u.loop)
	m.rate = u.loop.thetaRate(name)
	u.all = append(u.all, m)
	return m
}

// pass goes through one phase; it returns false where the run diverged.
func (u *unroller) pass(p phase) bool {
	switch {
	case p.before:
		if !u.answer(p.read, p.until) {
			return false
		}
		u.write(p)
		return true
	case p.causal && p.writes() > 1:
		return u.writeCausally(p)
	}
	u.write(p)
	return u.answer(p.read, p.until)
}

// write makes the K·rows writes of a phase, each step's at once.
func (u *unroller) write(p phase) {
	if p.writes() == 0 {
		return
	}
	token := p.from / u.loop.writesPerToken()
	if p.decays && !u.loop.DecayAfter {
		u.decay(token)
	}
	for step := range u.loop.steps() {
		u.prepare(p, step)
		u.advance(token, p.from, p.writes(), u.loop.Alpha.meanOver(token, token+max(1, p.writes())), 0)
	}
}

// writeCausally prepares all writes of a phase at its start, then lets them
// count one by one, each read by its own query at once.
func (u *unroller) writeCausally(p phase) bool {
	u.prepare(p, 0)
	for row := p.from; row < p.to; row++ {
		u.advance(row, row, 1, u.loop.Alpha.At(row), row-p.from)
		if !u.answer(row, row+1) {
			return false
		}
	}
	return true
}

// prepare takes every row of a phase to its write (k̂, v̂); none counts yet.
func (u *unroller) prepare(p phase, step int) {
	together := p.writes()
	if p.causal {
		together = 1
	}
	factor := u.loop.gradientFactor(together)
	for row := p.from; row < p.to; row++ {
		v := u.view.v.RawRowView(row)
		u.predict(u.view.k.RawRowView(row))
		loss := 0.0
		if step == 0 {
			loss = u.loop.Loss.Value(u.y, v)
		}
		u.loop.Loss.Gradient(u.dy, u.y, v)
		u.pull(factor)
		u.keep(row)
		u.trace.write(row, step, loss, u.tape.phi, u.value)
	}
}

// predict attends: z = φ(x) W + b over the writes that count, y = z ∘ s.
func (u *unroller) predict(x []float64) {
	u.net.forward(u.tape, x, u.theta)
	for b, m := range u.last {
		m.apply(u.z[b*m.out:(b+1)*m.out], u.tape.phi[b*m.in:(b+1)*m.in])
	}
	if u.bias != nil {
		u.bias.apply(u.y, one)
		vec.AddScaled(u.z, 1, u.y)
	}
	copy(u.y, u.z)
	for d, s := range u.tape.gate {
		u.y[d] *= s
	}
}

// pull takes dy, times a factor, back to dz and, where Θ is trained, to the
// deltas of the tape.
func (u *unroller) pull(factor float64) {
	clear(u.dz)
	vec.AddScaled(u.dz, factor, u.dy)
	for d, s := range u.tape.gate {
		u.tape.dgate[d] = u.dz[d] * u.z[d]
		u.dz[d] *= s
	}
	if len(u.deep) == 0 {
		return
	}
	for b, m := range u.last {
		m.transpose(u.tape.dphi[b*m.in:(b+1)*m.in], u.dz[b*m.out:(b+1)*m.out])
	}
	u.net.backward(u.tape, u.theta)
}

// keep stores the row's write in every memory: its input as the key, −η times
// what came back to it as the value. With clipping the rate comes later.
func (u *unroller) keep(row int) {
	for d, g := range u.dz {
		u.value[d] = -u.valueRate(row, d) * g
	}
	for _, m := range u.all {
		switch {
		case m.delta == nil: // a block of W: the effective value itself, unless it is clipped first
			b := len(u.value) / len(u.last) * m.block
			if u.loop.Clip {
				m.write(m.input, u.dz[b:b+m.out], -1)
				continue
			}
			m.write(m.input, u.value[b:b+m.out], 1)
		case u.loop.RateOutside || u.loop.Clip:
			m.write(m.input, m.delta, -1)
		default:
			m.write(m.input, m.delta, -m.rate.At(row))
		}
	}
}

// valueRate is what v̂_d = −η ∂ℓ/∂z_d is multiplied by; a rate outside the
// buffer does not belong to the write.
func (u *unroller) valueRate(row, d int) float64 {
	switch {
	case u.loop.ChannelRate != nil:
		return u.loop.ChannelRate.At(row, d)
	case u.loop.RateOutside:
		return 1
	}
	return u.loop.Rate.At(row)
}

// advance lets n writes count from row on, with a token's decay and momentum;
// done of their chunk count already.
func (u *unroller) advance(token, row, n int, alpha float64, done int) {
	if u.loop.DecayAfter {
		u.decay(token)
	}
	for _, m := range u.all {
		if u.loop.Reader != nil {
			m.hold(u.loop.Reader.At(token), n, done)
			continue
		}
		rate, clipped := 1.0, m.rate.At(row)
		if u.loop.RateOutside {
			rate, clipped = clipped, 1
		}
		m.step(u.loop, n, alpha, rate, clipped)
	}
}

// decay fades W and, where the rule says so, Θ and the bias.
func (u *unroller) decay(token int) {
	if len(u.loop.Gamma) == 0 && u.loop.GammaChannels == nil {
		return
	}
	for n, m := range u.all {
		switch {
		case n < len(u.last) && u.loop.GammaChannels != nil:
			m.dimRows(u.loop.GammaChannels.RawRowView(token))
		case n < len(u.last) || u.loop.DecayTheta:
			m.decay(u.loop.Gamma.At(token))
		default:
			continue
		}
		if u.loop.Norm == PreNorm {
			m.normalize(u.loop)
		}
	}
}

// answer reads the queries of rows from ≤ row < until, and returns false where
// an output says that the run has diverged.
func (u *unroller) answer(from, until int) bool {
	for row := from; row < until; row++ {
		u.predict(u.view.q.RawRowView(row))
		copy(u.trace.Queries.RawRowView(u.read), u.tape.phi)
		out := u.trace.Output.RawRowView(u.read)
		u.loop.finish(out, u.y, u.view.residual.RawRowView(row), u.normal())
		if !(vec.MaxAbs(out) <= u.limit) {
			u.trace.stop(u.read)
			return false
		}
		u.read++
	}
	return true
}

// normal is q̂·z_0 + Σ_i q̂·k̂_i: attention with every value 1.
func (u *unroller) normal() float64 {
	if u.loop.Readout != ReadNormalizer {
		return 0
	}
	total := 0.0
	if u.loop.Z0 != nil {
		total = vec.Dot(u.tape.phi, u.loop.Z0)
	}
	for i := range u.last[0].count() {
		total += vec.Dot(u.tape.phi, u.last[0].key(i))
	}
	return total
}
