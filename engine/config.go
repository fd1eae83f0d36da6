package engine

import (
	"math"
	"slices"
	"strings"

	"unrolled/engine/say"
)

// Config is one run as plain data: equal Configs give equal Results. Start from
// Default; Validate says what may stand in each field.
type Config struct {
	Task   string // one of Tasks; with Given, any name
	Seed   uint64
	Length int // T

	KeyDim     int     // Dk
	HiddenDim  int     // Dh of a projection; the identity has Dh = Dk
	ValueDim   int     // Dv
	KeyNoise   float64 // digits: how far a key lies from its class key, as a length
	QueryNoise float64 // q = k + QueryNoise·N(0, I); with Given, of a text only

	// Given are the tokens themselves, Length×KeyDim and Length×ValueDim, in place
	// of what Task would draw; they are only read.
	Given *Tokens

	Feature string    // one of Features
	Spread  float64   // tanh: the projection is Spread·N(0, 1); 0 means 1
	Loss    string    // one of Losses
	Rate    float64   // η; negative is gradient ascent
	Rates   []float64 // one rate a token, in place of Rate; nil: Rate everywhere
	Hold    bool      // use η(1−α), which holds the eventual weight η/(1−α) of a write at η
	Alpha   float64   // α
	Alphas  []float64 // one momentum a token, in place of Alpha; nil: Alpha everywhere
	Steps   int       // K, inner steps a token
	W0      float64   // W_0 ~ W0·N(0, 1)

	Rule // how it learns beyond that; the zero value adds nothing

	// SequentialOnly leaves the attention form out, whose cost grows with T².
	SequentialOnly bool

	// Watch is told how far the run is; it changes nothing. nil: nobody is.
	Watch Watch
}

// Bounds of a run. They keep every Config answerable in minutes and in memory.
const (
	maxLength  = 1 << 16
	maxDim     = 1024
	maxSteps   = 1024
	maxRate    = 100
	maxAlpha   = 2
	maxNoise   = 100
	maxNumbers = 1 << 26 // float64s in one trace: half a gigabyte
	maxWork    = 2e10    // multiply-adds of the attention form: some 20 seconds
)

// Default returns the default run of a task.
func Default(task string) (Config, error) {
	for _, row := range tasks {
		if row.name == task {
			return row.defaults, nil
		}
	}
	return Config{}, unknown("task", task, Tasks())
}

// Tasks returns the names of the tasks, in order.
func Tasks() []string {
	var names []string
	for _, row := range tasks {
		names = append(names, row.name)
	}
	return names
}

// Features returns the names of the feature maps, in order.
func Features() []string {
	var names []string
	for _, row := range features {
		names = append(names, row.name)
	}
	return names
}

// Losses returns the names of the losses, in order.
func Losses() []string {
	var names []string
	for _, row := range losses {
		names = append(names, row.name)
	}
	return names
}

func unknown(knob, value string, names []string) error {
	return say.Errorf("%s %q is unknown; choose %s", knob, value, strings.Join(names, " or "))
}

// Validate returns nil if Run can run c, and else one sentence that names the
// knob, its value and its range.
func (c Config) Validate() error {
	for _, choice := range []struct {
		knob, value string
		names       []string
	}{{"task", c.Task, Tasks()}, {"feature", c.Feature, Features()}, {"loss", c.Loss, Losses()}} {
		if choice.knob == "task" && c.Given != nil {
			continue
		}
		if !slices.Contains(choice.names, choice.value) {
			return unknown(choice.knob, choice.value, choice.names)
		}
	}
	for _, bound := range []struct {
		knob              string
		value, least, top float64
	}{
		{"length", float64(c.Length), 1, maxLength},
		{"key dim", float64(c.KeyDim), 1, maxDim},
		{"hidden dim", float64(c.HiddenDim), 1, maxDim},
		{"value dim", float64(c.ValueDim), 1, maxDim},
		{"key noise", c.KeyNoise, 0, maxNoise},
		{"query noise", c.QueryNoise, 0, maxNoise},
		{"rate", c.Rate, -maxRate, maxRate},
		{"alpha", c.Alpha, -maxAlpha, maxAlpha},
		{"steps", float64(c.Steps), 1, maxSteps},
		{"w0", c.W0, 0, maxNoise},
		{"spread", c.Spread, 0, maxNoise},
	} {
		if !(bound.value >= bound.least && bound.value <= bound.top) {
			return say.Errorf("%s is %v; it must be from %v to %v", bound.knob, bound.value, bound.least, bound.top)
		}
	}
	return c.validateTogether()
}

// validateTogether checks what concerns more than one field.
func (c Config) validateTogether() error {
	if c.Given != nil {
		if err := c.checkGiven(); err != nil {
			return err
		}
	} else if c.Task == "digits" && c.ValueDim != digitPixels {
		return say.Errorf("value dim is %d; a digit has %d pixels", c.ValueDim, digitPixels)
	}
	for _, list := range []struct {
		knob   string
		values []float64
		limit  float64
	}{{"alphas", c.Alphas, maxAlpha}, {"rates", c.Rates, maxRate}} {
		if list.values == nil {
			continue
		}
		if len(list.values) != c.Length {
			return say.Errorf("%s has %d values for %d tokens; give one a token", list.knob, len(list.values), c.Length)
		}
		if err := Schedule(list.values).check(list.knob, c.Length, list.limit); err != nil {
			return err
		}
	}
	if alpha := c.MeanAlpha(); c.Hold && !(alpha < 1) {
		return say.Errorf("hold is on and the mean of alpha is %.4g; the rate η(1−α) needs a mean below 1", alpha)
	}
	if err := c.validateSize(); err != nil {
		return err
	}
	return c.validateRule()
}

// checkGiven says where the given tokens are not what the other fields say.
func (c Config) checkGiven() error {
	if err := c.Given.check(); err != nil {
		return err
	}
	if n, dk, dv := c.Given.Dims(); n != c.Length || dk != c.KeyDim || dv != c.ValueDim {
		return say.Errorf("the tokens given are %d with keys of %d and values of %d; length, key dim and value dim are %d, %d and %d",
			n, dk, dv, c.Length, c.KeyDim, c.ValueDim)
	}
	return nil
}

// validateSize bounds memory and, for the attention form, work.
func (c Config) validateSize() error {
	writes := float64(c.Length) * float64(c.Steps)
	width := c.width()
	if writes*width > maxNumbers {
		return say.Errorf("length %d with %d steps makes %.3g numbers to keep; the limit is %.3g", c.Length, c.Steps, writes*width, float64(maxNumbers))
	}
	if work := writes * writes * width / 2 * c.Rule.sweeps(c.Length, c.Steps); !c.SequentialOnly && work > maxWork {
		return say.Errorf("length %d with %d steps costs %.2g multiply-adds as attention; the limit is %.2g", c.Length, c.Steps, work, float64(maxWork))
	}
	return nil
}

// featureDim returns Dh.
func (c Config) featureDim() int {
	if c.Feature == "identity" || c.Feature == "glu" {
		return c.KeyDim
	}
	return c.HiddenDim
}

// width is what one write takes: k̂ and v̂ of W, and of every matrix of Θ that is
// trained.
func (c Config) width() float64 {
	width := float64(c.featureDim() + c.ValueDim)
	if c.Train {
		width += 2 * float64(c.KeyDim+2*c.HiddenDim)
	}
	return width
}

// MeanAlpha returns the mean of α over the tokens.
func (c Config) MeanAlpha() float64 {
	if c.Alphas != nil {
		return Schedule(c.Alphas).Mean()
	}
	return c.Alpha
}

// Scale returns η used / η: 1−α where Hold is on (with one α a token, one minus
// their mean), else 1.
func (c Config) Scale() float64 {
	if c.Hold {
		return 1 - c.MeanAlpha()
	}
	return 1
}

// Build draws the tokens and sets up the inner loop of a valid Config.
func (c Config) Build() (*Tokens, *InnerLoop, error) {
	if err := c.Validate(); err != nil {
		return nil, nil, err
	}
	loop := c.loop()
	if c.Given != nil {
		return c.given(), loop, nil
	}
	for _, row := range tasks {
		if row.name == c.Task {
			return row.draw(c), loop, nil
		}
	}
	panic("unreachable: Validate knows the tasks")
}

// given is the tokens given; a text has queries without noise, which is added.
func (c Config) given() *Tokens {
	if c.QueryNoise == 0 || c.Given.Text == nil {
		return c.Given
	}
	tokens := *c.Given
	tokens.Q = withNoise(tokens.Q, stream(c.Seed, streamQueries), c.QueryNoise)
	return &tokens
}

// loop sets up the inner loop of a Config whose names and sizes are valid.
func (c Config) loop() *InnerLoop {
	loop := &InnerLoop{Rate: Constant(c.Rate * c.Scale()), Alpha: Constant(c.Alpha), Steps: c.Steps, Watch: c.Watch}
	if c.Alphas != nil {
		loop.Alpha = slices.Clone(c.Alphas)
	}
	if c.Rates != nil {
		loop.Rate = make(Schedule, c.Length)
		for t, rate := range c.Rates {
			loop.Rate[t] = rate * c.Scale()
		}
	}
	for _, row := range features {
		if row.name == c.Feature {
			loop.Feature = row.build(c)
		}
	}
	for _, row := range losses {
		if row.name == c.Loss {
			loop.Loss = row.loss
		}
	}
	if c.W0 != 0 {
		loop.W0 = gaussianMatrix(stream(c.Seed, streamState), loop.Feature.Out(), c.ValueDim, c.W0)
	}
	c.Rule.lay(loop)
	return loop
}

// Result is one run, computed both ways.
type Result struct {
	Config     Config // zero for a run on tokens of one's own
	Tokens     *Tokens
	Loop       *InnerLoop
	Sequential *Trace
	Unrolled   *Trace // nil where Config.SequentialOnly, or where InnerLoop.Unrollable says no
}

// Run runs c both ways. Its error is Validate's.
func Run(c Config) (*Result, error) {
	tokens, loop, err := c.Build()
	if err != nil {
		return nil, err
	}
	r := &Result{Config: c, Tokens: tokens, Loop: loop, Sequential: Sequential(tokens, loop)}
	if !c.SequentialOnly {
		r.Unrolled = Unrolled(tokens, loop)
	}
	return r, nil
}

// RunTokens runs an inner loop on tokens of one's own, both ways. The error
// says in one sentence which shape or number does not fit.
func RunTokens(tokens *Tokens, loop *InnerLoop) (*Result, error) {
	if err := loop.Check(tokens); err != nil {
		return nil, err
	}
	return &Result{
		Tokens: tokens, Loop: loop,
		Sequential: Sequential(tokens, loop), Unrolled: Unrolled(tokens, loop),
	}, nil
}

// Diverged returns the token at which the run diverged, or −1.
func (r *Result) Diverged() int {
	if n := r.Length(); n < r.Sequential.reads {
		return n
	}
	return -1
}

// Length returns how many tokens can be shown: all, or those before the one at
// which either way diverged.
func (r *Result) Length() int {
	n := r.Sequential.Length()
	if r.Unrolled != nil {
		n = min(n, r.Unrolled.Length())
	}
	return n
}

// Alphas returns α_t, one a token.
func (r *Result) Alphas() []float64 { return r.Loop.Alpha.Expand(r.Sequential.reads) }

// FeatureNorm returns the mean of ‖φ(k_t)‖² over all tokens.
func (r *Result) FeatureNorm() float64 {
	n, _, _ := r.Tokens.Dims()
	phi := make([]float64, r.Loop.Feature.Out())
	sum := 0.0
	for t := range n {
		r.Loop.Feature.Apply(phi, r.Tokens.K.RawRowView(t))
		for _, x := range phi {
			sum += x * x
		}
	}
	return sum / float64(n)
}

// StepSize returns |η|·mean‖φ‖²/(1−α), with means where η and α change from
// token to token. The squared loss stays bounded while it is below about 2.
// It is +Inf where the mean of α is 1 or more.
func (r *Result) StepSize() float64 {
	alpha := r.Loop.Alpha.Mean()
	if !(alpha < 1) {
		return math.Inf(1)
	}
	return math.Abs(r.Loop.Rate.Mean()) * r.FeatureNorm() / (1 - alpha)
}
