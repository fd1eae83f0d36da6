package selftest

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"unrolled/engine"
)

// turned returns the outputs of a run with rate, start and values changed in sign.
func (t *trial) turned(loss engine.Loss, rate, startSign, valueSign float64, train bool) *engine.Result {
	x, f := tokens(41), network()
	x.V = times(valueSign, x.V)
	return t.run(x, &engine.InnerLoop{
		Feature: f, Loss: loss, Rate: engine.Constant(rate), Alpha: varying(42, 0.1, 0.8), Train: train, W0: times(startSign, start(f)),
	})
}

// mirror compares both ways of b with sign times both ways of a, bit by bit.
func (t *trial) mirror(a, b *engine.Result, sign float64) {
	t.off(distance(b.Sequential.Output, times(sign, a.Sequential.Output)))
	t.off(distance(b.Unrolled.Output, times(sign, a.Unrolled.Output)))
}

// Mirrors and closed forms: what the sum says about other runs.
var mirrors = []Check{
	{"ascent-values", "Dot loss: ascent on −v gives the outputs of descent, to the last bit, trained Θ included.", 0, false, func(t *trial) {
		for _, train := range []bool{false, true} {
			t.mirror(t.turned(engine.Dot{}, 0.05, 1, 1, train), t.turned(engine.Dot{}, -0.05, 1, -1, train), 1)
		}
	}},
	{"ascent-start", "Dot loss: ascent from −W₀ gives their exact negative.", 0, false, func(t *trial) {
		for _, train := range []bool{false, true} {
			t.mirror(t.turned(engine.Dot{}, 0.05, 1, 1, train), t.turned(engine.Dot{}, -0.05, -1, 1, train), -1)
		}
	}},
	{"both-turned", "Either loss: descent with start and values turned round gives their exact negative.", 0, false, func(t *trial) {
		for _, loss := range losses() {
			t.mirror(t.turned(loss, 0.05, 1, 1, false), t.turned(loss, 0.05, -1, -1, false), -1)
		}
	}},
	{"steps-dot", "Dot loss: K inner steps are one step at the rate Kη.", 1e-13, false, func(t *trial) {
		for _, steps := range []int{2, 5, 16} {
			t.near(t.stepped(engine.Dot{}, steps, engine.Constant(0.05)), t.stepped(engine.Dot{}, 1, engine.Constant(0.05*float64(steps))))
		}
	}},
	{"steps-squared", "Squared loss: they are one step at η_K = (1 − (1 − ηn)^K)/n.", 1e-12, false, func(t *trial) {
		l := engine.InnerLoop{Feature: tanh()}
		phi := l.Features(tokens(43).K)
		for _, steps := range []int{2, 5, 16} {
			rate := make(engine.Schedule, length)
			for i := range rate {
				n := inner(phi.RawRowView(i), phi.RawRowView(i))
				rate[i] = (1 - math.Pow(1-0.05*n, float64(steps))) / n
			}
			t.near(t.stepped(engine.Squared{}, steps, engine.Constant(0.05)), t.stepped(engine.Squared{}, 1, rate))
		}
	}},
	{"gauge", "Dot loss, φ(x) = x: queries QM and keys KM⁻ᵀ give the same outputs for a shear and a stretch M.", 1e-12, false, func(t *trial) {
		t.gauge(engine.Dot{}, func(x []float64) { x[1] += 0.8 * x[0]; x[0] *= 3 }, func(x []float64) { x[0] = (x[0] - 0.8*x[1]) / 3 }, func(w *mat.Dense) {
			for d := range valueDim { // M⁻¹ W_0
				w.Set(0, d, (w.At(0, d)-0.8*w.At(1, d))/3)
			}
		})
	}},
	{"gauge-turn", "Squared loss: the same for a pure turn.", 1e-12, false, func(t *trial) {
		const c, s = 0.6, 0.8
		turn := func(x []float64) { x[0], x[1] = c*x[0]-s*x[1], s*x[0]+c*x[1] }
		t.gauge(engine.Squared{}, turn, turn, func(w *mat.Dense) {
			for d := range valueDim {
				a, b := w.At(0, d), w.At(1, d)
				w.Set(0, d, c*a-s*b)
				w.Set(1, d, s*a+c*b)
			}
		})
	}},
	{"queries-keys", "With keys for queries a token looks at itself with the weight ‖φ(k)‖².", 1e-13, false, func(t *trial) {
		x := tokens(44)
		x.Q = x.K
		r := t.run(x, &engine.InnerLoop{Feature: tanh(), Loss: engine.Squared{}, Rate: engine.Constant(0.05)})
		for n := range length {
			k := r.Sequential.Keys.RawRowView(n)
			t.off(math.Abs(r.Unrolled.Attention(nil, n)[n] - inner(k, k)))
		}
	}},
}

// stepped returns the outputs with so many inner steps.
func (t *trial) stepped(loss engine.Loss, steps int, rate engine.Schedule) *mat.Dense {
	f := tanh()
	return t.run(tokens(43), &engine.InnerLoop{Feature: f, Loss: loss, Rate: rate, Steps: steps, W0: start(f)}).Unrolled.Output
}

// gauge compares a run with one in other coordinates: each query, key and the
// start are changed in place.
func (t *trial) gauge(loss engine.Loss, query, key func([]float64), weight func(*mat.Dense)) {
	f := engine.Identity{Dim: keyDim}
	x, w0 := tokens(45), start(f)
	l := engine.InnerLoop{Feature: f, Loss: loss, Rate: engine.Constant(0.05), Alpha: engine.Constant(0.5), W0: w0}
	plain := t.run(x, &l)
	y := &engine.Tokens{Q: mat.DenseCopyOf(x.Q), K: mat.DenseCopyOf(x.K), V: x.V}
	for n := range length {
		query(y.Q.RawRowView(n))
		key(y.K.RawRowView(n))
	}
	l.W0 = mat.DenseCopyOf(w0)
	weight(l.W0)
	t.near(t.run(y, &l).Unrolled.Output, plain.Sequential.Output)
}
