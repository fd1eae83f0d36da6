package experiments

import (
	"math"

	"unrolled/engine"
	"unrolled/engine/say"
	"unrolled/engine/selftest"
)

// ledger sets what was claimed beside what is measured, with where it ends.
func ledger() Experiment {
	return answering(Experiment{
		Name: "ledger", Key: "L", Title: "Claims and measurements",
		Question: "What was claimed, what does this page measure, and where does it end?",
		Knobs:    []Knob{seedKnob()},
	}, func(f *form) engine.Config {
		c, err := engine.Default("gaussian")
		if err != nil {
			f.fail("%v", err)
		}
		c.Seed = uint64(f.number("seed"))
		return c
	}, func(_ *form, c engine.Config) (Answer, error) {
		v := ledgerView{seed: plain(float64(c.Seed))}
		for _, enter := range []func(*ledgerView){
			(*ledgerView).identity, (*ledgerView).trained, (*ledgerView).values, (*ledgerView).steps, (*ledgerView).climb, (*ledgerView).clouds,
			(*ledgerView).swap, (*ledgerView).momentum, (*ledgerView).mask, (*ledgerView).muon, (*ledgerView).nearness, (*ledgerView).share, (*ledgerView).unmeasured,
		} {
			if enter(&v); v.err != nil {
				return Answer{}, v.err
			}
		}
		return v.answer(), nil
	})
}

// ledgerView collects rows; err is the first run that was refused.
type ledgerView struct {
	seed           string
	rows           []Row
	measured, held int     // claims with a verdict, and those that hold
	ends           int     // claims whose end the page also shows
	recall         found   // the paradox lab as it opens, which two rows read
	each           float64 // how wrong Muon on each write by itself is
	work           float64
	err            error
}

// run asks another experiment; set is "knob=value" pairs.
func (v *ledgerView) run(e Experiment, set ...string) found {
	values := Values{"seed": v.seed}
	for n := 0; n < len(set); n += 2 {
		values[set[n]] = set[n+1]
	}
	a, err := e.Run(values)
	if err != nil && v.err == nil {
		v.err = say.Errorf("%s: %v", e.Name, err)
	}
	v.work += a.Cost.MultiplyAdds
	return found(a)
}

// found is another experiment's answer.
type found Answer

// at returns a scalar, NaN if there is none of that name.
func (a found) at(name string) float64 {
	for _, s := range a.Scalars {
		if s.Name == name {
			return s.Value
		}
	}
	return math.NaN()
}

// text writes a scalar to two digits.
func (a found) text(name string) string {
	if math.IsNaN(a.at(name)) {
		return "none"
	}
	return small(a.at(name))
}

// enter adds a row that has a verdict; end says where the claim ends.
func (v *ledgerView) enter(claim, published, here string, holds bool, end, link string) {
	v.measured++
	verdict := "✗ "
	if holds {
		verdict = "✓ "
		v.held++
	}
	v.rows = append(v.rows, Row{[]string{claim, published, verdict + here, end}, link})
}

// end is an end that the page has just measured; it may not show on every draw.
func (v *ledgerView) end(text string, shows bool) string {
	if !shows {
		return "On this draw its end does not show."
	}
	v.ends++
	return text
}

func (v *ledgerView) identity() {
	a := v.run(duel())
	v.enter("Training on keys and values gives the outputs of linear attention.", "paper: Theorems 5.1 and 5.2",
		say.Sprintf("largest difference %s", a.text("gap")), a.at("gap.relative") <= rounding,
		"An element-wise optimiser such as Adam, or a last layer that is not linear, has no such form.", "duel")
}

func (v *ledgerView) trained() {
	a := v.run(duel(), "feature", "mlp", "train", "on", "old-query", "on", "new-keys", "on")
	v.enter("That stays so when the feature map learns too.", "paper: Theorem 5.2",
		say.Sprintf("largest difference %s", a.text("gap")), a.at("gap.relative") <= rounding,
		v.end(say.Sprintf("With the query before the write it is wrong by %s, with keys computed again by %s.", a.text("mistake.old-query"), a.text("mistake.new-keys")),
			a.at("mistake.old-query") > rounding && a.at("mistake.new-keys") > rounding), "duel?feature=mlp&train=on&old-query=on&new-keys=on")
}

func (v *ledgerView) values() {
	a := v.run(effectiveValue())
	v.enter("What is attended to is the effective value, −η times the slope of the loss.", "paper: Theorem 5.1",
		say.Sprintf("squared loss: v̂ is η(v − f), off by %s", a.text("rule")), a.at("rule") <= rounding,
		v.end(say.Sprintf("It is not the value: cosine %s for a digit seen for the first time, %s for one seen before.", a.text("cosine.first"), a.text("cosine.again")),
			a.at("cosine.again") < 0.99), "effective-value")
}

func (v *ledgerView) steps() {
	v.recall = v.run(paradoxLab())
	recall, smooth := v.recall, v.run(paradoxLab(), "task", "smoothing")
	v.enter("More inner steps fit the pairs better and answer worse.", "paper: PSNR about 26 to 18 dB from 1 to 64 steps",
		say.Sprintf("recall: inner loss %s to %s, error %s to %s at 32", recall.text("inner.one"), recall.text("inner.last"), three(recall.at("error")), three(recall.at("error.kept"))),
		recall.at("error.kept") > recall.at("error") && recall.at("inner.last") < recall.at("inner.one"),
		v.end(say.Sprintf("Not always: on smoothing %s steps are best. Trained again at 32, recall is at %s.", plain(smooth.at("best")), three(recall.at("error.again"))),
			smooth.at("best") > 1), "paradox-lab?task=smoothing")
}

func (v *ledgerView) climb() {
	dot, squared := v.run(paradoxLab(), "loss", "dot"), v.recall
	v.enter("Gradient ascent does as well, once trained that way.", "paper: perplexity 16.43 and 16.19; PSNR 25.94 and 25.85; top-1 79.34 and 79.61; single runs",
		say.Sprintf("dot loss: error %s both ways", three(dot.at("ascent.again"))), math.Abs(dot.at("ascent.again")-dot.at("error")) <= rounding,
		v.end(say.Sprintf("The squared loss loses the task: %s, and %s for descent. So does keeping the readout.", three(squared.at("ascent.again")), three(squared.at("error"))),
			squared.at("ascent.again") > squared.at("error")), "paradox-lab?loss=dot")
}

func (v *ledgerView) clouds() {
	a := v.run(qVersusK())
	v.enter("Queries need not look like keys.", "paper: separate clouds in its Fig. 2",
		say.Sprintf("cosine %s to %s, outputs move by %s", a.text("similarity.before"), a.text("similarity.after"), a.text("gap")), a.at("gap.relative") <= rounding,
		"The squared loss leaves only turns free, and a fixed nonlinear φ nothing.", "q-vs-k")
}

func (v *ledgerView) swap() {
	a := v.run(qToK())
	v.enter("Keys can stand in for queries.", "paper: perplexity 16.43 and 16.18; PSNR 25.94 and 25.95; top-1 79.34 and 79.18; single runs",
		say.Sprintf("smoothing: error %s, and %s with a readout trained on keys", three(a.at("smoothing.error")), three(a.at("smoothing.error.again"))),
		a.at("smoothing.error.again") < 1.05*a.at("smoothing.error"),
		v.end(say.Sprintf("Recall is lost, trained again or not: %s to %s; always answering 0 has %s.", three(a.at("recall.error")), three(a.at("recall.error.again")), three(a.at("recall.error.zero"))),
			a.at("recall.error.again") > 0.9*a.at("recall.error.zero")), "q-to-k?task=recall")
}

func (v *ledgerView) momentum() {
	a := v.run(momentumAge(), "alpha", "0.98")
	v.enter("With momentum old tokens count more.", "paper: Theorem 5.3; published toy: newest over oldest 0.027565 at α = 0.98",
		say.Sprintf("%.6f, over 64 tokens", a.at("newest-oldest")), math.Abs(a.at("newest-oldest")-0.027565) < 1e-6,
		v.end(say.Sprintf("“Half” needs a whole: %s updates to half of what it has at token 64, %s to half of its eventual weight.", plain(a.at("half-life.own")), plain(a.at("half-life.limit"))),
			a.at("half-life.own") != a.at("half-life.limit")), "momentum-age?alpha=0.98")
}

func (v *ledgerView) mask() {
	right, rightHolds := v.check("mask")
	wrong, seen := v.check("hadamard")
	v.enter("In parallel form momentum is one mask.", "in circulation: A∘M, element by element",
		say.Sprintf("the product M·A is off by %s", small(right)), rightHolds,
		v.end(say.Sprintf("Element by element the outputs are wrong by %s.", small(wrong)), seen), "self-test?check=hadamard")
}

func (v *ledgerView) muon() {
	right, rightHolds := v.check("newton-schulz")
	alone, aloneHolds := v.check("muon-alone")
	each, seen := v.check("muon-each")
	v.each = each
	v.enter("With Muon, too, the outputs are those of a sum over writes.", "in circulation: each write orthogonalised by itself",
		say.Sprintf("the whole Δ orthogonalised, with momentum: both ways agree to %s", small(right)), rightHolds,
		v.end(say.Sprintf("Write by write is right without momentum (%s); with it, wrong by %s of the largest output.", small(alone), significant(each)),
			seen && aloneHolds), "self-test?check=muon-each")
}

// check measures one of the engine's own checks, and says whether it passes.
func (v *ledgerView) check(name string) (number float64, passes bool) {
	c, _ := selftest.Find(name)
	number, err := c.Measure()
	if err != nil && v.err == nil {
		v.err = err
	}
	return number, c.Passes(number)
}

func (v *ledgerView) nearness() {
	a := v.run(similarity())
	holds := true
	for _, name := range []string{"clean", "noisy", "correlation"} {
		holds = holds && math.Abs(a.at(name+".published")-a.at(name+".mean")) <= 2*a.at(name+".deviation")
	}
	within := "all within two deviations"
	if !holds {
		within = "not all within two deviations"
	}
	v.enter("Nearness of query and key says little about the answer.", "published toy: cosines 0.7924 and 0.4746, correlation 0.4454",
		say.Sprintf("over %s draws: %.3f, %.3f and %.3f, %s", plain(a.at("seeds")), a.at("clean.mean"), a.at("noisy.mean"), a.at("correlation.mean"), within), holds,
		v.end(say.Sprintf("One draw says little: the correlation scatters by %s.", a.text("correlation.deviation")), true), "similarity")
}

func (v *ledgerView) share() {
	a := v.run(state())
	v.enter("The state is written in many directions.", "published toy: top share 0.3573",
		say.Sprintf("%.3f ± %.3f over %s draws", a.at("share.mean"), a.at("share.deviation"), plain(a.at("seeds"))),
		math.Abs(a.at("share.published")-a.at("share.mean")) <= 2*a.at("share.deviation"),
		"Its digits cannot be repeated: seed and sizes were not published.", "state")
}

// unmeasured are claims that one layer in a browser cannot test.
func (v *ledgerView) unmeasured() {
	v.rows = append(v.rows,
		Row{[]string{
			"Plain linear attention is nearly as good.", "paper: perplexity 16.43 to 16.80; PSNR 25.94 to 25.73; top-1 79.34 to 79.54",
			"not measured here", "Training the last layer only is best in the same table: 15.93, 25.97, 79.63. Single runs.",
		}, ""},
		Row{[]string{
			"The parallel form is up to 4.0 times faster.", "paper: the layer alone, at inference; 1.19 times in training, end to end",
			"not measured here", "The first sets a variant beside its own recurrent form; the second, one without trained Θ and weight norm beside the full layer.",
		}, ""},
	)
}

func (v *ledgerView) answer() Answer {
	emphasis := say.Sprintf("%d of %d claims", v.held, v.measured)
	var s scalars
	s.put("claims", float64(v.measured), "", "claims that this page measures", "counted")
	s.put("holds", float64(v.held), "", "of these, hold under the conditions named", "each row’s own bound")
	s.put("ends", float64(v.ends), "", "of these, are also measured where they end", "each row’s own bound")
	s.put("muon.each", v.each, "", "largest error of orthogonalising each write by itself, with momentum, as a part of the largest output", "self-test, muon-each")
	return Answer{
		Sentence: say.Sprintf("On this draw %s hold under the conditions named; %d of them have also been measured where they end.", emphasis, v.ends),
		Emphasis: emphasis, Formula: say.Sprintf("seed %s", v.seed),
		Scalars: s, Table: Table{Head: []string{"claim", "published", "measured here, now", "where it ends"}, Rows: v.rows},
		Cost: Cost{MultiplyAdds: v.work},
	}
}
