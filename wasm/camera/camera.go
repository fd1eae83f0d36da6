// Package camera films a run: it turns the engine's Result into the scene's
// Film, in float32.
//
// It is the one place that knows both. It goes through the inner loop once
// more, state by state, so a run needs no memory for its states but the film's.
package camera

import (
	"gonum.org/v1/gonum/mat"

	"unrolled/engine"
	"unrolled/engine/say"
	"unrolled/wasm/scene"
)

// Film films the sequential way of r, up to the token where the run diverged.
//
// A film has at most scene.MaxTokens tokens and scene.MaxBytes bytes. Where all
// states would not fit, it keeps every second, third, … one with its readouts
// and its spectrum (Film.Stride), the stage draws straight lines between them;
// tokens, multipliers and outputs are always kept.
func Film(r *engine.Result) (*scene.Film, error) {
	tokens, trace, n := r.Tokens, r.Sequential, r.Length()
	if err := fits(n, r.Loop.Steps); err != nil {
		return nil, err
	}
	_, dh := trace.Keys.Dims()
	_, dv := trace.Effective.Dims()
	f := &scene.Film{
		Task: r.Config.Task, Tokens: n, KeyDim: dh, ValueDim: dv, Stride: 1,
		Value: rows(tokens.V, n), Key: rows(trace.Keys, n),
		Effective: rows(trace.Effective, n), Output: rows(trace.Output, n),
		Scale: float32(r.Config.Scale()), Mean: narrow(nil, tokens.Mean),
	}
	for _, c := range tokens.Classes[:min(n, len(tokens.Classes))] {
		f.Classes = append(f.Classes, int8(c))
	}
	if tokens.Probes != nil {
		f.Probes, _ = tokens.Probes.Dims()
	}
	if r.Loop.W0 != nil {
		f.Initial = rows(r.Loop.W0, dh)
	}
	multipliers(f, r.Alphas()[:n])
	thin(f)
	states(f, r)
	name(f, r)
	f.Measure()
	return f, f.Check()
}

// Fits says in one sentence why a run is not worth making for a film, or returns
// nil.
func Fits(c engine.Config) error { return fits(c.Length, c.Steps) }

func fits(tokens, steps int) error {
	if tokens > scene.MaxTokens {
		return say.Errorf("the stage plays at most %d tokens; this run has %d", scene.MaxTokens, tokens)
	}
	if steps > 1 {
		return say.Errorf("the stage plays one write a token; this run makes %d", steps)
	}
	return nil
}

// multipliers fills in c_i^t for i ≤ t, reading by reading.
func multipliers(f *scene.Film, alphas []float64) {
	f.Multiplier = make([]float32, 0, f.Tokens*(f.Tokens+1)/2)
	for t, row := range engine.AgeRows(alphas) {
		f.Multiplier = narrow(f.Multiplier, row[:t+1])
	}
}

// thin raises the stride until the film with its states fits.
func thin(f *scene.Film) {
	state := 4*(f.KeyDim*f.ValueDim+f.Probes*f.ValueDim+f.Rank()) + f.Probes*(4+2*scene.AnswersKept)
	const names = 1 << 16 // more than all words of the list take
	rest := f.Bytes() + names
	for f.Stride < f.Tokens && rest+f.Kept()*state > scene.MaxBytes {
		f.Stride++
	}
}

// states goes through the run and keeps what the stride asks for.
func states(f *scene.Film, r *engine.Result) {
	kept := f.Kept()
	f.State = make([]float32, 0, kept*f.KeyDim*f.ValueDim)
	f.Readout = make([]float32, 0, kept*f.Probes*f.ValueDim)
	f.Spectrum = make([]float32, 0, kept*f.Rank())
	var spectrum engine.Spectrum
	for t, state := range r.Sequential.States() {
		if t >= f.Tokens {
			return
		}
		if (t+1)%f.Stride != 0 && t != f.Tokens-1 {
			continue
		}
		f.State = narrow(f.State, state.RawMatrix().Data)
		f.Spectrum = narrow(f.Spectrum, spectrum.Follow(state))
		if answers := r.Readout(state); answers != nil {
			f.Readout = narrow(f.Readout, answers.RawMatrix().Data)
		}
	}
}

// mostLooked bounds the readouts whose nearest words are looked up, each in the
// whole list: in a text of more than some 128 words the names of the answers lag
// behind by a few tokens.
const mostLooked = 1024

// name gives the film of a text its words, and names every readout.
func name(f *scene.Film, r *engine.Result) {
	text := r.Tokens.Text
	if text == nil || f.Tokens == 0 {
		return
	}
	n := &f.Names
	places := map[int]uint16{}
	place := func(word int) uint16 {
		at, known := places[word]
		if !known {
			at = uint16(len(n.Vocabulary))
			places[word] = at
			n.Vocabulary = append(n.Vocabulary, text.List.Name(word))
		}
		return at
	}
	for _, word := range text.Words[:f.Tokens+1] {
		n.Read = append(n.Read, place(word))
	}
	for _, word := range text.Asked {
		n.Asked = append(n.Asked, place(word))
	}
	kept := f.Kept()
	every := (kept*f.Probes + mostLooked - 1) / mostLooked
	readout := make([]float64, f.ValueDim)
	for i := range kept * f.Probes {
		if j := i / f.Probes; j%every != 0 && j != kept-1 { // as after the state before
			before := (i - f.Probes) * scene.AnswersKept
			n.Answers = append(n.Answers, n.Answers[before:before+scene.AnswersKept]...)
			n.Cosines = append(n.Cosines, n.Cosines[i-f.Probes])
			continue
		}
		for d := range readout {
			readout[d] = float64(f.Readout[i*f.ValueDim+d])
		}
		nearest := text.Nearest(readout, scene.AnswersKept)
		for _, near := range nearest {
			n.Answers = append(n.Answers, place(near.Index))
		}
		n.Cosines = append(n.Cosines, float32(nearest[0].Score))
	}
}

// rows is the first n rows of m, row-major.
func rows(m *mat.Dense, n int) []float32 {
	var xs []float32
	for i := range n {
		xs = narrow(xs, m.RawRowView(i))
	}
	return xs
}

// narrow appends xs to dst as float32.
func narrow(dst []float32, xs []float64) []float32 {
	for _, x := range xs {
		dst = append(dst, float32(x))
	}
	return dst
}
