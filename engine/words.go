package engine

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"

	"gonum.org/v1/gonum/mat"

	"unrolled/engine/internal/vec"
)

// Whoever shows the words names their source and licence.
const (
	WordsSource  = "GloVe: Global Vectors for Word Representation, J. Pennington, R. Socher, C. D. Manning, 2014"
	WordsLink    = "https://nlp.stanford.edu/projects/glove/"
	WordsLicence = "Public Domain Dedication and License 1.0"
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
		return nil, fmt.Errorf("this is not a word list: it does not begin with %q", strings.TrimSpace(WordsHeader))
	}
	body := data[:len(data)-sum]
	if got, want := WordsChecksum(body), binary.LittleEndian.Uint32(data[len(body):]); got != want {
		return nil, fmt.Errorf("the word list is damaged: its checksum is %08x and should be %08x", got, want)
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
	count, dim := int(binary.LittleEndian.Uint16(body)), int(binary.LittleEndian.Uint16(body[2:]))
	body = body[4:]
	if count < 1 || dim < 1 || dim > maxDim {
		return nil, fmt.Errorf("the word list has %d words of %d numbers; it needs at least one of each, and at most %d numbers", count, dim, maxDim)
	}
	w := &Words{index: make(map[string]int, count)}
	for len(w.names) < count {
		end := slices.Index(body, '\n')
		if end < 0 {
			return nil, fmt.Errorf("the word list ends after %d of %d words", len(w.names), count)
		}
		name := string(body[:end])
		if _, twice := w.index[name]; twice || !isListed(name) {
			return nil, fmt.Errorf("the word list has %q as word %d; a word is of small letters or one mark, and stands there once", name, len(w.names))
		}
		w.index[name] = len(w.names)
		w.names = append(w.names, name)
		body = body[end+1:]
	}
	if len(body) != count*dim {
		return nil, fmt.Errorf("the word list has %d bytes for %d words of %d numbers", len(body), count, dim)
	}
	w.rows = mat.NewDense(count, dim, nil)
	for n, b := range body {
		w.rows.Set(n/dim, n%dim, float64(int8(b)))
	}
	normalizeRows(w.rows)
	return w, nil
}

// isListed reports whether name is of the letters a to z, or one mark.
func isListed(name string) bool {
	if len(name) == 1 && strings.Contains(wordMarks, name) {
		return true
	}
	return name != "" && strings.Trim(name, "abcdefghijklmnopqrstuvwxyz") == ""
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
	var word strings.Builder
	flush := func() {
		if word.Len() > 0 {
			words = append(words, word.String())
			word.Reset()
		}
	}
	for _, r := range text {
		switch r {
		case '’', '‘':
			r = '\''
		case '–', '—', '‐', '‑':
			r = '-'
		}
		switch {
		case r >= 'A' && r <= 'Z':
			word.WriteRune(r - 'A' + 'a')
		case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r):
			word.WriteRune(r)
		default:
			flush()
			if strings.ContainsRune(wordMarks, r) {
				words = append(words, string(r))
			}
		}
	}
	flush()
	return words
}

// A Near is a word and the cosine of its vector with what was asked.
type Near struct {
	Word   int
	Cosine float64
}

// Nearest returns the count words whose vectors have the largest cosine with x,
// the nearest first; of equals the more frequent. A zero x has the cosine 0 with
// all.
func (w *Words) Nearest(x []float64, count int) []Near {
	scale := 0.0
	if length := math.Sqrt(vec.Dot(x, x)); length > 0 {
		scale = 1 / length
	}
	best := make([]Near, 0, count+1)
	for n := range w.names {
		cosine := scale * vec.Dot(x, w.rows.RawRowView(n))
		if len(best) == count && !(cosine > best[count-1].Cosine) {
			continue
		}
		at := len(best)
		for at > 0 && cosine > best[at-1].Cosine {
			at--
		}
		best = slices.Insert(best, at, Near{n, cosine})
		best = best[:min(len(best), count)]
	}
	return best
}

// Tokens returns the tokens of a text: token t has word t as key and as query,
// and word t+1 as value, so that there is one token less than words, of which
// there must be two.
func (w *Words) Tokens(text []int) *Tokens {
	n := len(text) - 1
	k, v := mat.NewDense(n, w.Dim(), nil), mat.NewDense(n, w.Dim(), nil)
	for t := range n {
		copy(k.RawRowView(t), w.Vector(text[t]))
		copy(v.RawRowView(t), w.Vector(text[t+1]))
	}
	return &Tokens{Q: k, K: k, V: v}
}
