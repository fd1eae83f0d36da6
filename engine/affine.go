package engine

import (
	"gonum.org/v1/gonum/blas/blas64"

	"unrolled/engine/internal/vec"
)

// An affine element is what a chunk does to the state S, W above Δ, under the
// squared loss or a decay by channel: S ← A S + G, kept as the one matrix [G | A]. Affine maps that
// follow one another combine into one, in any grouping.
type affine struct{ blas64.General }

// then returns x followed by y: A = A_y A_x and G = A_y G_x + G_y, one product.
func (x affine) then(y affine) affine {
	z := affine{newGeneral(y.Rows, y.Cols)}
	dv := y.Cols - y.Rows
	for i := range y.Rows {
		copy(row(z.General, i)[:dv], row(y.General, i)[:dv])
	}
	vec.AddMul(z.General, y.moves(), x.General)
	return z
}

// moves is A.
func (x affine) moves() blas64.General { return lastColumns(x.General, x.Rows) }

// apply moves a state over the element's stretch.
func (x affine) apply(s state) state {
	dv := s.w.Cols
	out := newGeneral(x.Rows, dv)
	for i := range x.Rows {
		copy(row(out, i), row(x.General, i))
	}
	vec.AddMul(out, x.moves(), stacked(s))
	after := state{w: rows(out, 0, s.w.Rows)}
	after.w.Data = after.w.Data[:s.w.Rows*dv]
	if s.delta.Data != nil {
		after.delta = rows(out, s.w.Rows, x.Rows)
	}
	return after
}

// stacked returns W above Δ.
func stacked(s state) blas64.General {
	if s.delta.Data == nil {
		return s.w
	}
	out := newGeneral(2*s.w.Rows, s.w.Cols)
	copy(out.Data[copy(out.Data, s.w.Data):], s.delta.Data)
	return out
}

// unmoved is the affine element of no updates.
func (r *recurrence) unmoved() affine {
	size := r.stateRows()
	x := affine{newGeneral(size, r.dv+size)}
	for i := range size {
		row(x.General, i)[r.dv+i] = 1
	}
	return x
}

// stateRows is the rows of a state: Dh, twice with momentum.
func (r *recurrence) stateRows() int {
	if r.momentum {
		return 2 * r.dh
	}
	return r.dh
}

// affine returns what the chunk does to the state. Its effective values are
// affine in the state before it, V̂ = X [1; W; Δ] with
//
//	(I + diag(a) tril(C ∘ K̂ K̂ᵀ, −1)) X = diag(a) [V | −D ∘ K̂ | B ∘ K̂]
//
// the triangular system of solve with more right-hand sides (the UT transform),
// and what it writes is Σ c_i k̂_iᵀ of that for W and −Σ β_i k̂_iᵀ for Δ.
func (b *block) affine() affine {
	n, size := b.to-b.from, b.stateRows()
	values := newGeneral(n, b.dv+size)
	for i := range n {
		to, key, a := row(values, i), row(b.keys, i), b.rates[b.from+i]
		vec.Scale(to[:b.dv], a, b.values.RawRowView(b.rows[b.from+i]))
		switch {
		case !b.predicts: // the values are known
			copy(to[:b.dv], row(b.written, b.from+i))
			continue
		case b.byRow:
			vec.Scale(to[b.dv:][:b.dh], -a, row(b.dimming.seen[0], i))
			if b.momentum {
				vec.Scale(to[b.dv+b.dh:], a, row(b.dimming.seen[1], i))
			}
			continue
		}
		vec.Scale(to[b.dv:][:b.dh], -a*b.predictStart[i].w, key)
		if b.momentum {
			vec.Scale(to[b.dv+b.dh:], a*b.predictStart[i].delta, key)
		}
	}
	if b.predicts {
		b.substitute(values)
	}
	x := affine{newGeneral(size, b.dv+size)}
	move := x.moves()
	if b.byRow {
		vec.AddMulT(rows(x.General, 0, b.dh), b.dimming.writes, values)
		b.count(n * b.dh * values.Cols)
	} else {
		b.addWrites(rows(x.General, 0, b.dh), values, b.age.c, 1)
	}
	if b.momentum {
		b.addWrites(rows(x.General, b.dh, size), values, b.age.beta, -1)
	}
	for h := range b.dh {
		left := b.age.left
		if b.byRow {
			left = ofStart{b.dimming.w[h], b.dimming.delta[h]}
		}
		row(move, h)[h] += left.w
		if b.momentum {
			row(move, h)[b.dh+h] -= left.delta
			row(move, b.dh+h)[b.dh+h] += b.age.beta0
		}
	}
	return x
}

// substitute solves (I + diag(a) tril(C ∘ K̂ K̂ᵀ, −1)) X = X in place.
func (b *block) substitute(x blas64.General) {
	known := newGeneral(panel, x.Cols)
	for r := 0; r < x.Rows; r += panel {
		to := min(r+panel, x.Rows)
		part := rows(known, 0, to-r)
		multiply(part, columns(rows(b.predicting, r, to), r), rows(x, 0, r))
		for i := r; i < to; i++ {
			f := row(part, i-r)
			vec.AddRead(f, row(b.predicting, i)[r:i], x.Data[r*x.Stride:i*x.Stride])
			vec.AddScaled(row(x, i), -b.rates[b.from+i], f)
		}
	}
	b.count(x.Rows * x.Rows / 2 * x.Cols)
}
