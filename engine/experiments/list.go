package experiments

import (
	"strings"

	"unrolled/engine"
	"unrolled/engine/say"
)

// A List is experiments that are answered by one program.
type List []Experiment

// Main are the experiments of the page's engine. To add one, write a file that
// returns its Experiment and a row here, or in Lab.
func Main() List {
	return List{
		momentumAge(),
		duel(),
		effectiveValue(),
		similarity(),
		innerSteps(),
		ascent(),
		qVersusK(),
		qToK(),
		state(),
		words(),
	}
}

// Lab are the experiments that a reader meets far down the page, if at all. They
// have a program of their own there, so that nobody else waits for them: they
// bring the outer loop, the checks and a table of all the others.
func Lab() List {
	lab := List{
		paradoxLab(),
		ledger(),
		selfTest(),
	}
	for n := range lab {
		lab[n].Lab = true
	}
	return lab
}

// All returns every experiment.
func All() List { return append(Main(), Lab()...) }

// Find returns the experiment of that name, or one sentence that names the
// known ones.
func (l List) Find(name string) (Experiment, error) {
	var names []string
	for _, e := range l {
		if e.Name == name {
			return e, nil
		}
		names = append(names, e.Name)
	}
	return Experiment{}, say.Errorf("there is no experiment %q; there is %s", clip(name), strings.Join(names, ", "))
}

// Run answers one experiment's question for the given knob values.
func (l List) Run(name string, values Values) (Answer, error) {
	e, err := l.Find(name)
	if err != nil {
		return Answer{}, err
	}
	a, err := e.Run(values)
	a.markPlaces()
	return a, err
}

// ConfigOf returns the engine's run for the given knob values, and warnings.
func (l List) ConfigOf(name string, values Values) (engine.Config, []string, error) {
	e, err := l.Find(name)
	if err != nil {
		return engine.Config{}, nil, err
	}
	return e.Config(values)
}

// Run answers a question of any experiment.
func Run(name string, values Values) (Answer, error) { return All().Run(name, values) }

// ConfigOf returns the engine's run of any experiment.
func ConfigOf(name string, values Values) (engine.Config, []string, error) {
	return All().ConfigOf(name, values)
}
