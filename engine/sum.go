package engine

import (
	"math"

	"unrolled/engine/internal/vec"
)

// A sum is a matrix as writes: first + Σ_i weight_i keys_iᵀ values_i.
type sum struct {
	in, out      int
	first        []float64 // nil: zero
	scale        float64   // of first
	weight       []float64 // nil: ones
	keys, values []float64
	n            int
	scratch      []float64 // room for n numbers
}

func (s sum) weightOf(i int) float64 {
	if s.weight == nil {
		return 1
	}
	return s.weight[i]
}

func (s sum) key(i int) []float64   { return s.keys[i*s.in : (i+1)*s.in] }
func (s sum) value(i int) []float64 { return s.values[i*s.out : (i+1)*s.out] }

// unweighted returns the same matrix with its weights multiplied into copies of
// first and of the values.
func (s sum) unweighted() sum {
	values := make([]float64, s.n*s.out)
	for i := range s.n {
		vec.AddScaled(values[i*s.out:(i+1)*s.out], s.weightOf(i), s.value(i))
	}
	s.values, s.weight = values, nil
	if s.first != nil {
		first := make([]float64, len(s.first))
		vec.AddScaled(first, s.scale, s.first)
		s.first, s.scale = first, 1
	}
	return s
}

// times replaces A by A P, P being out×out: every value is mixed, no key moves.
// The weights must be ones.
func (s sum) times(p []float64) {
	row := make([]float64, s.out)
	for _, values := range [][]float64{s.first, s.values} {
		for i := 0; i < len(values); i += s.out {
			read(row, values[i:i+s.out], p)
			copy(values[i:], row)
		}
	}
}

// attend writes  x A = x A_0 + Σ_i c_i (x·k̂_i) v̂_i  to dst.
func (s sum) attend(dst, x []float64) {
	clear(dst)
	if s.first != nil {
		addRead(dst, x, s.first)
		if s.scale != 1 {
			scale(dst, s.scale)
		}
	}
	addRead(dst, s.scores(s.keys, x), s.values)
}

// attendBack writes  d Aᵀ = d A_0ᵀ + Σ_i c_i ⟨d, v̂_i⟩ k̂_i  to dst.
func (s sum) attendBack(dst, d []float64) {
	clear(dst)
	if s.first != nil {
		dots(dst, s.first, d)
		if s.scale != 1 {
			scale(dst, s.scale)
		}
	}
	addRead(dst, s.scores(s.values, d), s.keys)
}

// scores returns c_i ⟨x, row i⟩ of every write.
func (s sum) scores(rows, x []float64) []float64 {
	scores := s.scratch[:s.n]
	dots(scores, rows, x)
	if s.weight != nil {
		for i, c := range s.weight[:s.n] {
			scores[i] *= c
		}
	}
	return scores
}

// norms returns the norm of each column from the Gram matrix of the keys.
func (s sum) norms() []float64 {
	norms := make([]float64, s.out)
	s.pairs(func(left, right []float64) {
		for d, x := range left {
			norms[d] += x * right[d]
		}
	})
	for d, square := range norms {
		norms[d] = math.Sqrt(max(0, square))
	}
	return norms
}

// gram returns AᵀA, out×out, in the same way.
func (s sum) gram() []float64 {
	g := make([]float64, s.out*s.out)
	s.pairs(func(left, right []float64) {
		for d, x := range left {
			vec.AddScaled(g[d*s.out:(d+1)*s.out], x, right)
		}
	})
	return g
}

// pairs yields vectors whose outer products leftᵀ right add up to AᵀA. A row of
// A_0 is a write with a unit vector for a key, so that
//
//	AᵀA = Σ_h A_0hᵀ A_0h + Σ_i (k̂_i A_0)ᵀ v̂_i + Σ_i v̂_iᵀ (k̂_i A)
//
// where k̂_i A is attended, like any reading.
func (s sum) pairs(yield func(left, right []float64)) {
	read := make([]float64, s.out)
	value := make([]float64, s.out)
	scaled := func(v []float64, a float64) []float64 {
		for d, x := range v {
			value[d] = a * x
		}
		return value
	}
	if s.first != nil {
		for h := range s.in {
			row := scaled(s.first[h*s.out:(h+1)*s.out], s.scale)
			yield(row, row)
		}
		start := s
		start.n = 0
		for i := range s.n {
			if w := s.weightOf(i); w != 0 {
				start.attend(read, s.key(i))
				yield(read, scaled(s.value(i), w))
			}
		}
	}
	for i := range s.n {
		if w := s.weightOf(i); w != 0 {
			s.attend(read, s.key(i))
			yield(scaled(s.value(i), w), read)
		}
	}
}
