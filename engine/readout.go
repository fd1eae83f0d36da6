package engine

import "gonum.org/v1/gonum/mat"

// Features returns φ of every row of x, rows × Dh.
func (l *InnerLoop) Features(x mat.Matrix) *mat.Dense {
	rows, cols := x.Dims()
	phi := mat.NewDense(rows, l.Feature.Out(), nil)
	if f, ok := l.Feature.(rowsFeature); ok {
		f.applyRows(phi.RawMatrix(), mat.DenseCopyOf(x).RawMatrix())
		return phi
	}
	row := make([]float64, cols)
	for r := range rows {
		l.Feature.Apply(phi.RawRowView(r), mat.Row(row, r, x))
	}
	return phi
}

// Readout returns what a state answers to the clean class keys, probes × Dv,
// row c being class c; nil where the task has none. Ask the state of any token:
//
//	for t, state := range r.Sequential.States() { r.Readout(state) … }
func (r *Result) Readout(state *mat.Dense) *mat.Dense {
	if r.Tokens.Probes == nil {
		return nil
	}
	var answers mat.Dense
	answers.Mul(r.Loop.Features(r.Tokens.Probes), state)
	return &answers
}
