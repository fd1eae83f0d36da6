package engine

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// badConfigs are changes to a default run and what the refusal must name.
var badConfigs = []struct {
	name   string
	change func(*Config)
	want   []string
}{
	{"no task", func(c *Config) { c.Task = "" }, []string{"task", `""`, "gaussian", "digits"}},
	{"unknown task", func(c *Config) { c.Task = "poems" }, []string{"task", "poems"}},
	{"unknown feature", func(c *Config) { c.Feature = "relu" }, []string{"feature", "relu", "tanh"}},
	{"unknown loss", func(c *Config) { c.Loss = "cube" }, []string{"loss", "cube", "squared"}},
	{"no length", func(c *Config) { c.Length = 0 }, []string{"length", "0", "1", "65536"}},
	{"negative length", func(c *Config) { c.Length = -3 }, []string{"length", "-3"}},
	{"a length of 10⁹", func(c *Config) { c.Length = 1e9 }, []string{"length", "65536"}},
	{"no key dim", func(c *Config) { c.KeyDim = 0 }, []string{"key dim"}},
	{"huge hidden dim", func(c *Config) { c.HiddenDim = 1 << 30 }, []string{"hidden dim", "1024"}},
	{"huge value dim", func(c *Config) { c.ValueDim = 1 << 30 }, []string{"value dim", "1024"}},
	{"NaN rate", func(c *Config) { c.Rate = math.NaN() }, []string{"rate", "NaN", "-100", "100"}},
	{"infinite rate", func(c *Config) { c.Rate = math.Inf(1) }, []string{"rate", "+Inf"}},
	{"NaN alpha", func(c *Config) { c.Alpha = math.NaN() }, []string{"alpha", "NaN"}},
	{"infinite alpha", func(c *Config) { c.Alpha = math.Inf(-1) }, []string{"alpha", "-Inf"}},
	{"no steps", func(c *Config) { c.Steps = 0 }, []string{"steps", "0"}},
	{"many steps", func(c *Config) { c.Steps = 1e6 }, []string{"steps", "1024"}},
	{"negative noise", func(c *Config) { c.QueryNoise = -1 }, []string{"query noise", "-1"}},
	{"NaN key noise", func(c *Config) { c.KeyNoise = math.NaN() }, []string{"key noise", "NaN"}},
	{"NaN w0", func(c *Config) { c.W0 = math.NaN() }, []string{"w0", "NaN"}},
	{"too few alphas", func(c *Config) { c.Alphas = []float64{0.5} }, []string{"alphas", "1", "64"}},
	{"no alphas", func(c *Config) { c.Alphas = []float64{} }, []string{"alphas", "0"}},
	{"a NaN alpha", func(c *Config) { c.Alphas = make([]float64, 64); c.Alphas[9] = math.NaN() }, []string{"alphas", "token 9", "NaN"}},
	{"an infinite rate", func(c *Config) { c.Rates = make([]float64, 64); c.Rates[3] = math.Inf(1) }, []string{"rates", "token 3"}},
	{"hold without a limit", func(c *Config) { c.Hold, c.Alpha = true, 1 }, []string{"hold", "alpha", "1"}},
	{"hold with a mean of 1.5", func(c *Config) { c.Hold, c.Alphas = true, Constant(1.5).Expand(64) }, []string{"hold", "1.5"}},
	{"digits of another size", func(c *Config) { c.Task, c.ValueDim = "digits", 32 }, []string{"value dim", "32", "64"}},
	{"more than memory", func(c *Config) { c.Length, c.Steps = 65536, 1024 }, []string{"length", "steps", "limit"}},
	{"hours of attention", func(c *Config) { c.Length, c.HiddenDim = 65536, 256 }, []string{"length", "multiply-adds", "limit"}},
}

func TestBadConfigsAreRefusedInOneSentence(t *testing.T) {
	for _, row := range badConfigs {
		c, _ := Default("gaussian")
		row.change(&c)
		r, err := Run(c)
		if err == nil || r != nil {
			t.Errorf("%s: not refused", row.name)
			continue
		}
		if strings.ContainsAny(err.Error(), "\n\r") {
			t.Errorf("%s: more than one line: %q", row.name, err)
		}
		for _, want := range row.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %q does not name %q", row.name, err, want)
			}
		}
	}
	if _, err := Default("poems"); err == nil {
		t.Error("an unknown task has defaults")
	}
}

func TestBadTokensAreRefusedInOneSentence(t *testing.T) {
	good := randomTokens(1)
	withNaN := mat.DenseCopyOf(good.V)
	withNaN.Set(3, 2, math.NaN())
	loop := &InnerLoop{Feature: Identity{Dim: testDk}, Loss: Dot{}, Rate: Constant(1)}
	for _, c := range []struct {
		name   string
		tokens *Tokens
		loop   *InnerLoop
		want   string
	}{
		{"nothing", &Tokens{}, loop, "need"},
		{"wide queries", &Tokens{Q: random(testRand(1), testT, 9, 1), K: good.K, V: good.V}, loop, "queries"},
		{"few values", &Tokens{Q: good.Q, K: good.K, V: random(testRand(1), 3, 2, 1)}, loop, "3 values"},
		{"NaN", &Tokens{Q: good.Q, K: good.K, V: withNaN}, loop, "row 3, column 2"},
		{"no loss", good, &InnerLoop{Feature: Identity{Dim: testDk}}, "loss"},
		{"another width", good, &InnerLoop{Feature: Identity{Dim: 2}, Loss: Dot{}}, "width 2"},
		{"short schedule", good, &InnerLoop{Feature: Identity{Dim: testDk}, Loss: Dot{}, Alpha: Schedule{1, 1}}, "alpha"},
		{"NaN rate", good, &InnerLoop{Feature: Identity{Dim: testDk}, Loss: Dot{}, Rate: Constant(math.NaN())}, "rate"},
		{"negative steps", good, &InnerLoop{Feature: Identity{Dim: testDk}, Loss: Dot{}, Steps: -1}, "steps"},
		{"w0 of another shape", good, &InnerLoop{Feature: Identity{Dim: testDk}, Loss: Dot{}, W0: random(testRand(1), 2, 2, 1)}, "w0"},
	} {
		if _, err := RunTokens(c.tokens, c.loop); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: the refusal is %v; it must name %q", c.name, err, c.want)
		}
	}
}

// What a Config names reaches the inner loop, token by token.
func TestBuildPassesEverythingOn(t *testing.T) {
	c, _ := Default("gaussian")
	c.Alphas, c.Rates, c.Steps, c.W0, c.Hold = varying(64), varying(64), 3, 0.5, true
	c.Rates[9] = -0.25
	_, loop, err := c.Build()
	if err != nil {
		t.Fatal(err)
	}
	sum := 0.0
	for i := range 64 {
		sum += c.Alphas[i]
	}
	for i := range 64 {
		if loop.Alpha[i] != c.Alphas[i] || !(math.Abs(loop.Rate[i]-c.Rates[i]*(1-sum/64)) < 1e-15) {
			t.Errorf("token %d: α %v for %v, η %v for %v", i, loop.Alpha[i], c.Alphas[i], loop.Rate[i], c.Rates[i])
		}
	}
	sd := mat.Norm(loop.W0, 2) / math.Sqrt(16*8)
	if loop.Steps != 3 || !(sd > 0.4 && sd < 0.6) {
		t.Errorf("K = %d, W_0 of standard deviation %v", loop.Steps, sd)
	}
}

// η·mean‖φ‖²/(1−α) by hand: identity and unit keys make ‖φ‖² one.
func TestStepSizeByHand(t *testing.T) {
	c, _ := Default("gaussian")
	c.Feature, c.Alpha, c.Rate = "identity", 0.9, -0.06
	r, err := Run(c)
	if err != nil {
		t.Fatal(err)
	}
	if got := r.StepSize(); !(math.Abs(got-0.6) < 1e-12) {
		t.Errorf("step size %v, by hand 0.06·1/(1−0.9) = 0.6", got)
	}
	c.Alpha = 1
	if r, err = Run(c); err != nil || !math.IsInf(r.StepSize(), 1) {
		t.Errorf("at α = 1 the step size is %v (%v)", r.StepSize(), err)
	}
}

// Any configuration gives a sentence or finite numbers that agree. Outputs of
// an unstable run are small differences of large terms, so the tolerance is
// relative to the largest term of any readout.
func FuzzConfig(f *testing.F) {
	f.Add(uint64(1), 64, 8, 16, 8, 1, 0.06, 0.0, 0.0, 0.45, uint8(0))
	f.Add(uint64(2), 24, 6, 9, 5, 3, 0.05, 0.9, 0.3, 0.0, uint8(0xff))
	f.Add(uint64(3), 40, 3, 1, 1, 16, 1.0, 0.99, 1.0, 0.0, uint8(2))
	f.Add(uint64(4), 1, 1, 1, 1, 1, -0.5, 1.0, 0.0, 9.0, uint8(4))
	f.Add(uint64(5), -1, 0, 1<<30, 8, 0, math.NaN(), math.Inf(1), -1.0, 1e300, uint8(8))
	f.Add(uint64(6), 30, 16, 32, 64, 2, 100.0, -2.0, 100.0, 100.0, uint8(1))
	f.Fuzz(func(t *testing.T, seed uint64, length, key, hidden, value, steps int, rate, alpha, w0, noise float64, flags uint8) {
		if length > 200 || steps > 20 || key > 64 || hidden > 64 || value > 64 {
			length, steps = min(length, 200), min(steps, 20)
			key, hidden, value = min(key, 64), min(hidden, 64), min(value, 64)
		}
		c := Config{
			Task: Tasks()[flags&1], Seed: seed, Length: length, KeyDim: key, HiddenDim: hidden, ValueDim: value,
			KeyNoise: noise, QueryNoise: noise, Feature: Features()[flags>>1&1], Loss: Losses()[flags>>2&1],
			Rate: rate, Hold: flags>>3&1 == 1, Alpha: alpha, Steps: steps, W0: w0,
		}
		if flags>>4&1 == 1 && length > 0 {
			c.Alphas = varying(length)
		}
		r, err := Run(c)
		if err != nil {
			return
		}
		for _, trace := range []*Trace{r.Sequential, r.Unrolled} {
			for _, m := range []*mat.Dense{trace.Output, trace.Keys, trace.Queries} {
				if err := finite("a trace", m); err != nil {
					t.Fatalf("%+v: %v", c, err)
				}
			}
		}
		if gap, term := Compare(r.Sequential, r.Unrolled), largestTerm(r); !(gap.Absolute <= 1e-10*math.Max(1, term)) {
			t.Errorf("%+v: outputs differ by %g with terms of %g", c, gap.Absolute, term)
		}
	})
}

// largestTerm is the largest |c_i (q̂_t·k̂_i)|·‖v̂_i‖ of any readout or
// prediction, bounded by norms.
func largestTerm(r *Result) float64 {
	norm, age := 0.0, 1.0
	steps := r.Loop.steps()
	for i := range r.Length() * steps {
		v, k := r.Unrolled.Effective.RowView(i), r.Unrolled.Keys.RowView(i)
		norm = math.Max(norm, mat.Norm(v, 2)*mat.Norm(k, 2))
	}
	var alpha []float64
	for t := range r.Length() {
		for range steps {
			alpha = append(alpha, math.Abs(r.Loop.Alpha.At(t)))
		}
	}
	for _, row := range AgeRows(alpha) {
		for _, c := range row {
			age = math.Max(age, c)
		}
	}
	query := 0.0
	for t := range r.Length() {
		query = math.Max(query, mat.Norm(r.Unrolled.Queries.RowView(t), 2))
	}
	return norm * age * math.Max(1, query)
}
