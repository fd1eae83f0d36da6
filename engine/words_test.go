package engine

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

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
