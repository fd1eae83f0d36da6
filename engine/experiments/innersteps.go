package experiments

import (
	"math"
	"slices"

	"unrolled/engine"
	"unrolled/engine/say"
)

// innerSteps asks what more gradient steps a token change.
func innerSteps() Experiment {
	return answering(Experiment{
		Name: "inner-steps", Key: "k", Title: "More steps, another operator",
		Question: "If a token takes more gradient steps, does the layer get better at the same thing?",
		Knobs: []Knob{
			{
				Name: "steps", Key: "K", Kind: Number, Label: "inner steps", Symbol: "K", Unit: "a token",
				Min: 1, Max: 64, Step: 1, Log: true, Integer: true, Default: "8",
				Help: "How many gradient steps each token makes.",
			},
			lossKnob(), rateKnob(), alphaKnob("0"), extraKnob(), taskKnob("gaussian"), textKnob(128), shortKnob(128), seedKnob(),
		},
	}, func(f *form) engine.Config {
		c := sequentialOnly(f)
		c.Hold = true
		extraOf(f).set(&c)
		return c
	}, func(f *form, c engine.Config) (Answer, error) {
		v := stepsView{c: c, extra: extraOf(f)}
		if err := v.measure(); err != nil {
			return Answer{}, err
		}
		return v.answer(), nil
	})
}

// An extra is a rule that may take the closed form away, with the reason why.
type extra struct {
	name, label, reason string
	set                 func(c *engine.Config)
}

var extras = []extra{
	{"none", "nothing", "", func(*engine.Config) {}},
	{"theta", "a trained φ", "with a trained φ a key’s features change from step to step", func(c *engine.Config) { c.Feature, c.Train = "mlp", true }},
	{"decay", "decay 0.98", "weight decay comes with every step and weakens what earlier tokens wrote", func(c *engine.Config) { c.Gamma, c.DecayAfter = 0.98, true }},
	{"norm", "weight norm", "the norm is put back after every step, which weakens earlier writes", func(c *engine.Config) { c.W0, c.Norm = 0.3, engine.PostNorm }},
	{"clip", "gradient clip", "the clip follows the size of each step’s gradient, which shrinks", func(c *engine.Config) { c.Clip = true }},
	{"muon", "Muon", "an orthogonalised step has one size, whatever is left to learn", func(c *engine.Config) { c.Muon = "polar" }},
}

func extraOf(f *form) extra {
	name := f.choice("extra")
	for _, x := range extras {
		if x.name == name {
			return x
		}
	}
	return extras[0]
}

func extraKnob() Knob {
	k := Knob{
		Name: "extra", Key: "b", Kind: Choice, Label: "beside the gradient", Default: "none",
		Help: "What else a step does. Most of it takes the closed form away.",
	}
	for _, x := range extras {
		k.Choices = append(k.Choices, Option{x.name, x.label})
	}
	return k
}

// sweep is the numbers of steps that are drawn, beside the chosen one.
var sweep = []int{1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64}

// stepsView is the same tokens at every K, each against one step.
type stepsView struct {
	c     engine.Config
	extra extra
	r     *engine.Result // at the chosen K
	first *engine.Result // at K = 1
	all   []stepsRun     // in order of K
	here  int            // the chosen K's place in all
	work  float64
}

// stepsRun is one K.
type stepsRun struct {
	steps           int
	done            bool    // it did not diverge
	loss            float64 // mean ℓ on each token’s own pair after its steps
	distance, alike float64 // of all outputs from those of one step: ‖O_K − O_1‖/‖O_1‖, and the cosine
	closed          closedRun
}

// closedRun is one step at the rate that should do the work of K.
type closedRun struct {
	done            bool
	rate, residual  float64    // means of η_K and of (1−ηn)^K
	gap             engine.Gap // from the K steps
	distance, alike float64    // as above
}

func (v *stepsView) measure() error {
	ks := slices.Clone(sweep)
	if !slices.Contains(ks, v.c.Steps) {
		ks = append(ks, v.c.Steps)
		slices.Sort(ks)
	}
	v.here = slices.Index(ks, v.c.Steps)
	var first *engine.Result
	for n, k := range ks {
		report("numbers of steps", n, len(ks))
		c := v.c
		c.Steps, c.Watch = k, nil
		r, err := engine.Run(c)
		if err != nil {
			return err
		}
		v.work += r.Sequential.MultiplyAdds
		if k == 1 {
			first, v.first = r, r
		}
		if k == v.c.Steps {
			v.r = r
		}
		one := stepsRun{steps: k, done: r.Diverged() < 0 && first.Diverged() < 0}
		if one.done {
			one.loss = bindingLoss(r)
			one.distance, one.alike = apart(r, first)
			if one.closed, err = v.closed(r, first); err != nil {
				return err
			}
		}
		v.all = append(v.all, one)
	}
	return nil
}

// bindingLoss is the mean loss of each token’s own pair after its steps, which
// is what the run reads when it is asked with the keys.
func bindingLoss(r *engine.Result) float64 {
	tokens := *r.Tokens
	tokens.Q = tokens.K
	asked := engine.Sequential(&tokens, r.Loop)
	var s tally
	for t := range asked.Length() {
		s.add(r.Loop.Loss.Value(asked.Output.RawRowView(t), tokens.V.RawRowView(t)))
	}
	return s.value()
}

// apart compares all outputs of two runs, taken as one vector.
func apart(a, b *engine.Result) (distance, alike float64) {
	x, y := a.Sequential.Output.RawMatrix().Data, b.Sequential.Output.RawMatrix().Data
	sum := 0.0
	for i := range x {
		sum += (x[i] - y[i]) * (x[i] - y[i])
	}
	return math.Sqrt(sum) / norm(y), cosine(x, y)
}

// closed runs one step at η_K: K·η under the dot loss; under the squared loss,
// where each step leaves 1 − ηn of the residual, (1 − (1−ηn)^K)/n, n = ‖φ(k)‖².
func (v *stepsView) closed(r, first *engine.Result) (closedRun, error) {
	k, rate := float64(r.Config.Steps), v.c.Rate*v.c.Scale()
	c := r.Config
	c.Steps, c.Alpha, c.Hold = 1, 0, false
	c.Rates = make([]float64, c.Length)
	var rates, residuals tally
	for t := range c.Rates {
		phi := first.Sequential.Keys.RawRowView(t)
		n := dot(phi, phi)
		left := math.Pow(1-rate*n, k)
		c.Rates[t] = (1 - left) / n
		if v.c.Loss == "dot" {
			c.Rates[t] = k * rate
		}
		if !(math.Abs(c.Rates[t]) < 100) { // ηn is above 2: the steps overshoot more and more
			return closedRun{}, nil
		}
		rates.add(c.Rates[t])
		residuals.add(left)
	}
	one, err := engine.Run(c)
	if err != nil || one.Diverged() >= 0 {
		return closedRun{}, err
	}
	out := closedRun{done: true, rate: rates.value(), residual: residuals.value()}
	out.gap = engine.Compare(r.Sequential, one.Sequential)
	out.distance, out.alike = apart(one, first)
	return out, nil
}

// holds reports whether one step does the work of K, to rounding.
func (c closedRun) holds() bool { return c.done && c.gap.Relative < 1e-11 }

// suspect is the switch that may take the closed form away, as a reason, or "".
// Whether it does is measured.
func (v *stepsView) suspect() string {
	switch {
	case v.c.Steps == 1:
		return ""
	case v.c.Alpha != 0:
		return "momentum carries each step into the next"
	}
	return v.extra.reason
}

func (v *stepsView) answer() Answer {
	a := Answer{Formula: v.formula(), Scalars: v.scalars(), Cost: cost(v.r)}
	a.Cost.MultiplyAdds = v.work
	if a.Sentence, a.Emphasis = sayDiverged(v.r); a.Sentence == "" {
		a.Sentence, a.Emphasis = v.say()
	}
	a.Series = v.series()
	if v.all[v.here].done {
		last := v.r.Config.Length - 1
		a.nameWords(v.r, last, reading{"1 step", v.first.Sequential.Output.RawRowView(last)}, reading{count(v.c.Steps, "step", "steps"), v.r.Sequential.Output.RawRowView(last)})
	}
	return a
}

func (v *stepsView) formula() string {
	switch {
	case !v.all[v.here].closed.holds():
		return rule(v.c) + say.Sprintf(",  %d times a token", v.c.Steps)
	case v.c.Loss == "dot":
		return say.Sprintf("η(K) = K η = %d · %s = %.3g", v.c.Steps, plain(v.c.Rate), float64(v.c.Steps)*v.c.Rate)
	}
	return say.Sprintf("η(K) = (1 − (1 − ηn)ᴷ) / n,  n = ‖φ(k)‖²,  K = %d,  η = %.3g", v.c.Steps, v.c.Rate*v.c.Scale())
}

func (v *stepsView) say() (sentence, emphasis string) {
	now, one := v.all[v.here], v.all[0]
	switch {
	case !now.done:
		return "One step diverges here, so there is nothing to compare more steps with.", "One step diverges"
	case now.steps == 1:
		return say.Sprintf("One step is what the others are compared with: it binds each token’s own pair to a loss of %s.", significant(now.loss)), "One step"
	}
	emphasis = say.Sprintf("away from those of one step by %s of their size, with cosine %.2f", significant(now.distance), now.alike)
	verb := "move "
	if v.c.Loss == "dot" && now.closed.holds() {
		emphasis, verb = say.Sprintf("%d times as large and keep their direction", now.steps), "become "
	}
	sentence = say.Sprintf("With %d steps each token’s own pair is bound to a loss of %s instead of %s, and the outputs %s%s. ",
		now.steps, significant(now.loss), significant(one.loss), verb, emphasis)
	return sentence + v.sayClosed(now.closed), emphasis
}

func (v *stepsView) sayClosed(c closedRun) string {
	reason := v.suspect()
	if reason == "" && !c.done {
		return "One step that does the same would need a rate beyond any bound: ηn is above 2, so that each step overshoots."
	}
	name := say.Sprintf("one step at %.3g", c.rate)
	if v.c.Loss == "squared" {
		name += " on average"
	}
	if c.holds() {
		return say.Sprintf("All this is exactly %s; the largest difference is %s.", name, significant(c.gap.Absolute))
	}
	if reason == "" {
		return say.Sprintf("One step at the rate that should do the same is off by %s, by rounding alone.", significant(c.gap.Absolute))
	}
	if !c.done {
		return say.Sprintf("No closed form holds: %s.", reason)
	}
	return say.Sprintf("The closed form is withdrawn, because %s: %s would be off by %s.", reason, name, significant(c.gap.Absolute))
}

// series draws the binding loss and both kinds of drift over K, and the closed
// form where it holds.
func (v *stepsView) series() []Series {
	x := Axis{Label: "inner steps K", Log: true}
	line := func(chart, label, role, axis string, y func(stepsRun) float64) Series {
		s := Series{Chart: chart, Name: "steps", Label: label, Role: role, Style: "line", XAxis: x, YAxis: Axis{Label: axis}}
		for _, run := range v.all {
			if run.done {
				s.X, s.Y = append(s.X, float64(run.steps)), append(s.Y, y(run))
			}
		}
		return s
	}
	out := []Series{
		line("binding", "K steps", "value", "mean loss after the steps", func(r stepsRun) float64 { return r.loss }),
		line("distance", "K steps", "gap", "‖O(K) − O(1)‖ / ‖O(1)‖", func(r stepsRun) float64 { return r.distance }),
		line("cosine", "K steps", "gap", "cosine of O(K) and O(1)", func(r stepsRun) float64 { return r.alike }),
	}
	for _, run := range v.all {
		if run.done && !run.closed.holds() {
			return out
		}
	}
	closed := func(chart, axis string, y func(closedRun) float64) Series {
		s := Series{Chart: chart, Name: "closed", Label: "one step at η(K)", Role: "muted", Style: "dots", XAxis: x, YAxis: Axis{Label: axis}}
		for _, run := range v.all {
			if run.closed.done {
				s.X, s.Y = append(s.X, float64(run.steps)), append(s.Y, y(run.closed))
			}
		}
		return s
	}
	return append(out,
		closed("distance", "‖O(K) − O(1)‖ / ‖O(1)‖", func(c closedRun) float64 { return c.distance }),
		closed("cosine", "cosine of O(K) and O(1)", func(c closedRun) float64 { return c.alike }))
}

func (v *stepsView) scalars() scalars {
	now, one := v.all[v.here], v.all[0]
	number := func(done bool, x float64) float64 {
		if !done {
			return math.NaN()
		}
		return x
	}
	var s scalars
	s.common(v.r)
	s.put("steps", float64(now.steps), "a token", "inner steps K", "the knob")
	s.put("loss", number(now.done, now.loss), "", "mean loss on each token’s own pair after its K steps; none if the run diverged", "ℓ(φ(k) S_t, v)")
	s.put("loss.one", number(one.done, one.loss), "", "the same after one step", "ℓ(φ(k) S_t, v)")
	s.put("distance", number(now.done, now.distance), "", "distance of all outputs from those of one step, relative", "‖O(K) − O(1)‖ / ‖O(1)‖")
	s.put("cosine", number(now.done, now.alike), "", "cosine of all outputs with those of one step, each taken as one vector", "⟨O(K), O(1)⟩ / ‖O(K)‖‖O(1)‖")
	s.put("rate.closed", number(now.closed.done, now.closed.rate), "", "the rate η(K) of one step that does the work of K, mean over tokens; none if it has no bound", "Kη, or (1 − (1−ηn)ᴷ)/n")
	s.put("residual", number(now.closed.done, now.closed.residual), "", "what K steps of the squared loss leave of a token’s own residual, mean over tokens", "(1 − ηn)ᴷ")
	s.put("closed.gap", number(now.closed.done, now.closed.gap.Absolute), "", "largest difference of that one step from the K steps", "max |difference| over tokens and coordinates")
	s.put("closed.relative", number(now.closed.done, now.closed.gap.Relative), "", "the same, relative to max(1, largest output)", "closed.gap / max(1, ‖o‖∞)")
	return append(s, diverged(v.r))
}
