package runfile

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// These files say in the fields of a run file what no case of other people's
// code says, and expect what the formula, written here in plain loops, gives.

type table [][]float64

func draw(r *rand.Rand, rows, cols int, from, to float64) table {
	m := make(table, rows)
	for i := range m {
		m[i] = make([]float64, cols)
		for j := range m[i] {
			m[i][j] = from + (to-from)*r.Float64()
		}
	}
	return m
}

func (m table) column(j int) []float64 {
	out := make([]float64, len(m))
	for i := range m {
		out[i] = m[i][j]
	}
	return out
}

func clone(m table) table {
	out := make(table, len(m))
	for i := range m {
		out[i] = append([]float64(nil), m[i]...)
	}
	return out
}

// read is x W.
func read(x []float64, w table) []float64 {
	out := make([]float64, len(w[0]))
	for h, a := range x {
		for d, b := range w[h] {
			out[d] += a * b
		}
	}
	return out
}

const (
	formulaT, formulaK, formulaV = 9, 3, 2
)

// A world is what the formulas of one test work on.
type world struct {
	q, k, v, w table
	r          *rand.Rand
}

func newWorld(seed uint64) world {
	r := rand.New(rand.NewPCG(seed, 5))
	return world{draw(r, formulaT, formulaK, -1, 1), draw(r, formulaT, formulaK, -1, 1), draw(r, formulaT, formulaV, -1, 1), draw(r, formulaK, formulaV, -0.5, 0.5), r}
}

// inputs are the matrices under their names.
func (w world) inputs() map[string]any {
	return map[string]any{"q": w.q, "k": w.k, "v": w.v, "w0": clone(w.w)}
}

type fields = map[string]any

func model(change fields) fields {
	m := fields{"feature": "identity", "train": "last", "loss": "dot", "chunk": 1, "learningRate": 1.0, "learningRatePlacement": "inside"}
	for k, v := range change {
		m[k] = v
	}
	return m
}

// meets runs a file and fails where an expected array is missed.
func meets(t *testing.T, name string, model, inputs, expected fields) *Answer {
	t.Helper()
	raw, err := json.Marshal(fields{"name": name, "model": model, "inputs": inputs, "expected": expected})
	if err != nil {
		t.Fatal(err)
	}
	f, err := Read(strings.NewReader(string(raw)))
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return nil
	}
	a, err := f.Run()
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return nil
	}
	if !a.Pass() || len(a.Difference) != len(expected) {
		t.Errorf("%s: off by %v", name, a.Difference)
	}
	if !(a.Gap < gapBound(f)) {
		t.Errorf("%s: the two ways differ by %.3g", name, a.Gap)
	}
	return a
}

// Gated linear attention: W_t = diag(γ_t) W_{t−1} + k_tᵀ v_t, a γ for every row.
func TestDecayByChannel(t *testing.T) {
	x := newWorld(1)
	logs := draw(x.r, formulaT, formulaK, -0.4, 0)
	inputs := x.inputs()
	inputs["logDecay"] = logs
	var out table
	for n := range x.q {
		for h := range x.w {
			for d := range x.w[h] {
				x.w[h][d] = math.Exp(logs[n][h])*x.w[h][d] + x.k[n][h]*x.v[n][d]
			}
		}
		out = append(out, read(x.q[n], x.w))
	}
	meets(t, "channel decay", model(fields{"decayPlacement": "before-gradient"}), inputs, fields{"output": out, "finalState": x.w})
}

// The delta rule with one β for every token and channel, and a scaled query.
func TestRateByChannel(t *testing.T) {
	x := newWorld(2)
	beta := draw(x.r, formulaT, formulaV, 0.1, 0.9)
	inputs := x.inputs()
	var out table
	for n := range x.q {
		f := read(x.k[n], x.w)
		for h := range x.w {
			for d := range x.w[h] {
				x.w[h][d] += x.k[n][h] * beta[n][d] * (x.v[n][d] - f[d])
			}
		}
		row := read(x.q[n], x.w)
		for d := range row {
			row[d] *= 0.25
		}
		out = append(out, row)
	}
	meets(t, "channel rate", model(fields{"loss": "squared", "learningRate": beta, "queryScale": 0.25}), inputs, fields{"output": out, "finalState": x.w})
}

// o = s q W / (s q·(z_0 + Σ k) + 1e-10), read after the token's own write.
func TestNormalizer(t *testing.T) {
	x := newWorld(3)
	for _, m := range []table{x.q, x.k} {
		for i := range m {
			for j := range m[i] {
				m[i][j] = math.Abs(m[i][j]) + 0.1
			}
		}
	}
	for _, z0 := range [][]float64{nil, {0.5, 0.25, 2}} {
		y := world{x.q, x.k, x.v, clone(x.w), x.r}
		inputs := y.inputs()
		z := make([]float64, formulaK)
		copy(z, z0)
		if z0 != nil {
			inputs["z0"] = z0
		}
		var out table
		for n := range y.q {
			for h := range y.w {
				z[h] += y.k[n][h]
				for d := range y.w[h] {
					y.w[h][d] += y.k[n][h] * y.v[n][d]
				}
			}
			row, total := read(y.q[n], y.w), 1e-10
			for h := range z {
				total += 0.5 * y.q[n][h] * z[h]
			}
			for d := range row {
				row[d] *= 0.5 / total
			}
			out = append(out, row)
		}
		meets(t, "normalizer", model(fields{"output": "normalizer", "queryScale": 0.5}), inputs, fields{"output": out, "finalState": y.w, "finalZ": z})
	}
}

// What is read may be k, or half of both.
func TestQueries(t *testing.T) {
	for _, query := range []string{"q", "k", "(q+k)/2"} {
		x := newWorld(4)
		inputs := x.inputs()
		var out table
		for n := range x.q {
			for h := range x.w {
				for d := range x.w[h] {
					x.w[h][d] += 0.3 * x.k[n][h] * x.v[n][d]
				}
			}
			q := make([]float64, formulaK)
			for h := range q {
				q[h] = map[string]float64{"q": x.q[n][h], "k": x.k[n][h], "(q+k)/2": (x.q[n][h] + x.k[n][h]) / 2}[query]
			}
			out = append(out, read(q, x.w))
		}
		meets(t, query, model(fields{"query": query, "learningRate": 0.3}), inputs, fields{"output": out})
	}
}

// Decay once, then K steps with one key: the delta rule K times, and the same as
// one step with η_K = (1 − (1 − βn)^K)/n.
func TestInnerStepsDecayOnce(t *testing.T) {
	const steps = 3
	x := newWorld(5)
	gamma, beta := draw(x.r, formulaT, 1, 0.6, 1).column(0), draw(x.r, formulaT, 1, 0.1, 0.5).column(0)
	inputs, again := x.inputs(), x.inputs()
	var out, k3, v3 table
	var beta3 []float64
	for n := range x.q {
		size := 0.0
		for _, a := range x.k[n] {
			size += a * a
		}
		eta := (1 - math.Pow(1-beta[n]*size, steps)) / size
		for h := range x.w {
			for d := range x.w[h] {
				x.w[h][d] *= gamma[n]
			}
		}
		f := read(x.k[n], x.w)
		for h := range x.w {
			for d := range x.w[h] {
				x.w[h][d] += x.k[n][h] * eta * (x.v[n][d] - f[d])
			}
		}
		out = append(out, read(x.q[n], x.w))
		for range steps {
			k3, v3, beta3 = append(k3, x.k[n]), append(v3, x.v[n]), append(beta3, beta[n])
		}
	}
	rule := fields{"loss": "squared", "learningRate": beta, "steps": steps, "decay": gamma, "decayPlacement": "before-gradient"}
	meets(t, "K steps", model(rule), inputs, fields{"output": out, "finalState": x.w})
	again["k"], again["v"] = k3, v3
	rule["steps"], rule["writesPerToken"], rule["learningRate"] = 1, steps, beta3
	meets(t, "K writes", model(rule), again, fields{"output": out, "finalState": x.w})
}

// torch: buf = α buf + grad, p −= lr buf, from a buffer that is not empty; with
// the rate inside, the buffer holds lr·grad and is subtracted as it stands.
func TestInitialBuffer(t *testing.T) {
	for _, placement := range []string{"inside", "outside", "inside=outside (constant)"} {
		x := newWorld(6)
		start := draw(x.r, formulaK, formulaV, -1, 1)
		inputs := x.inputs()
		inputs["momentum0"] = fields{"w0": clone(start)}
		const lr, alpha = 0.2, 0.7
		var out table
		for n := range x.q {
			for h := range x.w {
				for d := range x.w[h] {
					grad, after := -x.k[n][h]*x.v[n][d], lr
					if placement == "inside" {
						grad, after = lr*grad, 1
					}
					start[h][d] = alpha*start[h][d] + grad
					x.w[h][d] -= after * start[h][d]
				}
			}
			out = append(out, read(x.q[n], x.w))
		}
		meets(t, placement, model(fields{"learningRate": lr, "momentum": alpha, "learningRatePlacement": placement}), inputs, fields{"output": out, "finalState": x.w})
	}
}

// Chunks with one rate, one α and one weight decay each, as torch has them: the
// rate outside, p ← (1 − lr w) p − lr buf. The last chunk is partial; in
// apply-then-update order its write shows in the final state alone, and in
// LaCT's code (which names its momentum reduction) not even there.
func TestChunksWithRatesOfTheirOwn(t *testing.T) {
	const length, decay = 4, 0.3
	rates, alphas := []float64{0.2, 0.1, 0.3}, []float64{0.5, 0.9, 0.4}
	for _, order := range []string{"update-then-apply", "apply-then-update"} {
		x := newWorld(7)
		inputs := x.inputs()
		buffer := draw(x.r, formulaK, formulaV, 0, 0)
		var out table
		var beforeLast table
		for c, rate := range rates {
			from, to := c*length, min(formulaT, (c+1)*length)
			reads := func() {
				for n := from; n < to; n++ {
					out = append(out, read(x.q[n], x.w))
				}
			}
			if order == "apply-then-update" {
				reads()
			}
			beforeLast = clone(x.w)
			grad := draw(x.r, formulaK, formulaV, 0, 0)
			for n := from; n < to; n++ {
				f := read(x.k[n], x.w)
				for h := range grad {
					for d := range grad[h] {
						grad[h][d] += x.k[n][h] * (f[d] - x.v[n][d])
					}
				}
			}
			for h := range grad {
				for d := range grad[h] {
					buffer[h][d] = alphas[c]*buffer[h][d] + grad[h][d]
					x.w[h][d] = (1-rate*decay)*x.w[h][d] - rate*buffer[h][d]
				}
			}
			if order != "apply-then-update" {
				reads()
			}
		}
		rule := fields{
			"loss": "squared", "chunk": length, "order": order, "momentum": alphas, "momentumPer": "chunk",
			"learningRate": rates, "learningRatePer": "chunk", "learningRatePlacement": "outside",
			"weightDecay": decay, "decayPlacement": "after-gradient", "decayApplies": "all trained parameters",
		}
		meets(t, order, model(rule), inputs, fields{"output": out, "finalState": x.w})
		if order == "apply-then-update" {
			rule["momentumReduction"] = "none"
			meets(t, "the last chunk is read only", model(rule), inputs, fields{"output": out, "finalState": beforeLast})
		}
	}
}

// target v−k for the squared loss, ascent, and the weights of an object of
// rates: for W alone, as the feature map has nothing else.
func TestTargetAndSign(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 5))
	q, k, v, w := draw(r, 6, 3, -1, 1), draw(r, 6, 3, -1, 1), draw(r, 6, 3, -1, 1), draw(r, 3, 3, -0.5, 0.5)
	for sign, s := range map[string]float64{"descent": 1, "ascent": -1} {
		rates := draw(r, 6, 1, 0.05, 0.2).column(0)
		state := clone(w)
		var out, values table
		var losses []float64
		for n := range q {
			f := read(k[n], state)
			write, loss := make([]float64, 3), 0.0
			for d := range f {
				e := f[d] - (v[n][d] - k[n][d])
				loss += e * e / 2
				write[d] = -s * rates[n] * e
			}
			for h := range state {
				for d := range state[h] {
					state[h][d] += k[n][h] * write[d]
				}
			}
			out, values, losses = append(out, read(q[n], state)), append(values, write), append(losses, loss)
		}
		meets(t, sign, model(fields{"loss": "squared", "target": "v-k", "sign": sign, "learningRate": fields{"w0": rates}}),
			fields{"q": q, "k": k, "v": v, "w0": w}, fields{"output": out, "writeValues": values, "keyFeatures": k, "loss": losses, "finalState": state})
	}
}

// A chunk's polar step, D_c = G_c + α_c D_{c−1}, W += (D Dᵀ)^{−1/2} D, for one
// output channel, where the polar factor is D/‖D‖.
func TestPolarStepsOfOneChannel(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 5))
	const n, dk, length = 8, 3, 2
	q, k, v, w := draw(r, n, dk, -1, 1), draw(r, n, dk, -1, 1), draw(r, n, 1, -1, 1), draw(r, dk, 1, -0.5, 0.5)
	inputs := fields{"q": q, "k": k, "v": v, "w0": clone(w)}
	eta, alpha := draw(r, n, 1, 0.1, 1).column(0), draw(r, n/length, 1, 0.2, 1.1).column(0)
	d := make([]float64, dk)
	var out table
	for c := range n / length {
		norm := 0.0
		for h := range d {
			d[h] *= alpha[c]
			for i := c * length; i < (c+1)*length; i++ {
				d[h] += k[i][h] * eta[i] * v[i][0]
			}
			norm += d[h] * d[h]
		}
		for h := range d {
			w[h][0] += d[h] / math.Sqrt(norm)
		}
		for i := c * length; i < (c+1)*length; i++ {
			out = append(out, read(q[i], w))
		}
	}
	meets(t, "polar", model(fields{"chunk": length, "orthogonalize": "polar", "learningRate": eta, "momentum": alpha, "momentumPer": "chunk"}), inputs, fields{"output": out})
}

// One file, both ways of stating the same thing.
func TestTwoStatementsMustAgree(t *testing.T) {
	x := newWorld(10)
	inputs := x.inputs()
	inputs["logDecay"] = math.Log(0.9)
	for decay, ok := range map[float64]bool{0.9: true, 0.91: false} {
		raw, _ := json.Marshal(fields{"model": model(fields{"decay": decay, "decayPlacement": "before-gradient"}), "inputs": inputs})
		_, err := Read(strings.NewReader(string(raw)))
		if (err == nil) != ok {
			t.Errorf("decay %v beside log 0.9: %v", decay, err)
		}
		if err != nil && !strings.Contains(err.Error(), "disagree") {
			t.Error(fmt.Errorf("it should say so: %w", err))
		}
	}
}
