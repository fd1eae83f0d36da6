package engine

import (
	"math"
	"strings"

	"gonum.org/v1/gonum/mat"

	"unrolled/engine/internal/vec"
)

// A Text is the words that tokens were made of: token t has word t as key and as
// query, and word t+1 as value.
type Text struct {
	List  *Words
	Words []int // T+1 places in the list
	// Asked are the words whose keys are the tokens' Probes: some that the text
	// says, in their order, and behind them one that it does not say.
	Asked []int
}

// Word returns the word that token t is asked with, Next the word it answers.
func (x *Text) Word(t int) string { return x.List.Name(x.Words[t]) }
func (x *Text) Next(t int) string { return x.List.Name(x.Words[t+1]) }

// Nearest returns the count words nearest to a value.
func (x *Text) Nearest(value []float64, count int) []Ranked { return x.List.Nearest(value, count) }

// Tokens returns the tokens of a text, one less than words, of which there must
// be two.
func (w *Words) Tokens(words []int) *Tokens {
	all := w.vectors(words)
	n := len(words) - 1
	k := all.Slice(0, n, 0, w.Dim()).(*mat.Dense)
	text := &Text{List: w, Words: words, Asked: w.choose(words[:n])}
	return &Tokens{Q: k, K: k, V: all.Slice(1, n+1, 0, w.Dim()).(*mat.Dense), Probes: w.vectors(text.Asked), Text: text}
}

// vectors are the rows of some words.
func (w *Words) vectors(words []int) *mat.Dense {
	m := mat.NewDense(len(words), w.Dim(), nil)
	for t, word := range words {
		copy(m.RawRowView(t), w.Vector(word))
	}
	return m
}

// mostAsked is how many words of a text are asked.
const mostAsked = 7

// choose picks the words to ask: rare ones, which mean most, rather those that the
// text says again; and the word nearest to the first of them that it never says.
func (w *Words) choose(words []int) []int {
	said := map[int]int{} // how often
	var order []int       // each once, as first said
	for _, word := range words {
		if said[word] == 0 && !strings.Contains(wordMarks, w.names[word]) {
			order = append(order, word)
		}
		said[word]++
	}
	if len(order) == 0 { // marks alone
		return words[:1]
	}
	worth := func(i int) float64 { return math.Log(float64(order[i]+1)) * float64(min(said[order[i]], 2)) }
	best := Largest(len(order), mostAsked, worth)
	least := max(best[len(best)-1].Score, best[0].Score/3) // the king, not the “the”
	var asked []int
	for i, word := range order {
		if worth(i) >= least && len(asked) < mostAsked {
			asked = append(asked, word)
		}
	}
	stranger := Largest(len(w.names), 1, func(n int) float64 {
		if said[n] > 0 || strings.Contains(wordMarks, w.names[n]) {
			return math.Inf(-1)
		}
		return vec.Dot(w.Vector(asked[0]), w.Vector(n))
	})
	return append(asked, stranger[0].Index)
}
