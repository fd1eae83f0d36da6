package selftest

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"unrolled/engine"
)

// Parallel forms against the token loop, and the outer loop against NumPy.
var parallel = []Check{
	{"parallel-dot", "One masked product, chunks and both scans give the outputs of the token loop under the dot loss.", 1e-12, false, func(t *trial) {
		t.parallel(&engine.InnerLoop{Feature: tanh(), Loss: engine.Dot{}, Rate: varying(61, 0.01, 0.08), W0: start(tanh())})
	}},
	{"parallel-squared", "So they do under the squared loss, by a triangular solve in a chunk and affine maps between chunks.", 1e-12, false, func(t *trial) {
		t.parallel(&engine.InnerLoop{Feature: tanh(), Loss: engine.Squared{}, Rate: varying(62, 0.01, 0.08), W0: start(tanh())})
	}},
	{"parallel-momentum", "And with momentum and decay, with a state of two matrices.", 1e-12, false, func(t *trial) {
		for _, loss := range losses() {
			for _, after := range []bool{false, true} {
				t.parallel(&engine.InnerLoop{
					Feature: tanh(), Loss: loss, Rate: engine.Constant(0.03), Alpha: varying(63, 0.2, 0.9),
					Gamma: varying(64, 0.8, 1), DecayAfter: after, W0: start(tanh()),
				})
			}
		}
	}},
	{"parallel-rules", "And where an update changes its values before they count: clipped, mixed by Muon, read at the first norm.", 1e-11, false, func(t *trial) {
		loop := engine.InnerLoop{Feature: tanh(), Loss: engine.Dot{}, Rate: engine.Constant(0.1), Chunk: 4, W0: start(tanh())}
		clipped, mixed, normed := loop, loop, loop
		clipped.Clip, clipped.Alpha = true, engine.Constant(0.5)
		mixed.Muon, mixed.RateOutside = &engine.Muon{Method: engine.NewtonSchulz, Coefficients: engine.NewtonSchulzLaCT}, true
		normed.Norm, normed.Alpha = engine.PreNorm, engine.Constant(0.5)
		for _, l := range []*engine.InnerLoop{&clipped, &mixed, &normed} {
			t.parallel(l)
		}
	}},
	{"scan-rounds", "A scan over n chunks takes ⌈log₂ n⌉ rounds (Hillis–Steele) or twice that (Blelloch).", 0, false, func(t *trial) {
		for _, loss := range losses() {
			loop := &engine.InnerLoop{Feature: tanh(), Loss: loss, Rate: engine.Constant(0.05), Alpha: engine.Constant(0.5)}
			for _, chunk := range []int{1, 2, 3, 5, 8, length} {
				rounds := math.Ceil(math.Log2(math.Ceil(length / float64(chunk))))
				t.off(math.Abs(float64(t.form(tokens(65), loop, engine.HillisSteele, chunk).Rounds) - rounds))
				t.off(math.Abs(float64(t.form(tokens(65), loop, engine.Blelloch, chunk).Rounds) - 2*rounds))
			}
		}
	}},
	{"no-parallel", "Where Θ learns, or norms act after every step, a parallel form is refused with the verdict’s reason.", 0, false, func(t *trial) {
		for _, l := range []*engine.InnerLoop{
			{Feature: network(), Loss: engine.Dot{}, Train: true},
			{Feature: tanh(), Loss: engine.Dot{}, Norm: engine.PostNorm},
			{Feature: tanh(), Loss: engine.Squared{}, Clip: true},
		} {
			verdict := l.Linearity(length).Parallel
			_, err := engine.Parallel(tokens(66), l, engine.Chunkwise, 0)
			if verdict.Holds || err == nil || err.Error()+"." != "no parallel form: "+verdict.Reason {
				t.off(1)
			}
		}
	}},
	// The number is that of testdata/outer.py, run with NumPy.
	{"outer-loop", "A ridge readout trained on eight sequences answers eight others with the error that NumPy finds, 0.1386.", 1e-12, false, func(t *trial) {
		score, err := outerScore()
		if err != nil {
			panic(err)
		}
		t.off(math.Abs(score.Error - 0.138628198418303))
	}},
}

// parallel compares every form, in chunks that do and do not divide the tokens,
// with the token loop.
func (t *trial) parallel(l *engine.InnerLoop) {
	x := tokens(60)
	want := t.run(x, l).Sequential
	for _, form := range engine.Forms() {
		for _, chunk := range []int{1, 5, 8} {
			got := t.form(x, l, form, chunk)
			t.near(got.Output, want.Output)
			t.near(got.Effective, want.Effective)
		}
	}
}

// form runs one parallel form; it must not be refused.
func (t *trial) form(x *engine.Tokens, l *engine.InnerLoop, form engine.Form, chunk int) *engine.ParallelRun {
	run, err := engine.Parallel(x, l, form, chunk)
	if err != nil {
		panic(err)
	}
	return run
}

// outerScore is the experiment of testdata/outer.py: the query of a token is the
// key of the token before, the answer that token's value.
func outerScore() (engine.Score, error) {
	const tokens, keys, values, count = 16, 4, 3, 8
	state := uint32(1)
	congruence := func(rows, cols int) *mat.Dense {
		m := mat.NewDense(rows, cols, nil)
		for i := range rows {
			for j := range cols {
				state = state*1664525 + 1013904223
				m.Set(i, j, float64(state)/(1<<31)-1)
			}
		}
		return m
	}
	var all []engine.Sequence
	for range 2 * count {
		k, v := congruence(tokens, keys), congruence(tokens, values)
		all = append(all, engine.Sequence{Tokens: &engine.Tokens{Q: previous(k), K: k, V: v}, Target: previous(v)})
	}
	outer := &engine.Outer{Train: all[:count], Test: all[count:], Penalty: 0.01}
	loop := &engine.InnerLoop{Feature: engine.Identity{Dim: keys}, Loss: engine.Squared{}, Rate: engine.Constant(0.3)}
	readout, err := outer.Fit(loop)
	if err != nil {
		return engine.Score{}, err
	}
	return outer.Ask(loop, readout)
}

// previous returns m with every row one later, the first one twice.
func previous(m *mat.Dense) *mat.Dense {
	out := mat.DenseCopyOf(m)
	rows, _ := m.Dims()
	for t := 1; t < rows; t++ {
		out.SetRow(t, m.RawRowView(t-1))
	}
	return out
}
