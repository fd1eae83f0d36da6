package experiments

import (
	"math"

	"unrolled/engine"
	"unrolled/engine/say"
)

// similarity asks whether a query that lies near its key reads its value.
func similarity() Experiment {
	return answering(Experiment{
		Name: "similarity", Key: "s", Title: "Near the key, near the value?",
		Question: "Does a query that lies nearer to its key get an output nearer to its value?",
		Knobs: []Knob{
			{
				Name: "noise", Key: "n", Kind: Number, Label: "query noise", Symbol: "σ", Max: 2, Step: 0.05, Default: "0.45",
				Help: "A query is its key plus this much of a random vector.",
			},
			lossKnob(), rateKnob(),
			{
				Name: "seeds", Key: "N", Kind: Number, Label: "seeds", Symbol: "N", Unit: "runs", Min: 1, Max: 100, Step: 1, Integer: true, Default: "100",
				Help: "How many random draws are run, from the seed on.",
			},
			vectorTaskKnob(), textKnob(256), shortKnob(256), seedKnob(),
			cursorKnob("token", "i", "token", "i", "Which token is marked; the last if none is chosen."),
		},
	}, noisyQueries, func(f *form, c engine.Config) (Answer, error) {
		v := similarView{c: c, seeds: int(f.number("seeds")), token: f.cursor("token", c.Length, c.Length-1)}
		if err := v.measure(); err != nil {
			return Answer{}, err
		}
		return v.answer(), nil
	})
}

// noisyQueries reads the knobs into a run whose queries lie as far from the keys
// as the knob says.
func noisyQueries(f *form) engine.Config {
	c := sequentialOnly(f)
	c.QueryNoise = f.number("noise")
	return c
}

// published are the figures of one run of a published toy, whose seed and sizes
// are not known. They are drawn beside the spread over seeds, never expected.
var published = struct{ clean, noisy, correlation, share float64 }{0.7924, 0.4746, 0.4454, 0.3573}

// similarView is the chosen seed's run, and the same numbers of every seed's.
type similarView struct {
	c            engine.Config
	seeds, token int

	r           *engine.Result // of the first seed
	near, right []float64      // cos(q, k) and cos(o, v) of its tokens
	lost        int            // seeds whose run diverged
	work        float64        // multiply-adds

	// One a seed, NaN for one that is lost: the mean of cos(o, v) with q = k and
	// with the noise, and the latter's correlation with cos(q, k).
	clean, noisy, correlation []float64
}

func (v *similarView) measure() error {
	for n := range v.seeds {
		report("seeds", n, v.seeds)
		c := v.c
		c.Watch = nil
		c.Seed += uint64(n)
		noisy, err := engine.Run(c)
		if err != nil {
			return err
		}
		c.QueryNoise = 0
		clean, err := engine.Run(c)
		if err != nil {
			return err
		}
		v.work += noisy.Sequential.MultiplyAdds + clean.Sequential.MultiplyAdds
		near, right := cosines(noisy)
		if n == 0 {
			v.r, v.near, v.right = noisy, near, right
			v.token = min(v.token, max(0, len(near)-1))
		}
		if noisy.Diverged() >= 0 || clean.Diverged() >= 0 {
			v.lost++
			v.clean, v.noisy, v.correlation = append(v.clean, math.NaN()), append(v.noisy, math.NaN()), append(v.correlation, math.NaN())
			continue
		}
		_, aligned := cosines(clean)
		v.clean = append(v.clean, tallied(aligned).value())
		v.noisy = append(v.noisy, tallied(right).value())
		v.correlation = append(v.correlation, fitLine(near, right).correlation)
	}
	return nil
}

// cosines are cos(q_t, k_t) and cos(o_t, v_t) of every token.
func cosines(r *engine.Result) (near, right []float64) {
	for t := range r.Length() {
		near = append(near, cosine(r.Tokens.Q.RawRowView(t), r.Tokens.K.RawRowView(t)))
		right = append(right, cosine(r.Sequential.Output.RawRowView(t), r.Tokens.V.RawRowView(t)))
	}
	return near, right
}

// one is a number of the chosen seed, the first.
func (v *similarView) one(xs []float64) float64 { return xs[0] }

func (v *similarView) answer() Answer {
	a := Answer{Formula: say.Sprintf("q = k + %s·N(0, I),  ‖k‖ = 1", plain(v.c.QueryNoise)), Cost: cost(v.r)}
	a.Cost.MultiplyAdds = v.work
	if a.Sentence, a.Emphasis = sayDiverged(v.r); a.Sentence == "" {
		a.Sentence, a.Emphasis = v.say()
	}
	a.Series = append(v.scatter(), v.spread()...)
	if v.token < len(v.near) {
		a.nameWords(v.r, v.token, reading{"answer", v.r.Sequential.Output.RawRowView(v.token)})
	}
	a.Scalars = v.scalars()
	return a
}

func (v *similarView) say() (sentence, emphasis string) {
	if v.c.QueryNoise == 0 {
		emphasis = say.Sprintf("cosine %.2f", v.one(v.clean))
		sentence = say.Sprintf("Asked with its own key, every token gets an output near its value: %s on average", emphasis)
		return sentence + v.saySpread(v.clean, published.clean) + ".", emphasis
	}
	if math.IsNaN(v.one(v.correlation)) {
		emphasis = say.Sprintf("from %.2f to %.2f", v.one(v.clean), v.one(v.noisy))
		return say.Sprintf("Noise on the query takes the mean cosine of output and value %s; one of the two cosines does not vary here, so that there is no correlation.", emphasis), emphasis
	}
	emphasis = say.Sprintf("correlate at %.2f", v.one(v.correlation))
	sentence = say.Sprintf("Noise on the query takes the mean cosine of output and value from %.2f to %.2f; token by token, nearness to the key and nearness to the value %s",
		v.one(v.clean), v.one(v.noisy), emphasis)
	return sentence + v.saySpread(v.correlation, published.correlation) + ".", emphasis
}

// saySpread compares the chosen seed with all of them and with the published run.
func (v *similarView) saySpread(xs []float64, known float64) string {
	all := tallied(xs)
	if all.n < 2 {
		return ""
	}
	text := say.Sprintf(". Over %d seeds it is %.2f ± %.2f", all.n, all.value(), all.deviation())
	if all.deviation() > 0.1*math.Abs(all.value()) {
		text = say.Sprintf(". But a single run says little: over %d seeds it is %.2f ± %.2f", all.n, all.value(), all.deviation())
	}
	if v.r.Tokens.Text != nil {
		return text // the published run read random vectors
	}
	z := math.Abs(known-all.value()) / all.deviation()
	if z <= 2 {
		return text + say.Sprintf("; the published %s lies within two deviations of that mean", plain(known))
	}
	return text + say.Sprintf("; the published %s lies %.0f deviations away, so it was not measured at these settings", plain(known), z)
}

// scatter is every token of the chosen seed, with the fitted line.
func (v *similarView) scatter() []Series {
	x, y := Axis{Label: "cos(q, k)"}, Axis{Label: "cosine of output and value, cos(o, v)"}
	cloud := Series{Chart: "scatter", Name: "tokens", Label: "tokens", Role: "query", Style: "points", X: v.near, Y: v.right, XAxis: x, YAxis: y}
	out := []Series{cloud}
	if line := fitLine(v.near, v.right); !math.IsNaN(line.slope) {
		low, high := v.near[0], v.near[0]
		for _, c := range v.near {
			low, high = min(low, c), max(high, c)
		}
		out = append(out, Series{
			Chart: "scatter", Name: "fit", Label: say.Sprintf("r = %.2f", line.correlation), Role: "ink", Style: "dashed",
			X: []float64{low, high}, Y: []float64{line.offset + line.slope*low, line.offset + line.slope*high}, XAxis: x, YAxis: y,
		})
	}
	return out
}

// spread is every seed's numbers, with their mean and standard deviation and
// the published run.
func (v *similarView) spread() []Series {
	var out []Series
	for _, s := range []struct {
		chart, name, label, role, axis string
		ys                             []float64
		known                          float64
	}{
		{"seeds", "clean", "q = k", "key", "mean cosine of output and value", v.clean, published.clean},
		{"seeds", "noisy", "noisy q", "query", "mean cosine of output and value", v.noisy, published.noisy},
		{"correlations", "correlation", "a seed", "gap", "correlation r", v.correlation, published.correlation},
	} {
		if v.c.QueryNoise == 0 && s.name != "clean" {
			continue
		}
		x, y := Axis{Label: "seed"}, Axis{Label: s.axis}
		points := Series{Chart: s.chart, Name: s.name, Label: s.label, Role: s.role, Style: "points", XAxis: x, YAxis: y}
		for n, value := range s.ys {
			if !math.IsNaN(value) {
				points.X, points.Y = append(points.X, float64(v.c.Seed)+float64(n)), append(points.Y, value)
			}
		}
		if len(points.X) == 0 {
			continue
		}
		ends := []float64{points.X[0], points.X[len(points.X)-1]}
		if all := tallied(s.ys); all.n > 1 {
			low, high := all.value()-all.deviation(), all.value()+all.deviation()
			out = append(out, Series{
				Chart: s.chart, Name: s.name + " spread", Label: "mean ± deviation", Role: s.role, Style: "band",
				X: ends, Y: []float64{low, low}, Y2: []float64{high, high}, XAxis: x, YAxis: y,
			})
		}
		if out = append(out, points); v.r.Tokens.Text != nil {
			continue
		}
		out = append(out, Series{
			Chart: s.chart, Name: s.name + " published", Label: "published " + plain(s.known), Role: "muted", Style: "dashed",
			X: ends, Y: []float64{s.known, s.known}, XAxis: x, YAxis: y,
		})
	}
	return out
}

func (v *similarView) scalars() scalars {
	var s scalars
	s.common(v.r)
	s.put("noise", v.c.QueryNoise, "", "query noise σ", "the knob")
	s.put("near", tallied(v.near).value(), "", "mean cosine of query and key, this seed", "over its tokens")
	for _, row := range []struct {
		name, meaning string
		xs            []float64
		known         float64
	}{
		{"clean", "mean cosine of output and current value with q = k", v.clean, published.clean},
		{"noisy", "mean cosine of output and current value with the noisy query", v.noisy, published.noisy},
		{"correlation", "Pearson correlation over tokens of cos(q, k) with cos(o, v)", v.correlation, published.correlation},
	} {
		all := tallied(row.xs)
		s.put(row.name, v.one(row.xs), "", row.meaning+", this seed", "over its tokens; none if it diverged or nothing varies")
		s.put(row.name+".mean", all.value(), "", row.meaning+", mean over the seeds", "over the runs that did not diverge")
		s.put(row.name+".deviation", all.deviation(), "", row.meaning+", standard deviation over the seeds", "over the runs that did not diverge; none for one seed")
		s.put(row.name+".published", row.known, "", row.meaning+", one published run", "as reported; its seed and sizes are not known")
	}
	s.put("seeds", float64(v.seeds-v.lost), "runs", "seeds whose run did not diverge", "counted")
	s.put("token", float64(v.token), "", "the token marked", "the cursor, the last token if none")
	if v.token < len(v.near) {
		s.put("token.near", v.near[v.token], "", "cosine of its query and key", "q·k / ‖q‖‖k‖")
		s.put("token.right", v.right[v.token], "", "cosine of its output and value", "o·v / ‖o‖‖v‖")
	}
	return append(s, diverged(v.r))
}
