package experiments

import (
	"math"

	"unrolled/engine/say"
)

// errors are the error curves: readouts kept, and one trained at every K.
func (v *labView) errors() []Series {
	curve := func(name, label, role, style string, y func(b int) float64) Series {
		s := Series{
			Chart: "error", Name: name, Label: label, Role: role, Style: style,
			XAxis: Axis{Label: "inner steps K when tested", Log: true}, YAxis: Axis{Label: "mean squared error", Log: v.c.Loss == "dot"},
		}
		for b, k := range labSteps {
			s.X, s.Y = append(s.X, float64(k)), append(s.Y, y(b))
		}
		return s
	}
	return []Series{
		curve("again", "trained at each K", "effective", "line", func(b int) float64 { return v.scores[b][b].Error }),
		curve("kept 1", "trained at 1", "gap", "line", func(b int) float64 { return v.scores[0][b].Error }),
		curve("kept 4", "trained at 4", "gap", "dashed", func(b int) float64 { return v.scores[2][b].Error }),
		curve("zero", "always answers 0", "muted", "dashed", func(int) float64 { return v.zero }),
	}
}

// inner is the loss that the inner loop itself makes smaller.
func (v *labView) inner() []Series {
	s := Series{
		Chart: "inner", Name: "inner", Label: "inner loss", Role: "ink", Style: "line",
		XAxis: Axis{Label: "inner steps K", Log: true}, YAxis: Axis{Label: "inner loss after the steps"},
	}
	for b, k := range labSteps {
		s.X, s.Y = append(s.X, float64(k)), append(s.Y, v.scores[0][b].InnerLoss)
	}
	return []Series{s}
}

// mismatch is the error of every readout at every K, coloured by how it compares
// with that of the one trained for the K it is tested at: 0 on the diagonal, 1
// where the error is twice as large.
func (v *labView) mismatch() Matrix {
	n := len(labSteps)
	m := Matrix{
		Name: "mismatch", Label: "error over that of the readout trained there, as a power of 2", Rows: n, Cols: n, Stride: 1,
		RowAxis: Axis{Label: "trained at K", Log: true}, ColAxis: Axis{Label: "tested at K", Log: true}, Diverging: true,
	}
	for a := range n {
		for b := range n {
			m.Cells = append(m.Cells, three(v.scores[a][b].Error))
			m.Values = append(m.Values, math.Log2(v.scores[a][b].Error/v.scores[b][b].Error))
		}
	}
	return m
}

// table is one row a paradox, with where it can be seen alone.
func (v *labView) table() Table {
	always, best := v.hurt()
	last := len(labSteps) - 1
	steps := "holds: worse at every K above 1"
	if !always {
		steps = say.Sprintf("does not hold: best at K = %d", labSteps[best])
	}
	row := func(what string, p pair, link string) Row {
		return Row{[]string{what, three(p.again), three(p.kept), say.Sprintf("%s once trained again", harm(v.left(p.again)))}, link}
	}
	more := "inner-steps?steps=32"
	climb, swap := "ascent", "q-to-k"
	if v.c.Loss == "squared" {
		climb = "ascent?loss=squared"
	} else {
		more += "&loss=dot"
	}
	return Table{
		Head: []string{"one step is changed to", "readout trained again", "readout kept", "verdict"},
		Rows: []Row{
			{[]string{"nothing", three(v.base()), three(v.base()), say.Sprintf("answering 0 always: %s", three(v.zero))}, ""},
			{[]string{"32 steps", three(v.scores[last][last].Error), three(v.scores[0][last].Error), "“more steps hurt” " + steps}, more},
			row("gradient ascent", v.ascent, climb),
			row("keys in place of queries", v.keys, swap),
		},
	}
}

func (v *labView) scalars() []Scalar {
	last := len(labSteps) - 1
	_, best := v.hurt()
	var s scalars
	how := "mean of ‖oR − y‖² over tokens, coordinates and test sequences"
	s.put("error", v.base(), "", "error of one step, trained and tested", how)
	s.put("error.zero", v.zero, "", "error of always answering 0", how)
	s.put("error.two", v.scores[0][1].Error, "", "trained at 1 step, tested at 2", how)
	s.put("error.kept", v.scores[0][last].Error, "", "trained at 1 step, tested at 32", how)
	s.put("error.again", v.scores[last][last].Error, "", "trained and tested at 32 steps", how)
	s.put("best", float64(labSteps[best]), "steps", "number of steps at which the readout trained at 1 is best", "least error of its row")
	s.put("inner.one", v.scores[0][0].InnerLoss, "", "inner loss after one step", "mean ℓ on each token’s own pair")
	s.put("inner.last", v.scores[0][last].InnerLoss, "", "inner loss after 32 steps", "mean ℓ on each token’s own pair")
	diverged := " (none where a run diverged)"
	s.put("ascent.again", v.ascent.again, "", "gradient ascent, readout trained again"+diverged, how)
	s.put("ascent.kept", v.ascent.kept, "", "gradient ascent, readout kept"+diverged, how)
	s.put("keys.again", v.keys.again, "", "keys in place of queries, readout trained again", how)
	s.put("keys.kept", v.keys.kept, "", "keys in place of queries, readout kept", how)
	return s
}
