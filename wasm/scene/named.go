package scene

import "strings"

// Names are what a film of a text has besides: its words, and the words that the
// state answers. All are places in Vocabulary.
type Names struct {
	Vocabulary []string
	Read       []uint16  // T+1: token t is asked with word t, and its value is word t+1
	Asked      []uint16  // Probes
	Answers    []uint16  // Kept×Probes×AnswersKept: the words nearest to each readout
	Cosines    []float32 // Kept×Probes: of each readout with the nearest
}

// AnswersKept is how many of the nearest words a film keeps.
const AnswersKept = 3

// mostNames bounds a vocabulary, whose places take two bytes.
const mostNames = 1 << 16

// nameParts lists the arrays of places and the lengths that the header asks for.
func (f *Film) nameParts() []namePart {
	return []namePart{
		{&f.Names.Read, f.Tokens + 1},
		{&f.Names.Asked, f.Probes},
		{&f.Names.Answers, f.Kept() * f.Probes * AnswersKept},
	}
}

type namePart struct {
	places *[]uint16
	length int
}

// named reports whether the tokens have names.
func (f *Film) named() bool { return len(f.Names.Vocabulary) > 0 }

// checkNames says whether the names are whole, or absent.
func (f *Film) checkNames() bool {
	n := &f.Names
	if !f.named() {
		return len(n.Read) == 0 && len(n.Asked) == 0 && len(n.Answers) == 0 && len(n.Cosines) == 0
	}
	if len(n.Vocabulary) > mostNames || len(n.Cosines) != f.Kept()*f.Probes {
		return false
	}
	for _, p := range f.nameParts() {
		if len(*p.places) != p.length {
			return false
		}
		for _, place := range *p.places {
			if int(place) >= len(n.Vocabulary) {
				return false
			}
		}
	}
	return true
}

// nameBytes is what the places and the vocabulary take when encoded.
func (f *Film) nameBytes() int {
	if !f.named() {
		return 0
	}
	n := len(strings.Join(f.Names.Vocabulary, "\n"))
	for _, p := range f.nameParts() {
		n += 2 * len(*p.places)
	}
	return n
}

func (n *Names) word(place uint16) string { return n.Vocabulary[place] }
