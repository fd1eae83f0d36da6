package engine

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"unrolled/engine/internal/vec"
)

// A view is the tokens as an inner loop sees them: which vector is read, which
// is compared with, and patches in place of pixels.
type view struct {
	k, v     *mat.Dense // what is written, row by row
	q        *mat.Dense // what φ is applied to when read
	residual *mat.Dense // what q+layernorm(z) adds to: the query before its scale
}

func newView(x *Tokens, l *InnerLoop) view {
	out := view{k: x.K, v: x.V, q: x.Q}
	if l.Target == TargetVMinusK {
		out.v = mat.DenseCopyOf(x.V)
		out.v.Sub(out.v, x.K)
	}
	switch l.Query {
	case QueryK:
		out.q = x.K
	case QueryMean:
		out.q = mat.DenseCopyOf(x.Q)
		out.q.Add(out.q, x.K)
		out.q.Scale(0.5, out.q)
	}
	out.residual = out.q
	if l.QueryScale != 0 && l.QueryScale != 1 {
		out.q = mat.DenseCopyOf(out.q)
		out.q.Scale(l.QueryScale, out.q)
	}
	if conv, ok := l.Feature.(Conv3x3); ok {
		out.k, out.q = conv.Patches(out.k), conv.Patches(out.q)
	}
	return out
}

// network returns φ as it meets a view's rows: patches are there already.
func (l *InnerLoop) network() Network {
	if conv, ok := l.Feature.(Conv3x3); ok {
		return asNetwork(Identity{Dim: conv.Out()})
	}
	return asNetwork(l.Feature)
}

// blocks returns how many blocks W has, and their shape: one of Dh×Dv, or one of
// 9×1 for every channel of a convolution.
func (l *InnerLoop) blocks(dv int) (n, rows, cols int) {
	if conv, ok := l.Feature.(Conv3x3); ok {
		return conv.Channels, 9, 1
	}
	return 1, l.Feature.Out(), dv
}

// finish writes the output o of z = q̂ W to dst. normal is q̂·(z_0 + Σ k̂).
func (l *InnerLoop) finish(dst, z, residual []float64, normal float64) {
	switch l.Readout {
	case ReadRaw:
		copy(dst, z)
	case ReadNormalizer:
		for d, x := range z {
			dst[d] = x / (normal + 1e-10)
		}
	case ReadZPlusNorm:
		l.LayerNorm.Apply(dst, z)
		vec.AddScaled(dst, 1, z)
	case ReadQPlusNorm:
		l.LayerNorm.Apply(dst, z)
		vec.AddScaled(dst, 1, residual)
	}
}

// divergenceLimit returns the output size at which a run has diverged: 10³
// times the largest value, or as far as Divergence allows.
func (l *InnerLoop) divergenceLimit(v *mat.Dense) float64 {
	times := l.Divergence
	if times == 0 {
		times = 1e3
	}
	rows, _ := v.Dims()
	limit := 0.0
	for t := range rows {
		limit = max(limit, times*vec.MaxAbs(v.RawRowView(t)))
	}
	if limit == 0 || math.IsInf(limit, 1) {
		return math.MaxFloat64 // no value to compare with
	}
	return limit
}
