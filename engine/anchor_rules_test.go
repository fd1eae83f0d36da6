package engine

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// Anchors of the rules: textbook formulas by gonum, which share nothing with
// either way.

// several writes a token, and the convolution, against the oracle: they do not
// fit the product of rules.
func TestSeveralWritesATokenAreTheOracle(t *testing.T) {
	const writes = 3
	x := ruleTokens(2, ruleT, writes)
	r := testRand(6)
	for _, f := range []Feature{Identity{ruleD}, mlpOf(r, Tanh, 2, true)} {
		_, train := f.(Network)
		for _, loss := range []Loss{Dot{}, Squared{}} {
			l := &InnerLoop{
				Feature: f, Loss: loss, Train: train, Writes: writes, Rate: numbers(r, ruleT*writes, 0.02, 0.1),
				Alpha: numbers(r, ruleT, 0.1, 0.9), Gamma: numbers(r, ruleT, 0.8, 1), W0: random(r, f.Out(), ruleD, 0.4),
			}
			run := mustRun(t, x, l)
			want, _ := oracleRun(x, l)
			within(t, "sequential", run.Sequential.Output, want, tolerance)
			within(t, "unrolled", run.Unrolled.Output, want, tolerance)
		}
	}
}

func convCase(clip bool) (*Tokens, *InnerLoop) {
	const height, width, channels = 3, 4, 2
	r := testRand(12)
	x := &Tokens{Q: random(r, height*width, channels, 1), K: random(r, height*width, channels, 1), V: random(r, height*width, channels, 1)}
	l := ViTTTConv(height, width, random(r, channels, 9, 0.4))
	l.Clip = clip
	return x, l
}

func TestConvolutionIsTheOracle(t *testing.T) {
	for _, change := range []func(*InnerLoop){
		func(*InnerLoop) {},
		func(l *InnerLoop) { l.Clip = false },
		func(l *InnerLoop) {
			l.Loss, l.Chunk, l.Alpha, l.Rate, l.Clip = Squared{}, 5, Constant(0.8), Constant(0.1), false
		},
		func(l *InnerLoop) {
			l.Loss, l.Steps, l.Clip, l.MeanThird, l.Rate = Squared{}, 2, false, false, Constant(0.01)
		},
	} {
		x, l := convCase(true)
		change(l)
		run := mustRun(t, x, l)
		want, params := oracleRun(x, l)
		within(t, "sequential", run.Sequential.Output, want, tolerance)
		within(t, "unrolled", run.Unrolled.Output, want, tolerance)
		within(t, "kernels", run.Sequential.FinalState(), params["w0"], tolerance)
	}
}

// o_{c,p} = [Conv(Q; W)]_{c,p} + η/(3N) Σ_{p'} (Σ_δ Q_{c,p+δ} K_{c,p'+δ}) V_{c,p'}:
// a convolution is global attention whose features are 3×3 patches.
func TestConvolutionIsAttentionOverPatches(t *testing.T) {
	x, l := convCase(false)
	n, channels, _ := x.Dims()
	at := func(m *mat.Dense, p, dy, dx, c int) float64 {
		y, z := p/4+dy, p%4+dx
		if y < 0 || y >= 3 || z < 0 || z >= 4 {
			return 0
		}
		return m.At(y*4+z, c)
	}
	want := mat.NewDense(n, channels, nil)
	for p := range n {
		for c := range channels {
			sum := 0.0
			for dy := -1; dy <= 1; dy++ {
				for dx := -1; dx <= 1; dx++ {
					sum += at(x.Q, p, dy, dx, c) * l.W0.At(c, (dy+1)*3+dx+1)
					for other := range n {
						sum += at(x.Q, p, dy, dx, c) * at(x.K, other, dy, dx, c) * x.V.At(other, c) / float64(3*n)
					}
				}
			}
			want.Set(p, c, sum)
		}
	}
	run := mustRun(t, x, l)
	within(t, "sequential", run.Sequential.Output, want, tolerance)
	within(t, "unrolled", run.Unrolled.Output, want, tolerance)
}

// M(KᵀV) = Kᵀ(VP) with P = (VᵀKKᵀV)^{−1/2}, by gonum's eigenvalues; a single
// write is k̂ᵀv̂/(‖k̂‖‖v̂‖), and 0.978345 of it under LaCT's Newton-Schulz.
func TestMuonLeavesKeysAndMixesValues(t *testing.T) {
	r := testRand(31)
	k, v := random(r, 9, 6, 1), random(r, 9, 4, 1)
	x := &Tokens{Q: random(r, 9, 6, 1), K: k, V: v}
	l := LinearAttention(6)
	l.Chunk, l.Muon = 9, &Muon{Method: Polar}
	run := mustRun(t, x, l)
	g := product(k.T(), v)
	var eigen mat.EigenSym
	gram := mat.NewSymDense(4, nil)
	gram.SymOuterK(1, g.T())
	eigen.Factorize(gram, true)
	var q mat.Dense
	eigen.VectorsTo(&q)
	root := mat.NewDiagDense(4, nil)
	for d, lambda := range eigen.Values(nil) {
		root.SetDiag(d, 1/math.Sqrt(lambda))
	}
	want := product(x.Q, product(k.T(), product(v, product(product(&q, root), q.T()))))
	within(t, "sequential", run.Sequential.Output, want, 1e-12)
	within(t, "unrolled", run.Unrolled.Output, want, 1e-12)
	if ranks := run.Sequential.Ranks(); len(ranks) != 1 || ranks[0] != 4 {
		t.Errorf("ranks %v; the gradient has 4", ranks)
	}

	one := &Tokens{Q: random(r, 1, 6, 1), K: random(r, 1, 6, 1), V: random(r, 1, 4, 1)}
	for name, c := range map[string]struct {
		muon  *Muon
		sigma float64
	}{
		"polar": {&Muon{Method: Polar}, 1}, "frobenius": {&Muon{Method: Frobenius}, 1},
		"LaCT": {&Muon{Method: NewtonSchulz, Coefficients: NewtonSchulzLaCT}, 0.978345},
		"NVS":  {&Muon{Method: NewtonSchulz, Coefficients: NewtonSchulzNVS}, 0.696436},
	} {
		l := LinearAttention(6)
		l.Muon = c.muon
		want := product(one.Q, product(one.K.T(), one.V))
		want.Scale(c.sigma/(mat.Norm(one.K, 2)*mat.Norm(one.V, 2)), want)
		run := mustRun(t, one, l)
		within(t, name+", sequential", run.Sequential.Output, want, 1e-6)
		within(t, name+", unrolled", run.Unrolled.Output, want, 1e-6)
	}
}

// Muon acts on the accumulated gradient: v̂_i^{(t)} = η_i v_i Σ_{j=i..t} β_i^j P_j.
// With momentum, orthogonalising each write's own sum is another model; without,
// it is the same.
func TestMuonWithMomentumActsOnTheAccumulatedGradient(t *testing.T) {
	r := testRand(33)
	x := &Tokens{Q: random(r, 8, 5, 1), K: random(r, 8, 5, 1), V: random(r, 8, 3, 1)}
	muon := &Muon{Method: NewtonSchulz, Coefficients: NewtonSchulzLaCT}
	alpha := Schedule(numbers(r, 4, 0.3, 1)).PerChunk(2, 8)
	for _, momentum := range []Schedule{nil, alpha} {
		l := LinearAttention(5)
		l.Chunk, l.Muon, l.Alpha = 2, muon, momentum
		run := mustRun(t, x, l)
		exact, reading := mat.NewDense(8, 3, nil), mat.NewDense(8, 3, nil)
		s, circulating := mat.NewDense(5, 3, nil), mat.NewDense(5, 3, nil)
		buffer := mat.NewDense(5, 3, nil)
		for c := range 4 {
			g := product(x.K.Slice(2*c, 2*c+2, 0, 5).T(), x.V.Slice(2*c, 2*c+2, 0, 3))
			buffer.Scale(momentum.At(2*c), buffer)
			buffer.Add(buffer, g)
			s.Add(s, orthogonalByGonum(buffer, muon))
			// The version of Equation 1 in circulation: M of each write's own
			// sum, from which every weight drops out.
			circulating.Add(circulating, orthogonalByGonum(g, muon))
			for t := 2 * c; t < 2*c+2; t++ {
				exact.SetRow(t, product(x.Q.Slice(t, t+1, 0, 5), s).RawRowView(0))
				reading.SetRow(t, product(x.Q.Slice(t, t+1, 0, 5), circulating).RawRowView(0))
			}
		}
		within(t, "sequential", run.Sequential.Output, exact, 1e-11)
		within(t, "unrolled", run.Unrolled.Output, exact, 1e-11)
		differs := maxDifference(t, reading, exact) > 0.1
		if differs != (momentum != nil) {
			t.Errorf("momentum %v: the version in circulation differs by %.2g", momentum != nil, maxDifference(t, reading, exact))
		}
	}
}

// Post-norm is a gate a column: S = W_0 Π R_s + Σ_j write_j Π_{s≥j} R_s with
// R_t = n_0/(‖column‖ + eps). Normalising the plain sum once is another model;
// for pre-norm, with dot loss and φ frozen, it is the model.
func TestWeightNormIsAGate(t *testing.T) {
	x, w0 := randomTokens(5), random(testRand(4), testDk, testDv, 0.5)
	norms := func(m mat.Matrix) []float64 {
		n := make([]float64, testDv)
		for d := range n {
			n[d] = mat.Norm(mat.DenseCopyOf(m).ColView(d), 2)
		}
		return n
	}
	normal := func(m *mat.Dense) *mat.Dense {
		out, now, then := mat.DenseCopyOf(m), norms(m), norms(w0)
		out.Apply(func(_, d int, a float64) float64 { return a * then[d] / (now[d] + 1e-5) }, out)
		return out
	}
	gate, plain := mat.DenseCopyOf(w0), mat.DenseCopyOf(w0)
	gated, once := mat.NewDense(testT, testDv, nil), mat.NewDense(testT, testDv, nil)
	for n := range testT {
		var write mat.Dense
		write.Outer(0.3, x.K.RowView(n), x.V.RowView(n))
		gate.Add(gate, &write)
		gate = normal(gate)
		plain.Add(plain, &write)
		gated.SetRow(n, product(x.Q.Slice(n, n+1, 0, testDk), gate).RawRowView(0))
		once.SetRow(n, product(x.Q.Slice(n, n+1, 0, testDk), normal(plain)).RawRowView(0))
	}
	l := &InnerLoop{Feature: Identity{testDk}, Loss: Dot{}, Rate: Constant(0.3), W0: w0, Norm: PostNorm}
	run := mustRun(t, x, l)
	within(t, "post, sequential", run.Sequential.Output, gated, tolerance)
	within(t, "post, unrolled", run.Unrolled.Output, gated, tolerance)
	l.Norm = PreNorm
	run = mustRun(t, x, l)
	within(t, "pre, sequential", run.Sequential.Output, once, tolerance)
	within(t, "pre, unrolled", run.Unrolled.Output, once, tolerance)
	if gap := maxDifference(t, gated, once); !(gap > 0.05) {
		t.Errorf("normalising once differs from gating by %.2g only", gap)
	}
}

// The dot loss is odd in f and in v, and so is every rule: ascent(W_0, −V) is
// descent(W_0, V), and ascent(−W_0, V) its negative, to the last bit, for any φ,
// trained Θ, momentum that varies, Muon and weight norm.
func TestAscentMirrorsHoldExactlyUnderEveryRule(t *testing.T) {
	seen := 0
	for _, c := range allRuleCases(1) {
		l := *c.loop
		if _, dot := l.Loss.(Dot); !dot || l.Readout != ReadRaw || l.Target != TargetV || l.Bias != nil || len(l.Momentum0) > 0 || l.notUnrolled() != "" || l.Ascent {
			continue
		}
		seen++
		down := mustRun(t, c.tokens, &l)
		up := l
		up.Ascent = true
		flipped := &Tokens{Q: c.tokens.Q, K: c.tokens.K, V: mat.DenseCopyOf(c.tokens.V)}
		flipped.V.Scale(-1, flipped.V)
		a := mustRun(t, flipped, &up)
		up.W0 = mat.DenseCopyOf(l.W0)
		up.W0.Scale(-1, up.W0)
		b := mustRun(t, c.tokens, &up)
		for way, traces := range map[string][3]*Trace{
			"sequential": {down.Sequential, a.Sequential, b.Sequential}, "unrolled": {down.Unrolled, a.Unrolled, b.Unrolled},
		} {
			if gap := maxDifference(t, traces[1].Output, traces[0].Output); gap != 0 {
				t.Errorf("%s, %s: ascent(W_0, −V) differs from descent by %g", c.name, way, gap)
			}
			var sum mat.Dense
			sum.Add(traces[2].Output, traces[0].Output)
			if gap := mat.Norm(&sum, math.Inf(1)); gap != 0 {
				t.Errorf("%s, %s: ascent(−W_0, V) is not the negative of descent, by %g", c.name, way, gap)
			}
		}
	}
	if seen < 500 {
		t.Errorf("only %d rules were looked at", seen)
	}
}

// A rate inside the buffer and one outside are two models where it changes; with
// momentum alone, or a constant rate, they are one.
func TestRatesInsideAndOutsideAreTwoModels(t *testing.T) {
	x := randomTokens(6)
	each := numbers(testRand(3), testT, 0.02, 0.1)
	for _, c := range []struct {
		rate, alpha Schedule
		differ      bool
	}{{each, Constant(0.9), true}, {each, nil, false}, {Constant(0.05), Constant(0.9), false}} {
		inside := &InnerLoop{Feature: Identity{testDk}, Loss: Dot{}, Rate: c.rate, Alpha: c.alpha}
		outside := *inside
		outside.RateOutside = true
		a, b := mustRun(t, x, inside), mustRun(t, x, &outside)
		if gap := maxDifference(t, a.Sequential.Output, b.Sequential.Output); (gap > 0.05) != c.differ || !c.differ && !(gap < tolerance) {
			t.Errorf("inside and outside differ by %.2g", gap)
		}
	}
}

// A bias after W is one more feature that is always 1.
func TestABiasIsAFeatureThatIsOne(t *testing.T) {
	x, w0 := randomTokens(7), random(testRand(4), testDk, testDv, 0.4)
	bias := numbers(testRand(2), testDv, -1, 1)
	wide := func(m *mat.Dense) *mat.Dense {
		out := mat.NewDense(testT, testDk+1, nil)
		out.Apply(func(t, d int, _ float64) float64 {
			if d == testDk {
				return 1
			}
			return m.At(t, d)
		}, out)
		return out
	}
	start := mat.NewDense(testDk+1, testDv, nil)
	start.Slice(0, testDk, 0, testDv).(*mat.Dense).Copy(w0)
	start.SetRow(testDk, bias)
	a := mustRun(t, x, &InnerLoop{Feature: Identity{testDk}, Loss: Squared{}, Rate: Constant(0.05), Alpha: varying(testT), W0: w0, Bias: bias})
	b := mustRun(t, &Tokens{Q: wide(x.Q), K: wide(x.K), V: x.V}, &InnerLoop{Feature: Identity{testDk + 1}, Loss: Squared{}, Rate: Constant(0.05), Alpha: varying(testT), W0: start})
	within(t, "sequential", a.Sequential.Output, b.Sequential.Output, tolerance)
	within(t, "unrolled", a.Unrolled.Output, b.Sequential.Output, tolerance)
}

// Adam's first step from one outer product has more than one singular value:
// there is no k̂ᵀv̂, and Unrolled says so.
func TestAdamBreaksTheForm(t *testing.T) {
	x := randomTokens(8)
	l := &InnerLoop{Feature: TanhProjection{random(testRand(2), testDk, testDh, 1)}, Loss: Dot{}, Rate: Constant(0.1), Adam: true}
	r := mustRun(t, x, l)
	if r.Unrolled != nil || l.Unrollable().Holds || l.Linearity(testT).Form.Holds {
		t.Error("Adam is said to have an unrolled form")
	}
	var change mat.Dense
	change.Sub(r.Sequential.State(1), r.Sequential.State(0))
	var svd mat.SVD
	svd.Factorize(&change, mat.SVDNone)
	if s := svd.Values(nil); !(s[1] > 0.05*s[0]) {
		t.Errorf("the second update has the singular values %v; it should not be of rank one", s)
	}
}

// K inner steps are one step at another rate only where nothing else acts:
// Θ frozen, α = 0, no decay, norm, clip or Muon. Dot: Kη. Squared: η_K =
// (1 − (1 − ηn)^K)/n with n = ‖φ‖².
func TestInnerStepsAreOneStepOnlyWhereNothingElseActs(t *testing.T) {
	const eta, steps = 0.04, 4
	x := ruleTokens(5, ruleT, 1)
	f := ruleFeatures()["tanh1"].(MLP)
	phi := (&InnerLoop{Feature: f}).Features(x.K)
	squared := make(Schedule, ruleT)
	for i := range squared {
		n := math.Pow(mat.Norm(phi.RowView(i), 2), 2)
		squared[i] = (1 - math.Pow(1-eta*n, steps)) / n
	}
	for _, loss := range []Loss{Dot{}, Squared{}} {
		rate := squared
		if _, dot := loss.(Dot); dot {
			rate = Constant(steps * eta)
		}
		for _, c := range []struct {
			name string
			make func(*InnerLoop)
			same bool
		}{
			{"nothing else", func(*InnerLoop) {}, true},
			{"momentum", func(l *InnerLoop) { l.Alpha = Constant(0.5) }, false},
			{"decay at every step", func(l *InnerLoop) { l.Gamma, l.DecayAfter = Constant(0.95), true }, false},
			{"trained Θ", func(l *InnerLoop) { l.Train = true }, false},
			{"weight norm", func(l *InnerLoop) { l.Norm = PostNorm }, false},
			{"Muon", func(l *InnerLoop) { l.Muon = &Muon{Method: Polar} }, false},
		} {
			many := &InnerLoop{Feature: f, Loss: loss, Rate: Constant(eta), Steps: steps, W0: random(testRand(4), ruleH, ruleD, 0.4)}
			c.make(many)
			once := *many
			once.Steps, once.Rate = 1, rate
			gap := maxDifference(t, mustRun(t, x, many).Sequential.Output, mustRun(t, x, &once).Sequential.Output)
			if c.same && !(gap < tolerance) || !c.same && !(gap > 1e-3) {
				t.Errorf("%T, %s: %d steps differ from one by %.2g", loss, c.name, steps, gap)
			}
		}
	}
}

// Trained Θ: the query meets φ_{t+1}, a key the φ_i of its own write. Queries
// read with the Θ before the update, or keys with the newest, are visibly
// another model; with Θ frozen they are the same.
func TestQueriesReadWithTheNewTheta(t *testing.T) {
	x := ruleTokens(5, ruleT, 1)
	f := ruleFeatures()["tanh1"].(MLP)
	for _, train := range []bool{false, true} {
		l := &InnerLoop{Feature: f, Loss: Squared{}, Rate: Constant(0.1), Train: train, W0: random(testRand(4), ruleH, ruleD, 0.4)}
		r := mustRun(t, x, l)
		stale := 0.0
		for n := range ruleT {
			before := *l
			shorter := &Tokens{Q: x.Q.Slice(0, n+1, 0, ruleD).(*mat.Dense), K: x.K.Slice(0, n+1, 0, ruleD).(*mat.Dense), V: x.V.Slice(0, n+1, 0, ruleD).(*mat.Dense)}
			var theta *mat.Dense
			if n == 0 {
				theta = f.Layers[0].A
			} else {
				shorter = &Tokens{Q: x.Q.Slice(0, n, 0, ruleD).(*mat.Dense), K: x.K.Slice(0, n, 0, ruleD).(*mat.Dense), V: x.V.Slice(0, n, 0, ruleD).(*mat.Dense)}
				theta = mustRun(t, shorter, &before).Sequential.FinalTheta()[0].Value
			}
			old := phiOf(x.Q.Slice(n, n+1, 0, ruleD).(*mat.Dense), theta)
			stale = math.Max(stale, maxDifference(t, old, r.Unrolled.Queries.Slice(n, n+1, 0, ruleH)))
		}
		if train && !(stale > 1e-3) || !train && !(stale < tolerance) {
			t.Errorf("train %v: φ_t(q) differs from φ_{t+1}(q) by %.2g", train, stale)
		}
	}
}

// Mini-batches: b = 1 is DeltaNet; b = T with W_0 = 0 is linear attention; both
// exactly as their own formulas say. Between them the model interpolates.
func TestMiniBatchesInterpolateBetweenDeltaNetAndLinearAttention(t *testing.T) {
	x := randomTokens(3)
	eta := Constant(0.3)
	delta := mustRun(t, x, DeltaNet(testDk, eta)).Sequential.Output
	linear := product(masked(x.Q, x.K, tril), x.V)
	linear.Scale(0.3, linear)
	for _, b := range []int{1, 4, 7, testT} {
		r := mustRun(t, x, MiniBatchDelta(testDk, b, eta))
		within(t, fmt.Sprintf("b=%d", b), r.Unrolled.Output, r.Sequential.Output, tolerance)
		toDelta, toLinear := maxDifference(t, r.Sequential.Output, delta), maxDifference(t, r.Sequential.Output, linear)
		if b == 1 && !(toDelta < tolerance) || b == testT && !(toLinear < tolerance) || b == 4 && !(toDelta > 1e-3 && toLinear > 1e-3) {
			t.Errorf("b=%d: %.2g from DeltaNet, %.2g from linear attention", b, toDelta, toLinear)
		}
	}
}
