package experiments

import (
	"strings"

	"unrolled/engine"
	"unrolled/engine/say"
)

// list is every experiment in the order of the page. To add one, write a file
// that returns its Experiment and a row here.
var list = []Experiment{
	momentumAge(),
	duel(),
	effectiveValue(),
	similarity(),
	innerSteps(),
	ascent(),
	qVersusK(),
	qToK(),
	paradoxLab(),
	state(),
	words(),
	ledger(),
	selfTest(),
}

// All returns every experiment in the order of the page.
func All() []Experiment { return append([]Experiment(nil), list...) }

// Find returns the experiment of that name, or one sentence that names the
// known ones.
func Find(name string) (Experiment, error) {
	var names []string
	for _, e := range list {
		if e.Name == name {
			return e, nil
		}
		names = append(names, e.Name)
	}
	return Experiment{}, say.Errorf("there is no experiment %q; there is %s", clip(name), strings.Join(names, ", "))
}

// Run answers one experiment's question for the given knob values.
func Run(name string, values Values) (Answer, error) {
	e, err := Find(name)
	if err != nil {
		return Answer{}, err
	}
	a, err := e.Run(values)
	a.markPlaces()
	return a, err
}

// ConfigOf returns the engine's run for the given knob values, and warnings.
func ConfigOf(name string, values Values) (engine.Config, []string, error) {
	e, err := Find(name)
	if err != nil {
		return engine.Config{}, nil, err
	}
	return e.Config(values)
}
