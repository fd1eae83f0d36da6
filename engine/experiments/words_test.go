package experiments

import (
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"unrolled/engine"
	wordtable "unrolled/engine/words"
)

func TestMain(m *testing.M) {
	if err := LoadWords(wordtable.Table); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// The default text answers a word that it never says with what a neighbour
// wrote, and remembers a third to a half of itself.
func TestAWordThatWasNeverReadAnswersWithWhatItsNeighbourWrote(t *testing.T) {
	if strings.Contains(defaultText, "prince") {
		t.Fatal("the default text says prince")
	}
	a := answer(t, "words", nil)
	if !strings.HasPrefix(a.Sentence, "The layer answers “sang” to “prince”, a word the text never says. Of all writes “king → sang” adds most") {
		t.Errorf("it says %q", a.Sentence)
	}
	if share := scalar(t, a, "right.share"); !(share >= 0.3 && share <= 0.5) {
		t.Errorf("%.2f of the words answer with the next", share)
	}
	writes, _ := series(a, "writes", "writes")
	if len(writes.Names) != len(writes.X) || len(writes.X) != 8 || !strings.HasSuffix(writes.Names[0], " king → sang") || writes.Y[0] != scalar(t, a, "along.first") {
		t.Errorf("the writes are %q with %v", writes.Names, writes.Y)
	}
	nearest, _ := series(a, "nearest", "nearest")
	if len(nearest.Names) != 5 || nearest.Names[0] != "sang" || nearest.Y[0] != scalar(t, a, "cosine") {
		t.Errorf("the nearest words are %q with %v", nearest.Names, nearest.Y)
	}
}

// The writes are the answer: by training it is one product with the state, by
// attention their sum, whatever the knobs say.
func TestTheWritesAddUpToTheAnswer(t *testing.T) {
	for _, values := range []Values{
		nil,
		{"ask": "the", "alpha": "0.9"},
		{"ask": "", "reading": "0"},
		{"ask": "king", "steps": "5", "alpha": "0.6", "factor": "0.3"},
		{"alpha": "0.5", "hold": "off", "reading": "20"},
		{"text": "One word, then another, then one word.", "factor": "1.5"},
	} {
		a := answer(t, "words", values)
		if gap := scalar(t, a, "gap.answer"); !(gap < 1e-12) {
			t.Errorf("%v: the answer and the sum of its writes differ by %g", values, gap)
		}
		if gap := scalar(t, a, "gap.relative"); !(gap < 1e-12) {
			t.Errorf("%v: the two ways differ by %g", values, gap)
		}
	}
}

// With r = 1 a step makes the answer to its own word exact: the next word, with
// the cosine 1.
func TestAWholeStepMakesTheAnswerExact(t *testing.T) {
	a := answer(t, "words", Values{"factor": "1", "ask": "", "reading": "7"})
	if cosine := scalar(t, a, "cosine"); !(math.Abs(cosine-1) < 1e-12) || !strings.Contains(a.Sentence, "Read as far as “garden while the queen”, the layer answers “queen” to “the”. ") {
		t.Errorf("cosine %v: %s", cosine, a.Sentence)
	}
}

// Momentum and inner steps change which of several continuations comes out.
func TestMomentumAndInnerStepsChangeTheContinuation(t *testing.T) {
	said := func(values Values) string { return answer(t, "words", values).Emphasis }
	if one, other := said(Values{"ask": "the"}), said(Values{"ask": "the", "alpha": "0.9"}); one != "answers “old”" || other != "answers “king”" {
		t.Errorf("the: %s without momentum, %s with", one, other)
	}
	if one, other := said(Values{"ask": "queen"}), said(Values{"ask": "queen", "steps": "4"}); one == other {
		t.Errorf("queen: %s with one step and with four", one)
	}
}

func TestATextThatCannotBeReadGetsASentence(t *testing.T) {
	for text, want := range map[string]string{
		"":                                "the text is empty; type a sentence",
		" \n\t ":                          "the text is empty",
		"“…”":                             "the text is empty",
		"xyzzy":                           "“xyzzy”",
		"king":                            "the text has one word; two are needed",
		"king plugh":                      "knows 1 word of this text, not “plugh”; two are needed",
		strings.Repeat("king ", 1<<18):    "more than a million letters",
		strings.Repeat("é", 90) + " king": "…",
	} {
		_, err := Run("words", Values{"text": text})
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") || len(err.Error()) > 300 {
			t.Errorf("%.30q got %v, want %q", text, err, want)
		}
	}
}

func TestUnknownWordsAreNamedAndLeftOut(t *testing.T) {
	a := answer(t, "words", Values{"text": "The xyzzy king slept; the queen 1984 sang to the xyzzy king."})
	if len(a.Warnings) != 1 || a.Warnings[0] != "The list does not know “xyzzy”, “slept” and “1984”; they are left out." || scalar(t, a, "words") != 10 {
		t.Errorf("%v words, warnings %q", scalar(t, a, "words"), a.Warnings)
	}
	a = answer(t, "words", Values{"ask": "plugh", "reading": "1"})
	if len(a.Warnings) != 1 || !strings.Contains(a.Warnings[0], "does not know “plugh”; “king”, the word of this reading") {
		t.Errorf("asked an unknown word, warnings %q", a.Warnings)
	}
	a = answer(t, "words", Values{"ask": "king and queen"})
	if len(a.Warnings) != 1 || a.Warnings[0] != "One word is asked at a time: “king”." {
		t.Errorf("asked three words, warnings %q", a.Warnings)
	}
}

func TestTenThousandWordsAreReadAndNoMore(t *testing.T) {
	if testing.Short() {
		t.Skip("a long text")
	}
	text := strings.Repeat(defaultText+" ", 220)
	a := answer(t, "words", Values{"text": text})
	if n := scalar(t, a, "words"); n != mostWords || len(a.Warnings) != 2 || !strings.Contains(a.Warnings[0], "the first 10000 are read") {
		t.Errorf("%v words, warnings %q", n, a.Warnings)
	}
	if gap := scalar(t, a, "gap.answer"); !(gap < 1e-10) {
		t.Errorf("the answer and the sum of 9,999 writes differ by %g", gap)
	}
	if course := a.Series[0]; len(course.X) > 1026 || course.X[len(course.X)-1] != mostWords-2 {
		t.Errorf("a course of %d points", len(course.X))
	}
}

// A run that diverges says so, and shows what came before.
func TestWordsThatDivergeSaySo(t *testing.T) {
	a := answer(t, "words", Values{"hold": "off", "alpha": "0.99", "factor": "1.5", "text": strings.Repeat(defaultText, 20)})
	if !strings.Contains(a.Sentence, "diverges at token") || math.IsNaN(scalar(t, a, "diverged")) {
		t.Errorf("it says %q", a.Sentence)
	}
}

func TestWithoutTheListThereIsOneSentence(t *testing.T) {
	list := wordList
	defer func() { wordList = list }()
	wordList = nil
	if _, err := Run("words", nil); !errors.Is(err, ErrNoWords) || err.Error() != "the word list is not loaded" {
		t.Errorf("it got %v", err)
	}
	if _, err := Run("duel", Values{"task": "words"}); !errors.Is(err, ErrNoWords) {
		t.Errorf("the duel got %v", err)
	}
	if err := LoadWords([]byte("no list")); err == nil || wordList != nil {
		t.Errorf("bytes that are no list gave %v", err)
	}
}

// The run that the values stand for, in full: the tokens are the text's words.
func TestTheConfigOfATextHoldsItsTokens(t *testing.T) {
	c, _, err := ConfigOf("words", Values{"text": "King, queen."})
	if err != nil || c.Length != 3 || c.Given == nil || len(c.Rates) != 3 {
		t.Fatalf("%+v, %v", c, err)
	}
	n, _ := wordList.Find(",")
	for d, x := range wordList.Vector(n) {
		if c.Given.K.At(1, d) != x || c.Given.V.At(0, d) != x {
			t.Fatal("the comma is not the second key and the first value")
		}
	}
	if _, err := engine.Run(c); err != nil {
		t.Error(err)
	}
}

// Both ways agree on words too, at every length.
func TestTheDuelTakesWords(t *testing.T) {
	for _, values := range []Values{{"task": "words"}, {"task": "words", "length": "300", "alpha": "0.9", "feature": "identity"}} {
		a := answer(t, "duel", values)
		if gap := scalar(t, a, "gap.relative"); !(gap < 1e-12) || !math.IsNaN(scalar(t, a, "diverged")) {
			t.Errorf("%v: gap %g, diverged %v", values, gap, scalar(t, a, "diverged"))
		}
	}
}

// takers are the experiments that take a text beside other tasks.
func takers() []Experiment {
	var all []Experiment
	for _, e := range All() {
		if slices.ContainsFunc(e.Knobs, func(k Knob) bool { return k.Task == "words" }) {
			all = append(all, e)
		}
	}
	return all
}

// Every experiment that runs on tokens of a task takes a text, under one knob and
// one key; the others have no tokens of their own.
func TestEveryExperimentWithTokensTakesAText(t *testing.T) {
	var names []string
	for _, e := range takers() {
		names = append(names, e.Name)
		for _, k := range e.Knobs {
			switch {
			case k.Name == "text" && (k.Key != "X" || k.Kind != Text || k.Default != defaultText || k.Task != "words"):
				t.Errorf("%s: the text is %+v", e.Name, k)
			case k.Name == "length" && k.Task != "-words":
				t.Errorf("%s: a text has its own length, and the knob is shown", e.Name)
			case k.Name == "task" && k.Choices[len(k.Choices)-1].Value != "words":
				t.Errorf("%s: the tasks are %v", e.Name, k.Choices)
			}
		}
	}
	if got := strings.Join(names, " "); got != "momentum-age duel effective-value similarity inner-steps ascent q-vs-k q-to-k state" {
		t.Errorf("a text is taken by %s", got)
	}
}

// In each of them tokens are called by their word, readouts by their nearest words,
// and the sentence says where the text goes on.
func TestAnswersOnATextSpeakOfWords(t *testing.T) {
	const text = "The king sang in the garden while the queen read, and the old king sang again."
	for _, e := range takers() {
		values := Values{"task": "words", "text": text}
		a := answer(t, e.Name, values)
		checkAnswer(t, e.Name, values, a)
		if len(a.Words) != 18 || a.Words[1] != "king" || a.Words[17] != "." || scalar(t, a, "length") != 17 {
			t.Errorf("%s: %v tokens are called %q", e.Name, scalar(t, a, "length"), a.Words)
		}
		if !strings.Contains(a.Sentence, "Nearest words at token 17 (“again”): “") || !strings.HasSuffix(a.Sentence, "; the text goes on with “.”.") {
			t.Errorf("%s says %q", e.Name, a.Sentence)
		}
		rows, ok := series(a, "nearest", "nearest")
		if !ok || len(rows.Names) == 0 || len(rows.Names)%3 != 0 || len(rows.Names) != len(rows.Y) {
			t.Errorf("%s: the nearest words are %q", e.Name, rows.Names)
		}
		c, _, err := ConfigOf(e.Name, values)
		if err != nil || c.Length != 17 || c.Given == nil || c.Given.Text == nil {
			t.Errorf("%s: the run is %+v, %v", e.Name, c, err)
		}
	}
}

func TestEveryExperimentRefusesAnEmptyTextAndNamesUnknownWords(t *testing.T) {
	for _, e := range takers() {
		if _, err := Run(e.Name, Values{"task": "words", "text": ""}); err == nil || err.Error() != "the text is empty; type a sentence" {
			t.Errorf("%s: an empty text gave %v", e.Name, err)
		}
		a := answer(t, e.Name, Values{"task": "words", "text": "The xyzzy king read to the queen, and the queen read to the king."})
		if len(a.Warnings) != 1 || a.Warnings[0] != "The list does not know “xyzzy”; it is left out." {
			t.Errorf("%s: an unknown word gave %q", e.Name, a.Warnings)
		}
		if a := answer(t, e.Name, Values{"text": ""}); a.Words != nil || strings.Contains(a.Sentence, "“") {
			t.Errorf("%s: without the task the text is read: %s", e.Name, a.Sentence)
		}
	}
}

// What runs many times reads as many words as it would tokens; the rest ten thousand.
func TestLongTextsAreCutWhereAnExperimentRunsManyTimes(t *testing.T) {
	if testing.Short() {
		t.Skip("long texts")
	}
	text := strings.Repeat(defaultText+" ", 11)
	for _, e := range takers() {
		a := answer(t, e.Name, Values{"task": "words", "text": text})
		most := 10000.0
		for _, k := range e.Knobs {
			if k.Name == "text" {
				most = k.Max
			}
		}
		if got, want := scalar(t, a, "length"), min(most, 550)-1; got != want {
			t.Errorf("%s reads %v tokens, want %v", e.Name, got, want)
		}
		if cut := len(a.Warnings) == 1 && strings.Contains(a.Warnings[0], "are read"); cut != (most < 550) {
			t.Errorf("%s warns %q", e.Name, a.Warnings)
		}
	}
}

// Asked with its key, a text of the own-value kind answers with the word that
// follows; noise on the query spoils that, and the key helps.
func TestAskingATextWithItsKeysHelpsOnlyAgainstNoise(t *testing.T) {
	for noise, want := range map[string]string{"0": "is harmless", "0.4": "helps"} {
		a := answer(t, "q-to-k", Values{"task": "words", "noise": noise})
		if a.Emphasis != want || !strings.Contains(a.Sentence, "at 49 asked with keys") {
			t.Errorf("noise %s: %s", noise, a.Sentence)
		}
	}
	// The list is not needed, nor its mean shown, where no text is read.
	if a := answer(t, "q-to-k", nil); slices.ContainsFunc(a.Scalars, func(s Scalar) bool { return strings.HasPrefix(s.Name, "words.") }) {
		t.Error("words are measured without being chosen")
	}
}

// An answer tells how far it is, and is the same as one that tells nobody.
func TestAnswersTellHowFarTheyAre(t *testing.T) {
	defer Report(watch)
	for name, want := range map[string]string{
		"duel": "training,attention", "words": "training,attention,training once more,asking every word", "similarity": "seeds", "state": "training,training once more,seeds",
		"inner-steps": "numbers of steps", "q-to-k": "tasks",
	} {
		Report(nil)
		quiet := answer(t, name, nil)
		told := map[string]bool{}
		Report(func(work string, done, of int) {
			if told[work] = true; done < 0 || done >= of {
				t.Errorf("%s: %s is %d of %d", name, work, done, of)
			}
		})
		loud := answer(t, name, nil)
		if quiet.Sentence != loud.Sentence {
			t.Errorf("%s: being watched changed the sentence", name)
		}
		for work := range strings.SplitSeq(want, ",") {
			if !told[work] {
				t.Errorf("%s never told of %s; it told %v", name, work, told)
			}
		}
	}
}

// Any text is read, or refused in one sentence.
func FuzzTexts(f *testing.F) {
	f.Add(defaultText, "prince")
	f.Add("", "")
	f.Add("don’t—stop… 3.14 ÉTÉ \xff\xfe king\x00queen", "QUEEN'S")
	f.Fuzz(func(t *testing.T, text, ask string) {
		if len(text) > 2000 {
			text = text[:2000]
		}
		values := Values{"text": text, "ask": ask}
		a, err := Run("words", values)
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("more than one line: %q", err)
			}
			return
		}
		checkAnswer(t, "words", values, a)
	})
}
