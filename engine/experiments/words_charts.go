package experiments

import (
	"math"
	"strconv"
)

// courses are the words nearest to the answer, each as the cosine that the
// answer had with it when the text was read so far.
func (v *wordsView) courses() []Series {
	const most = 3
	var series []Series
	for rank, near := range v.nearest[:min(most, len(v.nearest))] {
		s := Series{
			Chart: "course", Name: v.list.Name(near.Index), Label: v.list.Name(near.Index), Role: "muted", Style: "dashed",
			XAxis: Axis{Label: "reading t"}, YAxis: Axis{Label: "cosine of the answer with the word"},
		}
		if rank == 0 {
			s.Role, s.Style = "value", "line"
		}
		series = append(series, s)
	}
	const points = 1024
	stride := max(1, (v.shown+points-1)/points)
	for t, state := range v.r.Sequential.States() {
		if t%stride != 0 && t != v.shown-1 {
			continue
		}
		out := v.answerTo(v.ask, state)
		for rank := range series {
			near := cosine(out, v.list.Vector(v.nearest[rank].Index))
			if math.IsNaN(near) {
				near = 0 // nothing is answered yet
			}
			series[rank].X = append(series[rank].X, float64(t))
			series[rank].Y = append(series[rank].Y, near)
		}
	}
	return series
}

// contributions are the writes that count most in the answer, the largest first.
func (v *wordsView) contributions() Series {
	s := Series{
		Chart: "writes", Name: "writes", Label: "part of the answer", Role: "effective", Style: "bars",
		XAxis: Axis{Label: "token i"}, YAxis: Axis{Label: "part along “" + v.list.Name(v.nearest[0].Index) + "”: c (q̂·k̂) v̂"},
	}
	for _, one := range v.largest {
		s.X = append(s.X, float64(one.Index))
		s.Y = append(s.Y, v.parts[one.Index])
		s.Names = append(s.Names, strconv.Itoa(one.Index+1)+" "+v.pair(one.Index))
	}
	return s
}

// neighbours are the words nearest to the readout.
func (v *wordsView) neighbours() Series {
	s := Series{
		Chart: "nearest", Name: "nearest", Label: "cosine with the answer", Role: "value", Style: "bars",
		XAxis: Axis{Label: "rank"}, YAxis: Axis{Label: "cosine"},
	}
	for rank, near := range v.nearest {
		s.X = append(s.X, float64(rank+1))
		s.Y = append(s.Y, near.Score)
		s.Names = append(s.Names, v.list.Name(near.Index))
	}
	return s
}

func (v *wordsView) scalars() []Scalar {
	c := v.r.Config
	cosine, part, total, gap := math.NaN(), math.NaN(), math.NaN(), math.NaN()
	reason := ""
	if v.shown > 0 {
		cosine, part = v.nearest[0].Score, v.parts[v.largest[0].Index]
		total = v.along()
		gap = 0
		for d, x := range v.readout {
			gap = max(gap, math.Abs(x-v.attended[d]))
		}
	} else {
		reason = "; none: the run diverged at its first token"
	}
	scalars := []Scalar{
		{"words", float64(len(v.text)), "words", "words read that the list knows", "letters make words; . , ; : ! ? ' - are words of their own"},
		{"reading", float64(v.reading), "", "the reading shown", "the cursor, the last reading if none"},
		{"cosine", cosine, "", "cosine of the answer with its nearest word" + reason, "the readout q̂ S against every row of the list"},
		{"along", total, "", "the answer along that word" + reason, "q̂ S times the word's unit vector"},
		{"along.first", part, "", "what the largest write has added to that" + reason, "c_i (q̂·k̂_i) v̂_i times the word's unit vector"},
		{"gap.answer", gap, "", "largest difference between this answer by training and as the sum over the writes" + reason, "max |q̂ S − Σ c_i (q̂·k̂_i) v̂_i|"},
		{"right", float64(v.right), "words", "words read that now answer with the word that came next" + reason, "nearest row of the list to φ(k_t) S"},
		{"right.share", float64(v.right) / float64(v.reading+1), "", "the same, as a share of the words read" + reason, "right / (reading + 1)"},
		{"alpha", c.Alpha, "", "momentum", "the knob"},
		{"factor", v.form.number("factor"), "", "r, the size of a step", "the knob"},
		{"eta", c.Rate, "", "inner learning rate η, its mean over the words", "r/‖φ(k_t)‖²"},
		{"eta.used", c.Rate * c.Scale(), "", "inner learning rate that the run uses, its mean", "η(1−α) where the eventual weight is held, else η"},
		{"length", float64(c.Length), "tokens", "tokens read: a word and the next", "one less than words"},
		{"step-size", v.r.StepSize(), "", "η·mean‖φ‖²/(1−α); the squared loss stays bounded while it is below about 2", "over the keys of the run"},
	}
	return append(scalars, gapScalars(v.r)...)
}
