package engine

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// Every derivative against central differences of its function.
func TestActivationSlopesByFiniteDifferences(t *testing.T) {
	for _, a := range activations {
		for _, x := range []float64{-30, -3, -0.7, -1e-3, 0.2, 1, 2.5, 40} {
			const h = 1e-6
			slope := (a.value(x+h) - a.value(x-h)) / (2 * h)
			tol := 1e-8
			if a.Name == GELUTanhTTT.Name {
				tol = 1e-7 // its constants are cut after 8 digits
			}
			if got := a.slope(x, a.value(x)); !(math.Abs(got-slope) < tol) {
				t.Errorf("%s′(%v) is %v, by differences %v", a.Name, x, got, slope)
			}
		}
	}
}

// The layer norm's backward pass against central differences.
func TestLayerNormGradientByFiniteDifferences(t *testing.T) {
	r := testRand(8)
	n := &LayerNorm{Weight: numbers(r, 6, 0.5, 2), Bias: numbers(r, 6, -1, 1), Eps: 1e-6}
	loss := Normed{Squared{}, n}
	z, v, gradient := numbers(r, 6, -1, 1), numbers(r, 6, -1, 1), make([]float64, 6)
	loss.Gradient(gradient, z, v)
	for d, x := range z {
		const h = 1e-6
		z[d] = x + h
		above := loss.Value(z, v)
		z[d] = x - h
		below := loss.Value(z, v)
		z[d] = x
		if slope := (above - below) / (2 * h); !(math.Abs(slope-gradient[d]) < 1e-7) {
			t.Errorf("∂ℓ/∂z_%d is %v, by differences %v", d, gradient[d], slope)
		}
	}
}

// One step moves every parameter by −η times the derivative of the loss,
// measured by moving that parameter alone.
func TestEveryParameterStepsAlongItsFiniteDifference(t *testing.T) {
	const eta, h = 0.5, 1e-5
	x := ruleTokens(9, 1, 1)
	for name, feature := range ruleFeatures() {
		n, ok := feature.(Network)
		if !ok {
			continue
		}
		for _, loss := range []Loss{Squared{}, Dot{}} {
			l := &InnerLoop{Feature: feature, Loss: loss, Train: true, Rate: Constant(eta), W0: random(testRand(4), feature.Out(), ruleD, 0.5)}
			r := mustRun(t, x, l)
			check := func(parameter string, m, after *mat.Dense) {
				data := m.RawMatrix().Data
				_, cols := m.Dims()
				for i, value := range data {
					data[i] = value + h
					above := mustRun(t, x, l).Sequential.Loss[0]
					data[i] = value - h
					below := mustRun(t, x, l).Sequential.Loss[0]
					data[i] = value
					want := value - eta*(above-below)/(2*h)
					if got := after.At(i/cols, i%cols); !(math.Abs(got-want) < 1e-8) {
						t.Errorf("%s, %T: %s[%d] becomes %v, by differences %v", name, loss, parameter, i, got, want)
					}
				}
			}
			theta := n.Theta()
			for p, after := range r.Sequential.FinalTheta() {
				check(after.Name, theta[p].Value, after.Value)
			}
			check("W", l.W0, r.Sequential.FinalState())
		}
	}
}
