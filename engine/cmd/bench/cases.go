// Command bench times the engine, natively or in a page (web/bench), beside
// twins in JavaScript and NumPy. `make bench` runs them all and prints one
// table.
package main

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"unrolled/engine"
	"unrolled/engine/experiments"
)

// A benchCase prepares a computation; running it returns the sum of its
// outputs, or 0 where no twin computes the same.
type benchCase struct {
	name    string
	prepare func() func() float64
}

// cases lists what is timed. A twin that has a case by the same name computes
// the same numbers.
func cases() []benchCase {
	list := []benchCase{
		{"T=64, 8/16/8", sequential(64, 8, 16, 8)},
		{"T=64", sequential(64, 64, 128, 64)},
		{"T=256", sequential(256, 64, 128, 64)},
		{"T=1024", sequential(1024, 64, 128, 64)},
		{"T=4096", sequential(4096, 64, 128, 64)},
		{"default both ways, all measures", defaultRun},
		{"default duel, as the page asks", defaultDuel},
	}
	for _, rule := range []struct {
		name  string
		loss  engine.Loss
		alpha float64
	}{{"dot", engine.Dot{}, 0}, {"dot, momentum", engine.Dot{}, 0.9}, {"squared", engine.Squared{}, 0}, {"squared, momentum", engine.Squared{}, 0.5}} {
		for _, length := range []int{1024, 4096} {
			tokens, loop := task(length, 64, 128, 64)
			loop.Loss, loop.Alpha = rule.loss, engine.Constant(rule.alpha)
			forms := []engine.Form{engine.Chunkwise}
			switch {
			case rule.name == "dot" && length > 1024: // masked keeps T² numbers
				forms = []engine.Form{engine.Chunkwise, engine.HillisSteele, engine.Blelloch}
			case rule.name == "dot":
				forms = engine.Forms()
			case rule.name == "squared" && length == 1024:
				forms = []engine.Form{engine.Chunkwise, engine.Blelloch}
			}
			list = append(list, inForms(fmt.Sprintf("%s, T=%d", rule.name, length), tokens, loop, forms)...)
		}
		// Without the features, which the token loop and the chunks share.
		tokens, loop := task(4096, 64, 128, 64)
		loop.Loss, loop.Alpha, loop.Feature = rule.loss, engine.Constant(rule.alpha), engine.Identity{Dim: 64}
		list = append(list, inForms(rule.name+", φ(x) = x, T=4096", tokens, loop, []engine.Form{engine.Chunkwise})...)
	}
	return list
}

// inForms lists the token loop and parallel forms of one rule.
func inForms(at string, tokens func() *engine.Tokens, loop *engine.InnerLoop, forms []engine.Form) []benchCase {
	list := []benchCase{{at + ": sequential", func() func() float64 {
		return func() float64 { return sum(engine.Sequential(tokens(), loop).Output) }
	}}}
	for _, form := range forms {
		list = append(list, benchCase{at + ": " + string(form), func() func() float64 {
			return func() float64 {
				run, err := engine.Parallel(tokens(), loop, form, 0)
				if err != nil {
					panic(err)
				}
				return sum(run.Output)
			}
		}})
	}
	return list
}

// prepare returns the named case, ready to run.
func prepare(name string) (func() float64, error) {
	for _, c := range cases() {
		if c.name == name {
			return c.prepare(), nil
		}
	}
	return nil, fmt.Errorf("there is no case %q", name)
}

// draws are the numbers that the twins draw too: a linear congruence, uniform
// around zero with variance one.
type draws uint32

func (d *draws) matrix(rows, cols int, scale float64) *mat.Dense {
	m := mat.NewDense(rows, cols, nil)
	for i := range rows {
		for j := range cols {
			*d = *d*1664525 + 1013904223
			m.Set(i, j, scale*math.Sqrt(3)*(float64(*d)/(1<<31)-1))
		}
	}
	return m
}

// task returns tokens, drawn when first asked for, and a loop.
func task(length, dk, dh, dv int) (func() *engine.Tokens, *engine.InnerLoop) {
	d := draws(1)
	p := d.matrix(dk, dh, 1)
	var drawn *engine.Tokens
	tokens := func() *engine.Tokens {
		if drawn == nil {
			d := d
			short := 1 / math.Sqrt(float64(dk))
			drawn = &engine.Tokens{K: d.matrix(length, dk, short), Q: d.matrix(length, dk, short), V: d.matrix(length, dv, 1)}
		}
		return drawn
	}
	return tokens, &engine.InnerLoop{Feature: engine.TanhProjection{P: p}, Loss: engine.Squared{}, Rate: engine.Constant(0.005)}
}

func sum(m *mat.Dense) float64 {
	total := 0.0
	for _, x := range m.RawMatrix().Data {
		total += x
	}
	return total
}

// sequential is the token loop that the twins write out: features of keys and
// queries, a prediction, a write and a read a token, and all of it kept.
func sequential(length, dk, dh, dv int) func() func() float64 {
	return func() func() float64 {
		tokens, loop := task(length, dk, dh, dv)
		return func() float64 { return sum(engine.Sequential(tokens(), loop).Output) }
	}
}

// defaultRun is the default experiment both ways with everything that is
// measured about it: the gap, all attention weights and multipliers, alignment
// of output and value, all singular values and the leading directions of every
// state.
func defaultRun() func() float64 {
	config, err := engine.Default("gaussian")
	if err != nil {
		panic(err)
	}
	return func() float64 {
		r, err := engine.Run(config)
		if err != nil {
			panic(err)
		}
		total := engine.Compare(r.Sequential, r.Unrolled).Relative
		var spectrum engine.Spectrum
		var leader engine.Leader
		for _, state := range r.Sequential.States() {
			values := spectrum.Follow(state)
			total += engine.TopEnergy(values) + engine.TopShare(values) + engine.EffectiveRank(values) + leader.Follow(state)
		}
		var row []float64
		for t, ages := range engine.AgeRows(r.Alphas()) {
			row = r.Unrolled.Attention(row, t)
			total += row[t] * ages[0]
			total += mat.Dot(r.Sequential.Output.RowView(t), r.Tokens.V.RowView(t))
		}
		return 0 * total
	}
}

// defaultDuel is what a moved slider costs: the experiment's whole answer.
func defaultDuel() func() float64 {
	return func() float64 {
		if _, err := experiments.Run("duel", experiments.Values{}); err != nil {
			panic(err)
		}
		return 0
	}
}
