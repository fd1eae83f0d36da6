package engine

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// Small sizes: the oracle is slow.
const ruleT, ruleD, ruleH = 11, 4, 5

// A ruleCase is an inner loop, its tokens and how close the two ways must come.
type ruleCase struct {
	name   string
	tokens *Tokens
	loop   *InnerLoop
}

// ruleTokens have keys and values of one width, so that every rule applies.
func ruleTokens(seed uint64, reads, writes int) *Tokens {
	r := testRand(seed)
	return &Tokens{
		Q: random(r, reads, ruleD, 0.7), K: random(r, reads*writes, ruleD, 0.7), V: random(r, reads*writes, ruleD, 1),
	}
}

func numbers(r *rand.Rand, n int, from, to float64) []float64 {
	xs := make([]float64, n)
	for i := range xs {
		xs[i] = from + (to-from)*r.Float64()
	}
	return xs
}

func matrixOf(r *rand.Rand, rows, cols int, from, to float64) *mat.Dense {
	return mat.NewDense(rows, cols, numbers(r, rows*cols, from, to))
}

// ruleFeatures are the feature maps, trained and frozen.
func ruleFeatures() map[string]Feature {
	r := testRand(21)
	features := map[string]Feature{
		"identity": Identity{Dim: ruleD},
		"swiglu":   SwiGLU{Gate: random(r, ruleD, ruleH, 0.6), Up: random(r, ruleD, ruleH, 0.6)},
		"glu":      DataGate{Gate: random(r, ruleD, ruleD, 0.6)},
	}
	for depth := 1; depth <= 4; depth++ {
		act := []Activation{Tanh, SiLU, GELU, GELUTanh}[depth-1]
		features[fmt.Sprintf("%s%d", act.Name, depth)] = mlpOf(r, act, depth, depth == 2)
	}
	features["relu2"] = mlpOf(r, ReLU, 2, false)
	return features
}

func mlpOf(r *rand.Rand, act Activation, depth int, biased bool) MLP {
	n := MLP{Act: act}
	in := ruleD
	for range depth {
		layer := Layer{A: random(r, in, ruleH, 0.6)}
		if biased {
			layer.C = numbers(r, ruleH, -0.3, 0.3)
		}
		n.Layers = append(n.Layers, layer)
		in = ruleH
	}
	return n
}

// A change is one rule laid over a plain inner loop; ok says where it applies.
type change struct {
	name string
	make func(l *InnerLoop, r *rand.Rand)
}

func ruleChanges() []change {
	norm := func(r *rand.Rand) *LayerNorm {
		return &LayerNorm{Weight: numbers(r, ruleD, 0.5, 1.5), Bias: numbers(r, ruleD, -0.2, 0.2), Eps: 1e-6}
	}
	return []change{
		{"plain", func(*InnerLoop, *rand.Rand) {}},
		{"ascent", func(l *InnerLoop, _ *rand.Rand) { l.Ascent = true }},
		{"K=3", func(l *InnerLoop, _ *rand.Rand) { l.Steps, l.Rate = 3, Constant(0.01) }},
		{"η varies", func(l *InnerLoop, r *rand.Rand) { l.Rate = numbers(r, ruleT, 0.02, 0.1) }},
		{"η outside", func(l *InnerLoop, r *rand.Rand) { l.Rate, l.RateOutside = numbers(r, ruleT, 0.02, 0.1), true }},
		{"η a channel", func(l *InnerLoop, r *rand.Rand) { l.ChannelRate, l.Train = matrixOf(r, ruleT, ruleD, 0.02, 0.1), false }},
		{"γ before", func(l *InnerLoop, r *rand.Rand) { l.Gamma = numbers(r, ruleT, 0.8, 1) }},
		{"γ after, Θ too", func(l *InnerLoop, r *rand.Rand) {
			l.Gamma, l.DecayAfter, l.DecayTheta = numbers(r, ruleT, 0.8, 1), true, true
		}},
		{"γ before, K=2", func(l *InnerLoop, r *rand.Rand) { l.Gamma, l.Steps = numbers(r, ruleT, 0.8, 1), 2 }},
		{"γ a channel", func(l *InnerLoop, r *rand.Rand) {
			l.GammaChannels = matrixOf(r, ruleT, l.Feature.Out(), 0.7, 1)
		}},
		{"γ a channel after", func(l *InnerLoop, r *rand.Rand) {
			l.GammaChannels, l.DecayAfter = matrixOf(r, ruleT, l.Feature.Out(), 0.7, 1), true
		}},
		{"chunks of 4", func(l *InnerLoop, r *rand.Rand) { l.Chunk, l.Rate = 4, numbers(r, ruleT, 0.02, 0.1) }},
		{"chunks of 4, K=2", func(l *InnerLoop, _ *rand.Rand) { l.Chunk, l.Steps = 4, 2 }},
		{"chunks of 4, η outside, γ after", func(l *InnerLoop, r *rand.Rand) {
			l.Chunk, l.RateOutside = 4, true
			l.Rate = Schedule(numbers(r, 3, 0.02, 0.1)).PerChunk(4, ruleT)
			l.Alpha = Schedule(numbers(r, 3, 0.2, 1.1)).PerChunk(4, ruleT)
			l.Gamma, l.DecayAfter, l.DecayTheta = Schedule(numbers(r, 3, 0.8, 1)).PerChunk(4, ruleT), true, true
		}},
		{"apply, then update, last chunk read only", func(l *InnerLoop, _ *rand.Rand) { l.Chunk, l.Order, l.SkipLast = 3, ApplyThenUpdate, true }},
		{"apply, then update", func(l *InnerLoop, _ *rand.Rand) { l.Chunk, l.Order = 4, ApplyThenUpdate }},
		{"token-causal chunks of 4", func(l *InnerLoop, _ *rand.Rand) { l.Chunk, l.Order = 4, TokenCausal }},
		{"Titans: causal, γ after, scale 2", func(l *InnerLoop, r *rand.Rand) {
			l.Chunk, l.Order, l.GradientScale = 4, TokenCausal, 2
			l.Gamma, l.DecayAfter, l.Rate = numbers(r, ruleT, 0.8, 1), true, numbers(r, ruleT, 0.01, 0.05)
		}},
		{"reader rates", func(l *InnerLoop, r *rand.Rand) {
			l.Chunk, l.Order, l.Alpha = 4, TokenCausal, nil
			l.Rate, l.Reader = numbers(r, ruleT, 0.02, 0.1), numbers(r, ruleT, 0.3, 1)
		}},
		{"operations", func(l *InnerLoop, _ *rand.Rand) {
			l.Operations = []Operation{{0, 5, true, false}, {5, 9, true, true}, {0, 11, false, true}}
		}},
		{"a mean over 3N", func(l *InnerLoop, _ *rand.Rand) { l.MeanThird, l.Chunk, l.Rate = true, ruleT, Constant(1) }},
		{"clip", func(l *InnerLoop, _ *rand.Rand) { l.Clip, l.Chunk, l.Rate = true, 4, Constant(0.3) }},
		{"clip, η outside", func(l *InnerLoop, _ *rand.Rand) {
			l.Clip, l.Chunk, l.RateOutside, l.Rate = true, 3, true, Constant(0.2)
		}},
		{"post-norm", func(l *InnerLoop, _ *rand.Rand) { l.Norm = PostNorm }},
		{"post-norm in chunks, γ before", func(l *InnerLoop, _ *rand.Rand) { l.Norm, l.Chunk, l.Gamma = PostNorm, 4, Constant(0.9) }},
		{"pre-norm", func(l *InnerLoop, _ *rand.Rand) { l.Norm, l.Chunk = PreNorm, 3 }},
		{"pre-norm, γ before", func(l *InnerLoop, r *rand.Rand) { l.Norm, l.Gamma = PreNorm, numbers(r, ruleT, 0.8, 1) }},
		{"Newton-Schulz", func(l *InnerLoop, _ *rand.Rand) {
			l.Muon, l.Chunk, l.RateOutside, l.Rate = &Muon{Method: NewtonSchulz, Coefficients: NewtonSchulzLaCT}, 4, true, Constant(0.1)
		}},
		{"Newton-Schulz (NVS) and post-norm", func(l *InnerLoop, _ *rand.Rand) {
			l.Muon, l.Chunk, l.Norm = &Muon{Method: NewtonSchulz, Coefficients: NewtonSchulzNVS}, 5, PostNorm
		}},
		{"Frobenius and pre-norm", func(l *InnerLoop, _ *rand.Rand) {
			l.Muon, l.Chunk, l.Norm = &Muon{Method: Frobenius}, 4, PreNorm
		}},
		{"polar", func(l *InnerLoop, _ *rand.Rand) {
			l.Muon, l.Chunk, l.RateOutside, l.Rate = &Muon{Method: Polar}, 5, true, Constant(0.1)
		}},
		{"layer norm in the loss and the readout", func(l *InnerLoop, r *rand.Rand) {
			n := norm(r)
			l.Loss, l.LayerNorm, l.Readout, l.Target = Normed{l.Loss, n}, n, ReadZPlusNorm, TargetVMinusK
		}},
		{"target v−k, q+layernorm", func(l *InnerLoop, r *rand.Rand) {
			l.Target, l.Readout, l.LayerNorm, l.Chunk = TargetVMinusK, ReadQPlusNorm, norm(r), 4
		}},
		{"normalizer", func(l *InnerLoop, r *rand.Rand) {
			l.Readout, l.Feature, l.Train, l.Z0, l.QueryScale, l.W0 = ReadNormalizer, Identity{ruleD}, false, []float64{9, 8, 7, 6}, 0.5, random(r, ruleD, ruleD, 0.3)
			l.Momentum0 = nil
		}},
		{"query k, scaled", func(l *InnerLoop, _ *rand.Rand) { l.Query, l.QueryScale = QueryK, 0.4 }},
		{"query (q+k)/2", func(l *InnerLoop, _ *rand.Rand) { l.Query = QueryMean }},
		{"bias", func(l *InnerLoop, r *rand.Rand) { l.Bias = numbers(r, ruleD, -0.5, 0.5) }},
		{"an initial buffer", func(l *InnerLoop, r *rand.Rand) { fillBuffers(l, r, 0.1) }},
		{"an initial buffer, rate outside", func(l *InnerLoop, r *rand.Rand) { fillBuffers(l, r, 0.5); l.RateOutside = true }},
		{"an initial buffer, Muon and post-norm", func(l *InnerLoop, r *rand.Rand) {
			fillBuffers(l, r, 0.5)
			l.Muon, l.Chunk, l.Norm = &Muon{Method: NewtonSchulz, Coefficients: NewtonSchulzLaCT}, 4, PostNorm
		}},
		{"an initial buffer and γ a channel", func(l *InnerLoop, r *rand.Rand) {
			fillBuffers(l, r, 0.1)
			l.GammaChannels = matrixOf(r, ruleT, l.Feature.Out(), 0.7, 1)
		}},
	}
}

// fillBuffers gives every trained matrix a buffer before the first token.
func fillBuffers(l *InnerLoop, r *rand.Rand, size float64) {
	l.Momentum0 = map[string]*mat.Dense{"w0": random(r, l.Feature.Out(), ruleD, size)}
	if n, ok := l.Feature.(Network); ok && l.Train {
		for _, p := range n.Theta() {
			rows, cols := p.Value.Dims()
			l.Momentum0[p.Name] = random(r, rows, cols, size)
		}
	}
}

// allRuleCases is the product: losses × features × Θ frozen or trained ×
// α of three kinds × every change, where it applies.
func allRuleCases(every int) []ruleCase {
	var cases []ruleCase
	tokens := ruleTokens(1, ruleT, 1)
	alphas := []struct {
		name  string
		alpha Schedule
	}{{"α=0", nil}, {"α=0.9", Constant(0.9)}, {"α varies", numbers(testRand(5), ruleT, 0.2, 1.1)}}
	n := 0
	for _, feature := range []string{"identity", "tanh1", "silu2", "gelu3", "gelu-tanh4", "relu2", "swiglu", "glu"} {
		f := ruleFeatures()[feature]
		_, canTrain := f.(Network)
		for _, train := range []bool{false, true} {
			if train && !canTrain {
				continue
			}
			for _, loss := range []Loss{Dot{}, Squared{}} {
				for _, a := range alphas {
					for i, c := range ruleChanges() {
						r := testRand(uint64(100 + i))
						l := &InnerLoop{
							Feature: f, Loss: loss, Train: train, Rate: Constant(0.05), Alpha: a.alpha,
							W0: random(testRand(4), f.Out(), ruleD, 0.4), Divergence: 1e12,
						}
						c.make(l, r)
						if l.Feature.Out() != f.Out() && l.Readout != ReadNormalizer {
							continue
						}
						if l.check(tokens) != nil {
							continue
						}
						n++
						if n%every == 0 {
							name := fmt.Sprintf("%s, train %v, %T, %s, %s", feature, train, loss, a.name, c.name)
							cases = append(cases, ruleCase{name, tokens, l})
						}
					}
				}
			}
		}
	}
	return cases
}

// ruleTolerance is 1e-12, 1e-11 with Newton-Schulz and 1e-10 with the polar
// factor, whose own steps amplify rounding (measured: a tenth of these or less).
func ruleTolerance(l *InnerLoop) float64 {
	switch {
	case l.Muon == nil:
		return tolerance
	case l.Muon.Method == Polar:
		return 1e-10
	}
	return 1e-11
}

// Every rule × loss × feature × momentum, trained and frozen, both ways.
func TestBothWaysAgreeOverTheProductOfRules(t *testing.T) {
	cases := allRuleCases(1)
	worst := map[string]float64{}
	for _, c := range cases {
		r := mustRun(t, c.tokens, c.loop)
		if reason := c.loop.notUnrolled(); reason != "" {
			if r.Unrolled != nil {
				t.Errorf("%s: unrolled although %s", c.name, reason)
			}
			continue
		}
		if r.Diverged() >= 0 {
			t.Errorf("%s: diverged at %d; the comparison would be empty", c.name, r.Diverged())
		}
		tol := ruleTolerance(c.loop)
		gap := Compare(r.Sequential, r.Unrolled)
		if !(gap.Relative < tol) {
			t.Errorf("%s: outputs differ by %.3g", c.name, gap.Relative)
		}
		kind := fmt.Sprintf("%.0e", tol)
		worst[kind] = max(worst[kind], gap.Relative)
		within(t, c.name+": keys", r.Unrolled.Keys, r.Sequential.Keys, tol)
		within(t, c.name+": effective values", r.Unrolled.Effective, r.Sequential.Effective, tol)
	}
	t.Logf("%d cases; largest gaps by tolerance %v", len(cases), worst)
}

// Against a third computation that shares no code with either way. Under wasm,
// which is slow at it, every third case of the product is run.
func TestSequentialIsTheOracle(t *testing.T) {
	every := 1
	if runtime.GOARCH == "wasm" {
		every = 3
	}
	cases := allRuleCases(every)
	worst := 0.0
	for _, c := range cases {
		r := mustRun(t, c.tokens, c.loop)
		if r.Diverged() >= 0 {
			continue
		}
		out, params := oracleRun(c.tokens, c.loop)
		tol := ruleTolerance(c.loop) * 10 // the oracle rounds, too
		within(t, c.name+": output", r.Sequential.Output, out, tol)
		within(t, c.name+": W", r.Sequential.FinalState(), params["w0"], tol)
		for _, p := range r.Sequential.FinalTheta() {
			within(t, c.name+": "+p.Name, p.Value, params[p.Name], tol)
		}
		if c.loop.Muon == nil {
			worst = max(worst, maxDifference(t, r.Sequential.Output, out)/max(1, largest(out)))
		}
	}
	t.Logf("%d cases; largest difference without Muon %.2g", len(cases), worst)
}
