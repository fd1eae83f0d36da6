package experiments

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"unrolled/engine"
	"unrolled/engine/say"
)

// state asks in how many directions the state is written, and what that leaves
// of the tokens in it.
func state() Experiment {
	return oneRun(Experiment{
		Name: "state", Key: "S", Title: "What the state can hold",
		Question: "How does the state fill up, and what becomes of the tokens in it?",
		Knobs: []Knob{
			{
				Name: "width", Key: "H", Kind: Number, Label: "feature width", Symbol: "D", Min: 4, Max: 64, Step: 1, Log: true, Integer: true, Default: "16",
				Help: "Dimensions of φ(k), the rows of the state; keys have half as many, those of words 32.",
			},
			shortKnob(256), lossKnob(), rateKnob(), taskKnob("gaussian"), textKnob(256),
			{
				Name: "seeds", Key: "N", Kind: Number, Label: "seeds", Symbol: "N", Unit: "runs", Min: 1, Max: 100, Step: 1, Integer: true, Default: "100",
				Help: "How many random draws the spread is taken over.",
			},
			seedKnob(),
			cursorKnob("reading", "t", "reading", "t", "Which reading is shown; the last if none is chosen."),
		},
	}, func(f *form) engine.Config {
		c := sequentialOnly(f)
		c.HiddenDim = int(f.number("width"))
		if c.Given == nil {
			c.KeyDim = c.HiddenDim / 2
		}
		c.Rate *= usualWidth / float64(c.HiddenDim)
		return c
	}, func(f *form, r *engine.Result) Answer {
		v := stateView{r: r, shown: r.Length()}
		v.reading = min(f.cursor("reading", r.Config.Length, r.Config.Length-1), max(0, v.shown-1))
		v.measure()
		v.spread(int(f.number("seeds")))
		return v.answer()
	})
}

// usualWidth is the width at which the rate is used as it stands. ‖φ(k)‖² grows
// with the width, so a wider state takes smaller steps: each binds a pair as
// tightly as before, and what changes is how many pairs share the room.
const usualWidth = 16

// shape is a state's spectrum in a few numbers.
type shape struct {
	sigma         []float64 // singular values, largest first
	energy, size  float64   // σ₁²/Σσ² and σ₁/Σσ; NaN of a zero state
	rank          int       // σ > 10⁻⁶ σ₁
	effectiveRank float64   // exp of the entropy of σ/Σσ
}

func shapeOf(sigma []float64) shape {
	s := shape{sigma: append([]float64(nil), sigma...)}
	var sum, squares, entropy float64
	for _, x := range sigma {
		sum, squares = sum+x, squares+x*x
		if x > 1e-6*sigma[0] {
			s.rank++
		}
	}
	for _, x := range sigma {
		if x > 0 {
			entropy -= x / sum * math.Log(x/sum)
		}
	}
	s.energy, s.size, s.effectiveRank = sigma[0]*sigma[0]/squares, sigma[0]/sum, math.Exp(entropy)
	return s
}

// stateView is one run's state, reading by reading, and the spread over seeds.
type stateView struct {
	r              *engine.Result
	shown, reading int

	shapes []shape   // one a reading
	oldest []float64 // at the reading: what the key of the oldest token reads
	recall []float64 // at the reading: cosine of what each token's own key reads with its value
	load   []int     // the readings of kept
	kept   []float64 // mean recall over the tokens so far

	seeds  int
	at     []int // the readings of energy
	energy []tally
	work   float64
}

// spaced returns at most n numbers from 0 to last, the last among them.
func spaced(last, n int) []int {
	var out []int
	for i := range n {
		at := (i + 1) * (last + 1) / n
		if at > 0 && (len(out) == 0 || at-1 > out[len(out)-1]) {
			out = append(out, at-1)
		}
	}
	return out
}

func (v *stateView) measure() {
	v.load = spaced(v.shown-1, 48)
	var spectrum engine.Spectrum
	next := 0
	for t, state := range v.r.Sequential.States() {
		v.shapes = append(v.shapes, shapeOf(spectrum.Follow(state)))
		if t == v.reading {
			v.recall = v.recallOf(t, state)
			v.oldest = readState(v.r.Sequential.Keys.RawRowView(0), state)
		}
		if next < len(v.load) && v.load[next] == t {
			next++
			v.kept = append(v.kept, tallied(v.recallOf(t, state)).value())
		}
	}
}

// recallOf asks the state after token t with the key of every token so far.
func (v *stateView) recallOf(t int, state *mat.Dense) []float64 {
	var out []float64
	for i := range t + 1 {
		answer := readState(v.r.Sequential.Keys.RawRowView(i), state)
		out = append(out, cosine(answer, v.r.Tokens.V.RawRowView(i)))
	}
	return out
}

// spread takes σ₁²/Σσ² over seeds, the chosen one being the first.
func (v *stateView) spread(seeds int) {
	v.at = spaced(v.r.Config.Length-1, 12)
	v.energy = make([]tally, len(v.at))
	for n := range seeds {
		report("seeds", n, seeds)
		c := v.r.Config
		c.Watch = nil
		c.Seed += uint64(n)
		r, err := engine.Run(c)
		if err != nil || r.Diverged() >= 0 {
			continue
		}
		v.seeds++
		v.work += r.Sequential.MultiplyAdds
		var spectrum engine.Spectrum
		next := 0
		for t, state := range r.Sequential.States() {
			if t == v.at[next] {
				v.energy[next].add(shapeOf(spectrum.Follow(state)).energy)
				next++
			}
		}
	}
}

// last is the spread of σ₁²/Σσ² at the last reading.
func (v *stateView) last() *tally { return &v.energy[len(v.energy)-1] }

func (v *stateView) answer() Answer {
	c := v.r.Config
	a := Answer{Formula: say.Sprintf("S is %d × %d,  rate η · %d/D = %.3g", c.HiddenDim, c.ValueDim, usualWidth, c.Rate), Cost: cost(v.r)}
	a.Cost.MultiplyAdds += v.work
	if a.Sentence, a.Emphasis = sayDiverged(v.r); a.Sentence == "" {
		a.Sentence, a.Emphasis = v.say()
	}
	if v.shown > 0 {
		a.Series = v.series()
		a.nameWords(v.r, v.reading, reading{"newest token", v.r.Sequential.Output.RawRowView(v.reading)}, reading{"oldest token", v.oldest})
	}
	a.Scalars = v.scalars()
	return a
}

func (v *stateView) say() (sentence, emphasis string) {
	emphasis = say.Sprintf("one direction holds %.2f", v.shapes[v.reading].energy)
	sentence = say.Sprintf("After %s %s of the state’s energy σ₁²/Σσ². ", count(v.reading+1, "token", "tokens"), emphasis)
	if s := v.last(); s.n > 1 {
		sentence += say.Sprintf("Over %d seeds that is %.2f ± %.2f at the last reading; the published %s ", s.n, s.value(), s.deviation(), plain(published.share))
		if math.Abs(published.share-s.value()) <= 2*s.deviation() {
			sentence += "lies within two deviations. "
		} else {
			sentence += "was not measured at these settings. "
		}
	}
	now := v.shapes[v.reading]
	sentence += say.Sprintf("It is written in %s, spread as over %.1f equal ones. ", count(now.rank, "direction", "directions"), now.effectiveRank)
	load := float64(v.reading+1) / float64(v.r.Config.HiddenDim)
	return sentence + say.Sprintf("Asked with their own keys, the tokens so far answer with cosine %.2f on average: there are %s for every dimension.",
		tallied(v.recall).value(), significant(load)), emphasis
}

// mostDrawn is how many singular values are drawn.
const mostDrawn = 8

func (v *stateView) series() []Series {
	var out []Series
	t := Axis{Label: "reading t"}
	line := func(chart, name, label, role, style, axis string, y func(t int) float64) {
		s := Series{Chart: chart, Name: name, Label: label, Role: role, Style: style, XAxis: t, YAxis: Axis{Label: axis}}
		for t := range v.shown {
			if x := y(t); !math.IsNaN(x) {
				s.X, s.Y = append(s.X, float64(t)), append(s.Y, x)
			}
		}
		out = append(out, s)
	}
	for j := range min(mostDrawn, len(v.shapes[0].sigma)) {
		role, style := "muted", "dashed"
		if j == 0 {
			role, style = "state", "line"
		}
		name := "σ" + string(rune('₁'+j))
		line("spectrum", name, name, role, style, "singular values", func(t int) float64 { return v.shapes[t].sigma[j] })
	}
	const axis = "share of the first direction"
	if v.last().n > 1 {
		band := Series{Chart: "share", Name: "spread", Label: "mean ± deviation", Role: "state", Style: "band", XAxis: t, YAxis: Axis{Label: axis}}
		for n := range v.at {
			s := &v.energy[n]
			if s.n > 1 {
				band.X = append(band.X, float64(v.at[n]))
				band.Y, band.Y2 = append(band.Y, s.value()-s.deviation()), append(band.Y2, s.value()+s.deviation())
			}
		}
		out = append(out, band)
	}
	line("share", "energy", "σ₁²/Σσ²", "state", "line", axis, func(t int) float64 { return v.shapes[t].energy })
	line("share", "size", "σ₁/Σσ", "state", "dashed", axis, func(t int) float64 { return v.shapes[t].size })
	const directions = "directions of S"
	line("rank", "rank", "rank", "state", "line", directions, func(t int) float64 { return float64(v.shapes[t].rank) })
	line("rank", "effective", "effective", "state", "dashed", directions, func(t int) float64 { return v.shapes[t].effectiveRank })
	line("share", "published", "published "+plain(published.share), "muted", "dashed", axis, func(int) float64 { return published.share })
	return append(out, v.recallSeries(), v.loadSeries())
}

func (v *stateView) recallSeries() Series {
	s := Series{
		Chart: "recall", Name: "recall", Label: "answer and value", Role: "value", Style: "bars",
		XAxis: Axis{Label: "token i"}, YAxis: Axis{Label: "cosine of φ(k) S and v"},
	}
	for i, x := range v.recall {
		if !math.IsNaN(x) {
			s.X, s.Y = append(s.X, float64(i)), append(s.Y, x)
		}
	}
	return s
}

func (v *stateView) loadSeries() Series {
	s := Series{
		Chart: "load", Name: "kept", Label: "mean over the tokens so far", Role: "value", Style: "line",
		XAxis: Axis{Label: "tokens / D"}, YAxis: Axis{Label: "mean cosine of φ(k) S and v"},
	}
	for n, x := range v.kept {
		if !math.IsNaN(x) {
			s.X, s.Y = append(s.X, float64(v.load[n]+1)/float64(v.r.Config.HiddenDim)), append(s.Y, x)
		}
	}
	return s
}

func (v *stateView) scalars() scalars {
	var s scalars
	s.common(v.r)
	s.put("width", float64(v.r.Config.HiddenDim), "", "dimensions D of φ(k)", "the knob")
	s.put("reading", float64(v.reading), "", "the reading shown", "the cursor, the last reading if none")
	if v.shown > 0 {
		now := v.shapes[v.reading]
		s.put("share.energy", now.energy, "", "share of the first direction in the squared spectrum", "σ₁²/Σσ²")
		s.put("share.size", now.size, "", "share of the first direction in the spectrum", "σ₁/Σσ")
		s.put("rank", float64(now.rank), "", "directions that the state is written in", "σ > 10⁻⁶ σ₁")
		s.put("rank.effective", now.effectiveRank, "", "how many equal directions would be as spread out", "exp of the entropy of σ/Σσ")
		s.put("recall.mean", tallied(v.recall).value(), "", "mean cosine of what a token’s own key reads with its value", "over the tokens so far")
		s.put("recall.oldest", v.recall[0], "", "the same for the oldest token", "φ(k_0) S_t against v_0")
		s.put("recall.newest", v.recall[len(v.recall)-1], "", "the same for the newest token", "φ(k_t) S_t against v_t")
	}
	s.put("share.mean", v.last().value(), "", "σ₁²/Σσ² at the last reading, mean over the seeds; none if all diverged", "over the runs that did not diverge")
	s.put("share.deviation", v.last().deviation(), "", "its standard deviation over the seeds; none for one seed", "over the runs that did not diverge")
	s.put("share.published", published.share, "", "σ₁²/Σσ² of one published run", "as reported; its seed and sizes are not known")
	s.put("seeds", float64(v.seeds), "runs", "seeds whose run did not diverge", "counted")
	return append(s, diverged(v.r))
}
