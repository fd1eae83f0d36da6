package engine

import (
	"gonum.org/v1/gonum/mat"

	"unrolled/engine/internal/vec"
)

// Unrolled computes the same outputs as linear attention: it keeps every write
// as a pair (k̂_i, v̂_i) and never forms W. A prediction is what the key reads
// from the writes before it, an output what the query reads from all writes so
// far, the token's own included:
//
//	o_t = q̂_t W_0 + Σ_{i≤t} c_i^t (q̂_t·k̂_i) v̂_i      (Theorem 5.3)
//
// The loop is Sequential's; the algebra is not, and nothing is read from it.
func Unrolled(tokens *Tokens, loop *InnerLoop) *Trace {
	n, _, dv := tokens.Dims()
	steps := loop.steps()
	trace := newTrace(n, loop.Feature.Out(), dv, steps)
	memory := newWrites(trace, loop.W0)
	gradient, f := make([]float64, dv), make([]float64, dv)
	limit := divergenceLimit(tokens)
	for t := range n {
		v := tokens.V.RawRowView(t)
		for step := range steps {
			key, effective := memory.next()
			loop.Feature.Apply(key, tokens.K.RawRowView(t))
			memory.attend(f, key) // over the writes before this one
			if step == 0 {
				trace.Loss[t] = loop.Loss.Value(f, v)
			}
			loop.Loss.Gradient(gradient, f, v)
			vec.AddScaled(effective, -loop.Rate.At(t), gradient)
			memory.age.advance(loop.Alpha.At(t)) // and the write counts, once
		}
		query := trace.Queries.RawRowView(t)
		loop.Feature.Apply(query, tokens.Q.RawRowView(t))
		memory.attend(trace.Output.RawRowView(t), query)
		if !(vec.MaxAbs(trace.Output.RawRowView(t)) <= limit) {
			trace.stop(t)
			break
		}
	}
	trace.MultiplyAdds = memory.multiplyAdds
	return trace
}

// writes is everything that was written, with its age.
type writes struct {
	keys   *mat.Dense // k̂_i, the trace's own rows
	values *mat.Dense // v̂_i
	age    ages       // c_i, as many as there are writes
	w0     *mat.Dense

	weights []float64 // scratch, as many as there will be writes

	multiplyAdds float64
}

func newWrites(trace *Trace, w0 *mat.Dense) *writes {
	n, _ := trace.Keys.Dims()
	return &writes{
		keys: trace.Keys, values: trace.Effective, w0: w0,
		age:     ages{c: make([]float64, 0, n), beta: make([]float64, 0, n)},
		weights: make([]float64, n),
	}
}

// next returns the rows that the next write fills: k̂, and v̂, which is zero.
func (w *writes) next() (key, effective []float64) {
	i := len(w.age.c)
	return w.keys.RawRowView(i), w.values.RawRowView(i)
}

// attend writes  x W_0 + Σ_i c_i (x·k̂_i) v̂_i  to dst, over the writes that
// count by now.
func (w *writes) attend(dst, x []float64) {
	clear(dst)
	if w.w0 != nil {
		for h, a := range x {
			vec.AddScaled(dst, a, w.w0.RawRowView(h))
		}
		w.multiplyAdds += float64(len(x) * len(dst))
	}
	weights := w.weights[:len(w.age.c)] // c_i (x·k̂_i)
	vec.Dots(weights, w.keys.RawMatrix().Data, x)
	for i, c := range w.age.c {
		weights[i] *= c
	}
	vec.AddRead(dst, weights, w.values.RawMatrix().Data)
	w.multiplyAdds += float64(len(w.age.c) * (len(x) + len(dst)))
}
