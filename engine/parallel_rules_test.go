package engine

import (
	"fmt"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// Over the whole product of rules and the presets: what Parallel carries it
// computes, in every form and for chunks of any length; what it does not carry it
// names, and what has no parallel form it refuses with the verdict's own reason.
func TestParallelFormsAgreeOverTheProductOfRules(t *testing.T) {
	cases := allRuleCases(1)
	for _, p := range presetCases() {
		cases = append(cases, ruleCase{p.name, p.x, p.loop})
	}
	carried, left := 0, map[string]int{}
	for _, c := range cases {
		n := c.tokens.size().reads
		verdict, refusal := c.loop.Linearity(n).Parallel, c.loop.Parallelizable(n)
		if refusal != nil {
			if _, err := Parallel(c.tokens, c.loop, Chunkwise, 0); err == nil || err.Error() != refusal.Error() {
				t.Errorf("%s: refused with %v, but asked it answers %v", c.name, refusal, err)
			}
			if text, ok := strings.CutPrefix(refusal.Error(), "the parallel forms here do not carry "); ok && verdict.Holds {
				left[text]++
			} else if verdict.Holds || refusal.Error()+"." != "no parallel form: "+verdict.Reason {
				t.Errorf("%s: verdict %v, %q; refusal %v", c.name, verdict.Holds, verdict.Reason, refusal)
			}
			continue
		}
		if !verdict.Holds {
			t.Errorf("%s: computed, although it has no parallel form", c.name)
		}
		carried++
		agreesInEveryForm(t, c, n)
	}
	if carried < 1640 {
		t.Errorf("only %d rules were computed", carried)
	}
	t.Logf("%d rules; not carried: %v", carried, left)
}

// agreesInEveryForm compares with Sequential, in chunks that do and do not divide T.
func agreesInEveryForm(t *testing.T, c ruleCase, n int) {
	t.Helper()
	r := mustRun(t, c.tokens, c.loop)
	tol := ruleTolerance(c.loop)
	for _, form := range Forms() {
		for _, chunk := range []int{1, 3, n} {
			run, err := Parallel(c.tokens, c.loop, form, chunk)
			if err != nil {
				if strings.Contains(err.Error(), "would need one map of the state for each of") || form == Masked && strings.Contains(err.Error(), "cannot carry Muon with momentum") {
					continue // what a single form cannot do, in its own words
				}
				t.Fatal(c.name, err)
			}
			name := fmt.Sprintf("%s, %s, chunks of %d", c.name, form, chunk)
			if !run.Output.IsEmpty() || !r.Sequential.Output.IsEmpty() {
				within(t, name, run.Output, r.Sequential.Output, tol)
			}
			if !run.Effective.IsEmpty() || !r.Sequential.Effective.IsEmpty() {
				within(t, name+": effective values", run.Effective, r.Sequential.Effective, tol)
			}
		}
	}
}

// Rules that the product does not put together, and what runs in one step only.
func TestParallelCarriesRulesTogether(t *testing.T) {
	r := testRand(47)
	x, double := ruleTokens(48, ruleT, 1), ruleTokens(49, ruleT, 2)
	w0 := func(f Feature) *mat.Dense { return random(testRand(4), f.Out(), ruleD, 0.4) }
	tanh, same := ruleFeatures()["tanh1"], Feature(Identity{ruleD})
	muon := &Muon{Method: NewtonSchulz, Coefficients: NewtonSchulzLaCT}
	norm := &LayerNorm{Weight: numbers(r, ruleD, 0.5, 1.5), Bias: numbers(r, ruleD, -0.2, 0.2), Eps: 1e-6}
	bias := numbers(r, ruleD, -0.5, 0.5)
	for _, c := range []ruleCase{
		{"normalizer with a bias", x, &InnerLoop{Feature: same, Loss: Squared{}, Rate: Constant(0.05), W0: w0(same), Bias: bias, Readout: ReadNormalizer, Z0: []float64{9, 8, 7, 6}, QueryScale: 0.5}},
		{"normalizer, apply then update", x, &InnerLoop{Feature: same, Loss: Dot{}, Rate: Constant(0.05), Chunk: 4, Order: ApplyThenUpdate, Readout: ReadNormalizer, Z0: []float64{9, 8, 7, 6}, QueryScale: 0.5}},
		{"a bias that decays, with buffers", x, &InnerLoop{
			Feature: tanh, Loss: Squared{}, Rate: Constant(0.05), W0: w0(tanh), Bias: bias, Gamma: numbers(r, ruleT, 0.8, 1), DecayTheta: true, Alpha: Constant(0.5),
			Momentum0: map[string]*mat.Dense{"bias": random(r, 1, ruleD, 0.3)},
		}},
		{"a bias that stays where W decays", x, &InnerLoop{Feature: tanh, Loss: Squared{}, Rate: Constant(0.05), W0: w0(tanh), Bias: bias, Gamma: numbers(r, ruleT, 0.5, 1), Alpha: Constant(0.5)}},
		{"a bias and γ a channel, two steps", x, &InnerLoop{Feature: tanh, Loss: Squared{}, Rate: Constant(0.05), W0: w0(tanh), Bias: bias, GammaChannels: matrixOf(r, ruleT, tanh.Out(), 0.5, 1), Steps: 2}},
		{"γ a channel after the gradient, causal, with α and a rate outside", x, &InnerLoop{
			Feature: tanh, Loss: Squared{}, Rate: numbers(r, ruleT, 0.02, 0.1), RateOutside: true, W0: w0(tanh), Alpha: numbers(r, ruleT, 0.2, 1.1),
			GammaChannels: matrixOf(r, ruleT, tanh.Out(), 0, 1), DecayAfter: true, Chunk: 4, Order: TokenCausal,
		}},
		{"γ a channel, clipped and mixed", x, &InnerLoop{Feature: tanh, Loss: Dot{}, Rate: Constant(0.2), W0: w0(tanh), Clip: true, Muon: muon, GammaChannels: matrixOf(r, ruleT, tanh.Out(), 0.5, 1)}},
		{"K=3, token-causal, one token a chunk", x, &InnerLoop{Feature: tanh, Loss: Squared{}, Rate: Constant(0.05), W0: w0(tanh), Steps: 3, Order: TokenCausal, Alpha: Constant(0.5)}},
		{"K=3 and γ before", x, &InnerLoop{Feature: tanh, Loss: Squared{}, Rate: Constant(0.05), W0: w0(tanh), Steps: 3, Gamma: numbers(r, ruleT, 0.8, 1), Alpha: Constant(0.5)}},
		{"K=2 on chunks with γ after", x, &InnerLoop{Feature: tanh, Loss: Squared{}, Rate: Constant(0.02), W0: w0(tanh), Steps: 2, Chunk: 4, Gamma: Constant(0.9), DecayAfter: true, Alpha: Constant(0.5)}},
		{"two writes a token and γ before", double, &InnerLoop{Feature: same, Loss: Squared{}, Rate: Constant(0.1), W0: w0(same), Writes: 2, Gamma: numbers(r, ruleT, 0.8, 1), Alpha: Constant(0.3)}},
		{"clipped, then mixed, read at the first norm", x, &InnerLoop{Feature: tanh, Loss: Dot{}, Rate: Constant(0.2), W0: w0(tanh), Chunk: 3, Clip: true, Muon: muon, Norm: PreNorm, Gamma: Constant(0.9)}},
		{"pre-norm with momentum, rate outside, each token", x, &InnerLoop{Feature: tanh, Loss: Dot{}, Rate: numbers(r, ruleT, 0.02, 0.1), RateOutside: true, Alpha: numbers(r, ruleT, 0.2, 1.1), W0: w0(tanh), Norm: PreNorm}},
		{"Muon with momentum, clipped, from a buffer, in causal chunks", x, &InnerLoop{
			Feature: tanh, Loss: Dot{}, Rate: Constant(0.2), W0: w0(tanh), Chunk: 4, Order: TokenCausal, Clip: true, Muon: muon, Alpha: numbers(r, ruleT, 0.2, 1.1),
			Gamma: numbers(r, ruleT, 0.8, 1), DecayAfter: true, Momentum0: map[string]*mat.Dense{"w0": random(r, tanh.Out(), ruleD, 0.3)},
		}},
		{"Muon with momentum, normalizer and pre-norm, read before the write", x, &InnerLoop{
			Feature: same, Loss: Dot{}, Rate: Constant(0.05), RateOutside: true, W0: w0(same), Chunk: 3, Order: ApplyThenUpdate, Muon: muon, Alpha: Constant(0.5), Norm: PreNorm,
			Readout: ReadNormalizer, Z0: []float64{9, 8, 7, 6}, QueryScale: 0.5,
		}},
		{"one step of everything, clipped", x, &InnerLoop{Feature: tanh, Loss: Squared{}, Rate: Constant(0.5), W0: w0(tanh), Chunk: ruleT, Clip: true}},
		{"one step of everything, mixed, with α", x, &InnerLoop{Feature: tanh, Loss: Squared{}, Rate: Constant(0.1), Alpha: Constant(0.5), W0: w0(tanh), Chunk: ruleT, Muon: muon}},
		{"one causal step of everything through a layer norm", x, &InnerLoop{Feature: tanh, Loss: Normed{Squared{}, norm}, Rate: Constant(0.1), W0: w0(tanh), Chunk: ruleT, Order: TokenCausal, Readout: ReadZPlusNorm, LayerNorm: norm}},
		{"one step of everything, read at the first norm", x, &InnerLoop{Feature: tanh, Loss: Dot{}, Rate: Constant(0.1), W0: w0(tanh), Chunk: ruleT, Norm: PostNorm, Gamma: Constant(0.8)}},
		{"nothing is ever read", x, &InnerLoop{Feature: tanh, Loss: Squared{}, Rate: Constant(0.1), W0: w0(tanh), Operations: []Operation{{0, 5, true, false}, {2, 6, true, false}}}},
		{"nothing is ever written", x, &InnerLoop{Feature: tanh, Loss: Squared{}, Rate: Constant(0.1), W0: w0(tanh), Chunk: ruleT, SkipLast: true}},
	} {
		n := c.tokens.size().reads
		if err := c.loop.Parallelizable(n); err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		agreesInEveryForm(t, c, n)
	}
}
