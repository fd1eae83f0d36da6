package camera_test

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"unrolled/engine"
	wordtable "unrolled/engine/words"
	"unrolled/wasm/camera"
	"unrolled/wasm/scene"
)

func run(t *testing.T, c engine.Config) *engine.Result {
	t.Helper()
	r, err := engine.Run(c)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func config(t *testing.T, task string) engine.Config {
	t.Helper()
	c, err := engine.Default(task)
	if err != nil {
		t.Fatal(err)
	}
	c.SequentialOnly = true
	return c
}

func film(t *testing.T, r *engine.Result) *scene.Film {
	t.Helper()
	f, err := camera.Film(r)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// Every array of the film against the engine's own number for it.
func TestAFilmHoldsTheRun(t *testing.T) {
	for _, task := range engine.Tasks() {
		c := config(t, task)
		c.Length, c.Alpha, c.Hold = 24, 0.9, true
		r := run(t, c)
		f := film(t, r)
		if f.Tokens != 24 || f.Stride != 1 || f.Task != task || f.Scale != float32(1-c.Alpha) {
			t.Fatalf("%s: T %d, stride %d, scale %v", task, f.Tokens, f.Stride, f.Scale)
		}
		for _, at := range []int{0, 11, 23} {
			state := r.Sequential.State(at)
			same(t, task+" state", row(f.State, at, f.KeyDim*f.ValueDim), state.RawMatrix().Data)
			same(t, task+" value", row(f.Value, at, f.ValueDim), r.Tokens.V.RawRowView(at))
			same(t, task+" output", row(f.Output, at, f.ValueDim), r.Sequential.Output.RawRowView(at))
			var svd mat.SVD
			svd.Factorize(state, mat.SVDNone)
			same(t, task+" spectrum", row(f.Spectrum, at, f.Rank()), svd.Values(nil))
			for i := 0; i <= at; i++ { // (1−α^(n+1))/(1−α)
				want := (1 - math.Pow(c.Alpha, float64(at-i+1))) / (1 - c.Alpha)
				same(t, task+" multiplier", f.Multiplier[at*(at+1)/2+i:][:1], []float64{want})
			}
			if answers := r.Readout(state); answers != nil {
				same(t, task+" readout", row(f.Readout, at, f.Probes*f.ValueDim), answers.RawMatrix().Data)
			}
		}
	}
}

// The film is enough to rebuild the state: S_t = Σ c_i^t k̂ᵢᵀ v̂ᵢ.
func TestTheFilmsStateIsItsWeightedWrites(t *testing.T) {
	c := config(t, "gaussian")
	c.Length, c.Alphas = 20, make([]float64, 20)
	for i := range c.Alphas {
		c.Alphas[i] = 0.04 * float64(i)
	}
	f := film(t, run(t, c))
	for _, at := range []int{0, 7, 19} {
		sum := make([]float64, f.KeyDim*f.ValueDim)
		for i := 0; i <= at; i++ {
			for j := range sum {
				sum[j] += float64(f.Multiplier[at*(at+1)/2+i]) * float64(f.Key[i*f.KeyDim+j/f.ValueDim]) * float64(f.Effective[i*f.ValueDim+j%f.ValueDim])
			}
		}
		same(t, "state", row(f.State, at, len(sum)), sum)
	}
}

func row(m []float32, t, width int) []float32 { return m[t*width : (t+1)*width] }

func same(t *testing.T, what string, got []float32, want []float64) {
	t.Helper()
	size := 1.0
	for _, x := range want {
		size = math.Max(size, math.Abs(x))
	}
	for i := range want {
		if !(math.Abs(float64(got[i])-want[i]) < 2e-6*size) { // float32 of float64 sums
			t.Fatalf("%s, entry %d: %v, not %v", what, i, got[i], want[i])
		}
	}
}

func TestADigitsFilmKnowsClassesMeanAndProbes(t *testing.T) {
	c := config(t, "digits")
	c.Length = 12
	r := run(t, c)
	f := film(t, r)
	if f.Probes != 10 || len(f.Mean) != 64 || len(f.Classes) != 12 || int(f.Classes[5]) != r.Tokens.Classes[5] {
		t.Errorf("%d probes, %d mean pixels, classes %v", f.Probes, len(f.Mean), f.Classes)
	}
}

func TestADivergedRunIsFilmedUpToItsLastToken(t *testing.T) {
	c := config(t, "digits")
	c.Length, c.Rate, c.Alpha, c.Hold = 200, 1, 0.98, false
	r := run(t, c)
	if r.Diverged() < 0 {
		t.Fatal("the run was meant to diverge")
	}
	f := film(t, r)
	if f.Tokens != r.Diverged() {
		t.Errorf("%d tokens; the run diverged at token %d", f.Tokens, r.Diverged())
	}
}

func TestAFilmStaysUnderItsLimit(t *testing.T) {
	c := config(t, "digits")
	c.Length = 1024
	if f := film(t, run(t, c)); f.Bytes() > scene.MaxBytes || f.Stride != 1 {
		t.Errorf("the page's longest run: %d bytes, stride %d", f.Bytes(), f.Stride)
	}
	c.HiddenDim, c.Length, c.Rate = 128, 900, 0.005
	f := film(t, run(t, c))
	if f.Bytes() > scene.MaxBytes || f.Stride < 2 || len(f.State) != f.Kept()*128*64 {
		t.Errorf("a wide run: %d bytes, stride %d", f.Bytes(), f.Stride)
	}
}

func TestWhatTheStageCannotPlayIsRefusedInWords(t *testing.T) {
	c := config(t, "gaussian")
	c.Length = scene.MaxTokens + 1
	_, err := camera.Film(run(t, c))
	if err == nil || !strings.Contains(err.Error(), "2048") {
		t.Errorf("a long run: %v", err)
	}
	if err := camera.Fits(c); err == nil || !strings.Contains(err.Error(), "2048") {
		t.Errorf("a long run, before it is made: %v", err)
	}
	c.Length, c.Steps = 8, 4
	if _, err := camera.Film(run(t, c)); err == nil || !strings.Contains(err.Error(), "one write") {
		t.Errorf("four inner steps: %v", err)
	}
}

// textRun is a run on a text that says the same words again and again.
func textRun(t *testing.T, tokens int) (*engine.Result, *engine.Words) {
	t.Helper()
	list, err := engine.ReadWords(wordtable.Table)
	if err != nil {
		t.Fatal(err)
	}
	known, _ := list.Read("The king sang in the garden while the queen read.")
	words := make([]int, tokens+1)
	for i := range words {
		words[i] = known[i%len(known)]
	}
	return run(t, engine.Config{
		Task: "words", Length: tokens, Given: list.Tokens(words), KeyDim: list.Dim(), HiddenDim: 32, ValueDim: list.Dim(),
		Feature: "tanh", Spread: 1.5, Loss: "squared", Rate: 0.06, Steps: 1, SequentialOnly: true,
	}), list
}

// A film of a text holds its words, and the words nearest to what each state
// answers, looked up here a second time and in float64.
func TestATextsFilmNamesItsReadouts(t *testing.T) {
	r, list := textRun(t, 20)
	f := film(t, r)
	n := f.Names
	word := func(place uint16) string { return n.Vocabulary[place] }
	if word(n.Read[1]) != "king" || word(n.Read[2]) != "sang" || len(n.Read) != 21 {
		t.Errorf("the film reads %q %q", word(n.Read[1]), word(n.Read[2]))
	}
	if last := word(n.Asked[f.Probes-1]); last != "prince" && last != "prince's" {
		t.Errorf("the word never said is %q", last)
	}
	for _, at := range []int{0, 9, 19} {
		answers := r.Readout(r.Sequential.State(at))
		for k := range f.Probes {
			i := at*f.Probes + k
			for rank, near := range list.Nearest(answers.RawRowView(k), scene.AnswersKept) {
				if got := word(n.Answers[i*scene.AnswersKept+rank]); got != list.Name(near.Index) {
					t.Errorf("after token %d, asked %q: rank %d is %q, not %q", at, word(n.Asked[k]), rank, got, list.Name(near.Index))
				}
				if rank == 0 && !(math.Abs(float64(n.Cosines[i])-near.Score) < 1e-6) {
					t.Errorf("after token %d, asked %q: cosine %v, not %v", at, word(n.Asked[k]), n.Cosines[i], near.Score)
				}
			}
		}
	}
}

func TestALongTextsFilmStaysUnderItsLimit(t *testing.T) {
	r, _ := textRun(t, scene.MaxTokens)
	f := film(t, r)
	if encoded, err := scene.Encode(f); err != nil || len(encoded) > scene.MaxBytes || len(f.Names.Cosines) != f.Kept()*f.Probes {
		t.Errorf("%d bytes, %d cosines for %d states: %v", len(encoded), len(f.Names.Cosines), f.Kept(), err)
	}
}
