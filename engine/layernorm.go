package engine

import (
	"math"

	"unrolled/engine/say"
)

// LayerNorm is y = Weight ∘ (z − mean)/√(variance + Eps) + Bias, with the biased
// variance.
type LayerNorm struct {
	Weight, Bias []float64 // Dv
	Eps          float64
}

// Apply writes y to dst.
func (n *LayerNorm) Apply(dst, z []float64) {
	mean, inverse := n.moments(z)
	for d, x := range z {
		dst[d] = n.Weight[d]*(x-mean)*inverse + n.Bias[d]
	}
}

// Backward takes dy = ∂ℓ/∂y to ∂ℓ/∂z, in place. With x̂ the normalised z and
// u = dy ∘ Weight:
//
//	∂ℓ/∂z = (u − mean(u) − x̂ mean(u ∘ x̂)) / √(variance + Eps)
func (n *LayerNorm) Backward(dy, z []float64) {
	mean, inverse := n.moments(z)
	meanU, meanUX := 0.0, 0.0
	for d, x := range z {
		u := dy[d] * n.Weight[d]
		meanU += u
		meanUX += u * (x - mean) * inverse
	}
	meanU /= float64(len(z))
	meanUX /= float64(len(z))
	for d, x := range z {
		dy[d] = (dy[d]*n.Weight[d] - meanU - (x-mean)*inverse*meanUX) * inverse
	}
}

// moments returns the mean of z and 1/√(variance + Eps).
func (n *LayerNorm) moments(z []float64) (mean, inverse float64) {
	for _, x := range z {
		mean += x
	}
	mean /= float64(len(z))
	variance := 0.0
	for _, x := range z {
		variance += (x - mean) * (x - mean)
	}
	variance /= float64(len(z))
	return mean, 1 / math.Sqrt(variance+n.Eps)
}

func (n *LayerNorm) check(dv int) error {
	if len(n.Weight) != dv || len(n.Bias) != dv {
		return say.Errorf("the layer norm has %d weights and %d biases for values of width %d", len(n.Weight), len(n.Bias), dv)
	}
	if !(n.Eps > 0 && n.Eps <= 1) {
		return say.Errorf("the layer norm's eps is %v; it must be above 0 and at most 1", n.Eps)
	}
	return finiteNumbers("the layer norm", append(append([]float64(nil), n.Weight...), n.Bias...))
}

// Normed is a loss of the layer norm of z: ℓ(LN(z), v), as in TTT-Linear. Its
// gradient goes through the norm.
type Normed struct {
	Loss Loss
	Norm *LayerNorm
}

// Value returns ℓ(LN(z), v).
func (l Normed) Value(z, v []float64) float64 {
	y := make([]float64, len(z))
	l.Norm.Apply(y, z)
	return l.Loss.Value(y, v)
}

// Gradient writes ∂ℓ/∂z to dst.
func (l Normed) Gradient(dst, z, v []float64) {
	y := make([]float64, len(z))
	l.Norm.Apply(y, z)
	l.Loss.Gradient(dst, y, v)
	l.Norm.Backward(dst, z)
}
