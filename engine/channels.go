package engine

import (
	"gonum.org/v1/gonum/blas/blas64"

	"unrolled/engine/internal/vec"
)

// Decay by channel, W_h ← γ_h W_h row by row: the multiplier of a write is a number
// for every row of W, so that what is kept is c_i ∘ k̂_i, and a score is the
// product of a query with that as it stood at the reading. What is left of the
// state before the chunk is a number for every row, too, which the query or key
// takes with it.

// decaysByRow reports whether the rows of W do not decay alike: by channel, or
// because a bias, which is one of them, stays.
func (l *InnerLoop) decaysByRow() bool {
	return l.GammaChannels != nil || l.Bias != nil && len(l.Gamma) > 0 && !l.DecayTheta
}

// rowDecay returns γ of each row of W at a token, a bias among them.
func (l *InnerLoop) rowDecay(token int) []float64 {
	channels := make([]float64, l.Feature.Out(), l.Feature.Out()+1)
	for h := range channels {
		channels[h] = l.keep(token)
	}
	if l.GammaChannels != nil {
		copy(channels, l.GammaChannels.RawRowView(token))
	}
	if l.Bias != nil {
		channels = append(channels, 1)
	}
	return channels
}

// A dimming is a chunk under a decay by channel.
type dimming struct {
	writes     blas64.General    // c_i ∘ k̂_i, writes × Dh
	w, delta   []float64         // D and B of every row of W
	asks, seen [2]blas64.General // D ∘ q̂ and B ∘ q̂ of reads, the same of keys that predict
	faded      []float64         // a key as W fades it
}

// maskByRow is mask under a decay by channel, score by score.
func (b *block) maskByRow() {
	b.features()
	d, n := &b.dimming, b.keys.Rows
	d.writes, d.faded = reuse(d.writes, n, b.dh), make([]float64, b.dh)
	d.w, d.delta = make([]float64, b.dh), make([]float64, b.dh)
	for h := range d.w {
		d.w[h] = 1
	}
	for side := range 2 {
		d.asks[side], d.seen[side] = reuse(d.asks[side], b.queries.Rows, b.dh), reuse(d.seen[side], n, b.dh)
	}
	b.age = aging{c: b.age.c[:0], beta: b.age.beta[:0], left: ofStart{w: 1}, beta0: 1}
	t, i, joined := 0, 0, b.from
	for u := b.update; ; u++ {
		for ; t < b.queries.Rows && b.reads[b.read+t] <= u; t++ {
			b.meetRows(row(b.reading, t), d.asks, t, row(b.queries, t))
		}
		for ; b.predicts && i < n && b.sees[b.from+i] <= u; i++ {
			copy(d.faded, row(b.keys, i))
			if channels := b.updates[b.joins[b.from+i]].channels; channels != nil && !b.decayAfter {
				times(d.faded, channels)
			}
			b.meetRows(row(b.predicting, i), d.seen, i, d.faded)
		}
		if u == b.updated {
			return
		}
		first := joined
		for joined < b.to && b.joins[joined] == u {
			joined++
		}
		b.age.advance(b.updates[u], joined-first)
		b.dim(b.updates[u], joined-first)
	}
}

// meetRows scores x against the writes that count by now, and notes what it will
// read from the state before the chunk.
func (b *block) meetRows(scores []float64, start [2]blas64.General, at int, x []float64) {
	n := len(b.age.c)
	clear(scores[n:])
	vec.DotsMatrix(scores[:n], rows(b.dimming.writes, 0, n), x)
	b.count(n * b.dh)
	for side, left := range [2][]float64{b.dimming.w, b.dimming.delta} {
		to := row(start[side], at)
		copy(to, x)
		times(to, left)
	}
}

// dim is  c_i ∘ k̂_i ← γ ∘ c_i ∘ k̂_i + b β_i k̂_i  after an update, and the same of what
// is left of the start.
func (b *block) dim(u transition, joining int) {
	d := &b.dimming
	for i, beta := range b.age.beta {
		to := row(d.writes, i)
		if i >= len(b.age.beta)-joining {
			vec.Scale(to, u.rate*beta, row(b.keys, i))
			continue
		}
		times(to, u.channels)
		vec.AddScaled(to, u.rate*beta, row(b.keys, i))
	}
	times(d.w, u.channels)
	times(d.delta, u.channels)
	for h := range d.delta {
		d.delta[h] += u.rate * b.age.beta0
	}
	b.count(2 * len(b.age.beta) * b.dh)
}

// fromRows writes (D ∘ x) W − (B ∘ x) Δ to dst.
func (b *block) fromRows(dst blas64.General, x [2]blas64.General, s state) {
	multiply(dst, x[0], s.w)
	b.count(dst.Rows * b.dh * b.dv)
	if !b.momentum {
		return
	}
	buffer := rows(b.fromBuffer, 0, dst.Rows)
	multiply(buffer, x[1], s.delta)
	b.count(dst.Rows * b.dh * b.dv)
	for i := range dst.Rows {
		vec.AddScaled(row(dst, i), -1, row(buffer, i))
	}
}

// advanceRows moves the state over the chunk:
// W ← D ∘ W − B ∘ Δ + Σ (c_i ∘ k̂_i)ᵀ v̂_i and Δ ← (Π α) Δ − Σ β_i k̂_iᵀ v̂_i.
func (b *block) advanceRows(s state) {
	d, values := &b.dimming, b.own(b.written)
	for h := range b.dh {
		vec.Scale(row(s.w, h), d.w[h], row(s.w, h))
		if b.momentum {
			vec.AddScaled(row(s.w, h), -d.delta[h], row(s.delta, h))
		}
	}
	vec.AddMulT(s.w, d.writes, values)
	b.count(b.keys.Rows * b.dh * b.dv)
	if b.momentum {
		vec.Scale(s.delta.Data, b.age.beta0, s.delta.Data)
		b.addWrites(s.delta, values, b.age.beta, -1)
	}
}

// times is x ← x ∘ y; nil is ones.
func times(x, y []float64) {
	for h := range y {
		x[h] *= y[h]
	}
}
