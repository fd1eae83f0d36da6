package engine

import (
	"math/bits"
	"slices"

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

// scan computes the outputs with the states before all chunks from a scan. The
// dot loss knows its values at once, and a chunk adds to the state; under the
// squared loss it maps the state (affine), and its values follow from the state
// before it.
func (r *recurrence) scan(run *ParallelRun, form Form, length int) {
	r.fill(run)
	var blocks []*block
	for c := range r.chunks(length) {
		b := r.block(c, &workspace{})
		b.mask()
		blocks = append(blocks, b)
	}
	run.Chunks = len(blocks)
	before := make([]state, len(blocks))
	switch {
	case len(blocks) == 1:
		before[0] = r.start()
	case r.predicts || r.byRow:
		elements := make([]affine, len(blocks))
		for i, b := range blocks {
			if !r.predicts {
				b.solve()
			}
			elements[i] = b.affine()
		}
		size := float64(elements[0].Rows)
		work := size * size * (size + float64(r.dv))
		prefix := scanned(run, form, elements, r.unmoved(), affine.then, work)
		r.statesBefore(before, func(i int) state { return prefix[i].apply(r.start()) })
		run.MultiplyAdds += float64(len(blocks)-1) * size * size * float64(r.dv)
	default:
		elements := make([]element, len(blocks))
		for i, b := range blocks {
			b.solve()
			elements[i] = b.element()
		}
		products := 1
		if r.momentum {
			products = 3
		}
		prefix := scanned(run, form, elements, r.identity(), element.then, float64(products*r.dh*r.dv))
		r.statesBefore(before, func(i int) state { return prefix[i].apply(r.start()) })
	}
	total := slices.Clone(r.sum)
	for i, b := range blocks {
		if r.predicts || len(blocks) == 1 {
			b.predict(before[i])
			b.solve()
		}
		before[i].sum = total
		b.answer(before[i])
		b.addKeys(total)
		run.MultiplyAdds += b.multiplyAdds
	}
}

// scanned runs the scan of a form and counts its rounds and its combinations, of
// work multiply-adds each.
func scanned[E any](run *ParallelRun, form Form, elements []E, identity E, then func(x, y E) E, work float64) []E {
	counted := func(x, y E) E {
		run.MultiplyAdds += work
		return then(x, y)
	}
	var prefix []E
	if form == HillisSteele {
		prefix, run.Rounds = hillisSteele(elements, counted)
	} else {
		prefix, run.Rounds = blelloch(elements, identity, counted)
	}
	return prefix
}

// statesBefore fills in the state before every chunk: the start, and what the
// chunks up to i−1 make of it.
func (r *recurrence) statesBefore(before []state, after func(i int) state) {
	before[0] = r.start()
	for i := 1; i < len(before); i++ {
		before[i] = after(i - 1)
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

// element returns what the chunk does to the state.
func (b *block) element() element {
	x := b.identity()
	x.d, x.p, x.q = b.age.left.w, -b.age.left.delta, b.age.beta0
	b.addWrites(x.write, b.own(b.written), b.age.c, 1)
	if b.momentum {
		b.addWrites(x.run, b.own(b.written), b.age.beta, -1)
	}
	return x
}
