// Package scenetest makes small films for the tests of those who draw them.
//
// The films are real runs of a tiny fast weight, computed here in a few lines
// so that scene and paint can be tested without the engine: squared loss,
// momentum, zero start. Only the spectrum is a stand-in (the lengths of the
// state's rows, sorted).
package scenetest

import (
	"math"
	"slices"

	"unrolled/wasm/scene"
)

// glyphs are ten 8×8 pictures in the manner of the digits; # is ink.
var glyphs = [10]string{
	"  ###    #  ##   #   #  ##   #  #    #  #   ##  #   #    ###    ",
	"   ##     ###     # #       #      ##      ##      ##     ####  ",
	"  ###    #  ##       #      ##     ##     ##     ##     ######  ",
	" ####        ##     ##    ####      ###      #  #   ##   ####   ",
	"    #     ##      ##     ## #   ## ##   ######     ##      ##   ",
	" ######  #      ####    #   ##       #      ##  #  ##    ###    ",
	"   ##    ##      #      #####   ##  ##  #    #  ##  ##   ####   ",
	" ######      ##     ##     #    #####     ##     ##      #      ",
	"  ####   ##  #   #  ##    ###     ####   ##  #   ## ##    ###   ",
	"  ###    #  ##  ##  ##   #####      ##      ##     ##   ###     ",
}

// Digits is a film of n tokens over pictures, 32 rows and 64 columns.
func Digits(n int, alpha float64) *scene.Film {
	r := rng(7)
	const classes, side = 10, 64
	mean := make([]float64, side)
	pictures := make([][]float64, classes)
	for c := range pictures {
		pictures[c] = make([]float64, side)
		for i, mark := range glyphs[c] {
			if mark == '#' {
				pictures[c][i] = 1
			}
			mean[i] += pictures[c][i] / classes
		}
	}
	task := task{name: "digits", mean: mean, alpha: alpha, rate: 0.06 * (1 - alpha), tokens: n}
	for t := 0; t < n; t++ {
		c := int(r.uniform()*classes) % classes
		v := make([]float64, side)
		for i := range v {
			v[i] = pictures[c][i]*(0.85+0.15*r.uniform()) - mean[i]
		}
		task.classes = append(task.classes, int8(c))
		task.values = append(task.values, v)
	}
	for c := 0; c < classes; c++ {
		task.probes = append(task.probes, r.vector(32, 0.7))
	}
	for _, c := range task.classes {
		key := slices.Clone(task.probes[c])
		for i, noise := range r.vector(32, 0.2) {
			key[i] = math.Tanh(key[i] + noise)
		}
		task.keys = append(task.keys, key)
	}
	return task.film()
}

// Gaussian is a film of n tokens over random vectors, 16 rows and 8 columns.
func Gaussian(n int, alpha float64) *scene.Film {
	r := rng(3)
	task := task{name: "gaussian", alpha: alpha, rate: 0.06 * (1 - alpha), tokens: n}
	for t := 0; t < n; t++ {
		task.keys = append(task.keys, r.vector(16, 0.6))
		task.values = append(task.values, r.vector(8, 1))
	}
	return task.film()
}

// saying is the text of Words: eleven words, and what follows the last.
var saying = []string{"the", "king", "sang", "in", "the", "garden", ",", "and", "the", "queen", "read", "."}

// Words is a film of a text of twelve words, 16 rows and 8 columns, that asks three
// of them and a fourth that it does not say.
func Words(alpha float64) *scene.Film {
	r := rng(5)
	vectors := map[string][]float64{}
	vector := func(word string) []float64 {
		if vectors[word] == nil {
			vectors[word] = r.vector(16, 0.6)
		}
		return vectors[word]
	}
	task := task{name: "words", alpha: alpha, rate: 0.06 * (1 - alpha), tokens: len(saying) - 1}
	for t := range task.tokens {
		task.keys = append(task.keys, vector(saying[t]))
		task.values = append(task.values, vector(saying[t+1])[:8])
	}
	asked := []string{"king", "garden", "queen", "prince"}
	for _, word := range asked {
		task.probes = append(task.probes, vector(word))
	}
	f := task.film()
	n := &f.Names
	place := func(word string) uint16 {
		at := slices.Index(n.Vocabulary, word)
		if at < 0 {
			at = len(n.Vocabulary)
			n.Vocabulary = append(n.Vocabulary, word)
		}
		return uint16(at)
	}
	for _, word := range saying {
		n.Read = append(n.Read, place(word))
	}
	for _, word := range asked {
		n.Asked = append(n.Asked, place(word))
	}
	for i := range task.tokens * len(asked) {
		t := i / len(asked)
		n.Answers = append(n.Answers, n.Read[t+1], n.Read[t], n.Asked[i%len(asked)])
		n.Cosines = append(n.Cosines, float32(i%7)/6)
	}
	return f
}

type task struct {
	name         string
	alpha, rate  float64
	tokens       int
	classes      []int8
	keys, values [][]float64 // T rows each
	probes       [][]float64
	mean         []float64
}

// film trains token by token: g = −η k̂ᵀ(f−v), M ← αM + g, S ← S + M.
func (k task) film() *scene.Film {
	dh, dv := len(k.keys[0]), len(k.values[0])
	f := &scene.Film{
		Task: k.name, Tokens: k.tokens, KeyDim: dh, ValueDim: dv, Classes: k.classes,
		Scale: float32(1 - k.alpha), Probes: len(k.probes), Stride: 1, Mean: narrow(k.mean),
	}
	state, momentum := make([]float64, dh*dv), make([]float64, dh*dv)
	for t := 0; t < k.tokens; t++ {
		answer, written := read(state, k.keys[t], dv), make([]float64, dv)
		for c := range written {
			written[c] = k.rate * (k.values[t][c] - answer[c])
		}
		for i := range state {
			momentum[i] = k.alpha*momentum[i] + k.keys[t][i/dv]*written[i%dv]
			state[i] += momentum[i]
		}
		f.Key = append(f.Key, narrow(k.keys[t])...)
		f.Value = append(f.Value, narrow(k.values[t])...)
		f.Effective = append(f.Effective, narrow(written)...)
		f.State = append(f.State, narrow(state)...)
		f.Output = append(f.Output, narrow(read(state, k.keys[t], dv))...)
		for _, probe := range k.probes {
			f.Readout = append(f.Readout, narrow(read(state, probe, dv))...)
		}
		f.Spectrum = append(f.Spectrum, lengths(state, dv, min(dh, dv))...)
		for i := 0; i <= t; i++ { // (1−α^(n+1))/(1−α)
			c := (1 - math.Pow(k.alpha, float64(t-i+1))) / (1 - k.alpha)
			f.Multiplier = append(f.Multiplier, float32(c))
		}
	}
	f.Measure()
	return f
}

func read(state, key []float64, dv int) []float64 {
	out := make([]float64, dv)
	for i, s := range state {
		out[i%dv] += key[i/dv] * s
	}
	return out
}

// lengths are the n greatest lengths of the state's rows.
func lengths(state []float64, dv, n int) []float32 {
	var all []float32
	for i := 0; i < len(state); i += dv {
		sum := 0.0
		for _, x := range state[i : i+dv] {
			sum += x * x
		}
		all = append(all, float32(math.Sqrt(sum)))
	}
	slices.SortFunc(all, func(a, b float32) int { return int(math.Copysign(1, float64(b-a))) })
	return all[:n]
}

func narrow(xs []float64) []float32 {
	ys := make([]float32, len(xs))
	for i, x := range xs {
		ys[i] = float32(x)
	}
	return ys
}

// random is a small generator of its own (Numerical Recipes' LCG), so that the
// films never change under the goldens.
type random struct{ state uint64 }

func rng(seed uint64) *random { return &random{seed} }

func (r *random) uniform() float64 {
	r.state = r.state*6364136223846793005 + 1442695040888963407
	return float64(r.state>>11) / (1 << 53)
}

// vector has n about normal entries (a sum of uniforms) of the given size.
func (r *random) vector(n int, size float64) []float64 {
	v := make([]float64, n)
	for i := range v {
		for j := 0; j < 6; j++ {
			v[i] += r.uniform() - 0.5
		}
		v[i] *= size * math.Sqrt2
	}
	return v
}
