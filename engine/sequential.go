package engine

import (
	"gonum.org/v1/gonum/mat"

	"unrolled/engine/internal/vec"
)

// Sequential runs the inner loop as it is defined: the weights are the only
// memory, they take K gradient steps on every token's pair (k, v), and then
// answer the token's query. Tokens and loop must fit together, as RunTokens
// checks.
func Sequential(tokens *Tokens, loop *InnerLoop) *Trace {
	l := newLearner(tokens, loop)
	trace := newTrace(tokens, loop, l.phases)
	trace.states = newStates(l)
	limit := loop.divergenceLimit(l.view.v)
	l.wrote = func(row, step int, loss float64) { trace.write(row, step, loss, l.tape.phi, l.slope) }
	read := 0
	l.answered = func() bool {
		copy(trace.Queries.RawRowView(read), l.tape.phi)
		copy(trace.Output.RawRowView(read), l.output)
		if !(vec.MaxAbs(l.output) <= limit) {
			trace.stop(read)
			return false
		}
		read++
		return true
	}
	for n := range l.phases {
		loop.Watch.tell("training", n, len(l.phases))
		if !l.run(n) {
			break
		}
		trace.states.keep(n, l)
	}
	trace.final = l
	trace.MultiplyAdds = l.multiplyAdds
	return trace
}

// A learner is the fast weights in training.
type learner struct {
	tokens *Tokens
	loop   *InnerLoop
	view   view
	phases []phase

	net     Network
	tape    *tape
	theta   []linear
	last    []*weight // W, in one block or in one a channel
	bias    *weight   // nil: none
	trained []*weight // all that steps
	deeper  []*weight // the matrices of Θ, nil where frozen

	f      []float64 // φ(k) W + b, Dv
	y      []float64 // f ∘ s where the network has a gate, else f
	slope  []float64 // first ∂ℓ/∂y, then −η ∂ℓ/∂f
	lean   []float64 // ∂ℓ/∂f
	output []float64
	sum    []float64 // normalizer: z_0 + Σ k̂
	time   float64   // inner steps so far

	// wrote is called within each inner step, once a row, before any weight has
	// moved; answered after each read, and ends the run by false.
	wrote    func(row, step int, loss float64)
	answered func() bool

	multiplyAdds float64
}

// newLearner returns the weights before the first token.
func newLearner(tokens *Tokens, loop *InnerLoop) *learner {
	n, _ := tokens.Q.Dims()
	_, dv := tokens.V.Dims()
	l := &learner{
		tokens: tokens, loop: loop, view: newView(tokens, loop), phases: loop.plan(n), net: loop.network(),
		f: make([]float64, dv), slope: make([]float64, dv), lean: make([]float64, dv), output: make([]float64, dv),
	}
	l.tape = l.net.newTape()
	l.y = l.f
	if l.tape.gate != nil {
		l.y = make([]float64, dv)
	}
	blocks, rows, cols := loop.blocks(dv)
	first := flatten(loop.W0, blocks*rows*cols)
	for b := range blocks {
		l.addLast(b, rows, cols, first[b*rows*cols:(b+1)*rows*cols])
	}
	if loop.Bias != nil {
		l.bias = newWeight("bias", append([]float64(nil), loop.Bias...), l.buffer("bias"), 1, dv, loop)
		l.bias.decays, l.bias.input, l.bias.slope = loop.DecayTheta, one, l.lean
		l.trained = append(l.trained, l.bias)
	}
	l.addTheta()
	if loop.Readout == ReadNormalizer {
		l.sum = make([]float64, rows)
		copy(l.sum, loop.Z0)
	}
	return l
}

// buffer returns the buffer of a matrix before the first token, nil for none.
func (l *learner) buffer(name string) []float64 {
	if m := l.loop.Momentum0[name]; m != nil {
		return flatten(m, 0)
	}
	return nil
}

// addLast takes over one block of W.
func (l *learner) addLast(block, rows, cols int, first []float64) {
	size := rows * cols
	var delta []float64
	if all := l.buffer("w0"); all != nil {
		delta = all[block*size : (block+1)*size]
	}
	w := newWeight("w0", first, delta, rows, cols, l.loop)
	w.decays, w.first = true, block*cols
	w.input = l.tape.phi[block*rows : (block+1)*rows]
	l.last = append(l.last, w)
	l.trained = append(l.trained, w)
}

// addTheta takes over the matrices of Θ: copies in training, or the network's
// own, frozen.
func (l *learner) addTheta() {
	for n, p := range l.net.Theta() {
		if !l.loop.Train {
			l.theta, l.deeper = append(l.theta, fixed{p.Value}), append(l.deeper, nil)
			continue
		}
		rows, cols := p.Value.Dims()
		w := newWeight(p.Name, flatten(p.Value, 0), l.buffer(p.Name), rows, cols, l.loop)
		w.decays, w.input, w.slope = l.loop.DecayTheta, l.tape.inputs[n], l.tape.deltas[n]
		l.theta, l.deeper, l.trained = append(l.theta, w), append(l.deeper, w), append(l.trained, w)
	}
}

// run goes through one phase; it returns false if a reader ended it.
func (l *learner) run(n int) bool {
	p := l.phases[n]
	if p.before && !l.answer(p.read, p.until) {
		return false
	}
	if p.writes() > 0 {
		if p.causal && (p.writes() > 1 || l.loop.Reader != nil) {
			return l.learnCausally(p)
		}
		l.learn(p)
	}
	return p.before || l.answer(p.read, p.until)
}

// learn takes the K inner steps of a phase, all its rows in one update.
func (l *learner) learn(p phase) {
	token := p.from / l.loop.writesPerToken()
	s := l.stride(token, p)
	if p.decays && !l.loop.DecayAfter {
		l.decay(token)
	}
	for step := range l.loop.steps() {
		l.collect(p, step)
		l.step(s, p.from, 0, p.writes())
	}
}

// learnCausally takes all gradients at the start of the phase, then lets the
// weights advance row by row. A phase of one row has nothing of its own in this
// order, unless the reader has a rate.
func (l *learner) learnCausally(p phase) bool {
	l.collect(p, 0)
	if l.loop.Reader != nil {
		for _, w := range l.trained {
			w.open()
		}
	}
	for n := range p.writes() {
		row := p.from + n
		l.step(l.stride(row, phase{from: row, to: row + 1}), row, n, n+1)
		if !l.answer(row, row+1) {
			return false
		}
	}
	return true
}

// stride returns the numbers of the step that writes p.
func (l *learner) stride(token int, p phase) stride {
	s := stride{keep: 1, rate: 1, alpha: l.loop.Alpha.At(token)}
	if p.writes() > 1 {
		s.alpha = l.loop.Alpha.meanOver(p.from, p.to)
	}
	if l.loop.Reader != nil {
		s.rate, s.alpha = l.loop.Reader.At(token), 1
	}
	if l.loop.DecayAfter {
		s.keep, s.channels = l.loop.keep(token), l.channels(token)
	}
	return s
}

// channels returns γ of each row of W at a token, or nil.
func (l *learner) channels(token int) []float64 {
	if l.loop.GammaChannels == nil {
		return nil
	}
	return l.loop.GammaChannels.RawRowView(token)
}

func (l *learner) decay(token int) {
	if len(l.loop.Gamma) == 0 && l.loop.GammaChannels == nil {
		return
	}
	for _, w := range l.trained {
		w.decay(l.loop.keep(token), l.channels(token))
	}
}

// collect takes the gradient of every row of a phase, all at the weights as
// they stand.
func (l *learner) collect(p phase, step int) {
	for _, w := range l.trained {
		w.count = 0
	}
	factor := l.loop.gradientFactor(p.writes())
	if p.causal {
		factor = l.loop.gradientFactor(1)
	}
	for row := p.from; row < p.to; row++ {
		v := l.view.v.RawRowView(row)
		l.predict(l.view.k.RawRowView(row))
		loss := 0.0
		if step == 0 && l.wrote != nil {
			loss = l.loop.Loss.Value(l.y, v)
		}
		l.loop.Loss.Gradient(l.slope, l.y, v)
		scale(l.slope, factor)
		l.push(row)
		if l.wrote != nil {
			l.wrote(row, step, loss)
		}
	}
}

// predict computes φ(x), f = φ(x) W + b and y = f ∘ s.
func (l *learner) predict(x []float64) {
	l.net.forward(l.tape, x, l.theta)
	for b, w := range l.last {
		w.apply(l.f[b*w.cols:(b+1)*w.cols], l.tape.phi[b*w.rows:(b+1)*w.rows])
		l.multiplyAdds += float64(len(w.w))
	}
	if l.bias != nil {
		vec.AddScaled(l.f, 1, l.bias.w)
	}
	if l.tape.gate != nil {
		for d, s := range l.tape.gate {
			l.y[d] = l.f[d] * s
		}
	}
}

// push goes back from slope = ∂ℓ/∂y to every matrix that is trained, and
// leaves −η ∂ℓ/∂f, the effective value, in slope.
func (l *learner) push(row int) {
	copy(l.lean, l.slope)
	if l.tape.gate != nil {
		for d, s := range l.tape.gate {
			l.tape.dgate[d] = l.slope[d] * l.f[d]
			l.lean[d] = l.slope[d] * s
		}
	}
	l.backward()
	rate := l.loop.Rate.At(row)
	if l.loop.RateOutside {
		rate = 1
	}
	for d, g := range l.lean {
		if l.loop.ChannelRate != nil {
			rate = l.loop.ChannelRate.At(row, d)
		}
		l.slope[d] = -rate * g
	}
	for _, w := range l.trained {
		switch {
		case w.slope != nil:
			w.push(w.input, w.slope, l.gradientRate(w, row))
		case l.loop.Clip || l.loop.Adam:
			w.push(w.input, l.lean[w.first:w.first+w.cols], 1)
		default: // the buffer takes inputᵀ(η ∂ℓ/∂f)
			w.push(w.input, l.slope[w.first:w.first+w.cols], -1)
		}
		l.multiplyAdds += 2 * float64(len(w.w))
	}
}

// one is the input of a bias.
var one = []float64{1}

// backward goes back through the network: ∂ℓ/∂φ = ∂ℓ/∂f Wᵀ, with W as it stands.
func (l *learner) backward() {
	if !l.loop.Train || len(l.theta) == 0 {
		return
	}
	for b, w := range l.last {
		w.transpose(l.tape.dphi[b*w.rows:(b+1)*w.rows], l.lean[b*w.cols:(b+1)*w.cols])
		l.multiplyAdds += float64(len(w.w))
	}
	l.net.backward(l.tape, l.theta)
	for _, w := range l.deeper {
		l.multiplyAdds += 2 * float64(len(w.w))
	}
}

// gradientRate returns what a row's gradient is multiplied by on its way into
// the buffer: η, or 1 where η comes later.
func (l *learner) gradientRate(w *weight, row int) float64 {
	if l.loop.RateOutside || l.loop.Adam || l.loop.Clip {
		return 1
	}
	return w.rate.At(row)
}

// step moves every weight by the gradients from ≤ n < to that were collected,
// the first of which is that of row.
func (l *learner) step(s stride, row, from, to int) {
	l.time++
	s.time = l.time
	if w := l.last[0]; l.sum != nil {
		for n := from; n < to; n++ {
			vec.AddScaled(l.sum, 1, w.inputs[n*w.rows:(n+1)*w.rows])
		}
	}
	for _, w := range l.trained {
		own, eta := s, w.rate.At(row)
		own.clipped = eta
		if l.loop.RateOutside || l.loop.Adam {
			own.rate, own.clipped = own.rate*eta, 1
		}
		w.step(own, from, to)
	}
}

// answer reads the queries of rows from ≤ row < until.
func (l *learner) answer(from, until int) bool {
	for row := from; row < until; row++ {
		l.predict(l.view.q.RawRowView(row))
		normal := 0.0
		if l.sum != nil {
			normal = vec.Dot(l.tape.phi, l.sum)
		}
		l.loop.finish(l.output, l.y, l.view.residual.RawRowView(row), normal)
		if l.answered != nil && !l.answered() {
			return false
		}
	}
	return true
}

// state returns W; it shares the learner's memory where W is one block.
func (l *learner) state() *mat.Dense {
	first := l.last[0]
	if !l.loop.isConv() {
		return mat.NewDense(first.rows, first.cols, first.w)
	}
	m := mat.NewDense(len(l.last), len(first.w), nil)
	for b, w := range l.last {
		copy(m.RawRowView(b), w.w)
	}
	return m
}
