package engine

import (
	"fmt"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// Every form, over rules × losses × features × steps with α and η that change
// from token to token and W_0 ≠ 0, and chunks that do and do not divide T.
func TestParallelFormsAgreeWithSequential(t *testing.T) {
	tokens := randomTokens(1)
	for _, c := range allRules() {
		want := Sequential(tokens, c.loop)
		for _, form := range Forms() {
			for _, chunk := range []int{1, 5, 8, 100} {
				if form == Masked && chunk > 1 {
					continue
				}
				got, err := Parallel(tokens, c.loop, form, chunk)
				if err != nil {
					t.Fatalf("%s %s: %v", c.name, form, err)
				}
				// the bound of the two ways: rounding in another order, T terms
				what := fmt.Sprintf("%s, %s, chunks of %d", c.name, form, chunk)
				within(t, what+": output", got.Output, want.Output, 1e-12)
				within(t, what+": effective values", got.Effective, want.Effective, 1e-12)
			}
		}
	}
}

func TestParallelFormsAgreeOnALongRun(t *testing.T) {
	const n = 300
	r := testRand(21)
	alpha, rate := make(Schedule, n), make(Schedule, n)
	for i := range n {
		alpha[i], rate[i] = r.Float64(), 0.02*r.Float64()
	}
	tokens := &Tokens{Q: random(r, n, 16, 0.5), K: random(r, n, 16, 0.25), V: random(r, n, 12, 1)}
	for _, loss := range []Loss{Dot{}, Squared{}} {
		loop := &InnerLoop{
			Feature: TanhProjection{P: random(r, 16, 20, 1)}, Loss: loss,
			Rate: rate, Alpha: alpha, W0: random(r, 20, 12, 0.3),
		}
		want := Sequential(tokens, loop)
		if want.Length() != n {
			t.Fatalf("the run diverges at %d", want.Length())
		}
		for _, form := range Forms() {
			got, err := Parallel(tokens, loop, form, 0)
			if err != nil {
				t.Fatal(err)
			}
			within(t, fmt.Sprintf("%T %s", loss, form), got.Output, want.Output, 1e-12)
		}
	}
}

// A literal run of a recurrence, one dense product at a time, with all that an
// InnerLoop may become: decay, rates outside, a first buffer, writes that share
// an update, reads before their own write.
func literalRecurrence(r *recurrence) (output, effective *mat.Dense) {
	w, delta := mat.NewDense(r.dh, r.dv, r.w0), mat.NewDense(r.dh, r.dv, r.delta0)
	w, delta = mat.DenseCopyOf(w), mat.DenseCopyOf(delta)
	output, effective = mat.NewDense(len(r.reads), r.dv, nil), mat.NewDense(len(r.joins), r.dv, nil)
	predict, next, read := 0, 0, 0
	for n := 0; n <= len(r.updates); n++ {
		for ; predict < len(r.sees) && r.sees[predict] == n; predict++ {
			f := product(mat.NewDense(1, r.dh, row(r.keys, predict)), w)
			f.Scale(r.fades[predict], f)
			v := r.values.RowView(r.rows[predict]).T()
			g := mat.NewDense(1, r.dv, nil)
			if r.predicts {
				g.Sub(f, v)
			} else {
				g.Scale(-1, v)
			}
			g.Scale(-r.rates[predict], g)
			effective.SetRow(predict, g.RawRowView(0))
		}
		for ; read < len(r.reads) && r.reads[read] == n; read++ {
			output.SetRow(read, product(mat.NewDense(1, r.dh, row(r.queries, read)), w).RawRowView(0))
		}
		if n == len(r.updates) {
			break
		}
		u := r.updates[n]
		delta.Scale(u.alpha, delta)
		for ; next < len(r.joins) && r.joins[next] == n; next++ {
			key := mat.NewDense(r.dh, 1, row(r.keys, next))
			delta.Sub(delta, product(key, mat.NewDense(1, r.dv, effective.RawRowView(next))))
		}
		var step mat.Dense
		step.Scale(u.rate, delta)
		w.Scale(u.decay, w)
		w.Sub(w, &step)
	}
	return output, effective
}

// shapes of a recurrence beyond what every token updating at once makes.
func recurrences(seed uint64) map[string]*recurrence {
	const n, dh, dv = 24, 7, 5
	r := testRand(seed)
	build := func(group int, squared, momentum bool) *recurrence {
		out := &recurrence{
			keys: random(r, n, dh, 0.5).RawMatrix(), queries: random(r, n, dh, 0.5).RawMatrix(), values: random(r, n, dv, 1),
			loss: Dot{}, predicts: squared, momentum: momentum, dh: dh, dv: dv,
			w0: random(r, dh, dv, 0.5).RawMatrix().Data,
		}
		if squared {
			out.loss = Squared{}
		}
		if momentum {
			out.delta0 = random(r, dh, dv, 0.2).RawMatrix().Data
		}
		for i := range n {
			if i%group == 0 {
				u := transition{decay: 0.8 + 0.3*r.Float64(), rate: 0.5 + r.Float64()}
				if momentum {
					u.alpha = 1.1 * r.Float64()
				}
				out.updates = append(out.updates, u)
			}
			out.rows, out.asks = append(out.rows, i), append(out.asks, i)
			out.joins = append(out.joins, i/group)
			out.sees = append(out.sees, i/group)
			out.fades = append(out.fades, 0.9+0.2*r.Float64())
			out.rates = append(out.rates, 0.1*r.Float64())
			out.reads = append(out.reads, i/group+1)
		}
		return out
	}
	all := map[string]*recurrence{}
	for _, squared := range []bool{false, true} {
		for _, momentum := range []bool{false, true} {
			name := fmt.Sprintf("squared %t, momentum %t: ", squared, momentum)
			all[name+"every token"] = build(1, squared, momentum)
			all[name+"chunks, update then apply"] = build(4, squared, momentum)
			before := build(5, squared, momentum)
			for t := range before.reads {
				before.reads[t]--
			}
			all[name+"chunks, apply then update"] = before
			causal := build(1, squared, momentum)
			for i := range causal.sees {
				causal.sees[i] -= i % 6
			}
			all[name+"gradients at the chunk's start, causal"] = causal
		}
	}
	return all
}

func TestParallelFormsOfEveryRecurrence(t *testing.T) {
	for name, r := range recurrences(31) {
		output, effective := literalRecurrence(r)
		for _, form := range Forms() {
			for _, length := range []int{1, 3, 7, 100} {
				run := &ParallelRun{Output: mat.NewDense(len(r.reads), r.dv, nil), Effective: mat.NewDense(len(r.joins), r.dv, nil)}
				switch form {
				case Masked:
					r.chunkwise(run, len(r.joins))
				case Chunkwise:
					r.chunkwise(run, length)
				default:
					r.scan(run, form, length)
				}
				what := fmt.Sprintf("%s, %s, length %d", name, form, length)
				within(t, what+": output", run.Output, output, 1e-12)
				within(t, what+": effective", run.Effective, effective, 1e-12)
			}
		}
	}
}

// C = M A is a product of matrices. The element-wise A ∘ M is A itself and
// leaves out what momentum adds to a write after its first step.
func TestTheMaskIsTheMatrixProductNotTheElementwiseOne(t *testing.T) {
	tokens := randomTokens(3)
	n, _, _ := tokens.Dims()
	loop := &InnerLoop{
		Feature: Identity{Dim: testDk}, Loss: Dot{}, Rate: Constant(0.05), Alpha: varying(n),
		W0: random(testRand(4), testDk, testDv, 0.3),
	}
	want := Sequential(tokens, loop).Output
	causal, a := mat.NewDense(n, n, nil), mat.NewDense(n, n, nil)
	for i := range n {
		for j := range i + 1 {
			causal.Set(i, j, 1)
			a.Set(i, j, 1)
			for s := j + 1; s <= i; s++ {
				a.Set(i, j, a.At(i, j)*loop.Alpha.At(s))
			}
		}
	}
	scores := product(tokens.Q, tokens.K.T())
	output := func(mask *mat.Dense) *mat.Dense {
		var masked, values mat.Dense
		masked.MulElem(mask, scores)
		values.Scale(0.05, tokens.V)
		out := product(&masked, &values)
		out.Add(out, product(tokens.Q, loop.W0))
		return out
	}
	c := product(causal, a)
	within(t, "M A", output(c), want, 1e-12)
	within(t, "AgeMatrix", AgeMatrix(loop.Alpha), c, 1e-12)
	var hadamard mat.Dense
	hadamard.MulElem(a, causal)
	// measured 0.64 of outputs around 1: the gap is not a rounding
	if gap := maxDifference(t, output(&hadamard), want); !(gap > 0.3) {
		t.Errorf("the element-wise mask is off by %v only", gap)
	}
}

// cubic is a loss whose gradient is not affine in the prediction.
type cubic struct{ Squared }

func TestParallelRefusesWithAReason(t *testing.T) {
	tokens := randomTokens(6)
	for _, row := range []struct {
		form  Form
		loss  Loss
		chunk int
		want  string
	}{
		{Chunkwise, cubic{}, 0, "neither dot nor squared"},
		{"fast", Dot{}, 0, "form \"fast\" is unknown"},
		{Chunkwise, Dot{}, -1, "chunk is -1"},
	} {
		_, err := Parallel(tokens, &InnerLoop{Feature: Identity{Dim: testDk}, Loss: row.loss}, row.form, row.chunk)
		if err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%s, %T, %d: %v; want %q", row.form, row.loss, row.chunk, err, row.want)
		}
	}
	long := &Tokens{Q: mat.NewDense(9000, 1, nil), K: mat.NewDense(9000, 1, nil), V: mat.NewDense(9000, 1, nil)}
	if _, err := Parallel(long, &InnerLoop{Feature: Identity{Dim: 1}, Loss: Dot{}}, Masked, 0); err == nil {
		t.Error("a masked product of 9000 tokens is accepted")
	}
}

func TestFeaturesOfManyRowsAreThoseOfEach(t *testing.T) {
	r := testRand(51)
	x := random(r, 13, 6, 1)
	loop := &InnerLoop{Feature: TanhProjection{P: random(r, 6, 9, 1)}}
	all := loop.Features(x)
	one := make([]float64, 9)
	for i := range 13 {
		loop.Feature.Apply(one, x.RawRowView(i))
		within(t, "row", mat.NewDense(1, 9, one), mat.NewDense(1, 9, all.RawRowView(i)), 1e-14)
	}
}
