package engine

import "math"

// A Rule is the part of a Config that says how an inner loop learns beyond
// gradient descent with momentum: plain choices for the fields of an InnerLoop
// of the same names. The zero value adds nothing.
type Rule struct {
	Train       bool       // Θ too; the feature map must have one
	Chunk       int        // L; 0 means 1
	Order       Order      // of writing and reading inside a chunk
	Ascent      bool       // −∂ℓ in place of ∂ℓ
	RateOutside bool       // η multiplies the buffer
	Gamma       float64    // γ, what decay leaves at each update; 0 means 1
	DecayAfter  bool       // the gradient is taken before the decay
	Muon        string     // one of Muons, "" for none
	Norm        WeightNorm // columns back to their first norm
	Clip        bool       // columns of the gradient divided by norm + 1
	Adam        bool       // sequential only
	Query       Query      // which vector is read
}

// muons lists the orthogonalisations that a Rule can name. To add one, write a
// row here.
var muons = []struct {
	name string
	muon *Muon
}{
	{"newton-schulz-lact", &Muon{Method: NewtonSchulz, Coefficients: NewtonSchulzLaCT}},
	{"newton-schulz-nvs", &Muon{Method: NewtonSchulz, Coefficients: NewtonSchulzNVS}},
	{"frobenius", &Muon{Method: Frobenius}},
	{"polar", &Muon{Method: Polar}},
}

// Muons returns the names of the orthogonalisations, in order.
func Muons() []string {
	var names []string
	for _, row := range muons {
		names = append(names, row.name)
	}
	return names
}

// muon returns the orthogonalisation of that name, nil for none.
func (r Rule) muon() (*Muon, error) {
	if r.Muon == "" {
		return nil, nil
	}
	for _, row := range muons {
		if row.name == r.Muon {
			return row.muon, nil
		}
	}
	return nil, unknown("muon", r.Muon, Muons())
}

// lay puts the rule on an inner loop.
func (r Rule) lay(l *InnerLoop) {
	l.Train, l.Chunk, l.Order, l.Ascent, l.RateOutside = r.Train, r.Chunk, r.Order, r.Ascent, r.RateOutside
	l.DecayAfter, l.DecayTheta, l.Norm, l.Clip, l.Adam, l.Query = r.DecayAfter, false, r.Norm, r.Clip, r.Adam, r.Query
	l.Muon, _ = r.muon()
	if r.Gamma != 0 && r.Gamma != 1 {
		l.Gamma = Constant(r.Gamma)
	}
}

// sweeps returns by how much the rule multiplies the work of the attention
// form: norms and Muon compare all writes at every step.
func (r Rule) sweeps(length, steps int) float64 {
	updates := math.Ceil(float64(length)/float64(max(1, r.Chunk))) * float64(steps)
	factor := 1.0
	if r.Norm != NoNorm {
		factor += updates
	}
	if r.Muon != "" {
		factor += 6 * updates
	}
	return factor
}

// validateRule checks the rule alone and with the rest of the Config.
func (c Config) validateRule() error {
	if c.Rule == (Rule{}) {
		return nil
	}
	if _, err := c.Rule.muon(); err != nil {
		return err
	}
	x := size{reads: c.Length, rows: c.Length, keyDim: c.KeyDim, valueDim: c.ValueDim}
	return c.loop().checkSize(x)
}
