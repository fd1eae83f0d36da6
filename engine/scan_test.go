package engine

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

func TestScanIsAssociative(t *testing.T) {
	r := testRand(41)
	draw := func() element {
		return element{
			d: r.NormFloat64(), p: r.NormFloat64(), q: r.NormFloat64(),
			write: random(r, 4, 3, 1).RawMatrix(), run: random(r, 4, 3, 1).RawMatrix(),
		}
	}
	for range 50 {
		x, y, z := draw(), draw(), draw()
		left, right := x.then(y).then(z), x.then(y.then(z))
		for _, pair := range [][2]float64{{left.d, right.d}, {left.p, right.p}, {left.q, right.q}} {
			if !(math.Abs(pair[0]-pair[1]) <= 1e-13*math.Max(1, math.Abs(pair[0]))) {
				t.Fatalf("numbers differ: %v", pair)
			}
		}
		for _, pair := range [][2]*mat.Dense{
			{mat.NewDense(4, 3, left.write.Data), mat.NewDense(4, 3, right.write.Data)},
			{mat.NewDense(4, 3, left.run.Data), mat.NewDense(4, 3, right.run.Data)},
		} {
			within(t, "matrices", pair[0], pair[1], 1e-13)
		}
	}
}

// Words under concatenation do not commute: the scans must keep their order.
func TestScansCountTheirRounds(t *testing.T) {
	concat := func(x, y string) string { return x + y }
	for n := 1; n <= 33; n++ {
		var words, want []string
		for i := range n {
			words = append(words, string(rune('A'+i)))
			want = append(want, strings.Join(words, ""))
		}
		rounds := int(math.Ceil(math.Log2(float64(n))))
		got, r := hillisSteele(words, concat)
		if r != rounds || strings.Join(got, " ") != strings.Join(want, " ") {
			t.Errorf("Hillis-Steele of %d: %d rounds, want %d; %v", n, r, rounds, got)
		}
		got, r = blelloch(words, "", concat)
		if r != 2*rounds || strings.Join(got, " ") != strings.Join(want, " ") {
			t.Errorf("Blelloch of %d: %d rounds, want %d; %v", n, r, 2*rounds, got)
		}
	}
	tokens := randomTokens(5)
	n, _, _ := tokens.Dims()
	loop := &InnerLoop{Feature: Identity{Dim: testDk}, Loss: Dot{}, Rate: Constant(0.05), Alpha: varying(n)}
	for form, want := range map[Form]int{Masked: 0, Chunkwise: 0, HillisSteele: int(math.Ceil(math.Log2(float64(n)))), Blelloch: 2 * int(math.Ceil(math.Log2(float64(n))))} {
		run, err := Parallel(tokens, loop, form, 1)
		if err != nil || run.Rounds != want {
			t.Errorf("%s of %d tokens: %d rounds, want %d (%v)", form, n, run.Rounds, want, err)
		}
	}
}

// The same for the maps of the squared loss, and what they do to a state.
func TestAffineMapsCompose(t *testing.T) {
	r := testRand(42)
	const size, dv = 6, 3
	draw := func() affine { return affine{random(r, size, dv+size, 0.5).RawMatrix()} }
	for range 20 {
		x, y, z := draw(), draw(), draw()
		left, right := x.then(y).then(z), x.then(y.then(z))
		within(t, "grouping", mat.NewDense(size, dv+size, left.Data), mat.NewDense(size, dv+size, right.Data), 1e-13)
		s := state{w: random(r, size/2, dv, 1).RawMatrix(), delta: random(r, size/2, dv, 1).RawMatrix()}
		once, twice := x.then(y).apply(s), y.apply(x.apply(s))
		within(t, "W", mat.NewDense(size/2, dv, once.w.Data), mat.NewDense(size/2, dv, twice.w.Data), 1e-13)
		within(t, "Δ", mat.NewDense(size/2, dv, once.delta.Data), mat.NewDense(size/2, dv, twice.delta.Data), 1e-13)
	}
	identity := (&recurrence{dh: size, dv: dv}).unmoved()
	x := draw()
	within(t, "identity first", mat.NewDense(size, dv+size, identity.then(x).Data), mat.NewDense(size, dv+size, x.Data), 0)
	within(t, "identity last", mat.NewDense(size, dv+size, x.then(identity).Data), mat.NewDense(size, dv+size, x.Data), 0)
}

// The scans over losses × momentum × decay × orders in a chunk × starts, in
// chunks of several lengths: W_0, Δ_0, fades and all multipliers must be carried
// by the elements.
func TestScansAgreeOverMomentumDecayAndOrders(t *testing.T) {
	tokens, r := randomTokens(43), testRand(44)
	alphas := map[string]Schedule{"α=0": nil, "α varies": varying(testT)}
	decays := map[string]func(*InnerLoop){
		"no decay": func(*InnerLoop) {},
		"γ before": func(l *InnerLoop) { l.Gamma = Schedule(numbers(testRand(3), testT/4, 0.8, 1)).PerChunk(4, testT) },
		"γ after":  func(l *InnerLoop) { l.Gamma, l.DecayAfter = numbers(testRand(3), testT, 0.8, 1), true },
		"rate outside": func(l *InnerLoop) {
			l.Rate, l.RateOutside = Schedule(numbers(testRand(4), testT/4, 0.02, 0.1)).PerChunk(4, testT), true
		},
	}
	seen := 0
	for _, loss := range []Loss{Dot{}, Squared{}} {
		for alphaName, alpha := range alphas {
			for decayName, decay := range decays {
				for _, order := range []Order{UpdateThenApply, ApplyThenUpdate, TokenCausal} {
					for _, length := range []int{1, 4} {
						for _, start := range []bool{false, true} {
							l := &InnerLoop{Feature: Identity{testDk}, Loss: loss, Rate: Constant(0.05), Alpha: alpha, Order: order, Chunk: length}
							decay(l)
							if start {
								l.W0 = random(r, testDk, testDv, 0.4)
								l.Momentum0 = map[string]*mat.Dense{"w0": random(r, testDk, testDv, 0.2)}
							}
							if l.Check(tokens) != nil {
								continue
							}
							seen++
							want := Sequential(tokens, l)
							for _, form := range []Form{HillisSteele, Blelloch} {
								for _, chunk := range []int{1, 2, 7} {
									got, err := Parallel(tokens, l, form, chunk)
									if err != nil {
										t.Fatal(err)
									}
									what := fmt.Sprintf("%T, %s, %s, order %q, chunks of %d, start %v, %s by %d", loss, alphaName, decayName, order, length, start, form, chunk)
									within(t, what, got.Output, want.Output, 1e-12)
									within(t, what+": effective", got.Effective, want.Effective, 1e-12)
								}
							}
						}
					}
				}
			}
		}
	}
	if seen < 150 {
		t.Errorf("only %d rules were seen", seen)
	}
}

// Work of a scan is counted: the combinations of Hillis-Steele are the pairs of
// its rounds, each a product of maps.
func TestScansCountTheirWork(t *testing.T) {
	tokens := randomTokens(45)
	const chunk = 4 // 6 chunks, rounds of 5, 4 and 2 combinations
	work := func(form Form) float64 {
		run, err := Parallel(tokens, &InnerLoop{Feature: Identity{testDk}, Loss: Squared{}, Rate: Constant(0.05)}, form, chunk)
		if err != nil {
			t.Fatal(err)
		}
		return run.MultiplyAdds
	}
	one := float64(testDk * testDk * (testDk + testDv))
	// up 4+2+1 and down 1+2+4 over a tree of eight leaves, then six that add themselves
	if got := work(Blelloch) - work(HillisSteele); got != (20-11)*one {
		t.Errorf("the scans differ by %v combinations, want 9", got/one)
	}
}

// No form but the masked one keeps T² numbers; the maps of the scan are bounded.
func TestTheScanOfTheSquaredLossKeepsNoSquareOfItsLength(t *testing.T) {
	const n = 9000
	r := testRand(46)
	long := &Tokens{Q: random(r, n, 1, 0.5), K: random(r, n, 1, 0.5), V: random(r, n, 1, 1)}
	loop := &InnerLoop{Feature: Identity{Dim: 1}, Loss: Squared{}, Rate: Constant(0.1), Alpha: Constant(0.3)}
	want := Sequential(long, loop)
	for _, form := range []Form{HillisSteele, Blelloch} {
		run, err := Parallel(long, loop, form, 0)
		if err != nil {
			t.Fatal(err)
		}
		within(t, string(form), run.Output, want.Output, 1e-12)
	}
	wide := &Tokens{Q: random(r, 300, 500, 0.01), K: random(r, 300, 500, 0.01), V: random(r, 300, 1, 1)}
	_, err := Parallel(wide, &InnerLoop{Feature: Identity{Dim: 500}, Loss: Squared{}, Rate: Constant(0.1)}, Blelloch, 1)
	if err == nil || !strings.Contains(err.Error(), "use longer chunks or chunkwise") {
		t.Errorf("300 maps of 500×501 numbers: %v", err)
	}
}
