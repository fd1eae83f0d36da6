package engine

import "unrolled/engine/internal/vec"

// Muon with momentum under the dot loss. Each update orthogonalises its whole
// buffer,
//
//	Δ_j = α_j Δ_{j−1} − Σ k̂ᵀ v̂,   W_j = d_j W_{j−1} − ρ_j M(Δ_j)
//
// Both lines are sums with a decay, so each is a scan; between them every update
// orthogonalises on its own. A chunk is one update.

// orthogonal computes the outputs of such a rule.
func (r *recurrence) orthogonal(run *ParallelRun, form Form) {
	r.fill(run)
	start := r.start()
	if !r.momentum {
		start.delta = newGeneral(r.dh, r.dv)
	}
	var blocks []*block
	var elements []element
	for c := range r.chunks(1) {
		b := r.block(c, &workspace{})
		b.features()
		b.solve()
		x := element{d: b.updates[c.update].alpha, write: newGeneral(r.dh, r.dv)}
		b.addWrites(x.write, b.own(b.written), nil, -1)
		blocks, elements = append(blocks, b), append(elements, x)
	}
	run.Chunks = len(blocks)
	buffers := r.prefixes(run, form, elements)
	for i, b := range blocks {
		u, delta := b.updates[b.update], buffers[i].apply(state{w: start.delta}).w
		x := element{d: u.decay, write: newGeneral(r.dh, r.dv)}
		r.muon.Orthogonalize(x.write.Data, delta.Data, r.dh, r.dv)
		vec.Scale(x.write.Data, -u.rate, x.write.Data)
		elements[i] = x
		b.count(len(r.muon.Coefficients) * min(r.dh, r.dv) * min(r.dh, r.dv) * (2*max(r.dh, r.dv) + min(r.dh, r.dv)))
	}
	weights := r.prefixes(run, form, elements)
	before := state{w: start.w, sum: start.sum}
	for i, b := range blocks {
		after := weights[i].apply(state{w: start.w})
		after.sum = append([]float64(nil), before.sum...)
		b.addKeys(after.sum)
		b.answerBetween(before, after)
		before = after
		run.MultiplyAdds += b.multiplyAdds
	}
}

// prefixes adds the elements up: one after the other, or in a scan.
func (r *recurrence) prefixes(run *ParallelRun, form Form, elements []element) []element {
	work := float64(r.dh * r.dv)
	if form != Chunkwise {
		rounds := run.Rounds
		identity := element{d: 1, write: newGeneral(r.dh, r.dv)}
		prefix := scanned(run, form, elements, identity, element.then, work)
		run.Rounds += rounds
		return prefix
	}
	prefix := append([]element(nil), elements...)
	for i := 1; i < len(prefix); i++ {
		prefix[i] = prefix[i-1].then(prefix[i])
		run.MultiplyAdds += work
	}
	return prefix
}

// answerBetween answers a chunk that is one update: reads before it by the one
// state, reads after it by the other.
func (b *block) answerBetween(before, after state) {
	split := b.read
	for split < b.until && b.reads[split] == b.update {
		split++
	}
	b.normals = b.normals[:0]
	for _, part := range []struct {
		s        state
		from, to int
		updates  int
	}{{before, b.read, split, b.update}, {after, split, b.until, b.updated}} {
		out, queries := rows(b.output, part.from, part.to), rows(b.queries, part.from-b.read, part.to-b.read)
		multiply(out, queries, part.s.w)
		b.count(out.Rows * b.dh * b.dv)
		if b.norms != nil && part.updates > 0 {
			norms := columnNorms(part.s.w.Data, b.dh, b.dv)
			for t := range out.Rows {
				for d, norm := range norms {
					row(out, t)[d] *= b.norms[d] / (norm + b.normEps)
				}
			}
		}
		for t := range queries.Rows {
			if b.sum != nil {
				b.normals = append(b.normals, vec.Dot(row(queries, t), part.s.sum))
			}
		}
	}
	b.present(rows(b.output, b.read, b.until))
}
