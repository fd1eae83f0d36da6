package experiments

import "unrolled/engine"

// watch is told how far a run is; nil: nobody is. It is given once, before the
// first question, and changes no answer.
var watch engine.Watch

// Report has every run from now on tell how far it is.
func Report(to engine.Watch) { watch = to }

// report tells of a piece of work that an experiment does itself.
func report(work string, done, of int) {
	if watch != nil {
		watch(work, done, of)
	}
}
