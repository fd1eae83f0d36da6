package engine

import (
	"math"
	"strings"
	"testing"
)

// What a Rule names reaches the inner loop, and what it cannot mean is refused
// in one sentence that names it.
func TestConfigNamesRules(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*Config)
		want   string // in the refusal; "" where it runs
	}{
		"everything trained, chunks, Muon, norm": {func(c *Config) {
			c.Feature, c.Train, c.Chunk, c.Order, c.Muon, c.Norm, c.W0 = "swiglu", true, 8, ApplyThenUpdate, "newton-schulz-lact", PostNorm, 0.3
		}, ""},
		"a trained projection":   {func(c *Config) { c.Train, c.Rate = true, 0.02 }, ""},
		"two layers":             {func(c *Config) { c.Feature, c.Train = "mlp", true }, ""},
		"a gated unit, clipped":  {func(c *Config) { c.Feature, c.Train, c.Clip, c.Loss = "glu", true, true, "dot" }, ""},
		"decay":                  {func(c *Config) { c.Gamma, c.DecayAfter = 0.9, true }, ""},
		"Adam":                   {func(c *Config) { c.Adam = true }, ""},
		"the key for a query":    {func(c *Config) { c.Query = QueryK }, ""},
		"an unknown muon":        {func(c *Config) { c.Muon = "ns6" }, "ns6"},
		"an unknown norm":        {func(c *Config) { c.Norm = "row" }, "row"},
		"an unknown order":       {func(c *Config) { c.Order = "sideways" }, "sideways"},
		"nothing to train":       {func(c *Config) { c.Feature, c.Train = "identity", true }, "train"},
		"Adam with momentum":     {func(c *Config) { c.Adam, c.Alpha = true, 0.5 }, "Adam"},
		"a negative chunk":       {func(c *Config) { c.Chunk = -1 }, "chunk"},
		"NaN decay":              {func(c *Config) { c.Gamma = math.NaN() }, "gamma"},
		"steps in causal chunks": {func(c *Config) { c.Order, c.Chunk, c.Steps = TokenCausal, 4, 2 }, "inner step"},
		"hours of norms":         {func(c *Config) { c.Norm, c.Length = PostNorm, 8192 }, "multiply-adds"},
	} {
		config, _ := Default("gaussian")
		c.change(&config)
		r, err := Run(config)
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%s: %v", name, err)
		case c.want == "" && r.Unrolled == nil && !config.Adam:
			t.Errorf("%s: not unrolled", name)
		case c.want == "" && r.Unrolled != nil:
			if gap := Compare(r.Sequential, r.Unrolled); !(gap.Relative < ruleTolerance(r.Loop)) || r.Length() != config.Length {
				t.Errorf("%s: gap %.3g over %d tokens", name, gap.Relative, r.Length())
			}
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: the refusal is %v; it must name %q", name, err, c.want)
		}
	}
}

// Any rule on any Config gives a sentence, or finite numbers.
func FuzzRule(f *testing.F) {
	for seed := range uint64(40) {
		f.Add(seed, seed*2654435761, 12, 3, 0.05, 0.9)
	}
	f.Fuzz(func(t *testing.T, seed, bits uint64, length, chunk int, rate, gamma float64) {
		if length > 60 {
			t.Skip("the attention form is slow on long runs")
		}
		take := func(n uint64) uint64 {
			x := bits % n
			bits /= n
			return x
		}
		c := Config{
			Task: "gaussian", Seed: seed, Length: length, KeyDim: 4, HiddenDim: 5, ValueDim: 4, QueryNoise: 0.3,
			Feature: Features()[take(uint64(len(Features())))], Loss: Losses()[take(2)], Rate: rate, Steps: 1 + int(take(3)), W0: float64(take(2)),
			Alpha: float64(take(3)) * 0.45,
			Rule: Rule{
				Train: take(2) == 1, Chunk: chunk, Order: []Order{UpdateThenApply, ApplyThenUpdate, TokenCausal, "?"}[take(4)],
				Ascent: take(2) == 1, RateOutside: take(2) == 1, Gamma: gamma, DecayAfter: take(2) == 1,
				Muon: append(Muons(), "", "")[take(uint64(len(Muons())+2))], Norm: []WeightNorm{NoNorm, PostNorm, PreNorm}[take(3)],
				Clip: take(3) == 0, Adam: take(8) == 0, Query: []Query{QueryQ, QueryK, QueryMean}[take(3)],
			},
		}
		r, err := Run(c)
		if err != nil {
			if strings.ContainsAny(err.Error(), "\n\r") {
				t.Errorf("more than one line: %q", err)
			}
			return
		}
		for _, trace := range []*Trace{r.Sequential, r.Unrolled} {
			if trace == nil {
				continue
			}
			for n := range trace.Length() {
				for _, x := range trace.Output.RawRowView(n) {
					if math.IsNaN(x) || math.IsInf(x, 0) {
						t.Fatalf("%+v: output %d is %v", c, n, x)
					}
				}
			}
		}
	})
}
