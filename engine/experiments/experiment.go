// Package experiments holds the questions that the page asks: one file each.
//
// An Experiment is a question, the knobs that a reader may turn, and a Run
// that turns knob values into an Answer: one sentence, named scalars, series
// and matrices, all computed by package engine. The page, the build's first
// view, the workers and the headless command all read this one list, so that
// text and state cannot disagree.
package experiments

import "unrolled/engine"

// An Experiment is one question with its knobs.
type Experiment struct {
	Name     string // as in the URL, the element and -run: "momentum-age"
	Key      string // its short key in a link: "m"
	Title    string
	Question string
	Knobs    []Knob
	Run      func(Values) (Answer, error)
	// Config returns the engine's run for the same values, with the same
	// warnings: the stage plays it.
	Config func(Values) (engine.Config, []string, error)
	// Lab says that the page has it answered by the lab's program; see Lab.
	Lab bool
}

// Values are knob values by name, as text; a missing or empty one means the
// default, but for a Text, which may be empty.
type Values map[string]string

// Kind says which control a Knob is.
type Kind string

// The kinds of Knob.
const (
	Number   Kind = "number"   // a slider with a number field
	Choice   Kind = "choice"   // one of Choices
	Switch   Kind = "switch"   // "on" or "off"
	Seed     Kind = "seed"     // an integer with a "new seed" button
	Sequence Kind = "sequence" // one value a token; empty means "not used"
	Cursor   Kind = "cursor"   // a token index that a chart or the player moves
	Text     Kind = "text"     // words, at most Max of them; "" is a text too
	Pinned   Kind = "pinned"   // a Sequence that a button keeps, to compare with
)

// A Knob is one value that a reader may turn. Its value travels as text, in
// the same form in a link, in a worker message and after -set.
type Knob struct {
	Name    string // "alpha"; also the key after -set
	Key     string // short key in a link: "a"
	Kind    Kind
	Label   string // "momentum"
	Symbol  string // "α"
	Unit    string
	Min     float64
	Max     float64
	Step    float64
	Log     bool
	Integer bool
	Choices []Option
	Default string
	Help    string // one line
	// Task is the task with which alone the knob means something, "words", or, with
	// a minus, the one with which it does not, "-words"; "" is all.
	Task string

	limit float64 // the engine's own bound where it lies above Max; else 0
}

// An Option is one choice of a Knob.
type Option struct{ Value, Label string }

// An Answer is what an experiment found, ready to be drawn and spoken.
type Answer struct {
	Experiment string
	// Sentence states the finding in plain English; Emphasis is the part of
	// it to stress, or "".
	Sentence string
	Emphasis string
	// Formula is the update rule with the present numbers, in plain text.
	Formula string
	// Warnings are further sentences that a reader must know: a clamped value, a
	// diverged run, a setting that an experiment leaves out.
	Warnings []string
	Scalars  []Scalar
	Series   []Series
	Matrices []Matrix
	Table    Table
	Cost     Cost
	// Words are what the tokens are called, and behind them the last one's value;
	// nil where tokens have no name.
	Words []string
}

// A Scalar is a named number. NaN means that the number does not exist for
// these knobs, and Meaning says why.
type Scalar struct {
	Name    string // "half-life.own"
	Value   float64
	Unit    string
	Meaning string // what it is
	How     string // how it was computed
}

// Series is one line, cloud or band of a chart. X and Y have equal lengths; a
// diverged run's series ends where the run diverged. "dots" are points that lie
// on a line and may be thinned; "points" are a scatter, every one drawn and in
// no order; a "band" lies between Y and Y2.
type Series struct {
	Chart string // series with equal Chart share axes
	Name  string // "profile"
	Label string // direct label beside the line
	Role  string // the meaning that colours it: key, value, query, effective, state, gap, ink, muted
	Style string // line, dashed, dots, bars, points, band
	X, Y  []float64
	Y2    []float64 // the other edge of a band; else nil
	// Names are what the points are called, one for each, where they have names: a
	// chart then has a row for each and writes the name beside it. Else nil.
	Names []string
	XAxis Axis
	YAxis Axis
}

// An Axis names what is measured along it.
type Axis struct {
	Label string
	Unit  string
	Log   bool
}

// A Matrix is rows×cols values in row-major order, at most 256×256; a larger
// one is reduced by taking every Stride-th row and column. On a logarithmic axis
// cell i stands for 2ⁱ.
type Matrix struct {
	Name       string
	Label      string
	Rows, Cols int
	Stride     int
	RowAxis    Axis
	ColAxis    Axis
	Diverging  bool // values lie around zero
	Values     []float64
	Cells      []string // what is written in each cell of a small matrix; else nil
}

// A Table is rows of text under a head; most answers have none.
type Table struct {
	Head []string
	Rows []Row
}

// A Row has a cell under each head. Link is the setting where a reader sees it
// live, "experiment?knob=value&knob=value", or "".
type Row struct {
	Cells []string
	Link  string
}

// Cost is what the run took, counted, not timed.
type Cost struct {
	MultiplyAdds float64
	StateBytes   float64
	CacheBytes   float64 // keys and values of all tokens, which softmax attention keeps
}
