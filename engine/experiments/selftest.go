package experiments

import (
	"unrolled/engine"
	"unrolled/engine/say"
	"unrolled/engine/selftest"
)

// selfTest runs one check of the engine's own list; the page runs them all, one
// after the other.
func selfTest() Experiment {
	checks := selftest.All()
	choices := make([]Option, len(checks))
	for n, c := range checks {
		// The sentence comes with the answer: the page need not carry all of them.
		choices[n] = Option{Value: c.Name}
	}
	return answering(Experiment{
		Name: "self-test", Key: "t", Title: "The engine checks itself",
		Question: "Does everything that must be true hold in this very browser?",
		Knobs: []Knob{{
			Name: "check", Key: "c", Kind: Choice, Label: "check", Choices: choices, Default: checks[0].Name,
			Help: "Which of the checks is measured.",
		}},
	}, func(f *form) engine.Config {
		c, err := engine.Default("gaussian")
		if err != nil {
			f.fail("%v", err)
		}
		return c
	}, func(f *form, _ engine.Config) (Answer, error) {
		name := f.choice("check")
		for n, c := range checks {
			if c.Name == name {
				return checked(n, len(checks), c)
			}
		}
		return Answer{}, f.err // choice has refused it
	})
}

// checked measures check n of so many.
func checked(n, of int, c selftest.Check) (Answer, error) {
	number, err := c.Measure()
	if err != nil {
		return Answer{}, err
	}
	emphasis, passes := "fails", 0.0
	if c.Passes(number) {
		emphasis, passes = "holds", 1
	}
	what, relation := "error", "at most"
	if c.Least {
		what, relation = "difference", "at least"
	}
	a := Answer{
		Sentence: say.Sprintf("Check %d of %d %s: the largest %s is %s, and %s %s is asked.", n+1, of, emphasis, what, small(number), relation, plain(c.Bound)),
		Emphasis: emphasis,
		Formula:  c.Says,
	}
	var s scalars
	s.put("passes", passes, "", "1 if the check holds, else 0", "the measured number against its bound")
	s.put("measured", number, "", "largest "+what+" that the check measured", "max |a − b| over all runs of the check, most of them relative to max(1, |b|)")
	s.put("bound", c.Bound, "", "what is asked: "+relation, "rounding, and what the method loses")
	s.put("checks", float64(of), "", "checks in the list", "")
	s[3].How = "counted"
	a.Scalars = s
	return a, nil
}

// small writes a size that may be exactly zero.
func small(x float64) string {
	if x == 0 {
		return "exactly 0"
	}
	return significant(x)
}
