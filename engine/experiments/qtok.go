package experiments

import (
	"math"
	"slices"

	"unrolled/engine"
	"unrolled/engine/say"
)

// swapTasks are the tasks that queries are replaced on.
var swapTasks = []Option{
	{"recall", "recall an earlier token"}, {"smoothing", "smooth the values"}, {"gaussian", "own value, random vectors"}, {"digits", "own value, digits"},
	{"words", "next word of a text"},
}

// qToK asks what is lost when every query is replaced by its key.
func qToK() Experiment {
	task := taskKnob("recall")
	task.Label, task.Choices, task.Help = "task", swapTasks, "What the output is wanted for."
	return answering(Experiment{
		Name: "q-to-k", Key: "q", Title: "Ask with the key instead",
		Question: "Is anything lost if every query is replaced by its token’s key?",
		Knobs: []Knob{
			task, textKnob(256), lossKnob(), rateKnob(),
			{
				Name: "noise", Key: "n", Kind: Number, Label: "query noise", Symbol: "σ", Max: 2, Step: 0.05, Default: "0.2",
				Help: "How far a query lies from the key that it asks with.",
			},
			swapLength(), sizeKnob("z"), seedKnob(),
			cursorKnob("reading", "t", "reading", "t", "Which reading is shown; the last if none is chosen."),
		},
	}, noisyQueries, func(f *form, c engine.Config) (Answer, error) {
		v := swapView{c: c, count: f.sequences(), reading: f.cursor("reading", c.Length, c.Length-1)}
		if err := v.measure(); err != nil {
			return Answer{}, err
		}
		return v.answer(), nil
	})
}

func swapLength() Knob {
	k := shortKnob(256)
	k.Default = "48"
	return k
}

// swapSeeds is how many draws of every task are compared.
const swapSeeds = 12

// swapView is a run asked with its queries and the same state asked with its keys.
type swapView struct {
	c       engine.Config
	count   int // sequences that readouts are trained on, and tested on
	reading int

	pair    swapPair      // of the chosen task and seed
	all     []swapTask    // every task over seeds
	trained []swapTrained // some of them, with a readout
	work    float64
}

// swapPair is one run, asked both ways.
type swapPair struct {
	r     *engine.Result // asked with the queries
	keyed *engine.Trace  // asked with the keys
	shown int

	before, after       []float64 // a token: cosine of output and what was wanted
	ownBefore, ownAfter []float64 // a token: the share of its own write in its output
}

// swapTask is one task's mean cosines, a seed each.
type swapTask struct {
	name          string
	before, after []float64
}

func (v *swapView) measure() error {
	for n, option := range swapTasks {
		report("tasks", n, len(swapTasks))
		if option.Value == "words" && v.c.Given == nil {
			continue // no text is read, nor the list fetched, unless the reader asks for words
		}
		task := swapTask{name: option.Value}
		for n := range swapSeeds {
			c, err := v.config(option.Value, v.c.Seed+uint64(n))
			if err != nil {
				return err
			}
			p, err := swap(c)
			if err != nil {
				return err
			}
			v.work += p.r.Sequential.MultiplyAdds + p.keyed.MultiplyAdds
			if n == 0 && c.Task == v.c.Task {
				p.measureOwn()
				v.pair = p
				v.reading = min(v.reading, max(0, p.shown-1))
			}
			if p.shown == c.Length {
				task.before = append(task.before, tallied(p.before).value())
				task.after = append(task.after, tallied(p.after).value())
			}
		}
		v.all = append(v.all, task)
	}
	for _, task := range trainedTasks {
		s, err := v.train(task, v.count)
		if err != nil {
			return err
		}
		v.trained = append(v.trained, s)
	}
	return nil
}

// config is the chosen run on another task and draw.
func (v *swapView) config(task string, seed uint64) (engine.Config, error) {
	c, err := defaultRun(task)
	c.Seed, c.Length, c.Loss, c.Rate, c.SequentialOnly = seed, v.c.Length, v.c.Loss, v.c.Rate, true
	if c.QueryNoise = v.c.QueryNoise; task == "words" {
		c.Given = v.c.Given
	}
	return c, err
}

// swap runs c and asks it both ways.
func swap(c engine.Config) (swapPair, error) {
	r, err := engine.Run(c)
	if err != nil {
		return swapPair{}, err
	}
	tokens := *r.Tokens
	tokens.Q = tokens.K
	p := swapPair{r: r, keyed: engine.Sequential(&tokens, r.Loop)}
	p.shown = min(r.Length(), p.keyed.Length())
	wanted := tokens.Targets
	if wanted == nil {
		wanted = tokens.V
	}
	for t := range p.shown {
		p.before = append(p.before, cosine(r.Sequential.Output.RawRowView(t), wanted.RawRowView(t)))
		p.after = append(p.after, cosine(p.keyed.Output.RawRowView(t), wanted.RawRowView(t)))
	}
	return p, nil
}

// measureOwn looks at every write of every reading, so only the run that is drawn
// is asked.
func (p *swapPair) measureOwn() {
	for t := range p.shown {
		p.ownBefore = append(p.ownBefore, ownShare(p.r.Sequential, t))
		p.ownAfter = append(p.ownAfter, ownShare(p.keyed, t))
	}
}

// ownShare is the token's own write in its output, by size:
// |q̂_t·k̂_t|‖v̂_t‖ over the sum of |q̂_t·k̂_i|‖v̂_i‖ for i ≤ t.
func ownShare(trace *engine.Trace, t int) float64 {
	sum, own := 0.0, 0.0
	for i, weight := range trace.Attention(nil, t) {
		own = math.Abs(weight) * norm(trace.Effective.RawRowView(i))
		sum += own
	}
	return own / sum
}

func (v *swapView) answer() Answer {
	a := Answer{Formula: "oₜ = φ(qₜ) Sₜ  becomes  φ(kₜ) Sₜ", Cost: cost(v.pair.r)}
	a.Cost.MultiplyAdds = v.work
	if a.Sentence, a.Emphasis = sayDiverged(v.pair.r); a.Sentence == "" {
		a.Sentence, a.Emphasis = v.say()
	}
	a.Series = slices.Concat(v.tasks(), v.retrained(), v.lines())
	if v.shown() > 0 {
		a.nameWords(v.pair.r, v.reading, reading{"with q", v.pair.r.Sequential.Output.RawRowView(v.reading)}, reading{"with k", v.pair.keyed.Output.RawRowView(v.reading)})
	}
	a.Matrices = []Matrix{
		attention("queries", "asked with queries, q̂ · k̂", v.pair.r.Sequential, v.shown()),
		attention("keys", "asked with keys, k̂ · k̂", v.pair.keyed, v.shown()),
	}
	a.Scalars = v.scalars()
	return a
}

// verdict says what the swap does to the mean cosine with what was wanted.
func verdict(before, after float64) string {
	switch {
	case after >= before+0.02:
		return "helps"
	case after >= before-0.02:
		return "is harmless"
	case after > before/2:
		return "costs something"
	}
	return "is ruinous"
}

func (v *swapView) say() (sentence, emphasis string) {
	if v.shown() == 0 {
		emphasis = "diverges at token 1"
		return "Asked with its keys, the run " + emphasis + ".", emphasis
	}
	before, after := tallied(v.pair.before).value(), tallied(v.pair.after).value()
	emphasis = verdict(before, after)
	wanted := map[string]string{
		"recall":    "the value of the token that was asked for",
		"smoothing": "the running mean that was wanted",
		"gaussian":  "the token’s own value",
		"digits":    "the token’s own picture",
		"words":     "the word that follows",
	}[v.c.Task]
	sentence = say.Sprintf("Here the swap %s: the mean cosine of the output with %s goes from %.2f to %.2f. A token’s own write makes up %.2f of its output, where it was %.2f.",
		emphasis, wanted, before, after, tallied(v.pair.ownAfter).value(), tallied(v.pair.ownBefore).value())
	sentence += v.sayWords()
	for _, s := range v.trained {
		sentence += s.say()
	}
	return sentence, emphasis
}

// sayWords counts the words of a text that answer with the word that follows.
func (v *swapView) sayWords() string {
	text := v.pair.r.Tokens.Text
	if text == nil {
		return ""
	}
	right := func(trace *engine.Trace) (n int) {
		for t := range v.shown() {
			if text.Nearest(trace.Output.RawRowView(t), 1)[0].Index == text.Words[t+1] {
				n++
			}
		}
		return n
	}
	return say.Sprintf(" That word is the nearest to the output at %d of %d tokens asked with queries, at %d asked with keys.", right(v.pair.r.Sequential), v.shown(), right(v.pair.keyed))
}

func (v *swapView) shown() int { return v.pair.shown }

// tasks draws every seed of every task, before against after; on the dashed
// line nothing has changed.
func (v *swapView) tasks() []Series {
	x, y := Axis{Label: "asked with q"}, Axis{Label: "asked with k"}
	out := []Series{{
		Chart: "tasks", Name: "same", Label: "no change", Role: "muted", Style: "dashed",
		X: []float64{0, 1}, Y: []float64{0, 1}, XAxis: x, YAxis: y,
	}}
	for _, task := range v.all {
		role := "muted"
		if task.name == v.c.Task {
			role = "gap"
		}
		out = append(out, Series{Chart: "tasks", Name: task.name, Label: task.name, Role: role, Style: "points", X: task.before, Y: task.after, XAxis: x, YAxis: y})
	}
	return out
}

func (v *swapView) lines() []Series {
	line := func(chart, name, label, role, axis string, ys []float64) Series {
		s := Series{Chart: chart, Name: name, Label: label, Role: role, Style: "line", XAxis: Axis{Label: "token t"}, YAxis: Axis{Label: axis}}
		if role == "key" {
			s.Style = "dashed"
		}
		for t, y := range ys {
			if !math.IsNaN(y) {
				s.X, s.Y = append(s.X, float64(t)), append(s.Y, y)
			}
		}
		return s
	}
	p := &v.pair
	const wanted, own = "cosine with what was wanted", "share of the token’s own write"
	return []Series{
		line("wanted", "queries", "with q", "query", wanted, p.before), line("wanted", "keys", "with k", "key", wanted, p.after),
		line("own", "queries", "with q", "query", own, p.ownBefore), line("own", "keys", "with k", "key", own, p.ownAfter),
	}
}

func (v *swapView) scalars() scalars {
	p := &v.pair
	var s scalars
	s.common(p.r)
	s.put("noise", v.c.QueryNoise, "", "query noise σ", "the knob")
	s.put("before", tallied(p.before).value(), "", "mean cosine of output and what was wanted, asked with queries; none if nothing ran", "over the tokens of this seed")
	s.put("after", tallied(p.after).value(), "", "the same, asked with keys", "over the tokens of this seed")
	s.put("own.before", tallied(p.ownBefore).value(), "", "mean share of a token’s own write in its output, asked with queries", "|q̂·k̂_t|‖v̂_t‖ / Σ |q̂·k̂_i|‖v̂_i‖")
	s.put("own.after", tallied(p.ownAfter).value(), "", "the same, asked with keys", "‖φ(k_t)‖²‖v̂_t‖ / Σ |φ(k_t)·k̂_i|‖v̂_i‖")
	for i := range v.all {
		task := &v.all[i]
		s.put(task.name+".before", tallied(task.before).value(), "", "task "+task.name+": mean cosine with what was wanted, asked with queries; none if every seed diverged", say.Sprintf("over %d seeds", len(task.before)))
		s.put(task.name+".after", tallied(task.after).value(), "", "task "+task.name+": the same, asked with keys", say.Sprintf("over %d seeds", len(task.after)))
	}
	v.trainedScalars(&s)
	s.put("reading", float64(v.reading), "", "the reading shown", "the cursor, the last reading if none")
	return append(s, diverged(p.r))
}
