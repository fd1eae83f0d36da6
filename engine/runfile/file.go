package runfile

import (
	"errors"
	"fmt"
	"io"
	"math"

	"unrolled/engine"
)

// A File is a run as it was read: what to run, and what is expected of it.
type File struct {
	Name      string
	Tolerance float64 // of every expected array, relative to max(1, largest)
	Tokens    *engine.Tokens
	Loop      *engine.InnerLoop

	expected map[string]*array // by the names of Answer.Difference
	hasB0    bool              // the bias came as b0, and goes as finalBias
}

// DefaultTolerance stands where a file states none.
const DefaultTolerance = 1e-12

// Read reads a run file. Its error is one sentence.
func Read(r io.Reader) (*File, error) {
	raw, err := readBounded(r)
	if err != nil {
		return nil, err
	}
	top, err := parseObject("the file", raw)
	if err != nil {
		return nil, locate(raw, err)
	}
	f := &File{}
	if f.Name, err = top.text("name", ""); err != nil {
		return nil, err
	}
	// What a file says about itself is not part of the run.
	for _, remark := range []string{"family", "source", "pins", "notes", "status", "verification", "derived"} {
		top.take(remark)
	}
	if _, err = top.choice("dtype", "float64"); err != nil {
		return nil, err
	}
	if f.Tolerance, err = top.number("tolerance", DefaultTolerance); err != nil {
		return nil, err
	}
	if !(f.Tolerance > 0 && f.Tolerance <= 1) {
		return nil, fmt.Errorf("tolerance is %v; it must be above 0 and at most 1", f.Tolerance)
	}
	if err := f.readRun(top); err != nil {
		return nil, err
	}
	return f, top.rest()
}

// readRun reads model, inputs and expected.
func (f *File) readRun(top *object) error {
	model, err := top.object("model")
	if err != nil {
		return err
	}
	inputs, err := top.object("inputs")
	if err != nil {
		return err
	}
	if model == nil || inputs == nil {
		return errors.New("a run file needs a model and inputs")
	}
	b := builder{model: model, inputs: inputs, loop: &engine.InnerLoop{Divergence: math.Inf(1)}}
	if err := b.build(); err != nil {
		return err
	}
	f.Tokens, f.Loop, f.hasB0 = b.tokens, b.loop, inputs.has("b0")
	if err := errors.Join(model.rest()); err != nil {
		return err
	}
	if err := inputs.rest(); err != nil {
		return err
	}
	expected, err := top.object("expected")
	if err != nil || expected == nil {
		return err
	}
	return f.readExpected(expected)
}

// readExpected keeps every expected array under its name.
func (f *File) readExpected(expected *object) error {
	f.expected = map[string]*array{}
	keep := func(o *object, field, name string) error {
		a, err := o.array(field)
		if a != nil {
			f.expected[name] = a
		}
		return err
	}
	for _, name := range []string{"output", "finalState", "finalBias", "loss", "keyFeatures", "writeValues", "attention", "finalZ"} {
		if err := keep(expected, name, name); err != nil {
			return err
		}
	}
	theta, err := expected.object("finalTheta")
	if err != nil {
		return err
	}
	if theta != nil {
		for _, p := range f.names() {
			if err := keep(theta, p, "finalTheta."+p); err != nil {
				return err
			}
		}
		if err := theta.rest(); err != nil {
			return err
		}
	}
	return expected.rest()
}

// names lists the matrices of Θ and the bias.
func (f *File) names() []string {
	var names []string
	if n, ok := f.Loop.Feature.(engine.Network); ok {
		for _, p := range n.Theta() {
			names = append(names, p.Name)
		}
	}
	if f.Loop.Bias != nil {
		names = append(names, "bias")
	}
	return names
}
