package engine

import (
	"math"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"unrolled/engine/internal/vec"
)

// What single rules add to a block: values that an update changes before they
// count, and outputs that are not z itself.

// fill lets a run's outputs and effective values be computed in place. Where an update
// changes them before they count, what is written is kept apart.
func (r *recurrence) fill(run *ParallelRun) {
	r.output, r.effective = inPlace(run.Output, r.dv), inPlace(run.Effective, r.dv)
	r.written = r.effective
	if r.clip || r.muon != nil && !r.buffered {
		r.written = newGeneral(len(r.joins), r.dv)
	}
}

// inPlace is the memory of m; one without rows keeps its width.
func inPlace(m *mat.Dense, cols int) blas64.General {
	if m.IsEmpty() {
		return newGeneral(0, cols)
	}
	return m.RawMatrix()
}

// rewrite takes the effective values of each update of the chunk to what is
// written: clipped by the columns of the update's own gradient, then mixed as
// Muon says. An update lies within one chunk.
func (b *block) rewrite() {
	mixes := b.muon != nil && !b.buffered
	if !b.clip && !mixes {
		return
	}
	for from := b.from; from < b.to; {
		to := from + 1
		for to < b.to && b.joins[to] == b.joins[from] {
			to++
		}
		values := rows(b.written, from, to)
		copy(values.Data[:values.Rows*b.dv], b.effective.Data[from*b.dv:])
		s := sum{
			in: b.dh, out: b.dv, n: to - from, scratch: make([]float64, to-from),
			keys: b.keys.Data[(from-b.from)*b.dh:], values: values.Data[:values.Rows*b.dv],
		}
		if b.clip {
			clipColumns(s, b.updates[b.joins[from]].clipped)
		}
		if mixes {
			b.muon.mix(s)
		}
		b.count(2 * s.n * s.n * (b.dh + b.dv))
		from = to
	}
}

// clipColumns divides each column of Σ k̂ᵀ(η g) by ‖Σ k̂ᵀ g‖ + 1, by its values.
func clipColumns(s sum, rate float64) {
	if rate == 0 {
		return // all values are zero
	}
	norms := s.norms()
	for i := range s.values {
		s.values[i] /= norms[i%s.out]/math.Abs(rate) + 1
	}
}

// grams forms k̂·k̂ of all writes of the chunk, for column norms.
func (b *block) grams() {
	n := b.to - b.from
	b.gram, b.counted = reuse(b.gram, n, n), reuse(b.counted, b.until-b.read, n)
	for from := 0; from < n; from += tileColumns {
		to := min(from+tileColumns, n)
		part := columns(b.gram, to-from)
		part.Data = part.Data[from:]
		multiply(part, b.keys, b.tile(from, to))
	}
	b.count(n * n * b.dh)
}

// gatesOf writes s(x) = silu(x Gate) of rows of x.
func (b *block) gatesOf(dst blas64.General, x *mat.Dense, which []int) {
	for i, at := range which {
		to := row(dst, i)
		read(to, x.RawRowView(at), b.gate.Gate.RawMatrix().Data)
		for d, g := range to {
			to[d] = silu(g)
		}
	}
	b.count(dst.Rows * b.dv * len(x.RawRowView(0)))
}

// noteRead keeps what a reading of the chunk will need: the sum of its scores, and
// the multipliers as they now are.
func (b *block) noteRead(t int) {
	n := len(b.age.c)
	if b.sum != nil {
		normal := 0.0
		for _, score := range row(b.reading, t)[:n] {
			normal += score
		}
		if b.ones {
			normal -= float64(n) // the bias is no key
		}
		b.normals = append(b.normals, normal)
	}
	if b.norms != nil {
		counted := row(b.counted, t)
		clear(counted[copy(counted, b.age.c):])
	}
}

// addKeys adds the chunk's keys to the sum of a normalizer.
func (b *block) addKeys(total []float64) {
	if total == nil {
		return
	}
	for i := range b.keys.Rows {
		vec.AddScaled(total, 1, row(b.keys, i))
	}
	if b.ones {
		total[len(total)-1] = 0
	}
}

// readOut takes z = q̂ W to outputs: columns at their first norms, and the rest.
func (b *block) readOut(out blas64.General, s state) {
	if b.norms != nil {
		b.normalize(out, s)
	}
	for t := range b.normals {
		b.normals[t] += vec.Dot(row(b.queries, t), s.sum)
	}
	b.present(out)
}

// present applies the gates of the queries and the readout.
func (b *block) present(out blas64.General) {
	if b.gate != nil {
		for t := range out.Rows {
			for d, g := range row(b.askGates, t) {
				row(out, t)[d] *= g
			}
		}
	}
	if b.finish == nil {
		return
	}
	z := make([]float64, b.dv)
	for t := range out.Rows {
		normal := 0.0
		if b.sum != nil {
			normal = b.normals[t]
		}
		copy(z, row(out, t))
		b.finish(row(out, t), z, b.asks[b.read+t], normal)
	}
}

// normalize multiplies each column of a reading by n_0/(‖column‖ + eps). The state
// that it read is S + Σ c_i k̂_iᵀ v̂_i with S = D W − B Δ, so that the squared norm
// of a column is
//
//	‖S_d‖² + Σ_i c_i v̂_id (2 k̂_i S + Σ_j c_j (k̂_i·k̂_j) v̂_j)_d
func (b *block) normalize(out blas64.General, s state) {
	n := b.to - b.from
	weighted, crossed := newGeneral(n, b.dv), newGeneral(n, b.dv)
	first, buffer := b.meet(s.w, s.w), meeting{}
	if b.momentum {
		buffer = b.meet(s.delta, s.w)
	}
	gates := make([]float64, b.dv)
	for t := range out.Rows {
		seen := b.reads[b.read+t]
		if seen == 0 {
			continue // nothing has stepped: the columns have their norms
		}
		if t == 0 || seen != b.reads[b.read+t-1] {
			left, c := b.readStart[t], row(b.counted, t)
			for i := range n {
				vec.Scale(row(weighted, i), c[i], row(b.written, b.from+i))
			}
			multiply(crossed, b.gram, weighted)
			b.count(n * n * b.dv)
			for d := range gates {
				square := left.w * left.w * first.own[d]
				if b.momentum {
					square += left.delta * (left.delta*buffer.own[d] - 2*left.w*buffer.other[d])
				}
				for i := range n {
					read := left.w * row(first.read, i)[d]
					if b.momentum {
						read -= left.delta * row(buffer.read, i)[d]
					}
					square += row(weighted, i)[d] * (2*read + row(crossed, i)[d])
				}
				gates[d] = b.norms[d] / (math.Sqrt(max(0, square)) + b.normEps)
			}
		}
		for d, g := range gates {
			row(out, t)[d] *= g
		}
	}
}

// A meeting is a matrix as the keys of a chunk read it, and the products of its
// columns with themselves and with those of another.
type meeting struct {
	read       blas64.General
	own, other []float64
}

func (b *block) meet(m, other blas64.General) meeting {
	x := meeting{read: newGeneral(b.keys.Rows, b.dv), own: make([]float64, b.dv), other: make([]float64, b.dv)}
	multiply(x.read, b.keys, m)
	for h := range m.Rows {
		for d, a := range row(m, h) {
			x.own[d] += a * a
			x.other[d] += a * row(other, h)[d]
		}
	}
	b.count((b.keys.Rows + 2) * b.dh * b.dv)
	return x
}
