package experiments

import (
	"errors"
	"strings"

	"unrolled/engine"
	"unrolled/engine/say"
)

// What the experiments share where the tokens are the words of a text: the list,
// the text, and how tokens and readouts are named. The ledger and the checks take no
// text, having runs of their own, nor the paradox lab, whose claims are on the toy.

// wordList is given once, before the first question that needs it. Its file is
// sealed by a checksum, so that equal values still give equal answers.
var wordList *engine.Words

// ErrNoWords says that LoadWords was not called.
var ErrNoWords = errors.New("the word list is not loaded")

// LoadWords takes the file of the word list (unrolled/engine/words.Table), which
// is kept out of this package so that a browser fetches it only when it is
// needed.
func LoadWords(file []byte) error {
	list, err := engine.ReadWords(file)
	if err == nil {
		wordList = list
	}
	return err
}

// defaultText says the same words again with other words behind them, and never
// says "prince".
const defaultText = `The king sang in the garden while the queen read to the children. ` +
	`At night the queen walked to the river and the moon rose. In the morning the river was silver, ` +
	`the garden was green, and the king sang again under the old tree.`

const (
	mostWords    = 10000   // of a text
	mostLetters  = 1 << 20 // bytes of a text: nobody types more
	mostAttended = 2048    // writes above which the attention form is left out
)

// textKnob is the text where the task is words, of which so many are read: as many
// as the experiment would read tokens of another task, or all that a text may have
// where it runs only once.
func textKnob(most float64) Knob {
	return Knob{
		Name: "text", Key: "X", Kind: Text, Label: "text", Unit: "words", Max: most, Default: defaultText, Task: "words",
		Help: "Each word is a key, and the word after it is its value.",
	}
}

// defaultRun is the default run of a task. That of words has still to be given
// its text.
func defaultRun(task string) (engine.Config, error) {
	if task != "words" {
		return engine.Default(task)
	}
	if wordList == nil {
		return engine.Config{}, ErrNoWords
	}
	return engine.Config{
		Task: task, KeyDim: wordList.Dim(), HiddenDim: 32, ValueDim: wordList.Dim(),
		Feature: "tanh", Spread: 1.5, Loss: "squared", Rate: 0.06, Steps: 1,
	}, nil
}

// readText returns the words of the text that the list knows, as many as the knob
// takes, and names those that are left out.
func (f *form) readText() []int {
	k, _ := f.text("text")
	most := int(k.Max)
	text := f.words("text")
	if len(text) > mostLetters {
		f.fail("the text has more than a million letters; at most %d words are read", most)
		return nil
	}
	known, unknown := wordList.Read(text)
	switch {
	case len(known) == 0 && len(unknown) == 0:
		f.fail("the text is empty; type a sentence")
		return nil
	case len(known) < 2 && len(unknown) == 0:
		f.fail("the text has one word; two are needed, one to ask and one to answer")
		return nil
	case len(known) < 2:
		f.fail("the list knows %s of this text, not %s; two are needed, one to ask and one to answer", count(len(known), "word", "words"), quoted(unknown))
		return nil
	}
	if len(unknown) > 0 {
		are := "it is"
		if len(unknown) > 1 {
			are = "they are"
		}
		f.warn("The list does not know %s; %s left out.", quoted(unknown), are)
	}
	if len(known) > most {
		f.warn("The text has %d words; the first %d are read.", len(known), most)
		known = known[:most]
	}
	for _, n := range known {
		f.names = append(f.names, wordList.Name(n))
	}
	return known
}

// warnOfSquare says that a long text is also read as attention.
func (f *form) warnOfSquare(c engine.Config) {
	if writes := c.Length * c.Steps; c.Given != nil && writes > mostAttended && !c.SequentialOnly {
		f.warn("This text takes %d writes; the attention form, whose work grows with the square, takes most of the time.", writes)
	}
}

// quoted names the first few words.
func quoted(words []string) string {
	const most = 8
	var out []string
	for _, word := range words[:min(len(words), most)] {
		out = append(out, "“"+clip(word)+"”")
	}
	switch rest := len(words) - most; {
	case rest > 0:
		return strings.Join(out, ", ") + " and " + count(rest, "other", "others")
	case len(out) == 1:
		return out[0]
	}
	return strings.Join(out[:len(out)-1], ", ") + " and " + out[len(out)-1]
}

// called is what token t is called, to stand behind its number: " (“river”)", or
// nothing where tokens have no name.
func called(r *engine.Result, t int) string {
	if r.Tokens.Text == nil {
		return ""
	}
	return " (“" + r.Tokens.Text.Word(t) + "”)"
}

// A reading is a value with what it is, to be named by its nearest words.
type reading struct {
	what  string // "descent"
	value []float64
}

// nameWords names what is read at token t of a text by its nearest words: a row of
// a chart each, and the nearest in the sentence. Nothing happens where tokens have
// no name.
func (a *Answer) nameWords(r *engine.Result, t int, readings ...reading) {
	text := r.Tokens.Text
	if text == nil {
		return
	}
	s := Series{
		Chart: "nearest", Name: "nearest", Label: "cosine with the word", Role: "value", Style: "bars",
		XAxis: Axis{Label: "rank"}, YAxis: Axis{Label: "cosine"},
	}
	said := ""
	for n, one := range readings {
		for rank, near := range text.Nearest(one.value, 3) {
			word := "“" + text.List.Name(near.Index) + "”"
			if rank == 0 && n > 0 {
				said += ", "
			}
			if rank == 0 {
				said += word + " (" + one.what + ")"
			}
			s.X = append(s.X, float64(len(s.X)+1))
			s.Y = append(s.Y, near.Score)
			s.Names = append(s.Names, one.what+": "+word)
		}
	}
	a.Series = append(a.Series, s)
	a.Sentence += say.Sprintf(" Nearest words at token %d%s: %s; the text goes on with “%s”.", t+1, called(r, t), said, text.Next(t))
}
