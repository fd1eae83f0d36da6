// Command unrolled answers the page's questions without a browser.
//
//	unrolled                                   list the experiments
//	unrolled -catalog [-json]                  … with their knobs
//	unrolled -run momentum-age -set alpha=0.98 print the sentence and the scalars
//	unrolled -run momentum-age -json           print the whole Answer
//	unrolled -self-test                        check everything that must be true
//	unrolled -sources                          where the built-in data come from
//	unrolled -run FILE.json [-json]            run other people's tensors both ways
//
// Bad input is one line on standard error and exit status 2; a run file whose
// expected arrays differ by more than its tolerance, or a check that fails, is
// exit status 1.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"unrolled/engine"
	"unrolled/engine/experiments"
	"unrolled/engine/selftest"
	"unrolled/engine/words"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		if !errors.Is(err, flag.ErrHelp) {
			fmt.Fprintln(os.Stderr, "unrolled:", oneLine(err.Error()))
		}
		if errors.Is(err, errDiffers) || errors.Is(err, errFails) {
			os.Exit(1)
		}
		os.Exit(2)
	}
}

// settings collects -set name=value.
type settings experiments.Values

func (s settings) String() string { return "" }

func (s settings) Set(text string) error {
	name, value, ok := strings.Cut(text, "=")
	if !ok || name == "" {
		return errors.New("it must read knob=value")
	}
	s[name] = value
	return nil
}

// run is the command, from its arguments to its output.
func run(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("unrolled", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	name := flags.String("run", "", "the `experiment` to run, or a file")
	asJSON := flags.Bool("json", false, "print JSON")
	catalog := flags.Bool("catalog", false, "list the experiments with their knobs")
	selfTest := flags.Bool("self-test", false, "run every check of the engine; exit status 1 if one fails")
	sources := flags.Bool("sources", false, "print origin and licence of the built-in data")
	values := settings{}
	flags.Var(values, "set", "`knob=value`, once for each knob")
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		usage(flags)
		return err
	case err != nil:
		return err
	case flags.NArg() > 0:
		return fmt.Errorf("%q is not understood; use -run %s", flags.Arg(0), flags.Arg(0))
	case *selfTest && *name != "":
		return errors.New("-self-test and -run are two questions; ask one")
	case *sources:
		return printSources(out)
	case *selfTest:
		return runSelfTest(selftest.All(), out)
	case *name == "" && len(values) > 0:
		return errors.New("-set needs -run")
	case *name == "" && *asJSON:
		return writeJSON(out, catalogJSON(experiments.All()))
	case *name == "":
		return printCatalog(out, *catalog)
	case isRunFile(*name):
		return runRunFile(*name, *asJSON, values, out)
	}
	if err := experiments.LoadWords(words.Table); err != nil {
		return err
	}
	answer, err := experiments.Run(*name, experiments.Values(values))
	if err != nil {
		return err
	}
	if *asJSON {
		return writeJSON(out, answerJSON(answer))
	}
	return printAnswer(out, answer)
}

func usage(flags *flag.FlagSet) {
	flags.SetOutput(os.Stderr)
	fmt.Fprintln(os.Stderr, "Usage of unrolled: without -run it lists the experiments.")
	flags.PrintDefaults()
}

// oneLine keeps an error on one line whatever the input was.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// printCatalog lists the experiments, and their knobs if asked.
func printCatalog(out io.Writer, knobs bool) error {
	var text strings.Builder
	for _, e := range experiments.All() {
		fmt.Fprintf(&text, "%-14s %s\n", e.Name, e.Question)
		if !knobs {
			continue
		}
		for _, k := range e.Knobs {
			fmt.Fprintf(&text, "  %-10s %-16s %s\n", k.Name, accepts(k), k.Help)
		}
	}
	_, err := io.WriteString(out, text.String())
	return err
}

// printSources prints origin, licence and changes of the digits and of the words,
// in the form of the list of licences that the site ships.
func printSources(out io.Writer) error {
	for _, s := range []struct{ data, source, link, licence, address, changes string }{
		{"The digits", engine.DigitsSource, engine.DigitsLink, engine.DigitsLicence, engine.DigitsTerms, engine.DigitsChanges},
		{"The words", engine.WordsSource, engine.WordsLink, engine.WordsLicence, engine.WordsTerms, engine.WordsChanges},
	} {
		_, err := fmt.Fprintf(out, "\n==== %s: %s\n\n%s\nLicence: %s, %s\nChanged: %s\n", s.data, s.source, s.link, s.licence, s.address, s.changes)
		if err != nil {
			return err
		}
	}
	return nil
}

// accepts says what may stand after -set knob=.
func accepts(k experiments.Knob) string {
	switch k.Kind {
	case experiments.Choice:
		var values []string
		for _, option := range k.Choices {
			values = append(values, option.Value)
		}
		return strings.Join(values, "|")
	case experiments.Switch:
		return "on|off"
	case experiments.Sequence, experiments.Pinned:
		return "x,x,…"
	case experiments.Cursor:
		return "token"
	case experiments.Text:
		return "text"
	}
	return fmt.Sprintf("%.10g…%.10g", k.Min, k.Max)
}

// printAnswer prints what a reader of the page would see first.
func printAnswer(out io.Writer, a experiments.Answer) error {
	var text strings.Builder
	fmt.Fprintln(&text, a.Sentence)
	for _, warning := range a.Warnings {
		fmt.Fprintln(&text, warning)
	}
	fmt.Fprintf(&text, "\n%s\n\n", a.Formula)
	for _, s := range a.Scalars {
		fmt.Fprintf(&text, "%-18s %-12.6g %-8s %s\n", s.Name, s.Value, s.Unit, s.Meaning)
	}
	_, err := io.WriteString(out, text.String())
	return err
}
