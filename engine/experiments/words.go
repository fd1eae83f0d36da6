package experiments

import (
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"unrolled/engine"
	"unrolled/engine/say"
)

// words asks what a layer that has read a text answers to a word.
func words() Experiment {
	text := textKnob(mostWords)
	text.Key, text.Task = "x", "" // the text is all that is read here
	knobs := []Knob{
		text,
		{
			Name: "ask", Key: "q", Kind: Text, Label: "ask", Symbol: "q", Max: 1, Default: "prince",
			Help: "A word to ask, of the text or not; left empty, the word of the reading shown.",
		},
		alphaKnob("0"),
		{
			Name: "factor", Key: "e", Kind: Number, Label: "size of a step", Symbol: "r",
			Min: 0.05, Max: 1.5, Step: 0.05, Default: "0.8",
			Help: "The rate is ηₜ = r/‖φ(kₜ)‖²: a step of size 1 makes the answer to its word exact.",
		},
		{
			Name: "steps", Key: "K", Kind: Number, Label: "inner steps", Symbol: "K", Unit: "a word",
			Min: 1, Max: 16, Step: 1, Integer: true, Default: "1",
			Help: "How many gradient steps each word makes.",
		},
		holdKnob(), seedKnob(),
		cursorKnob("reading", "t", "reading", "t", "How far the text has been read when the word is asked; to the end if nothing is chosen."),
	}
	const name = "words"
	return Experiment{
		Name: name, Key: "w", Title: "Tokens that mean something",
		Question: "What does the layer answer to a word, and which words made that answer?",
		Knobs:    knobs,
		Run: func(values Values) (Answer, error) {
			f := read(name, knobs, values)
			view := wordsView{form: f}
			c := view.config()
			if f.err != nil {
				return Answer{}, f.err
			}
			view.reading = f.cursor("reading", c.Length, c.Length-1)
			if f.err != nil {
				return Answer{}, f.err
			}
			r, err := engine.Run(c)
			if err != nil {
				return Answer{}, err
			}
			answer := view.answer(r)
			answer.Experiment, answer.Warnings, answer.Words = name, f.warnings, f.names
			return answer, nil
		},
		Config: func(values Values) (engine.Config, []string, error) {
			f := read(name, knobs, values)
			c := (&wordsView{form: f}).config()
			return c, f.warnings, f.err
		},
	}
}

// wordsView is one text, read and asked.
type wordsView struct {
	form *form
	list *engine.Words
	text []int // the words of the text that the list knows

	r        *engine.Result
	reading  int
	ask      int // the word asked
	shown    int // tokens before the run diverged
	right    int // of the words read, those that answer with their next word
	readout  []float64
	attended []float64       // the same, as the sum over the writes
	nearest  []engine.Ranked // the words nearest to it
	parts    []float64       // what each word read has added along the nearest
	largest  []engine.Ranked // the words that have added most
}

// config is the run of the text. The rate of each token is r/‖φ(k_t)‖², at which
// the squared loss is stable for r below 2 without momentum.
func (v *wordsView) config() engine.Config {
	f := v.form
	if v.list = wordList; v.list == nil {
		f.failWith(ErrNoWords)
		return engine.Config{}
	}
	v.text = f.readText()
	if f.err != nil {
		return engine.Config{}
	}
	c := engine.Config{
		Task: "words", Seed: uint64(f.number("seed")), Length: len(v.text) - 1, Given: v.list.Tokens(v.text), Watch: watch,
		KeyDim: v.list.Dim(), HiddenDim: 128, ValueDim: v.list.Dim(),
		Feature: "tanh", Spread: 1.5, Loss: "squared",
		Alpha: f.number("alpha"), Hold: f.on("hold"), Steps: int(f.number("steps")),
	}
	c.SequentialOnly = c.Length*c.Steps > mostAttended
	if c.SequentialOnly {
		f.warn("This text takes %d writes; above %d the attention form, whose work grows with the square, is computed for the one reading shown.", c.Length*c.Steps, mostAttended)
	}
	if err := setRates(&c, f.number("factor")); err != nil {
		f.failWith(err)
	}
	return c
}

// setRates sets η_t = factor/‖φ(k_t)‖², and Rate to their mean.
func setRates(c *engine.Config, factor float64) error {
	tokens, loop, err := c.Build()
	if err != nil {
		return err
	}
	phi := loop.Features(tokens.K)
	c.Rates = make([]float64, c.Length)
	for t := range c.Rates {
		row := phi.RawRowView(t)
		norm := 0.0
		for _, x := range row {
			norm += x * x
		}
		if norm > 0 {
			c.Rates[t] = factor / norm
		}
	}
	c.Rate = engine.Schedule(c.Rates).Mean()
	return nil
}

// readAsk finds the word asked: the knob's, or that of the reading.
func (v *wordsView) readAsk() {
	f := v.form
	v.ask = v.text[v.reading]
	text := f.words("ask")
	if len(text) > mostLetters {
		text = text[:mostLetters]
	}
	known, unknown := v.list.Read(text)
	here := v.list.Name(v.ask)
	switch {
	case len(known) > 0:
		v.ask = known[0]
		if len(known)+len(unknown) > 1 {
			f.warn("One word is asked at a time: “%s”.", v.list.Name(v.ask))
		}
	case len(unknown) > 0:
		f.warn("The list does not know %s; “%s”, the word of this reading, is asked instead.", quoted(unknown), here)
	}
}

// answer runs the question on a finished run.
func (v *wordsView) answer(r *engine.Result) Answer {
	v.r = r
	v.shown = r.Length()
	v.reading = min(v.reading, max(0, v.shown-1))
	v.readAsk()
	a := Answer{Formula: v.rule(), Cost: cost(r)}
	a.Sentence, a.Emphasis = sayDiverged(r)
	if v.shown > 0 {
		v.readOut()
		a.Series = slices.Concat(v.courses(), []Series{v.contributions(), v.neighbours()})
		if r.Unrolled != nil {
			a.Matrices = []Matrix{attention("attention", "attention q̂·k̂", r.Unrolled, v.shown)}
		}
		if a.Sentence == "" {
			a.Sentence, a.Emphasis = v.say()
		}
	}
	a.Scalars = v.scalars()
	return a
}

// readOut asks the state of the reading, and adds up the writes beside it.
func (v *wordsView) readOut() {
	state := v.r.Sequential.State(v.reading)
	v.readout = v.answerTo(v.ask, state)
	v.nearest = v.list.Nearest(v.readout, 5)
	v.attend()

	answers := map[int]int{} // word → its answer
	for t := range v.reading + 1 {
		report("asking every word", t, v.reading+1)
		word := v.text[t]
		if _, asked := answers[word]; !asked {
			answers[word] = v.list.Nearest(v.answerTo(word, state), 1)[0].Index
		}
		if answers[word] == v.text[t+1] {
			v.right++
		}
	}
}

// answerTo is φ(word) S.
func (v *wordsView) answerTo(word int, state *mat.Dense) []float64 {
	out := make([]float64, v.list.Dim())
	for h, q := range v.query(word) {
		for d, s := range state.RawRowView(h) {
			out[d] += q * s
		}
	}
	return out
}

// query is φ(word).
func (v *wordsView) query(word int) []float64 {
	phi := make([]float64, v.r.Loop.Feature.Out())
	v.r.Loop.Feature.Apply(phi, v.list.Vector(word))
	return phi
}

// attend is the readout as attention: Σ c_i (q̂·k̂_i) v̂_i over the writes of the
// words read, W_0 being zero.
func (v *wordsView) attend() {
	query := v.query(v.ask)
	trace, steps := v.r.Unrolled, v.r.Config.Steps
	if trace == nil {
		trace = v.r.Sequential // its record of what it wrote, in place of its state
	}
	alpha := make([]float64, (v.reading+1)*steps)
	for i := range alpha {
		alpha[i] = v.r.Loop.Alpha.At(i / steps)
	}
	ages := engine.AgeRow(alpha, len(alpha)-1)
	v.attended = make([]float64, len(v.readout))
	answered := v.list.Vector(v.nearest[0].Index)
	v.parts = make([]float64, v.reading+1)
	for i, age := range ages {
		weight := age * dot(query, trace.Keys.RawRowView(i))
		effective := trace.Effective.RawRowView(i)
		v.parts[i/steps] += weight * dot(effective, answered)
		for d, x := range effective {
			v.attended[d] += weight * x
		}
	}
	v.largest = engine.Largest(len(v.parts), 8, func(t int) float64 { return math.Abs(v.parts[t]) })
}

// along is the readout along its nearest word.
func (v *wordsView) along() float64 { return dot(v.readout, v.list.Vector(v.nearest[0].Index)) }

// pair names a write: "king → sang".
func (v *wordsView) pair(t int) string {
	return v.list.Name(v.text[t]) + " → " + v.list.Name(v.text[t+1])
}

// say is the finding: the answer, its main source, and how well the text is
// remembered.
func (v *wordsView) say() (sentence, emphasis string) {
	emphasis = say.Sprintf("answers “%s”", v.list.Name(v.nearest[0].Index))
	start := say.Sprintf("The layer %s to “%s”", emphasis, v.list.Name(v.ask))
	if v.reading < v.shown-1 {
		var last []string
		for _, word := range v.text[max(0, v.reading-2) : v.reading+2] {
			last = append(last, v.list.Name(word))
		}
		start = say.Sprintf("Read as far as “%s”, the layer %s to “%s”", strings.Join(last, " "), emphasis, v.list.Name(v.ask))
	}
	if !slices.Contains(v.text, v.ask) {
		start += ", a word the text never says"
	}
	source := ""
	top := v.largest[0].Index
	switch {
	case len(v.parts) == 1:
		source = say.Sprintf(" The one write, “%s”, is all of it.", v.pair(top))
	case v.parts[top] > 0:
		source = say.Sprintf(" Of all writes “%s” adds most to that word, %s; all %d together make %s.",
			v.pair(top), significant(v.parts[top]), len(v.parts), significant(v.along()))
	}
	answers := "answer"
	if v.right == 1 {
		answers = "answers"
	}
	return say.Sprintf("%s.%s Of the %s read so far, %d now %s with the word that came next.",
		start, source, count(v.reading+1, "word", "words"), v.right, answers), emphasis
}

// rule is the update rule with the present numbers; the rate changes from word
// to word, so it stands inside the buffer.
func (v *wordsView) rule() string {
	factor := plain(v.form.number("factor"))
	c := v.r.Config
	if c.Alpha == 0 {
		return "W ← W − ηₜ ∇ₜ,  ηₜ = " + factor + " / ‖φ(kₜ)‖²"
	}
	size := factor
	if c.Hold {
		size = say.Sprintf("%s · (1−α) = %s", factor, significant(v.form.number("factor")*c.Scale()))
		return say.Sprintf("Δₜ = %s Δₜ₋₁ + ηₜ ∇ₜ,  W ← W − Δₜ,  ηₜ‖φ(kₜ)‖² = %s", decimals(c.Alpha), size)
	}
	return say.Sprintf("Δₜ = %s Δₜ₋₁ + ηₜ ∇ₜ,  W ← W − Δₜ,  ηₜ = %s / ‖φ(kₜ)‖²", decimals(c.Alpha), size)
}
