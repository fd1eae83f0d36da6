package experiments

import "unrolled/engine"

// The knobs that several experiments share, so that a thing has one name, one
// range and one letter wherever it appears.

func alphaKnob(value string) Knob {
	return Knob{
		Name: "alpha", Key: "a", Kind: Number, Label: "momentum", Symbol: "α",
		Max: 0.99, Step: 0.01, Default: value,
		Help: "How much of the last step each step repeats.",
	}
}

func alphasKnob() Knob {
	return Knob{
		Name: "alphas", Key: "A", Kind: Sequence, Label: "momentum of each token", Symbol: "αₜ",
		Max: 1.2, Step: 0.01,
		Help: "One momentum a token, in place of the slider.",
	}
}

func lengthKnob() Knob {
	return Knob{
		Name: "length", Key: "T", Kind: Number, Label: "length", Symbol: "T", Unit: "tokens",
		Min: 8, Max: 1024, Step: 1, Log: true, Integer: true, Default: "64", limit: 1 << 16, Task: "-words",
		Help: "How many tokens are read.",
	}
}

func rateKnob() Knob {
	return Knob{
		Name: "rate", Key: "e", Kind: Number, Label: "inner learning rate", Symbol: "η",
		Min: 0.001, Max: 1, Step: 0.001, Log: true, Default: "0.06",
		Help: "The size of a gradient step.",
	}
}

func lossKnob() Knob {
	return Knob{
		Name: "loss", Key: "l", Kind: Choice, Label: "inner loss", Symbol: "ℓ", Default: "squared",
		Choices: []Option{{"squared", "squared, ½‖f − v‖²"}, {"dot", "dot, −⟨f, v⟩"}},
		Help:    "What a step makes smaller: the distance to the value, or minus the product with it.",
	}
}

func holdKnob() Knob {
	return Knob{
		Name: "hold", Key: "h", Kind: Switch, Label: "hold the eventual weight", Symbol: "η(1−α)", Default: "on",
		Help: "Use the rate η(1−α): a write then grows to the weight η whatever the momentum.",
	}
}

func taskKnob(value string) Knob {
	return Knob{
		Name: "task", Key: "k", Kind: Choice, Label: "tokens", Default: value,
		Choices: []Option{{"digits", "handwritten digits"}, {"gaussian", "random vectors"}, {"words", "words of a text"}},
		Help:    "What is read.",
	}
}

// vectorTaskKnob is the same without the digits, for experiments that need keys
// and values of one width, or have a published run beside the random vectors.
func vectorTaskKnob() Knob {
	k := taskKnob("gaussian")
	k.Choices = k.Choices[1:]
	return k
}

func seedKnob() Knob {
	return Knob{
		Name: "seed", Key: "s", Kind: Seed, Label: "seed", Max: 1<<32 - 1, Step: 1, Integer: true, Default: "1",
		Help: "Which random draw.",
	}
}

func trainKnob() Knob {
	return Knob{
		Name: "train", Key: "P", Kind: Switch, Label: "train the features", Symbol: "Θ", Default: "off",
		Help: "Let Θ learn from every token too.",
	}
}

func w0Knob() Knob {
	return Knob{
		Name: "w0", Key: "w", Kind: Number, Label: "initial weight", Symbol: "W₀", Max: 1, Step: 0.05, Default: "0",
		Help: "Standard deviation of the fast weight before the first token.",
	}
}

// shortKnob is the length for experiments that run many times.
func shortKnob(most float64) Knob {
	k := lengthKnob()
	k.Max, k.limit = most, 0
	return k
}

func cursorKnob(name, key, label, symbol, help string) Knob {
	return Knob{
		Name: name, Key: key, Kind: Cursor, Label: label, Symbol: symbol, Max: 1023, Step: 1, Integer: true, Help: help,
	}
}

// config reads the knobs that an experiment has into a run of the engine; one
// without a task knob runs on the random vectors.
func (f *form) config() engine.Config {
	task := "gaussian"
	if f.has("task") {
		task = f.choice("task")
	}
	c, err := defaultRun(task)
	if err != nil {
		f.failWith(err)
		return c
	}
	c.Seed = uint64(f.number("seed"))
	c.Length = int(f.number("length"))
	if c.Watch = watch; task == "words" {
		words := f.readText()
		if f.err != nil {
			return c
		}
		c.Given, c.Length = wordList.Tokens(words), len(words)-1
	}
	c.Rate = f.number("rate")
	if f.has("loss") {
		c.Loss = f.choice("loss")
	}
	if f.has("feature") {
		c.Feature = f.choice("feature")
	}
	if f.has("direction") && f.choice("direction") == "ascent" {
		c.Rate = -c.Rate
	}
	if f.has("steps") {
		c.Steps = int(f.number("steps"))
	}
	if f.has("train") && f.on("train") {
		if c.Train = c.Feature != "identity"; !c.Train {
			f.warn("The identity has no Θ, so there is none to train.")
		}
	}
	if f.has("w0") {
		c.W0 = f.number("w0")
	}
	f.momentum(&c)
	return c
}

// momentum reads α, α per token and whether the eventual weight is held.
func (f *form) momentum(c *engine.Config) {
	if f.has("alpha") {
		c.Alpha = f.number("alpha")
	}
	if f.has("alphas") {
		c.Alphas = f.sequence("alphas", c.Length)
	}
	if !f.has("hold") {
		return
	}
	if c.Hold = f.on("hold"); c.Hold && !(c.MeanAlpha() < 1) {
		c.Hold = false
		f.warn("The mean momentum is %.2f; the rate η(1−α) needs a mean below 1, so the rate is η here.", c.MeanAlpha())
	}
}

// constant returns the momentum if it is the same at every token.
func constant(c engine.Config) (alpha float64, ok bool) {
	if c.Alphas == nil {
		return c.Alpha, true
	}
	for _, a := range c.Alphas {
		if a != c.Alphas[0] {
			return 0, false
		}
	}
	return c.Alphas[0], true
}
