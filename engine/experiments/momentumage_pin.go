package experiments

import (
	"math"
	"slices"

	"unrolled/engine"
	"unrolled/engine/say"
)

// pinKnob keeps any momentum, one for all tokens or one for each, to compare
// the present one with.
func pinKnob() Knob {
	return Knob{
		Name: "pin", Key: "P", Kind: Pinned, Label: "pinned momentum", Symbol: "αₜ", Max: 1.2, Step: 0.01,
		Help: "Momentum of a curve to compare with.",
	}
}

// pinScale is what the pinned run's multipliers are drawn with: 1−α, with the
// mean of the pinned α, where the eventual weight is held.
func (v *ageView) pinScale() float64 {
	if !v.r.Config.Hold {
		return 1
	}
	return 1 - engine.Schedule(v.pin).Mean()
}

// pinComparable reports whether the pinned weights can stand beside the present
// ones: held, they need a mean momentum below 1.
func (v *ageView) pinComparable() bool { return v.pin != nil && v.pinScale() > 0 }

// pinName is the pinned momentum in words.
func (v *ageView) pinName() string {
	least, most := slices.Min(v.pin), slices.Max(v.pin)
	if least == most {
		return "pinned α = " + decimals(least)
	}
	return say.Sprintf("pinned α from %s to %s", decimals(least), decimals(most))
}

// pinned is the growth and the reading under the momentum that is pinned.
func (v *ageView) pinned() []Series {
	if !v.pinComparable() || v.token >= v.shown {
		return nil
	}
	scale := v.pinScale()
	label := "pinned"
	if least := slices.Min(v.pin); least == slices.Max(v.pin) {
		label = "pinned α " + decimals(least)
	}
	row := Series{
		Chart: "reading", Name: "pinned", Label: label, Role: "query", Style: "dashed",
		XAxis: Axis{Label: "token i"}, YAxis: v.weightAxis(),
	}
	for i, c := range engine.AgeRow(v.pin, v.reading) {
		row.X, row.Y = append(row.X, float64(i)), append(row.Y, c*scale)
	}
	return []Series{v.column("pinned", label, "query", "dashed", engine.AgeColumn(v.pin, v.token), scale), row}
}

// A pinGap is where the present weights of a reading lie farthest from the
// pinned ones.
type pinGap struct {
	token     int
	now, then float64
}

func (v *ageView) farthest() pinGap {
	now, then := engine.AgeRow(v.alphas, v.reading), engine.AgeRow(v.pin, v.reading)
	var far pinGap
	for i := range now {
		a, b := now[i]*v.scale, then[i]*v.pinScale()
		if i == 0 || math.Abs(a-b) > math.Abs(far.now-far.then) {
			far = pinGap{i, a, b}
		}
	}
	return far
}

// sayPinned compares the present momentum with the pinned one, with a space in
// front; "" where nothing is pinned.
func (v *ageView) sayPinned() string {
	switch {
	case v.pin == nil || v.shown == 0:
		return ""
	case !v.pinComparable():
		return say.Sprintf(" The %s has no eventual weight to hold, so it is not drawn.", v.pinName())
	case slices.Equal(v.pin, v.alphas):
		return " The pinned momentum is the present one."
	}
	own, other := engine.HalfLife(v.alphas, v.token), engine.HalfLife(v.pin, v.token)
	half := "as soon as"
	switch {
	case own > other:
		half = count(own-other, "update", "updates") + " later than"
	case own < other:
		half = count(other-own, "update", "updates") + " sooner than"
	}
	sentence := say.Sprintf(" %s has half of its last weight %s under the %s", upper(v.name()), half, v.pinName())
	far := v.farthest()
	if math.Abs(far.now-far.then) < 1e-12 {
		return sentence + "; at this reading every token has the same weight under both."
	}
	return sentence + say.Sprintf("; at this reading token %d differs most: %s, and %s there.", far.token+1, significant(far.now), significant(far.then))
}

// pinScalars are the numbers of that comparison.
func (v *ageView) pinScalars(s *scalars) {
	if !v.pinComparable() || v.shown == 0 {
		return
	}
	far := v.farthest()
	s.put("pin.half-life", float64(engine.HalfLife(v.pin, v.token)), "updates", "half-life.own under the pinned momentum", "first n with c_i^{i+n} ≥ ½ c_i^{T−1}")
	s.put("pin.newest-oldest", 1/engine.AgeRow(v.pin, v.reading)[0], "", "newest-oldest under the pinned momentum", "c_t^t / c_0^t by Horner's rule")
	s.put("pin.token", float64(far.token), "", "token whose weight at the reading differs most from the pinned one", "over the tokens read so far")
	s.put("pin.now", far.now, "", "its weight", "c, times 1−α where the weight is held")
	s.put("pin.then", far.then, "", "its weight under the pinned momentum", "c, times 1−α where the weight is held")
}
