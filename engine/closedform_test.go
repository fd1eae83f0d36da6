package engine

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// K inner steps with Θ frozen and α = 0: the dot loss is one step at Kη, the
// squared loss one step at η_K = (1 − (1−ηn)^K)/n with n = ‖φ(k)‖².
func TestInnerStepsAreOneStepAtAnotherRate(t *testing.T) {
	const eta = 0.05
	x, p := randomTokens(5), random(testRand(3), testDk, testDh, 1)
	w0 := random(testRand(4), testDh, testDv, 0.3)
	k := phiOf(x.K, p)
	for _, steps := range []int{1, 2, 5, 16} {
		dot, squared := make(Schedule, testT), make(Schedule, testT)
		for i := range testT {
			n := math.Pow(mat.Norm(k.RowView(i), 2), 2)
			dot[i] = eta * float64(steps)
			squared[i] = (1 - math.Pow(1-eta*n, float64(steps))) / n
		}
		for _, c := range []struct {
			loss Loss
			rate Schedule
		}{{Dot{}, dot}, {Squared{}, squared}} {
			many := mustRun(t, x, &InnerLoop{Feature: TanhProjection{P: p}, Loss: c.loss, Rate: Constant(eta), Steps: steps, W0: w0})
			one := mustRun(t, x, &InnerLoop{Feature: TanhProjection{P: p}, Loss: c.loss, Rate: c.rate, W0: w0})
			within(t, fmt.Sprintf("%T, K=%d", c.loss, steps), many.Unrolled.Output, one.Sequential.Output, tolerance)
		}
	}
}

// With momentum the equality of the test above must fail: it has conditions.
func TestInnerStepsWithMomentumAreNotOneStep(t *testing.T) {
	const eta = 0.05
	x := randomTokens(5)
	many := mustRun(t, x, &InnerLoop{Feature: Identity{Dim: testDk}, Loss: Dot{}, Rate: Constant(eta), Alpha: Constant(0.5), Steps: 4})
	one := mustRun(t, x, &InnerLoop{Feature: Identity{Dim: testDk}, Loss: Dot{}, Rate: Constant(4 * eta), Alpha: Constant(0.5)})
	if gap := maxDifference(t, many.Sequential.Output, one.Sequential.Output); !(gap > 0.01) {
		t.Errorf("K steps with momentum equal one step at Kη to %g", gap)
	}
}

// flipped returns −m.
func flipped(m *mat.Dense) *mat.Dense {
	var out mat.Dense
	out.Scale(-1, m)
	return &out
}

// Ascent on the dot loss, which is odd in f and in v: exact mirrors, error 0.0.
func TestAscentMirrorsOfTheDotLoss(t *testing.T) {
	x, p := randomTokens(6), random(testRand(3), testDk, testDh, 1)
	w0 := random(testRand(4), testDh, testDv, 0.3)
	run := func(rate float64, w0, v *mat.Dense, loss Loss) *Result {
		return mustRun(t, &Tokens{Q: x.Q, K: x.K, V: v}, &InnerLoop{
			Feature: TanhProjection{P: p}, Loss: loss, Rate: Constant(rate), Alpha: varying(testT), W0: w0,
		})
	}
	for _, way := range []func(*Result) *mat.Dense{
		func(r *Result) *mat.Dense { return r.Sequential.Output },
		func(r *Result) *mat.Dense { return r.Unrolled.Output },
	} {
		descent := way(run(0.05, w0, x.V, Dot{}))
		for _, c := range []struct {
			name    string
			a, b    *mat.Dense
			mirrors bool
		}{
			{"asc(W_0, −V) = desc(W_0, V)", way(run(-0.05, w0, flipped(x.V), Dot{})), descent, true},
			{"asc(−W_0, V) = −desc(W_0, V)", way(run(-0.05, flipped(w0), x.V, Dot{})), flipped(descent), true},
			{"asc(0, V) = −desc(0, V)", way(run(-0.05, nil, x.V, Dot{})), flipped(way(run(0.05, nil, x.V, Dot{}))), true},
			{"asc(W_0, V) = −desc(W_0, V)", way(run(-0.05, w0, x.V, Dot{})), flipped(descent), false},
			{"squared: asc(0, V) = −desc(0, V)", way(run(-0.02, nil, x.V, Squared{})), flipped(way(run(0.02, nil, x.V, Squared{}))), false},
			{"squared: desc(−W_0, −V) = −desc(W_0, V)", way(run(0.05, flipped(w0), flipped(x.V), Squared{})), flipped(way(run(0.05, w0, x.V, Squared{}))), true},
		} {
			gap := maxDifference(t, c.a, c.b)
			if c.mirrors && gap != 0 {
				t.Errorf("%s: off by %g, not exactly 0", c.name, gap)
			}
			if !c.mirrors && !(gap > 0.01) {
				t.Errorf("%s should not hold; the gap is %g", c.name, gap)
			}
		}
	}
}

// Gauge freedom of the dot loss with the identity: Q → QM, K → KM⁻ᵀ,
// W_0 → M⁻¹W_0 leaves every output as it is.
func TestGaugeFreedomOfTheDotLoss(t *testing.T) {
	x, w0 := randomTokens(7), random(testRand(4), testDk, testDv, 0.3)
	m := random(testRand(8), testDk, testDk, 0.3)
	for d := range testDk {
		m.Set(d, d, m.At(d, d)+1.5) // well conditioned
	}
	var inverse mat.Dense
	if err := inverse.Inverse(m); err != nil {
		t.Fatal(err)
	}
	loop := InnerLoop{Feature: Identity{Dim: testDk}, Loss: Dot{}, Rate: Constant(0.05), Alpha: Constant(0.9), W0: w0}
	plain := mustRun(t, x, &loop)
	loop.W0 = product(&inverse, w0)
	turned := mustRun(t, &Tokens{Q: product(x.Q, m), K: product(x.K, inverse.T()), V: x.V}, &loop)
	within(t, "outputs", turned.Unrolled.Output, plain.Sequential.Output, 1e-11) // the inverse costs a digit
	if gap := math.Abs(turned.Unrolled.Attention(nil, 3)[1] - plain.Unrolled.Attention(nil, 3)[1]); !(gap < 1e-12) {
		t.Errorf("q·k changed by %g", gap)
	}
}

// With orthonormal keys the delta rule is linear attention.
func TestOrthonormalKeysMakeDeltaRuleLinearAttention(t *testing.T) {
	eye := mat.NewDense(testDk, testDk, nil)
	for d := range testDk {
		eye.Set(d, d, 1)
	}
	x := &Tokens{Q: random(testRand(1), testDk, testDk, 1), K: eye, V: random(testRand(2), testDk, testDv, 1)}
	loop := InnerLoop{Feature: Identity{Dim: testDk}, Rate: Constant(0.5)}
	loop.Loss = Squared{}
	delta := mustRun(t, x, &loop)
	loop.Loss = Dot{}
	linear := mustRun(t, x, &loop)
	within(t, "outputs", delta.Unrolled.Output, linear.Sequential.Output, 1e-15)
}

// Variants with a wrong index, each of which must be seen where it is visible
// and must agree where it is not.
func TestWrongIndicesAreVisibleWhereTheyShould(t *testing.T) {
	x, p := randomTokens(8), random(testRand(3), testDk, testDh, 1)
	momentum, everywhere, no := []string{"α=0.9", "α varies"}, []string{"α=0", "α=0.9", "α varies"}, []string(nil)
	variants := []struct {
		name    string
		weight  func(alpha Schedule, t, i int) float64
		visible []string
	}{
		{"the definition", ageByDefinition, no},
		{"β with a shifted index", func(alpha Schedule, t, i int) float64 {
			sum := 0.0
			for j := i; j <= t; j++ {
				beta := 1.0
				for s := i; s < j; s++ {
					beta *= at(alpha, s)
				}
				sum += beta
			}
			return sum
		}, []string{"α varies"}},
		{"the last multiplier at every reading", func(alpha Schedule, t, i int) float64 {
			return tril(t, i) * ageByDefinition(alpha, testT-1, i)
		}, momentum},
		{"no multiplier", func(_ Schedule, t, i int) float64 { return tril(t, i) }, momentum},
		{"A in place of M·A", func(alpha Schedule, t, i int) float64 {
			return ageByDefinition(alpha, t, i) - ageByDefinition(alpha, t-1, i)
		}, everywhere},
		{"a strict mask", func(alpha Schedule, t, i int) float64 {
			if i == t {
				return 0
			}
			return ageByDefinition(alpha, t, i)
		}, everywhere},
	}
	q, k := phiOf(x.Q, p), phiOf(x.K, p)
	for alphaName, alpha := range schedules(testT) {
		for _, loss := range []Loss{Squared{}, Dot{}} {
			r := mustRun(t, x, &InnerLoop{Feature: TanhProjection{P: p}, Loss: loss, Rate: Constant(0.05), Alpha: alpha})
			for _, v := range variants {
				out := product(masked(q, k, func(t, i int) float64 { return v.weight(alpha, t, i) }), r.Sequential.Effective)
				gap := maxDifference(t, out, r.Sequential.Output)
				visible := slices.Contains(v.visible, alphaName)
				if visible && !(gap > 0.05) {
					t.Errorf("%s, %T: %s should be seen; the gap is %g", alphaName, loss, v.name, gap)
				}
				if !visible && !(gap < 1e-12) {
					t.Errorf("%s, %T: %s should make no difference; the gap is %g", alphaName, loss, v.name, gap)
				}
			}
		}
	}
}
