package engine

import (
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"unrolled/engine/internal/vec"
	"unrolled/engine/say"
)

// Whoever shows the words names their source and licence.
const (
	WordsSource  = "GloVe: Global Vectors for Word Representation, J. Pennington, R. Socher, C. D. Manning, 2014"
	WordsLink    = "https://nlp.stanford.edu/projects/glove/"
	WordsLicence = "Public Domain Dedication and License 1.0"
	WordsTerms   = "https://opendatacommons.org/licenses/pddl/1-0/"
	WordsChanges = "5,996 frequent words; mean removed, principal components 3 to 34, unit length, 8 bits a number"
)

// WordsHeader begins the file of a word list. There follow the number of words
// and the numbers of a word, each in two bytes, little-endian; the words, each
// with a line feed behind it; their rows, one signed byte a number; and the
// FNV-1a checksum of all that, in four bytes, little-endian.
const WordsHeader = "unrolled words 1\n"

// wordMarks are the punctuation marks that a list may know as words.
const wordMarks = ".,;:!?'-"

// Words is a list of words, the most frequent first, each with a unit vector.
// It is given to the engine as bytes, so that a browser fetches it only when a
// reader asks for words.
type Words struct {
	names []string
	index map[string]int
	rows  *mat.Dense // words × Dim, of unit length
}

// ReadWords reads the file of a word list. The error says in one sentence what
// is wrong with it.
func ReadWords(data []byte) (*Words, error) {
	const sum = 4
	if len(data) < len(WordsHeader)+4+sum || string(data[:len(WordsHeader)]) != WordsHeader {
		return nil, say.Errorf("this is not a word list: it does not begin with %q", strings.TrimSpace(WordsHeader))
	}
	body := data[:len(data)-sum]
	end := data[len(body):]
	want := uint32(end[0]) | uint32(end[1])<<8 | uint32(end[2])<<16 | uint32(end[3])<<24
	if got := WordsChecksum(body); got != want {
		return nil, say.Errorf("the word list is damaged: its checksum is %d and should be %d", got, want)
	}
	return parseWords(body[len(WordsHeader):])
}

// WordsChecksum returns the 32-bit FNV-1a hash of data.
func WordsChecksum(data []byte) uint32 {
	hash := uint32(2166136261)
	for _, b := range data {
		hash = (hash ^ uint32(b)) * 16777619
	}
	return hash
}

// parseWords reads what stands between the header and the checksum.
func parseWords(body []byte) (*Words, error) {
	count, dim := int(body[0])|int(body[1])<<8, int(body[2])|int(body[3])<<8
	body = body[4:]
	w := &Words{index: make(map[string]int, count)}
	for n := range count {
		end := slices.Index(body, '\n')
		if end < 0 {
			return nil, say.Errorf("the word list ends after %d of %d words", n, count)
		}
		name := string(body[:end])
		if _, twice := w.index[name]; twice || !isListed(name) {
			return nil, say.Errorf("the word list has %q as word %d; a word is of small letters or one mark, and stands there once", name, n)
		}
		w.index[name] = n
		w.names = append(w.names, name)
		body = body[end+1:]
	}
	if len(body) != count*dim || len(body) == 0 {
		return nil, say.Errorf("the word list has %d bytes for %d words of %d numbers", len(body), count, dim)
	}
	numbers := make([]float64, len(body))
	for n, b := range body {
		numbers[n] = float64(int8(b))
	}
	w.rows = mat.NewDense(count, dim, numbers)
	normalizeRows(w.rows)
	return w, nil
}

// isListed reports whether name is of the letters a to z, or one mark.
func isListed(name string) bool {
	if len(name) == 1 && strings.Contains(wordMarks, name) {
		return true
	}
	for _, r := range name {
		if r < 'a' || r > 'z' {
			return false
		}
	}
	return name != ""
}

// Len returns the number of words, Dim the length of their vectors.
func (w *Words) Len() int { return len(w.names) }

// Dim returns the numbers of a word's vector, Dk and Dv of its tokens.
func (w *Words) Dim() int { return w.rows.RawMatrix().Cols }

// Name returns word n.
func (w *Words) Name(n int) string { return w.names[n] }

// Vector returns the unit vector of word n, which must not be written to.
func (w *Words) Vector(n int) []float64 { return w.rows.RawRowView(n) }

// Find returns the place of a word in the list.
func (w *Words) Find(word string) (n int, known bool) {
	n, known = w.index[word]
	return n, known
}

// Read cuts a text into words and marks, in small letters, and returns the
// places of those that the list knows, and each of the others once.
func (w *Words) Read(text string) (known []int, unknown []string) {
	strangers := map[string]bool{}
	for _, word := range CutWords(text) {
		if n, ok := w.index[word]; ok {
			known = append(known, n)
		} else if !strangers[word] && !strings.Contains(wordMarks, word) {
			strangers[word] = true
			unknown = append(unknown, word)
		}
	}
	return known, unknown
}

// CutWords cuts a text into words, runs of letters and digits in small letters,
// and the marks . , ; : ! ? ' -, each a word of its own. All else separates.
func CutWords(text string) []string {
	var words []string
	word := ""
	for _, r := range text + " " {
		if r >= 'A' && r <= 'Z' {
			r += 'a' - 'A'
		}
		if isLetter(r) {
			word += string(r)
			continue
		}
		if word != "" {
			words = append(words, word)
			word = ""
		}
		if mark := markOf(r); mark != "" {
			words = append(words, mark)
		}
	}
	return words
}

// isLetter reports whether r is part of a word: a letter or a digit, or any sign
// beyond Latin punctuation, general punctuation and that of Chinese. (The tables
// of package unicode would be heavier than the rest of this file.)
func isLetter(r rune) bool {
	switch {
	case r < 0xC0:
		return r >= 'a' && r <= 'z' || r >= '0' && r <= '9'
	case r >= 0x2000 && r < 0x2070, r >= 0x3000 && r < 0x3040, r == 0xFFFD:
		return false
	}
	return true
}

// markOf returns the mark that r stands for, or "".
func markOf(r rune) string {
	switch {
	case r == '’' || r == '‘':
		return "'"
	case r >= '‐' && r <= '—':
		return "-"
	case r < 0x80 && strings.IndexByte(wordMarks, byte(r)) >= 0:
		return string(r)
	}
	return ""
}

// A Ranked is one of several things with what it is ranked by: a word and the
// cosine of its vector with what was asked.
type Ranked struct {
	Index int
	Score float64
}

// Largest returns the count of 0 … n−1 with the largest score, the largest first;
// of equals the lower one first.
func Largest(n, count int, score func(int) float64) []Ranked {
	best := make(ranking, 0, count+1)
	for i := range n {
		if x := score(i); len(best) < count || x > best[count-1].Score {
			best.add(i, x, count)
		}
	}
	return best
}

// A ranking is the best so far, the best first.
type ranking []Ranked

// add takes in one that is among them; of equals the earlier stays in front.
func (r *ranking) add(i int, x float64, count int) {
	best := append(*r, Ranked{})
	at := len(best) - 1
	for ; at > 0 && x > best[at-1].Score; at-- {
		best[at] = best[at-1]
	}
	best[at] = Ranked{i, x}
	*r = best[:min(len(best), count)]
}

// Nearest returns the count words whose vectors have the largest cosine with x,
// of equals the more frequent. A zero x has the cosine 0 with all.
func (w *Words) Nearest(x []float64, count int) []Ranked {
	scale := math.Sqrt(vec.Dot(x, x))
	if scale > 0 {
		scale = 1 / scale
	}
	best := make(ranking, 0, count+1)
	rows := w.rows.RawMatrix().Data
	var some [256]float64
	for from := 0; from < len(w.names); from += len(some) {
		dots := some[:min(len(some), len(w.names)-from)]
		vec.Dots(dots, rows[from*w.Dim():], x)
		for n, dot := range dots {
			if cosine := scale * dot; len(best) < count || cosine > best[count-1].Score {
				best.add(from+n, cosine, count)
			}
		}
	}
	return best
}
