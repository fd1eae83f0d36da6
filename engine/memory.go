package engine

import "unrolled/engine/internal/vec"

// A memory is one matrix of the inner loop as Unrolled knows it: what it was at
// first, and everything that was written since, never added up:
//
//	A = A_0 + Σ_i c_i k̂_iᵀ v̂_i
//
// W is one, and so is every matrix of Θ that is trained. Multiplying by A is
// attending over the writes. What a rule does to A becomes what it does to the
// multipliers: momentum and decay act on the numbers c_i; weight norm acts
// on columns and Muon mixes them, so that c_i becomes a matrix, and c_i v̂_i is
// kept as a row (mixed); decay by channel acts on rows, and c_i k̂_i is kept.
type memory struct {
	in, out int
	rate    Schedule  // η of this matrix
	input   []float64 // where a pass leaves what it was applied to
	delta   []float64 // where one leaves ∂ℓ/∂(its product); nil for a block of W
	block   int       // of W
	first   []float64 // A_0, decayed, gated: never a write is added. nil: zero
	buffer  []float64 // Momentum0 as a matrix, fixed, with the multiplier bufferBeta

	keys, values []float64 // k̂_i and v̂_i, as written
	age          ages
	mixed        []float64 // c_i v̂_i, where c_i mixes columns; else nil
	dimmed       []float64 // c_i k̂_i, where c_i differs by row; else nil
	gate         []float64 // pre-norm: a factor on each column of A as it is read; else nil
	norms        []float64 // the column norms of A_0; nil without weight norm

	bufferBeta float64
	scratch    []float64 // out
	weights    []float64 // one a write
	work       float64   // multiply-adds
}

// newMemory starts from A_0 = first and the buffer, both nil for zero, with room
// for writes. It keeps and changes first.
func newMemory(in, out, writes int, first, buffer []float64, l *InnerLoop) *memory {
	m := &memory{
		in: in, out: out, first: first, buffer: buffer, bufferBeta: 1, scratch: make([]float64, out), weights: make([]float64, writes),
		keys: make([]float64, 0, writes*in), values: make([]float64, 0, writes*out),
		age: ages{c: make([]float64, 0, writes), beta: make([]float64, 0, writes)},
	}
	if l.Norm == PostNorm || l.Muon != nil {
		m.mixed = make([]float64, 0, writes*out)
	}
	if m.first == nil && (m.mixed != nil || buffer != nil) {
		m.first = make([]float64, in*out)
	}
	if l.Norm != NoNorm {
		m.norms = m.effective().norms()
	}
	return m
}

// write adds a pair that counts from the next step on.
func (m *memory) write(key, value []float64, scale float64) {
	m.keys = append(m.keys, key...)
	n := len(m.values)
	m.values = append(m.values, value...)
	for d := n; d < len(m.values); d++ {
		m.values[d] *= scale
	}
}

// count is how many writes count by now.
func (m *memory) count() int { return len(m.age.c) }

func (m *memory) key(i int) []float64 { return m.keys[i*m.in : (i+1)*m.in] }

// effective is A itself; buffered is Δ, or what of it stands for −Δ.
func (m *memory) effective() sum {
	s := sum{
		in: m.in, out: m.out, first: m.first, scale: 1, weight: m.age.c,
		keys: m.keys, values: m.values, n: m.count(), scratch: m.weights,
	}
	if m.mixed != nil {
		s.values, s.weight = m.mixed, nil
	}
	if m.dimmed != nil {
		s.keys, s.weight = m.dimmed, nil
	}
	return s
}

// Writes whose β has become 0 are left out: from is the first that is in.
func (m *memory) buffered() (s sum, from int) {
	for from < m.count() && m.age.beta[from] == 0 {
		from++
	}
	s = sum{
		in: m.in, out: m.out, first: m.buffer, scale: -m.bufferBeta, weight: m.age.beta[from:],
		keys: m.keys[from*m.in:], values: m.values[from*m.out:], n: m.count() - from, scratch: m.weights,
	}
	if m.bufferBeta == 0 {
		s.first = nil
	}
	return s, from
}

// fresh is the next n writes alone.
func (m *memory) fresh(n int) sum {
	from := m.count()
	return sum{in: m.in, out: m.out, keys: m.keys[from*m.in:], values: m.values[from*m.out:], n: n, scratch: m.weights}
}

// apply attends with a key or query.
func (m *memory) apply(dst, x []float64) {
	m.effective().attend(dst, x)
	if m.gate != nil {
		for d, r := range m.gate {
			dst[d] *= r
		}
	}
	m.work += float64(m.count() * (m.in + m.out))
	if m.first != nil {
		m.work += float64(m.in * m.out)
	}
}

// transpose attends with a gradient:  d Aᵀ = d A_0ᵀ + Σ_i c_i ⟨d, v̂_i⟩ k̂_i.
func (m *memory) transpose(dst, d []float64) {
	if m.gate != nil {
		for j, r := range m.gate {
			m.scratch[j] = d[j] * r
		}
		d = m.scratch
	}
	m.effective().attendBack(dst, d)
	m.work += float64(m.count() * (m.in + m.out))
}

// decay is  A ← γ A.
func (m *memory) decay(keep float64) {
	if keep == 1 {
		return
	}
	scale(m.first, keep)
	scale(m.mixed, keep)
	m.age.fade(keep)
}

// dimRows is  A_h ← γ_h A_h, row by row: on A_0 and on every key.
func (m *memory) dimRows(channels []float64) {
	for i := range m.first {
		m.first[i] *= channels[i/m.out]
	}
	for i := range m.dimmed {
		m.dimmed[i] *= channels[i%m.in]
	}
}

// step lets the next n writes count: the age multipliers advance, and the rule
// acts on what it acts on. It returns the rank that Polar found.
func (m *memory) step(l *InnerLoop, n int, alpha, rate, clipped float64) (rank int) {
	if l.Clip {
		m.clip(n, clipped)
	}
	m.age.advance(alpha, rate, n)
	m.bufferBeta *= alpha
	m.dim(rate, n)
	switch {
	case m.mixed != nil:
		rank = m.mix(l.Muon, rate, n)
	case m.buffer != nil:
		vec.AddScaled(m.first, -rate*m.bufferBeta, m.buffer)
	}
	m.normalize(l)
	return rank
}

// hold lets the next n writes count under reader rates: they, and the writes
// of the chunk that count already, count by the reader's own rate.
func (m *memory) hold(rate float64, n, already int) {
	m.age.advance(0, rate, n)
	for i := m.count() - n - already; i < m.count(); i++ {
		m.age.c[i] = rate
	}
}

// dim is  c_i k̂_i ← c_i k̂_i + ρ β_i k̂_i, where the rows of A decay one by one.
// With mixed values c_i stands there, and the key has its decay alone.
func (m *memory) dim(rate float64, n int) {
	if m.dimmed == nil {
		return
	}
	old := m.count() - n
	m.dimmed = append(m.dimmed, make([]float64, n*m.in)...)
	for i, b := range m.age.beta {
		switch {
		case m.mixed == nil:
			vec.AddScaled(m.dimmed[i*m.in:(i+1)*m.in], rate*b, m.key(i))
		case i >= old:
			copy(m.dimmed[i*m.in:], m.key(i))
		}
	}
}

// mix is  c_i v̂_i ← c_i v̂_i + ρ u_i, where the u_i are the values of the buffer,
// Δ = Σ k̂_iᵀ β_i v̂_i, after Muon's mixing or as they are.
func (m *memory) mix(muon *Muon, rate float64, n int) (rank int) {
	m.mixed = append(m.mixed, make([]float64, n*m.out)...)
	s, from := m.buffered()
	s = s.unweighted()
	if muon != nil {
		rank = muon.mix(s)
	}
	if s.first != nil {
		vec.AddScaled(m.first, rate, s.first)
	}
	vec.AddScaled(m.mixed[from*m.out:], rate, s.values)
	return rank
}

// clip divides each column of the next n writes by its norm + 1, then multiplies
// it by the rate.
func (m *memory) clip(n int, rate float64) {
	norms := m.fresh(n).norms()
	from := m.count() * m.out
	for i := range m.values[from : from+n*m.out] {
		m.values[from+i] *= rate / (norms[i%m.out] + 1)
	}
}

// normalize gates the columns of A by R = n_0/(‖column‖ + eps): for good, or as
// they are read.
func (m *memory) normalize(l *InnerLoop) {
	if m.norms == nil {
		return
	}
	gates := m.effective().norms()
	for d, norm := range gates {
		gates[d] = m.norms[d] / (norm + l.normEps())
	}
	if l.Norm == PreNorm {
		m.gate = gates
		return
	}
	for i := range m.first {
		m.first[i] *= gates[i%m.out]
	}
	for i := range m.mixed {
		m.mixed[i] *= gates[i%m.out]
	}
}
