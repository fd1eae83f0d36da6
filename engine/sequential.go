package engine

import (
	"slices"

	"unrolled/engine/internal/vec"
)

// Sequential runs the inner loop as it is defined: W is the only memory, it
// takes K gradient steps on every token's pair (k, v), and then answers the
// token's query. Tokens and loop must fit together, as RunTokens checks.
func Sequential(tokens *Tokens, loop *InnerLoop) *Trace {
	n, _, dv := tokens.Dims()
	trace := newTrace(n, loop.Feature.Out(), dv, loop.steps())
	trace.states = newStates(tokens, loop)
	learner := newLearner(tokens, loop)
	query := make([]float64, loop.Feature.Out())
	limit := divergenceLimit(tokens)
	for t := range n {
		learner.learn(t, func(step int, loss float64) {
			if step == 0 {
				trace.Loss[t] = loss
			}
			trace.write(t, step, learner.phi, learner.gradient, -loop.Rate.At(t))
		})
		trace.states.keep(t, learner)

		loop.Feature.Apply(query, tokens.Q.RawRowView(t))
		copy(trace.Queries.RawRowView(t), query)
		learner.read(trace.Output.RawRowView(t), query)
		if !(vec.MaxAbs(trace.Output.RawRowView(t)) <= limit) {
			trace.stop(t)
			break
		}
	}
	products := float64(len(learner.w)) * float64(trace.Length())
	trace.MultiplyAdds = products * float64(1+3*loop.steps()) // a read; and a prediction, a buffer and a write a step
	return trace
}

// A learner is the fast weight in training.
type learner struct {
	tokens *Tokens
	loop   *InnerLoop
	w      []float64 // W, Dh×Dv row-major
	delta  []float64 // Δ, Dh×Dv

	phi      []float64 // φ(k_t), Dh
	f        []float64 // φ(k_t) W, Dv
	gradient []float64 // ∂ℓ/∂f, Dv
}

// newLearner returns W_0 with an empty buffer.
func newLearner(tokens *Tokens, loop *InnerLoop) *learner {
	_, _, dv := tokens.Dims()
	dh := loop.Feature.Out()
	l := &learner{
		tokens: tokens, loop: loop,
		w:   make([]float64, dh*dv),
		phi: make([]float64, dh), f: make([]float64, dv), gradient: make([]float64, dv),
	}
	if slices.ContainsFunc(loop.Alpha, func(a float64) bool { return a != 0 }) {
		l.delta = make([]float64, dh*dv)
	}
	if loop.W0 != nil {
		for h := range dh {
			copy(l.w[h*dv:], loop.W0.RawRowView(h))
		}
	}
	return l
}

// learn takes the K inner steps of token t. report is called within each, when
// phi and gradient stand and W has not moved yet.
func (l *learner) learn(t int, report func(step int, loss float64)) {
	v := l.tokens.V.RawRowView(t)
	rate, alpha := l.loop.Rate.At(t), l.loop.Alpha.At(t)
	l.loop.Feature.Apply(l.phi, l.tokens.K.RawRowView(t))
	for step := range l.loop.steps() {
		l.read(l.f, l.phi)
		l.loop.Loss.Gradient(l.gradient, l.f, v)
		if report != nil {
			report(step, l.loop.Loss.Value(l.f, v))
		}
		l.descend(rate, alpha)
	}
}

// descend is Δ ← α Δ + η φᵀ ∂ℓ/∂f,  W ← W − Δ: ∂ℓ/∂W is the outer product of
// the feature and the gradient. Without momentum no buffer is kept.
func (l *learner) descend(rate, alpha float64) {
	if l.delta == nil {
		vec.Write(l.w, -rate, l.phi, l.gradient)
		return
	}
	vec.Descend(l.w, l.delta, rate, alpha, l.phi, l.gradient)
}

// read writes x W to dst.
func (l *learner) read(dst, x []float64) { vec.Read(dst, x, l.w) }
