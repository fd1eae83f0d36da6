package engine

import (
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"gonum.org/v1/gonum/mat"
)

func testWords(t *testing.T) *Words {
	t.Helper()
	file, err := os.ReadFile("words/words.bin")
	if err != nil {
		t.Fatal(err)
	}
	list, err := ReadWords(file)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// A text is asked its rare words, in the order in which it says them, and last
// the nearest word that it never says; marks are asked only where there is no word.
func TestATextIsAskedItsRareWordsAndOneThatItNeverSays(t *testing.T) {
	list := testWords(t)
	for text, want := range map[string]string{
		"The king sang, and the queen sang.": "king sang queen prince",
		"king king":                          "king prince",
		", . , .":                            ",",
		"the river and the moon and the garden and the tree and the old silver children read of walked again": "river moon garden tree silver read walked lake",
	} {
		known, _ := list.Read(text)
		tokens := list.Tokens(known)
		var asked []string
		for _, word := range tokens.Text.Asked {
			asked = append(asked, list.Name(word))
		}
		if got := strings.Join(asked, " "); !strings.HasPrefix(got+" ", want+" ") || len(asked) > mostAsked+1 {
			t.Errorf("%q is asked %q, want %q", text, got, want)
		}
		if rows, _ := tokens.Probes.Dims(); rows != len(asked) {
			t.Errorf("%q: %d probes for %d words", text, rows, len(asked))
		}
	}
}

func TestATextIsCutIntoSmallWordsAndMarks(t *testing.T) {
	for text, want := range map[string]string{
		"The King's sister—she sang.": "the king ' s sister - she sang .",
		"Don’t stop; go on: now?!":    "don ' t stop ; go on : now ? !",
		"a,b":                         "a , b",
		"  \n\t“quoted” (text) ":      "quoted text",
		"1984 was 3.5 metres":         "1984 was 3 . 5 metres",
		"Été":                         "Été",
		"":                            "",
	} {
		if got := strings.Join(CutWords(text), " "); got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
	}
}

// Cutting what was cut changes nothing, whatever the text holds.
func FuzzCutWords(f *testing.F) {
	f.Add("The king's — sister, sang…")
	f.Add("\xff\x00é̀ǅ")
	f.Fuzz(func(t *testing.T, text string) {
		words := CutWords(text)
		again := CutWords(strings.Join(words, " "))
		if !slices.Equal(words, again) {
			t.Errorf("%q became %q and then %q", text, words, again)
		}
		for _, word := range words {
			if word == "" || !utf8.ValidString(word) || strings.ContainsAny(word, " \n") {
				t.Errorf("%q gave the word %q", text, word)
			}
		}
	})
}

func TestGivenTokensTakeThePlaceOfADraw(t *testing.T) {
	c, err := Default("gaussian")
	if err != nil {
		t.Fatal(err)
	}
	drawn, err := Run(c)
	if err != nil {
		t.Fatal(err)
	}
	c.Given, c.Task = drawn.Tokens, "mine"
	given, err := Run(c)
	if err != nil {
		t.Fatal(err)
	}
	if gap := Compare(drawn.Sequential, given.Unrolled); !(gap.Absolute < 1e-12) {
		t.Errorf("the same tokens, drawn and given, differ by %g", gap.Absolute)
	}
	c.Length--
	if _, err := Run(c); err == nil || !strings.Contains(err.Error(), "tokens given are 64") {
		t.Errorf("a token too many gave %v", err)
	}
	c.Given, c.Length = &Tokens{}, 64
	if _, err := Run(c); err == nil {
		t.Error("tokens without numbers ran")
	}
}

// Noise on the queries is added to those of a text, and changes nothing else.
func TestATextsQueriesTakeNoise(t *testing.T) {
	list := testWords(t)
	c := Config{
		Task: "words", Length: 3, Given: list.Tokens([]int{0, 1, 2, 1}), KeyDim: list.Dim(), HiddenDim: 4, ValueDim: list.Dim(),
		Feature: "tanh", Loss: "squared", Rate: 0.1, Steps: 1,
	}
	clean, _, err := c.Build()
	if err != nil {
		t.Fatal(err)
	}
	c.QueryNoise = 0.5
	noisy, _, err := c.Build()
	if err != nil {
		t.Fatal(err)
	}
	if clean != c.Given || noisy.K != clean.K || noisy.V != clean.V || noisy.Text != clean.Text {
		t.Error("more than the queries changed")
	}
	if mat.Equal(noisy.Q, clean.Q) || !mat.Equal(clean.Q, clean.K) {
		t.Error("the noise is not there, or there without being asked for")
	}
}

// A run tells of each way how far it is, and is the same as one that tells nobody.
func TestARunTellsHowFarItIs(t *testing.T) {
	c, err := Default("gaussian")
	if err != nil {
		t.Fatal(err)
	}
	c.Length = 5
	quiet, err := Run(c)
	if err != nil {
		t.Fatal(err)
	}
	told := map[string][]int{}
	c.Watch = func(work string, done, of int) {
		if of != 5 {
			t.Errorf("%s is %d of %d", work, done, of)
		}
		told[work] = append(told[work], done)
	}
	r, err := Run(c)
	if err != nil {
		t.Fatal(err)
	}
	for range r.Sequential.States() { // replayed: that is work too
	}
	want := []int{0, 1, 2, 3, 4}
	for _, work := range []string{"training", "attention", "training once more"} {
		if !slices.Equal(told[work], want) {
			t.Errorf("%s was told as %v", work, told[work])
		}
	}
	if gap := Compare(quiet.Sequential, r.Sequential); gap.Absolute != 0 {
		t.Errorf("being watched changed the run by %g", gap.Absolute)
	}
}

// Spread scales the projection of tanh and nothing else; left out, it is 1.
func TestSpreadScalesTheProjection(t *testing.T) {
	c, _ := Default("gaussian")
	_, one, _ := c.Build()
	c.Spread = 1.5
	_, wide, _ := c.Build()
	a, b := one.Feature.(TanhProjection).P, wide.Feature.(TanhProjection).P
	for h := range c.HiddenDim {
		if got, want := b.At(0, h), 1.5*a.At(0, h); !(got-want < 1e-15 && want-got < 1e-15) {
			t.Fatalf("%v, want %v", got, want)
		}
	}
	c.Spread = -1
	if c.Validate() == nil {
		t.Error("a negative spread is valid")
	}
}
