package experiments

import (
	"math"

	"unrolled/engine"
	"unrolled/engine/say"
)

// eventual is the weight that a write grows to: at the rate η, and at the rate
// that the run uses; NaN where it grows without end.
func (v *ageView) eventual() (raw, used float64) {
	c := v.r.Config
	rest := 1 - c.MeanAlpha()
	if !(rest > 0) {
		return math.NaN(), math.NaN()
	}
	return math.Abs(c.Rate) / rest, math.Abs(c.Rate) * v.scale / rest
}

// holding is what holding η/(1−α) does to a write: its weight η·c, and the same
// at the rate η(1−α). On this axis one curve is the other moved down.
func (v *ageView) holding() []Series {
	held := 1 - v.r.Config.MeanAlpha()
	if v.token >= v.shown || !(held > 0) {
		return nil
	}
	curve := func(name, label string, used bool, rate float64) Series {
		role, style := "muted", "dashed"
		if used {
			role, style = "ink", "line"
		}
		s := v.column(name, label, role, style, engine.AgeColumn(v.alphas, v.token), rate)
		s.Chart, s.YAxis = "holding", Axis{Label: "weight of a write, rate times c", Log: true}
		return s
	}
	rate, holds := math.Abs(v.r.Config.Rate), v.r.Config.Hold
	return []Series{curve("raw", "rate η", !holds, rate), curve("held", "rate η(1−α)", holds, rate*held)}
}

// sayHolding says what holding the weight changes, and what it does not, with a
// space in front.
func (v *ageView) sayHolding() string {
	raw, _ := v.eventual()
	if math.IsNaN(raw) {
		return " With a mean momentum of 1 or more a write grows without end, and there is nothing to hold."
	}
	if v.r.Config.MeanAlpha() == 0 {
		return ""
	}
	written := "."
	if v.r.Config.Loss == "squared" {
		written = "; under the squared loss it does change what is written."
	}
	return say.Sprintf(" Holding makes a write grow to %s, where at the rate η it would grow to %s. It changes no half-life and no ratio of two weights%s",
		significant(math.Abs(v.r.Config.Rate)), significant(raw), written)
}

// halves is how long a token takes to reach half of its eventual weight, for
// every constant α.
func (v *ageView) halves() []Series {
	axis := Axis{Label: "updates to half", Log: true}
	line := Series{
		Chart: "halves", Name: "half-life", Label: "log½/logα", Role: "ink", Style: "line",
		XAxis: Axis{Label: "momentum α"}, YAxis: axis,
	}
	for hundredth := 50; hundredth <= 99; hundredth++ {
		alpha := float64(hundredth) / 100
		line.X, line.Y = append(line.X, alpha), append(line.Y, math.Log(0.5)/math.Log(alpha))
	}
	all := []Series{line}
	if v.same && v.alpha >= 0.5 && v.alpha < 1 {
		all = append(all, Series{
			Chart: "halves", Name: "here", Label: "α " + decimals(v.alpha), Role: "effective", Style: "points",
			X: []float64{v.alpha}, Y: []float64{math.Log(0.5) / math.Log(v.alpha)}, XAxis: line.XAxis, YAxis: axis,
		})
	}
	return all
}

// sweep is the share of its eventual weight that a token has, less one half, for
// every momentum and age: the white line between the colours is the half-life.
func (v *ageView) sweep() Matrix {
	ages := min(len(v.alphas), 128)
	m := Matrix{
		Name: "sweep", Label: "share of the eventual weight, less ½", Rows: 100, Cols: ages, Stride: 1,
		RowAxis: Axis{Label: "momentum, 100 α"}, ColAxis: Axis{Label: "age n"}, Diverging: true,
	}
	for hundredth := range 100 {
		for n := range ages {
			m.Values = append(m.Values, 0.5-math.Pow(float64(hundredth)/100, float64(n+1)))
		}
	}
	return m
}
