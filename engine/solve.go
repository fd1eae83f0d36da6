package engine

import (
	"gonum.org/v1/gonum/blas/blas64"

	"unrolled/engine/internal/vec"
)

// A block is one chunk as a masked product. It meets the state before the chunk
// only in predict, answer and advance.
type block struct {
	*recurrence
	chunk
	*workspace

	keys, queries blas64.General // of the chunk

	multiplyAdds float64
}

// A workspace is what a block computes in, kept from chunk to chunk.
type workspace struct {
	ownKeys      blas64.General // k̂ and q̂, where the recurrence has none
	ownQueries   blas64.General
	tiles        []float64      // k̂ᵀ, Dh × writes, in tiles of tileColumns columns
	reading      blas64.General // q̂_t·k̂_j times c_j, reads × writes
	predicting   blas64.General // k̂_i·k̂_j times s_i c_j, writes × writes; squared loss only
	predictions  blas64.General // f, writes × Dv; squared loss only
	slope        []float64      // ∂ℓ/∂f of one write
	fromBuffer   blas64.General // a product with Δ
	weighted     blas64.General // v̂_i weighted for the state, writes × Dv
	normals      []float64      // q̂·(z_0 + Σ k̂) of every read; normalizer only
	counted      blas64.General // multipliers of every read, and k̂·k̂; weight norm only
	gram         blas64.General
	keyGates     blas64.General // s(x) of keys and queries; gate behind W only
	askGates     blas64.General
	readStart    []ofStart // of every read
	predictStart []ofStart // of every prediction
	age          aging
	dimming      dimming // decay by channel only
	before       state   // the chunk, where chunks overlap
}

// ofStart is how much is left of the state before the chunk: D of W and B of Δ.
type ofStart struct{ w, delta float64 }

// aging follows the multipliers of a chunk's writes from update to update:
// β_i ← α β_i,  c_i ← d c_i + b β_i.
type aging struct {
	c, beta []float64
	left    ofStart
	beta0   float64 // Π α, what is left of Δ_0 in Δ
}

// advance makes an update that joining new writes join.
func (a *aging) advance(u transition, joining int) {
	for i, b := range a.beta {
		b *= u.alpha
		a.beta[i] = b
		a.c[i] = u.decay*a.c[i] + u.rate*b
	}
	a.beta0 *= u.alpha
	a.left.w *= u.decay
	a.left.delta = u.decay*a.left.delta + u.rate*a.beta0
	for range joining {
		a.beta, a.c = append(a.beta, 1), append(a.c, u.rate)
	}
	for i := len(a.c) - u.hold; u.hold > 0 && i < len(a.c); i++ {
		a.c[i] = u.rate
	}
}

// block returns a chunk's block, in the memory of work.
func (r *recurrence) block(c chunk, work *workspace) *block {
	b := &block{recurrence: r, chunk: c, workspace: work}
	n, reads := c.to-c.from, c.until-c.read
	if r.featurize != nil {
		work.ownKeys, work.ownQueries = reuse(work.ownKeys, n, r.dh), reuse(work.ownQueries, reads, r.dh)
		b.keys, b.queries = work.ownKeys, work.ownQueries
	} else {
		b.keys, b.queries = rows(r.keys, c.from, c.to), rows(r.queries, c.read, c.until)
	}
	if cap(work.tiles) < r.dh*n {
		work.tiles = make([]float64, r.dh*n)
	}
	work.reading = reuse(work.reading, reads, n)
	if r.momentum {
		work.fromBuffer = reuse(work.fromBuffer, max(n, reads), r.dv)
	}
	if r.predicts {
		work.predicting = reuse(work.predicting, n, n)
		work.predictions = reuse(work.predictions, n, r.dv)
		work.slope = reuse(blas64.General{Data: work.slope}, 1, r.dv).Data
	}
	return b
}

// panel is how many rows of a triangle are computed at once: it wastes half of
// panel² and saves what a product saves over single rows.
const panel = 16

// tileColumns is how many keys are transposed together: rows of a longer matrix
// would lie a power of two apart and fight for the same places in the cache.
const tileColumns = 64

// features computes k̂ and q̂ of the chunk, and gates behind W.
func (b *block) features() {
	if b.featurize != nil {
		b.featurize(b.keys, b.queries, b.chunk)
	}
	if b.gate != nil {
		b.keyGates, b.askGates = reuse(b.keyGates, b.keys.Rows, b.dv), reuse(b.askGates, b.queries.Rows, b.dv)
		b.gatesOf(b.keyGates, b.keyRows, b.rows[b.from:b.to])
		b.gatesOf(b.askGates, b.askRows, b.asks[b.read:b.until])
	}
}

// mask forms the features, C ∘ Q̂ K̂ᵀ, and C ∘ K̂ K̂ᵀ where the loss needs predictions: the
// scores first, then row after row times the multipliers of that reading.
func (b *block) mask() {
	keys := b.keys
	if b.byRow {
		b.maskByRow()
		return
	}
	b.features()
	for from := 0; from < keys.Rows; from += tileColumns {
		to := min(from+tileColumns, keys.Rows)
		vec.Transpose(b.tile(from, to), rows(keys, from, to))
	}
	if b.norms != nil {
		b.grams()
	}
	b.normals = b.normals[:0]
	b.scores(b.reading, b.queries, b.reads[b.read:b.until])
	if b.predicts {
		b.scores(b.predicting, keys, b.sees[b.from:b.to])
	}
	b.age = aging{c: b.age.c[:0], beta: b.age.beta[:0], left: ofStart{w: 1}, beta0: 1}
	b.readStart, b.predictStart = b.readStart[:0], b.predictStart[:0]
	joined := b.from
	for n := b.update; ; n++ {
		for t := b.read + len(b.readStart); t < b.until && b.reads[t] <= n; t++ {
			b.noteRead(t - b.read)
			b.weigh(row(b.reading, t-b.read), 1)
			b.readStart = append(b.readStart, b.age.left)
		}
		for i := b.from + len(b.predictStart); b.predicts && i < b.to && b.sees[i] <= n; i++ {
			s := b.fades[i]
			b.weigh(row(b.predicting, i-b.from), s)
			b.predictStart = append(b.predictStart, ofStart{s * b.age.left.w, s * b.age.left.delta})
		}
		if n == b.updated {
			return
		}
		first := joined
		for joined < b.to && b.joins[joined] == n {
			joined++
		}
		b.age.advance(b.updates[n], joined-first)
	}
}

// weigh multiplies the scores of the writes that count by now, and clears the
// others.
func (b *block) weigh(scores []float64, s float64) {
	c := b.age.c
	clear(scores[len(c):])
	if b.plain && s == 1 {
		return
	}
	for i, x := range c {
		scores[i] *= s * x
	}
}

// scores writes x k̂ᵀ to dst as far as the mask lets it through: row i has seen
// seen[i] updates.
func (b *block) scores(dst, x blas64.General, seen []int) {
	visible := b.from
	for r := 0; r < dst.Rows; r += panel {
		to := min(r+panel, dst.Rows)
		for visible < b.to && b.joins[visible] < seen[to-1] {
			visible++
		}
		n := min((visible-b.from+panel-1)/panel*panel, b.to-b.from) // whole vectors
		for c := 0; c < n; c += tileColumns {
			width := min(tileColumns, n-c)
			part := columns(rows(dst, r, to), width)
			part.Data = part.Data[c:]
			tile := b.tile(c, min(c+tileColumns, b.to-b.from))
			multiply(part, rows(x, r, to), columns(tile, width))
		}
		b.count((to - r) * n * b.dh)
	}
}

// tile returns k̂ᵀ of the chunk's writes from ≤ i < to, one tile.
func (b *block) tile(from, to int) blas64.General {
	return blas64.General{Rows: b.dh, Cols: to - from, Stride: to - from, Data: b.tiles[from*b.dh : to*b.dh : to*b.dh]}
}

func (b *block) count(multiplyAdds int) { b.multiplyAdds += float64(multiplyAdds) }

// fromStart writes D x W − B x Δ to dst, row by row: what the state before the
// chunk says.
func (b *block) fromStart(dst, x blas64.General, s state, left []ofStart) {
	multiply(dst, x, s.w)
	b.count(dst.Rows * b.dh * b.dv)
	for i, l := range left {
		if l.w == 1 {
			continue
		}
		vec.Scale(row(dst, i), l.w, row(dst, i))
	}
	if !b.momentum {
		return
	}
	buffer := rows(b.fromBuffer, 0, dst.Rows)
	multiply(buffer, x, s.delta)
	b.count(dst.Rows * b.dh * b.dv)
	for i, l := range left {
		vec.AddScaled(row(dst, i), -l.delta, row(buffer, i))
	}
}

// predict writes what the state before the chunk predicts for its keys.
func (b *block) predict(s state) {
	switch {
	case b.predicts && b.byRow:
		b.fromRows(b.predictions, b.dimming.seen, s)
	case b.predicts:
		b.fromStart(b.predictions, b.keys, s, b.predictStart)
	}
}

// solve finds the effective values. For the dot loss v̂_i = a_i v_i. For the
// squared loss v̂_i = a_i (v_i − f_i) and f_i contains the earlier v̂_j,
//
//	(I + diag(a) tril(C ∘ K̂ K̂ᵀ, −1)) V̂ = diag(a) (V − F)
//
// with F the predictions of the state before the chunk: a triangular system
// (the UT transform of WY form), solved by forward substitution. What the
// panels before know goes in by products.
func (b *block) solve() {
	out := b.own(b.effective)
	for r := 0; r < out.Rows; r += panel {
		to := min(r+panel, out.Rows)
		if b.predicts && r > 0 {
			vec.AddMul(rows(b.predictions, r, to), columns(rows(b.predicting, r, to), r), rows(out, 0, r))
			b.count((to - r) * r * b.dv)
		}
		for i := r; i < to; i++ {
			if !b.predicts {
				b.value(row(out, i), i, nil)
				continue
			}
			f := row(b.predictions, i)
			vec.AddRead(f, row(b.predicting, i)[r:i], out.Data[r*out.Stride:i*out.Stride])
			b.count((i - r) * b.dv)
			b.value(row(out, i), i, f)
		}
	}
	b.rewrite()
}

// value writes v̂ of write i of the chunk, given its prediction f = k̂ W; the dot
// loss needs none.
func (b *block) value(dst []float64, i int, f []float64) {
	a, from := b.rates[b.from+i], b.rows[b.from+i]
	v := b.values.RawRowView(from)
	var gate []float64
	if b.gate != nil {
		gate = row(b.keyGates, i)
	}
	if !b.predicts {
		vec.Scale(dst, a, v)
	} else {
		for d, s := range gate {
			f[d] *= s
		}
		b.loss.Gradient(b.slope, f, v)
		vec.Scale(dst, -a, b.slope)
	}
	for d, s := range gate {
		dst[d] *= s
	}
	if b.channels != nil {
		for d, rate := range b.channels.RawRowView(from) {
			dst[d] *= rate
		}
	}
}

// answer writes the outputs: what the state before the chunk says, and the masked
// product with the chunk's values.
func (b *block) answer(s state) {
	out, queries := rows(b.output, b.read, b.until), b.queries
	if b.byRow {
		b.fromRows(out, b.dimming.asks, s)
	} else {
		b.fromStart(out, queries, s, b.readStart)
	}
	values := b.own(b.written)
	visible := b.from
	for r := 0; r < out.Rows; r += panel {
		to := min(r+panel, out.Rows)
		for visible < b.to && b.joins[visible] < b.reads[b.read+to-1] {
			visible++
		}
		n := visible - b.from
		vec.AddMul(rows(out, r, to), columns(rows(b.reading, r, to), n), rows(values, 0, n))
		b.count((to - r) * n * b.dv)
	}
	b.readOut(out, s)
}

// advance moves the state over the chunk: W ← D W − B Δ + Σ c_i k̂_iᵀ v̂_i and
// Δ ← (Π α) Δ − Σ β_i k̂_iᵀ v̂_i.
func (b *block) advance(s state) {
	if b.byRow {
		b.advanceRows(s)
		return
	}
	left := b.age.left
	if left.w != 1 {
		vec.Scale(s.w.Data, left.w, s.w.Data)
	}
	b.addWrites(s.w, b.own(b.written), b.age.c, 1)
	b.addKeys(s.sum)
	if !b.momentum {
		return
	}
	vec.AddScaled(s.w.Data, -left.delta, s.delta.Data)
	vec.Scale(s.delta.Data, b.age.beta0, s.delta.Data)
	b.addWrites(s.delta, b.own(b.written), b.age.beta, -1)
}

// addWrites adds sign·Σ_i weight_i k̂_iᵀ x_i to dst, with weights of 1 for nil.
func (b *block) addWrites(dst, x blas64.General, weight []float64, sign float64) {
	b.count(x.Rows * b.dh * x.Cols)
	if sign == 1 && (b.plain || weight == nil) {
		vec.AddMulT(dst, b.keys, x)
		return
	}
	b.weighted = reuse(b.weighted, x.Rows, x.Cols)
	for i := range x.Rows {
		if weight == nil {
			vec.Scale(row(b.weighted, i), sign, row(x, i))
			continue
		}
		vec.Scale(row(b.weighted, i), sign*weight[i], row(x, i))
	}
	vec.AddMulT(dst, b.keys, b.weighted)
}

// own returns the rows of a matrix that are the chunk's writes.
func (b *block) own(m blas64.General) blas64.General { return rows(m, b.from, b.to) }
