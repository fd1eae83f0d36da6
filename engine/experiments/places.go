package experiments

import "strings"

// Index is the unit of a place in the sequence. Numbers count places from 0, in
// links, knobs, JSON and CSV as in the formulas; sentences, charts and whatever
// else people read count them from 1.
const Index = "index"

// markPlaces gives the unit to every number and axis that is a place.
func (a *Answer) markPlaces() {
	for i := range a.Scalars {
		switch a.Scalars[i].Name {
		case "reading", "token", "diverged":
			a.Scalars[i].Unit = Index
		}
	}
	for i := range a.Series {
		a.Series[i].XAxis.markPlace()
	}
	for i := range a.Matrices {
		a.Matrices[i].RowAxis.markPlace()
		a.Matrices[i].ColAxis.markPlace()
	}
}

func (a *Axis) markPlace() {
	switch thing, _, _ := strings.Cut(a.Label, " "); thing {
	case "reading", "token", "query", "key":
		a.Unit = Index
	}
}
