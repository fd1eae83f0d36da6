package selftest

import "unrolled/engine"

// Both ways must agree under every rule: they share no number, only the tokens
// and the rule. The bounds are those of rounding through some twenty tokens;
// Muon takes roots of nearly singular matrices and loses digits.
var bothWays = []Check{
	{"plain", "Training and attention agree for either loss, frozen φ, any start and any momentum.", 1e-12, false, func(t *trial) {
		for _, f := range []engine.Feature{engine.Identity{Dim: keyDim}, tanh()} {
			for _, loss := range losses() {
				for _, alpha := range []engine.Schedule{nil, engine.Constant(0.9), varying(7, 0.2, 1.1)} {
					t.agree(tokens(1), &engine.InnerLoop{Feature: f, Loss: loss, Rate: engine.Constant(0.05), Alpha: alpha})
					t.agree(tokens(1), &engine.InnerLoop{Feature: f, Loss: loss, Rate: engine.Constant(0.05), Alpha: alpha, W0: start(f)})
				}
			}
		}
	}},
	{"steps", "They agree with three inner steps a token, momentum counting steps.", 1e-12, false, func(t *trial) {
		for _, loss := range losses() {
			t.agree(tokens(2), &engine.InnerLoop{Feature: tanh(), Loss: loss, Rate: engine.Constant(0.02), Alpha: varying(8, 0.2, 0.9), Steps: 3, W0: start(tanh())})
		}
	}},
	{"trained-theta", "They agree when Θ learns too: keys stay as they were written, queries are read with the newest Θ.", 1e-12, false, func(t *trial) {
		r := draw(6)
		gated := engine.SwiGLU{Gate: random(r, keyDim, hidden, 0.6), Up: random(r, keyDim, hidden, 0.6)}
		for _, f := range []engine.Feature{network(), gated} {
			for _, loss := range losses() {
				t.agree(tokens(3), &engine.InnerLoop{Feature: f, Loss: loss, Rate: engine.Constant(0.05), Alpha: varying(9, 0.1, 0.9), Train: true, W0: start(f)})
			}
		}
	}},
	{"rates", "They agree with one rate a token, inside the momentum buffer or outside it.", 1e-12, false, func(t *trial) {
		for _, outside := range []bool{false, true} {
			t.agree(tokens(4), &engine.InnerLoop{Feature: tanh(), Loss: engine.Squared{}, Rate: varying(10, 0.01, 0.08), Alpha: varying(11, 0.2, 0.9), RateOutside: outside})
		}
	}},
	{"decay", "They agree with weight decay, before the gradient or after it.", 1e-12, false, func(t *trial) {
		for _, after := range []bool{false, true} {
			for _, loss := range losses() {
				t.agree(tokens(5), &engine.InnerLoop{Feature: tanh(), Loss: loss, Rate: engine.Constant(0.05), Alpha: varying(12, 0.2, 0.9), Gamma: varying(13, 0.8, 1), DecayAfter: after, W0: start(tanh())})
			}
		}
	}},
	{"chunks", "They agree in chunks of five tokens: whole chunk seen, earlier chunks only, or token by token.", 1e-12, false, func(t *trial) {
		for _, order := range []engine.Order{engine.UpdateThenApply, engine.ApplyThenUpdate, engine.TokenCausal} {
			t.agree(tokens(6), &engine.InnerLoop{Feature: tanh(), Loss: engine.Squared{}, Rate: engine.Constant(0.03), Alpha: engine.Constant(0.5), Chunk: 5, Order: order, W0: start(tanh())})
		}
	}},
	{"weight-norm", "They agree with columns held at their first norm, after the step or before its use.", 1e-12, false, func(t *trial) {
		for _, norm := range []engine.WeightNorm{engine.PostNorm, engine.PreNorm} {
			t.agree(tokens(7), &engine.InnerLoop{Feature: tanh(), Loss: engine.Dot{}, Rate: engine.Constant(0.05), Alpha: engine.Constant(0.5), Norm: norm, W0: start(tanh())})
		}
	}},
	{"newton-schulz", "They agree with Muon by Newton–Schulz steps, with momentum.", 1e-11, false, func(t *trial) {
		muon := &engine.Muon{Method: engine.NewtonSchulz, Coefficients: engine.NewtonSchulzLaCT}
		t.agree(tokens(8), &engine.InnerLoop{Feature: tanh(), Loss: engine.Dot{}, Rate: engine.Constant(0.1), Alpha: engine.Constant(0.6), Muon: muon, Chunk: 4, RateOutside: true, W0: start(tanh())})
	}},
	{"polar", "They agree with Muon by the exact polar factor.", 1e-10, false, func(t *trial) {
		t.agree(tokens(9), &engine.InnerLoop{Feature: tanh(), Loss: engine.Dot{}, Rate: engine.Constant(0.1), Muon: &engine.Muon{Method: engine.Polar}, Chunk: 6, RateOutside: true, W0: start(tanh())})
	}},
}
