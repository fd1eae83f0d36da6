package engine

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// These tests share no code with the engine: the expected values come from
// gonum's products and solvers, from finite differences or from paper and
// pencil. What both ways share, their agreement cannot test; this can.

// product returns a·b.
func product(a, b mat.Matrix) *mat.Dense {
	var out mat.Dense
	out.Mul(a, b)
	return &out
}

// phiOf is φ by gonum: tanh(x P), or x itself where p is nil.
func phiOf(x, p *mat.Dense) *mat.Dense {
	if p == nil {
		return mat.DenseCopyOf(x)
	}
	out := product(x, p)
	out.Apply(func(_, _ int, a float64) float64 { return math.Tanh(a) }, out)
	return out
}

func featureOf(p *mat.Dense) Feature {
	if p == nil {
		return Identity{Dim: testDk}
	}
	return TanhProjection{P: p}
}

// masked returns (a bᵀ) ∘ mask.
func masked(a, b *mat.Dense, mask func(t, i int) float64) *mat.Dense {
	out := product(a, b.T())
	out.Apply(func(t, i int, x float64) float64 { return x * mask(t, i) }, out)
	return out
}

// at is the schedule's value at token t, written again.
func at(s Schedule, t int) float64 {
	if len(s) > 1 {
		return s[t]
	}
	return append(s, 0)[0]
}

// ageByDefinition is Σ_{j=i..t} Π_{s=i+1..j} α_s, term by term; 0 for i > t.
func ageByDefinition(alpha Schedule, t, i int) float64 {
	sum := 0.0
	for j := i; j <= t; j++ {
		beta := 1.0
		for s := i + 1; s <= j; s++ {
			beta *= at(alpha, s)
		}
		sum += beta
	}
	return sum
}

func tril(t, i int) float64 {
	if i <= t {
		return 1
	}
	return 0
}

// The textbook: dot loss, identity, W_0 = 0 and η = 1 is tril(QKᵀ)V.
func TestDotLossIsCausalLinearAttention(t *testing.T) {
	x := randomTokens(1)
	want := product(masked(x.Q, x.K, tril), x.V)
	r := mustRun(t, x, &InnerLoop{Feature: Identity{Dim: testDk}, Loss: Dot{}, Rate: Constant(1)})
	within(t, "sequential", r.Sequential.Output, want, tolerance)
	within(t, "unrolled", r.Unrolled.Output, want, tolerance)
}

// o = Φ(Q) W_0 + (Φ(Q)Φ(K)ᵀ ∘ C)(η V) for the dot loss, C_ti = c_i^t.
func TestDotLossWithFeatureMomentumAndStart(t *testing.T) {
	x, p, w0 := randomTokens(2), random(testRand(3), testDk, testDh, 1), random(testRand(4), testDh, testDv, 0.3)
	const eta = 0.07
	for name, alpha := range schedules(testT) {
		mask := func(t, i int) float64 { return eta * ageByDefinition(alpha, t, i) }
		q, k := phiOf(x.Q, p), phiOf(x.K, p)
		want := product(masked(q, k, mask), x.V)
		want.Add(want, product(q, w0))
		r := mustRun(t, x, &InnerLoop{Feature: TanhProjection{P: p}, Loss: Dot{}, Rate: Constant(eta), Alpha: alpha, W0: w0})
		within(t, name+" sequential", r.Sequential.Output, want, tolerance)
		within(t, name+" unrolled", r.Unrolled.Output, want, tolerance)
	}
}

// The squared loss by a triangular solve (WY/UT form, with momentum):
//
//	U = (I + η tril(C_{t−1,i} ∘ ΦΦᵀ, −1))⁻¹ η (V − Φ W_0)
//	o = Φ(Q) W_0 + (Φ(Q)Φ(K)ᵀ ∘ C) U
//
// With α = 0 and the identity this is DeltaNet.
func TestSquaredLossByTriangularSolve(t *testing.T) {
	const eta = 0.05
	x := randomTokens(3)
	for _, p := range []*mat.Dense{nil, random(testRand(3), testDk, testDh, 1)} {
		w0 := random(testRand(4), featureOf(p).Out(), testDv, 0.3)
		q, k := phiOf(x.Q, p), phiOf(x.K, p)
		for name, alpha := range schedules(testT) {
			system := masked(k, k, func(t, i int) float64 {
				if i < t {
					return eta * ageByDefinition(alpha, t-1, i)
				}
				return 0
			})
			for i := range testT {
				system.Set(i, i, 1)
			}
			right := product(k, w0)
			right.Sub(x.V, right)
			right.Scale(eta, right)
			var u mat.Dense
			if err := u.Solve(system, right); err != nil {
				t.Fatal(err)
			}
			want := product(masked(q, k, func(t, i int) float64 { return ageByDefinition(alpha, t, i) }), &u)
			want.Add(want, product(q, w0))

			r := mustRun(t, x, &InnerLoop{Feature: featureOf(p), Loss: Squared{}, Rate: Constant(eta), Alpha: alpha, W0: w0})
			name := fmt.Sprintf("%s, projection %v: ", name, p != nil)
			within(t, name+"effective values", r.Sequential.Effective, &u, tolerance)
			within(t, name+"sequential", r.Sequential.Output, want, tolerance)
			within(t, name+"unrolled", r.Unrolled.Output, want, tolerance)
		}
	}
}

// Two tokens by paper and pencil: squared loss, identity, η = ½, α = ½, W_0 = 0.
//
//	token 0: f = 0,   ∂ℓ/∂f = −2,   Δ = (−1, 0),         W = (1, 0)
//	token 1: f = 0.6, ∂ℓ/∂f = −0.4, Δ = (−0.62, −0.16),  W = (1.62, 0.16)
func TestTwoTokensByHand(t *testing.T) {
	x := &Tokens{
		K: mat.NewDense(2, 2, []float64{1, 0, 0.6, 0.8}),
		Q: mat.NewDense(2, 2, []float64{1, 1, 1, 1}),
		V: mat.NewDense(2, 1, []float64{2, 1}),
	}
	r := mustRun(t, x, &InnerLoop{Feature: Identity{Dim: 2}, Loss: Squared{}, Rate: Constant(0.5), Alpha: Constant(0.5)})
	for name, trace := range map[string]*Trace{"sequential": r.Sequential, "unrolled": r.Unrolled} {
		within(t, name+" output", trace.Output, mat.NewDense(2, 1, []float64{1, 1.78}), 1e-15)
		within(t, name+" effective", trace.Effective, mat.NewDense(2, 1, []float64{1, 0.2}), 1e-15)
		within(t, name+" loss", mat.NewVecDense(2, trace.Loss), mat.NewVecDense(2, []float64{2, 0.08}), 1e-15)
		within(t, name+" attention", mat.NewDense(1, 2, trace.Attention(nil, 1)), mat.NewDense(1, 2, []float64{1, 1.4}), 1e-15)
	}
	within(t, "state", r.Sequential.State(1), mat.NewDense(2, 1, []float64{1.62, 0.16}), 1e-15)
}

// Every loss's gradient against central differences of its value, both written
// again here.
func TestLossGradientsByFiniteDifferences(t *testing.T) {
	byHand := map[string]func(f, v []float64) float64{
		"squared": func(f, v []float64) float64 {
			sum := 0.0
			for d := range f {
				sum += 0.5 * (f[d] - v[d]) * (f[d] - v[d])
			}
			return sum
		},
		"dot": func(f, v []float64) float64 {
			sum := 0.0
			for d := range f {
				sum -= f[d] * v[d]
			}
			return sum
		},
	}
	r := testRand(1)
	for _, row := range losses {
		value, ok := byHand[row.name]
		if !ok {
			t.Errorf("loss %q has no value written by hand; add one here", row.name)
			continue
		}
		f, v, gradient := make([]float64, 5), make([]float64, 5), make([]float64, 5)
		for d := range f {
			f[d], v[d] = r.NormFloat64(), r.NormFloat64()
		}
		if got, want := row.loss.Value(f, v), value(f, v); !(math.Abs(got-want) < 1e-14) {
			t.Errorf("%s: value %v, by hand %v", row.name, got, want)
		}
		row.loss.Gradient(gradient, f, v)
		for d, x := range f {
			const h = 1e-5
			f[d] = x + h
			above := value(f, v)
			f[d] = x - h
			below := value(f, v)
			f[d] = x
			if slope := (above - below) / (2 * h); !(math.Abs(slope-gradient[d]) < 1e-8) {
				t.Errorf("%s: ∂ℓ/∂f_%d is %v, by differences %v", row.name, d, gradient[d], slope)
			}
		}
	}
}

// One step moves W by −η ∂ℓ/∂W, the derivative taken by central differences of
// ℓ(φ(k) W, v) over every element of W.
func TestOneStepIsGradientDescentOnW(t *testing.T) {
	const eta, h = 0.3, 1e-5
	x, p := randomTokens(4), random(testRand(3), testDk, testDh, 1)
	one := &Tokens{Q: x.Q.Slice(0, 1, 0, testDk).(*mat.Dense), K: x.K.Slice(0, 1, 0, testDk).(*mat.Dense), V: x.V.Slice(0, 1, 0, testDv).(*mat.Dense)}
	for _, loss := range []Loss{Squared{}, Dot{}} {
		w0 := random(testRand(4), testDh, testDv, 0.3)
		r := mustRun(t, one, &InnerLoop{Feature: TanhProjection{P: p}, Loss: loss, Rate: Constant(eta), W0: w0})
		inner := func(w *mat.Dense) float64 {
			f, sum := product(phiOf(one.K, p), w), 0.0
			for d := range testDv {
				if _, squared := loss.(Squared); squared {
					sum += 0.5 * (f.At(0, d) - one.V.At(0, d)) * (f.At(0, d) - one.V.At(0, d))
				} else {
					sum -= f.At(0, d) * one.V.At(0, d)
				}
			}
			return sum
		}
		want := mat.DenseCopyOf(w0)
		for i := range testDh {
			for j := range testDv {
				above, below := mat.DenseCopyOf(w0), mat.DenseCopyOf(w0)
				above.Set(i, j, w0.At(i, j)+h)
				below.Set(i, j, w0.At(i, j)-h)
				want.Set(i, j, w0.At(i, j)-eta*(inner(above)-inner(below))/(2*h))
			}
		}
		within(t, fmt.Sprintf("%T", loss), r.Sequential.State(0), want, 1e-8)
	}
}
