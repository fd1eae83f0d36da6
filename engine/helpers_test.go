package engine

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// Test sizes: those of the paper-sized toy that the tolerances were measured
// on (T=24, Dk=6, Dh=9, Dv=5).
const (
	testT, testDk, testDh, testDv = 24, 6, 9, 5
)

func testRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 99)) }

// random draws a matrix of its own, sharing nothing with the tasks.
func random(r *rand.Rand, rows, cols int, scale float64) *mat.Dense {
	data := make([]float64, rows*cols)
	for i := range data {
		data[i] = scale * r.NormFloat64()
	}
	return mat.NewDense(rows, cols, data)
}

func randomTokens(seed uint64) *Tokens {
	r := testRand(seed)
	return &Tokens{Q: random(r, testT, testDk, 0.5), K: random(r, testT, testDk, 0.5), V: random(r, testT, testDv, 1)}
}

// varying is α_t in [0.2, 1.1], above 1 included.
func varying(n int) Schedule {
	r := testRand(7)
	alpha := make(Schedule, n)
	for t := range alpha {
		alpha[t] = 0.2 + 0.9*r.Float64()
	}
	return alpha
}

func maxDifference(t *testing.T, a, b mat.Matrix) float64 {
	t.Helper()
	rows, cols := a.Dims()
	if r, c := b.Dims(); r != rows || c != cols {
		t.Fatalf("shapes differ: %d×%d and %d×%d", rows, cols, r, c)
	}
	gap := 0.0
	for i := range rows {
		for j := range cols {
			gap = math.Max(gap, math.Abs(a.At(i, j)-b.At(i, j)))
		}
	}
	return gap
}

func largest(m mat.Matrix) float64 { return math.Max(mat.Max(m), -mat.Min(m)) }

// within fails unless |a − b| ≤ tol·max(1, |b|) everywhere; NaN fails.
func within(t *testing.T, what string, a, b mat.Matrix, tol float64) {
	t.Helper()
	if gap := maxDifference(t, a, b); !(gap <= tol*math.Max(1, largest(b))) {
		t.Errorf("%s: off by %.3g, more than %.0e of max(1, %.3g)", what, gap, tol, largest(b))
	}
}

func mustRun(t testing.TB, tokens *Tokens, loop *InnerLoop) *Result {
	t.Helper()
	r, err := RunTokens(tokens, loop)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// A testCase is an inner loop with a name.
type testCase struct {
	name string
	loop *InnerLoop
}

// allRules is the product of what an inner loop can be.
func allRules() []testCase {
	r := testRand(3)
	p := random(r, testDk, testDh, 1)
	var cases []testCase
	for _, feature := range []Feature{Identity{Dim: testDk}, TanhProjection{P: p}} {
		w0 := random(testRand(5), feature.Out(), testDv, 0.3)
		for _, loss := range []Loss{Squared{}, Dot{}} {
			for _, steps := range []int{1, 3} {
				for _, start := range []*mat.Dense{nil, w0} {
					for alphaName, alpha := range schedules(testT) {
						for rateName, rate := range rates(testT) {
							cases = append(cases, testCase{
								fmt.Sprintf("%T/%T/K=%d/W0=%v/%s/%s", feature, loss, steps, start != nil, alphaName, rateName),
								&InnerLoop{Feature: feature, Loss: loss, Rate: rate, Alpha: alpha, Steps: steps, W0: start},
							})
						}
					}
				}
			}
		}
	}
	return cases
}

func schedules(n int) map[string]Schedule {
	return map[string]Schedule{"α=0": nil, "α=0.9": Constant(0.9), "α varies": varying(n)}
}

// rates: descent, ascent, and one rate a token.
func rates(n int) map[string]Schedule {
	r := testRand(11)
	each := make(Schedule, n)
	for t := range each {
		each[t] = 0.02 + 0.04*r.Float64()
	}
	return map[string]Schedule{"η=0.05": Constant(0.05), "η=-0.01": Constant(-0.01), "η varies": each}
}
