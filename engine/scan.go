package engine

import (
	"math/bits"

	"gonum.org/v1/gonum/blas/blas64"

	"unrolled/engine/internal/vec"
)

// An element of the scan is what a stretch of updates does to the state,
//
//	W ← d W + p Δ + G_W,   Δ ← q Δ + G_Δ
//
// two matrices and three numbers. Stretches that follow one another combine
// into one, and it does not matter which pair is combined first.
type element struct {
	d, p, q    float64
	write, run blas64.General // G_W and G_Δ; without momentum G_Δ is empty
}

// then returns x followed by y:
//
//	d = d_y d_x,  p = d_y p_x + p_y q_x,  q = q_y q_x
//	G_W = d_y G_W,x + p_y G_Δ,x + G_W,y,  G_Δ = q_y G_Δ,x + G_Δ,y
func (x element) then(y element) element {
	z := element{d: y.d * x.d, p: y.d*x.p + y.p*x.q, q: y.q * x.q, write: plusScaled(y.d, x.write, y.write)}
	if x.run.Data != nil {
		vec.AddScaled(z.write.Data, y.p, x.run.Data)
		z.run = plusScaled(y.q, x.run, y.run)
	}
	return z
}

// plusScaled returns a x + y.
func plusScaled(a float64, x, y blas64.General) blas64.General {
	z := newGeneral(y.Rows, y.Cols)
	copy(z.Data, y.Data)
	vec.AddScaled(z.Data, a, x.Data)
	return z
}

// apply moves a state over the element's stretch.
func (x element) apply(s state) state {
	out := state{w: plusScaled(x.d, s.w, x.write)}
	if x.run.Data != nil {
		vec.AddScaled(out.w.Data, x.p, s.delta.Data)
		out.delta = plusScaled(x.q, s.delta, x.run)
	}
	return out
}

// hillisSteele returns x_0, x_0 x_1, x_0 x_1 x_2, … in ⌈log₂ n⌉ rounds. In
// every round each element is combined with the one 2^round places before, all
// at once.
func hillisSteele[E any](x []E, then func(x, y E) E) (prefix []E, rounds int) {
	prefix = append([]E(nil), x...)
	for step := 1; step < len(x); step *= 2 {
		before := append([]E(nil), prefix...)
		for i := step; i < len(x); i++ {
			prefix[i] = then(before[i-step], before[i])
		}
		rounds++
	}
	return prefix, rounds
}

// blelloch returns the same in two sweeps over a tree, 2⌈log₂ n⌉ rounds with
// fewer than 3n combinations in all. The tree has a power of two leaves;
// those beyond x are identities.
func blelloch[E any](x []E, identity E, then func(x, y E) E) (prefix []E, rounds int) {
	depth := 0
	if len(x) > 1 {
		depth = bits.Len(uint(len(x) - 1))
	}
	tree := append([]E(nil), x...)
	for len(tree) < 1<<depth {
		tree = append(tree, identity)
	}
	for step := 1; step < len(tree); step *= 2 { // up: sums of stretches
		for i := 2*step - 1; i < len(tree); i += 2 * step {
			tree[i] = then(tree[i-step], tree[i])
		}
		rounds++
	}
	tree[len(tree)-1] = identity
	for step := len(tree) / 2; step >= 1; step /= 2 { // down: all that came before
		for i := 2*step - 1; i < len(tree); i += 2 * step {
			left := tree[i-step]
			tree[i-step], tree[i] = tree[i], then(tree[i], left)
		}
		rounds++
	}
	for i := range x { // from "before i" to "up to i"
		tree[i] = then(tree[i], x[i])
	}
	return tree[:len(x)], rounds
}

// scan computes the outputs with the states before all chunks from a scan.
// The dot loss knows its effective values at once; for the squared loss the
// triangular system of the whole sequence is solved first.
func (r *recurrence) scan(run *ParallelRun, form Form, length int) {
	effective := run.Effective.RawMatrix()
	if r.featurize != nil {
		r.keys, r.queries = newGeneral(len(r.joins), r.dh), newGeneral(len(r.reads), r.dh)
		r.featurize(r.keys, r.queries, chunk{to: len(r.joins), until: len(r.reads)})
		r.featurize = nil
	}
	if r.squared {
		r.solveAll(run)
	}
	var elements []element
	var chunks []chunk
	for c := range r.chunks(length) {
		b := r.summary(c)
		if !r.squared {
			b.solve(effective)
		}
		elements = append(elements, b.element(effective))
		chunks = append(chunks, c)
		run.MultiplyAdds += b.multiplyAdds
	}
	run.Chunks = len(chunks)

	combined := 0
	then := func(x, y element) element {
		combined++
		return x.then(y)
	}
	var prefix []element
	if form == HillisSteele {
		prefix, run.Rounds = hillisSteele(elements, then)
	} else {
		prefix, run.Rounds = blelloch(elements, r.identity(), then)
	}
	products := 1
	if r.momentum {
		products = 3
	}
	run.MultiplyAdds += float64(combined * products * r.dh * r.dv)

	work := &workspace{}
	for i, c := range chunks {
		before := r.start()
		if i > 0 {
			before = prefix[i-1].apply(before)
		}
		b := r.block(c, work)
		b.mask()
		b.answer(run.Output.RawMatrix(), before, effective)
		run.MultiplyAdds += b.multiplyAdds
	}
}

// solveAll solves for the effective values of the whole sequence as one chunk.
func (r *recurrence) solveAll(run *ParallelRun) {
	for c := range r.chunks(len(r.joins)) {
		b := r.block(c, &workspace{})
		b.mask()
		b.predict(r.start())
		b.solve(run.Effective.RawMatrix())
		run.MultiplyAdds += b.multiplyAdds
	}
}

// identity is the element of no updates.
func (r *recurrence) identity() element {
	x := element{d: 1, q: 1, write: newGeneral(r.dh, r.dv)}
	if r.momentum {
		x.run = newGeneral(r.dh, r.dv)
	}
	return x
}

// summary returns a block that knows the ages at the end of its chunk, and no
// scores.
func (r *recurrence) summary(c chunk) *block {
	b := r.block(c, &workspace{})
	b.age = aging{left: ofStart{w: 1}, beta0: 1}
	joined := c.from
	for n := c.update; n < c.updated; n++ {
		first := joined
		for joined < c.to && r.joins[joined] == n {
			joined++
		}
		b.age.advance(r.updates[n], joined-first)
	}
	return b
}

// element returns what the chunk does to the state.
func (b *block) element(effective blas64.General) element {
	x := b.identity()
	x.d, x.p, x.q = b.age.left.w, -b.age.left.delta, b.age.beta0
	b.addWrites(x.write, effective, b.age.c, 1)
	if b.momentum {
		b.addWrites(x.run, effective, b.age.beta, -1)
	}
	return x
}
