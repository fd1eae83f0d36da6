package selftest

import (
	"gonum.org/v1/gonum/mat"

	"unrolled/engine"
)

// wrong takes the distance between the right outputs and attention with a
// wrong weight; the smallest over both losses is the number.
func (t *trial) wrong(alpha engine.Schedule, weight func(t, i int) float64) {
	least := 0.0
	for n, loss := range losses() {
		x, l := tokens(51), &engine.InnerLoop{Feature: tanh(), Loss: loss, Rate: engine.Constant(0.05), Alpha: alpha}
		r := t.run(x, l)
		by := distance(attend(l.Features(x.Q), l.Features(x.K), r.Unrolled.Effective, weight), r.Sequential.Output)
		if n == 0 || by < least {
			least = by
		}
	}
	t.off(least)
}

// Mistakes that must be seen: if one of them made no difference, the checks
// above would prove little. Outputs are of order 1.
var mistakes = []Check{
	{"strict", "A sum that leaves the token itself out is seen.", 0.05, true, func(t *trial) {
		t.wrong(nil, func(n, i int) float64 { return inclusive(n, i+1) })
	}},
	{"no-age", "Leaving the multiplier of momentum out is seen.", 0.05, true, func(t *trial) {
		t.wrong(engine.Constant(0.9), inclusive)
	}},
	{"last-age", "Using the last reading’s multiplier at every reading is seen.", 0.05, true, func(t *trial) {
		alpha := engine.Constant(0.9)
		t.wrong(alpha, func(n, i int) float64 { return inclusive(n, i) * age(alpha, length-1, i) })
	}},
	{"hadamard", "The element-wise mask A∘M in place of the product M·A is seen.", 0.05, true, func(t *trial) {
		alpha := engine.Constant(0.9)
		t.wrong(alpha, func(n, i int) float64 {
			if n == 0 {
				return age(alpha, n, i)
			}
			return age(alpha, n, i) - age(alpha, n-1, i)
		})
	}},
	{"muon-alone", "Without momentum Muon may orthogonalise write by write: each is alone in its step.", 1e-12, false, func(t *trial) {
		t.off(writeByWrite(t, nil))
	}},
	{"muon-each", "With momentum, Muon on each write by itself in place of the whole Δ is seen.", 0.05, true, func(t *trial) {
		t.off(writeByWrite(t, engine.Constant(0.9)))
	}},
	{"shifted-age", "Products of α shifted by one token are seen where α varies.", 0.05, true, func(t *trial) {
		alpha := varying(52, 0.2, 1.1)
		shifted := append(alpha[length-1:len(alpha):len(alpha)], alpha[:length-1]...)
		t.wrong(alpha, func(n, i int) float64 { return age(shifted, n, i) })
	}},
	{"old-query", "Reading the query with Θ from before the write is seen where Θ learns.", 0.001, true, func(t *trial) {
		t.off(rereadGap(t, true, true))
	}},
	{"new-keys", "Keys computed again with the newest Θ are seen where Θ learns.", 0.001, true, func(t *trial) {
		t.off(rereadGap(t, true, false))
	}},
	{"frozen-reread", "With Θ frozen neither of the two makes a difference.", 1e-13, false, func(t *trial) {
		t.off(rereadGap(t, false, true))
		t.off(rereadGap(t, false, false))
	}},
	{"squared-ascent", "Squared loss: ascent is not the negative of descent.", 0.05, true, func(t *trial) {
		t.mirror(t.turned(engine.Squared{}, 0.01, 1, 1, false), t.turned(engine.Squared{}, -0.01, -1, 1, false), -1)
	}},
	{"momentum-steps", "With momentum K inner steps are not one step.", 0.05, true, func(t *trial) {
		x, f := tokens(53), tanh()
		l := engine.InnerLoop{Feature: f, Loss: engine.Dot{}, Rate: engine.Constant(0.05), Alpha: engine.Constant(0.5), Steps: 4}
		many := t.run(x, &l)
		l.Steps, l.Rate = 1, engine.Constant(0.2)
		t.off(distance(many.Sequential.Output, t.run(x, &l).Sequential.Output))
	}},
}

// writeByWrite is how far the outputs move, as a part of the largest, if Muon
// orthogonalises each write by itself, as the version of the formula in
// circulation does: S_t = W_0 + η Σ_i M(k̂ᵀv). That forgets every multiplier, as
// M forgets the size of what it is given.
func writeByWrite(t *trial, alpha engine.Schedule) float64 {
	x, f := tokens(55), tanh()
	l := &engine.InnerLoop{Feature: f, Loss: engine.Dot{}, Rate: engine.Constant(0.1), Alpha: alpha, W0: start(f), RateOutside: true}
	l.Muon = &engine.Muon{Method: engine.NewtonSchulz, Coefficients: engine.NewtonSchulzLaCT}
	right := t.run(x, l).Sequential.Output
	keys, queries := l.Features(x.K), l.Features(x.Q)
	state, each, out := start(f), mat.NewDense(hidden, valueDim, nil), mat.NewDense(length, valueDim, nil)
	for n := range length {
		write := product(keys.Slice(n, n+1, 0, hidden).T(), x.V.Slice(n, n+1, 0, valueDim))
		l.Muon.Orthogonalize(each.RawMatrix().Data, write.RawMatrix().Data, hidden, valueDim)
		state.Add(state, times(0.1, each))
		out.SetRow(n, product(queries.Slice(n, n+1, 0, hidden), state).RawRowView(0))
	}
	return distance(out, right) / size(right)
}

// rereadGap is how far the outputs move if queries are read with Θ from before
// their token's write, or else if all keys are computed again with the newest Θ.
func rereadGap(t *trial, train, query bool) float64 {
	x, f := tokens(54), network()
	l := engine.InnerLoop{Feature: f, Loss: engine.Squared{}, Rate: engine.Constant(0.05), Train: train}
	r := t.run(x, &l)
	if query {
		// A layer that reads before it writes makes the same writes.
		l.Order = engine.ApplyThenUpdate
		old := engine.Sequential(x, &l).Queries
		return distance(attend(old, r.Unrolled.Keys, r.Unrolled.Effective, inclusive), r.Sequential.Output)
	}
	// After each write, ask with every key so far: the queries of that run are
	// φ_{t+1}(k_i), row by row.
	for n := range length {
		l.Operations = append(l.Operations, engine.Operation{Start: n, End: n + 1, Update: true}, engine.Operation{End: n + 1, Apply: true})
	}
	again := engine.Sequential(&engine.Tokens{Q: x.K, K: x.K, V: x.V}, &l).Queries
	most, row := 0.0, 0
	for n := range length {
		keys := again.Slice(row, row+n+1, 0, hidden)
		row += n + 1
		out := product(product(r.Unrolled.Queries.Slice(n, n+1, 0, hidden), keys.T()), r.Unrolled.Effective.Slice(0, n+1, 0, valueDim))
		most = max(most, distance(out, r.Sequential.Output.Slice(n, n+1, 0, valueDim)))
	}
	return most
}
