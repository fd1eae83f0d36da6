package selftest

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"unrolled/engine"
)

// Anchors: textbook formulas in plain loops. What the two ways share, their
// agreement cannot test; these share nothing with either.
var anchors = []Check{
	{"two-tokens", "Two tokens worked out by hand come out as on paper.", 1e-15, false, func(t *trial) {
		// W = 0; k = 1, v = 2, η = ½: v̂ = 1, W = 1, and q = 3 reads 3.
		// Then k = 2, v = 1: f = 2, v̂ = −½, W = 1 − 1 = 0, and q = 5 reads 0.
		x := &engine.Tokens{Q: mat.NewDense(2, 1, []float64{3, 5}), K: mat.NewDense(2, 1, []float64{1, 2}), V: mat.NewDense(2, 1, []float64{2, 1})}
		r := t.run(x, &engine.InnerLoop{Feature: engine.Identity{Dim: 1}, Loss: engine.Squared{}, Rate: engine.Constant(0.5)})
		want := mat.NewDense(2, 1, []float64{3, 0})
		t.near(r.Sequential.Output, want)
		t.near(r.Unrolled.Output, want)
		t.near(r.Unrolled.Effective, mat.NewDense(2, 1, []float64{1, -0.5}))
	}},
	{"textbook", "The dot loss is textbook linear attention, tril(QKᵀ)V.", 1e-13, false, func(t *trial) {
		x := tokens(21)
		r := t.run(x, engine.LinearAttention(keyDim))
		want := attend(x.Q, x.K, x.V, inclusive)
		t.near(r.Sequential.Output, want)
		t.near(r.Unrolled.Output, want)
	}},
	{"delta-rule", "The squared loss is the delta rule, S ← S + β kᵀ(v − kS).", 1e-13, false, func(t *trial) {
		x, beta := tokens(22), varying(23, 0.1, 0.6)
		s, want := mat.NewDense(keyDim, valueDim, nil), mat.NewDense(length, valueDim, nil)
		for n := range length {
			k, v := x.K.RawRowView(n), x.V.RawRowView(n)
			for d := range valueDim {
				missing := v[d]
				for h := range keyDim {
					missing -= k[h] * s.At(h, d)
				}
				for h := range keyDim {
					s.Set(h, d, s.At(h, d)+beta[n]*k[h]*missing)
				}
				for h, q := range x.Q.RawRowView(n) {
					want.Set(n, d, want.At(n, d)+q*s.At(h, d))
				}
			}
		}
		r := t.run(x, engine.DeltaNet(keyDim, beta))
		t.near(r.Sequential.Output, want)
		t.near(r.Unrolled.Output, want)
	}},
	{"triangle", "For the squared loss all effective values solve one triangular system.", 1e-13, false, func(t *trial) {
		// U = (I + η tril(ΦΦᵀ, −1))⁻¹ η (V − Φ W_0), row by row.
		x, f := tokens(24), tanh()
		const eta = 0.05
		l := &engine.InnerLoop{Feature: f, Loss: engine.Squared{}, Rate: engine.Constant(eta), W0: start(f)}
		phi := l.Features(x.K)
		u, known := mat.NewDense(length, valueDim, nil), product(phi, l.W0)
		for n := range length {
			for d := range valueDim {
				missing := x.V.At(n, d) - known.At(n, d)
				for i := range n {
					missing -= inner(phi.RawRowView(n), phi.RawRowView(i)) * u.At(i, d)
				}
				u.Set(n, d, eta*missing)
			}
		}
		r := t.run(x, l)
		t.near(r.Unrolled.Effective, u)
		t.near(r.Sequential.Effective, u)
	}},
	{"gradient", "Every effective value is −η times the slope of the loss, by finite differences.", 1e-8, false, func(t *trial) {
		const eta, h = 0.05, 1e-6
		for _, loss := range losses() {
			x, f := tokens(25), tanh()
			r := t.run(x, &engine.InnerLoop{Feature: f, Loss: loss, Rate: engine.Constant(eta), W0: start(f)})
			for n := range length {
				answer := product(r.Sequential.Keys.Slice(n, n+1, 0, hidden), r.Sequential.State(n-1)).RawRowView(0)
				for d := range answer {
					was := answer[d]
					answer[d] = was + h
					up := loss.Value(answer, x.V.RawRowView(n))
					answer[d] = was - h
					down := loss.Value(answer, x.V.RawRowView(n))
					answer[d] = was
					t.off(math.Abs(r.Unrolled.Effective.At(n, d) + eta*(up-down)/(2*h)))
				}
			}
		}
	}},
	{"dot-values", "Under the dot loss the effective value is ηv to the last bit.", 0, false, func(t *trial) {
		x := tokens(26)
		r := t.run(x, &engine.InnerLoop{Feature: tanh(), Loss: engine.Dot{}, Rate: engine.Constant(0.05), Alpha: engine.Constant(0.9), W0: start(tanh())})
		t.off(distance(r.Sequential.Effective, times(0.05, x.V)))
		t.off(distance(r.Unrolled.Effective, times(0.05, x.V)))
	}},
	{"writes", "The start and all writes add up to the state, token by token.", 1e-14, false, func(t *trial) {
		x, f := tokens(27), tanh()
		r := t.run(x, &engine.InnerLoop{Feature: f, Loss: engine.Squared{}, Rate: engine.Constant(0.05), W0: start(f)})
		sum := start(f)
		for n := range length {
			for h := range hidden {
				for d := range valueDim {
					sum.Set(h, d, sum.At(h, d)+r.Unrolled.Keys.At(n, h)*r.Unrolled.Effective.At(n, d))
				}
			}
			t.near(r.Sequential.State(n), sum)
		}
	}},
	{"spectrum", "The squares of the singular values add up to that of the state’s size.", 1e-13, false, func(t *trial) {
		r := t.run(tokens(28), &engine.InnerLoop{Feature: tanh(), Loss: engine.Squared{}, Rate: engine.Constant(0.05)})
		var follower engine.Spectrum
		state := r.Sequential.FinalState()
		sum, total := 0.0, 0.0
		for _, sigma := range follower.Follow(state) {
			sum += sigma * sigma
		}
		for h := range hidden {
			total += inner(state.RawRowView(h), state.RawRowView(h))
		}
		t.off(math.Abs(sum-total) / total)
	}},
	{"orthonormal", "With orthonormal keys the delta rule is linear attention.", 1e-15, false, func(t *trial) {
		eye := mat.NewDense(keyDim, keyDim, nil)
		for d := range keyDim {
			eye.Set(d, d, 1)
		}
		r := draw(29)
		x := &engine.Tokens{Q: random(r, keyDim, keyDim, 1), K: eye, V: random(r, keyDim, valueDim, 1)}
		delta := t.run(x, engine.DeltaNet(keyDim, engine.Constant(1)))
		t.near(delta.Unrolled.Output, t.run(x, engine.LinearAttention(keyDim)).Sequential.Output)
	}},
	{"single-muon", "Five Newton–Schulz steps take a single write to 0.978345 of its direction.", 1e-6, false, func(t *trial) {
		r := draw(30)
		x := &engine.Tokens{Q: random(r, 1, keyDim, 1), K: random(r, 1, keyDim, 1), V: random(r, 1, valueDim, 1)}
		l := engine.LinearAttention(keyDim)
		l.Muon = &engine.Muon{Method: engine.NewtonSchulz, Coefficients: engine.NewtonSchulzLaCT}
		k, v := x.K.RawRowView(0), x.V.RawRowView(0)
		want := times(0.978345/math.Sqrt(inner(k, k)*inner(v, v)), attend(x.Q, x.K, x.V, inclusive))
		run := t.run(x, l)
		t.near(run.Sequential.Output, want)
		t.near(run.Unrolled.Output, want)
	}},
	{"again", "The same run twice gives the same bits.", 0, false, func(t *trial) {
		for _, task := range engine.Tasks() {
			c, err := engine.Default(task)
			if err != nil {
				panic(err)
			}
			c.Length = 16
			a, err := engine.Run(c)
			if err != nil {
				panic(err)
			}
			b, _ := engine.Run(c)
			t.off(distance(a.Sequential.Output, b.Sequential.Output))
			t.off(distance(a.Unrolled.Output, b.Unrolled.Output))
		}
	}},
}
