package engine

import (
	"math"

	"unrolled/engine/internal/vec"
)

// A weight is one matrix in training, as Sequential knows it: the numbers
// themselves, and the buffer.
type weight struct {
	rows, cols int
	rule       *InnerLoop
	rate       Schedule // of this matrix
	decays     bool     // γ applies to it

	input []float64 // where a pass leaves what it was applied to
	slope []float64 // where one leaves ∂ℓ/∂(its product); nil for a block of W,
	first int       // … whose outputs begin here

	w        []float64 // what is read
	delta    []float64 // Δ
	buffered bool      // Δ outlives a step: there is momentum
	sum      []float64 // pre-norm: what accumulates, w being its normalised twin; else w itself
	norms    []float64 // the column norms at first; nil without weight norm
	start    []float64 // reader rates: w at the chunk's start
	moment   []float64 // Adam: the mean of squares; Δ is the mean

	// The gradient of one step is Σ_n inputs_nᵀ slopes_n.
	inputs, slopes []float64
	count          int

	work []float64 // rows×cols, where a rule acts on the whole matrix
	rank int       // that Polar found last
}

// newWeight starts from the numbers first and from the buffer delta, nil for an
// empty one. It keeps both.
func newWeight(name string, first, delta []float64, rows, cols int, rule *InnerLoop) *weight {
	buffered := delta != nil || rule.anyAlpha()
	if delta == nil {
		delta = make([]float64, rows*cols)
	}
	w := &weight{
		rows: rows, cols: cols, rule: rule, rate: rule.thetaRate(name),
		w: first, sum: first, delta: delta, buffered: buffered,
	}
	if rule.Norm != NoNorm {
		w.norms = columnNorms(w.w, rows, cols)
		if rule.Norm == PreNorm {
			w.sum = append([]float64(nil), w.w...)
		}
	}
	if w.whole() {
		w.work = make([]float64, rows*cols)
	}
	if rule.Adam {
		w.moment = make([]float64, rows*cols)
	}
	if rule.Reader != nil {
		w.start = make([]float64, rows*cols)
	}
	return w
}

// whole reports whether a rule looks at all of the gradient or of the weight at
// once; without one, each row can step on its own.
func (w *weight) whole() bool {
	return w.rule.Clip || w.rule.Muon != nil || w.rule.Norm != NoNorm || w.rule.Adam
}

func (w *weight) apply(dst, x []float64)     { read(dst, x, w.w) }
func (w *weight) transpose(dst, d []float64) { dots(dst, w.w, d) }

// push adds  inputᵀ (scale·slope)  to the gradient of the step.
func (w *weight) push(input, slope []float64, scale float64) {
	n := w.count
	w.count++
	w.inputs = append(w.inputs[:n*w.rows], input...)
	w.slopes = append(w.slopes[:n*w.cols], slope...)
	for d := n * w.cols; d < (n+1)*w.cols; d++ {
		w.slopes[d] *= scale
	}
}

// A stride is the numbers of one inner step.
type stride struct {
	alpha    float64   // α
	rate     float64   // ρ, what multiplies the direction
	clipped  float64   // η of a clipped gradient
	keep     float64   // γ after the gradient; 1 for none
	channels []float64 // γ of each row, in place of keep; nil for none
	time     float64   // steps so far, this one included (Adam)
}

// step takes the writes from ≤ n < to off the weight.
func (w *weight) step(s stride, from, to int) {
	if from+1 == to && w.plain(s) { // the rule of one write, row by row at once
		input, slope := w.inputs[from*w.rows:to*w.rows], w.slopes[from*w.cols:to*w.cols]
		if w.buffered {
			descend(w.w, w.delta, s.alpha, input, slope)
			return
		}
		write(w.w, -1, input, slope)
		return
	}
	if !w.whole() {
		for h := range w.rows {
			w.gather(w.row(w.delta, h), h, s.alpha, from, to)
			w.descend(h, w.row(w.delta, h), s)
		}
		return
	}
	w.direct(s, from, to)
	for h := range w.rows {
		w.descend(h, w.row(w.work, h), s)
	}
	w.normalize()
}

// plain reports whether a step is  Δ ← α Δ + G,  W ← W − Δ  and nothing else.
func (w *weight) plain(s stride) bool {
	return s.rate == 1 && s.keep == 1 && s.channels == nil && w.start == nil && !w.whole()
}

func (w *weight) row(m []float64, h int) []float64 { return m[h*w.cols : (h+1)*w.cols] }

// gather is  Δ_h ← α Δ_h + Σ_n inputs_n[h] slopes_n  for row h.
func (w *weight) gather(delta []float64, h int, alpha float64, from, to int) {
	if alpha == 0 {
		clear(delta)
	} else {
		scale(delta, alpha)
	}
	for n := from; n < to; n++ {
		vec.AddScaled(delta, w.inputs[n*w.rows+h], w.slopes[n*w.cols:(n+1)*w.cols])
	}
}

// descend is  W_h ← γ W_h − ρ U_h  for row h.
func (w *weight) descend(h int, direction []float64, s stride) {
	row := w.row(w.sum, h)
	if w.start != nil { // W = W_chunk − ρ Δ
		copy(row, w.row(w.start, h))
	}
	w.fade(row, h, s.keep, s.channels)
	vec.AddScaled(row, -s.rate, direction)
}

// fade is  W_h ← γ W_h.
func (w *weight) fade(row []float64, h int, keep float64, channels []float64) {
	if !w.decays {
		return
	}
	if channels != nil {
		keep = channels[h]
	}
	if keep != 1 {
		scale(row, keep)
	}
}

// decay is  W ← γ W, before a gradient is taken.
func (w *weight) decay(keep float64, channels []float64) {
	if !w.decays {
		return
	}
	for h := range w.rows {
		w.fade(w.row(w.sum, h), h, keep, channels)
	}
	if w.rule.Norm == PreNorm { // the normalised twin follows
		w.normalize()
	}
}

// direct forms the direction in work: clip, buffer, then Muon or Adam.
func (w *weight) direct(s stride, from, to int) {
	if w.rule.Clip || w.rule.Adam {
		for h := range w.rows {
			w.gather(w.row(w.work, h), h, 0, from, to)
		}
	}
	switch {
	case w.rule.Adam:
		w.adam(s.time)
		return
	case w.rule.Clip:
		norms := columnNorms(w.work, w.rows, w.cols)
		for i, g := range w.work {
			w.delta[i] = s.alpha*w.delta[i] + s.clipped*g/(norms[i%w.cols]+1)
		}
	default:
		for h := range w.rows {
			w.gather(w.row(w.delta, h), h, s.alpha, from, to)
		}
	}
	if w.rule.Muon != nil {
		w.rank = w.rule.Muon.Orthogonalize(w.work, w.delta, w.rows, w.cols)
		return
	}
	copy(w.work, w.delta)
}

// adam turns the gradient in work into Adam's direction (β_1 = 0.9,
// β_2 = 0.999, eps = 1e-8, as torch): every number is divided by its own root
// mean square, so a rank-one gradient becomes an update of full rank.
func (w *weight) adam(time float64) {
	const beta1, beta2, eps = 0.9, 0.999, 1e-8
	for i, g := range w.work {
		w.delta[i] = beta1*w.delta[i] + (1-beta1)*g
		w.moment[i] = beta2*w.moment[i] + (1-beta2)*g*g
		mean := w.delta[i] / (1 - math.Pow(beta1, time))
		square := w.moment[i] / (1 - math.Pow(beta2, time))
		w.work[i] = mean / (math.Sqrt(square) + eps)
	}
}

// normalize puts every column back to its first norm.
func (w *weight) normalize() {
	if w.norms == nil {
		return
	}
	norms := columnNorms(w.sum, w.rows, w.cols)
	for i, x := range w.sum {
		w.w[i] = x / (norms[i%w.cols] + w.rule.normEps()) * w.norms[i%w.cols]
	}
}

// open begins a chunk for reader rates: Δ is empty, W stands.
func (w *weight) open() {
	copy(w.start, w.sum)
	clear(w.delta)
}

// columnNorms returns ‖column‖ of each column.
func columnNorms(m []float64, rows, cols int) []float64 {
	norms := make([]float64, cols)
	for r := range rows {
		for d, x := range m[r*cols : (r+1)*cols] {
			norms[d] += x * x
		}
	}
	for d, square := range norms {
		norms[d] = math.Sqrt(square)
	}
	return norms
}

func scale(x []float64, a float64) {
	for i := range x {
		x[i] *= a
	}
}
