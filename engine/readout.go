package engine

import (
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// Features returns φ of every row of x, rows × Dh.
func (l *InnerLoop) Features(x mat.Matrix) *mat.Dense {
	rows, _ := x.Dims()
	phi := mat.NewDense(rows, l.Feature.Out(), nil)
	dense, ok := x.(*mat.Dense)
	if !ok {
		dense = mat.DenseCopyOf(x)
	}
	l.applyRows(phi.RawMatrix(), dense.RawMatrix())
	return phi
}

// applyRows writes φ of every row of x to dst, whose rows lie close together.
func (l *InnerLoop) applyRows(dst, x blas64.General) {
	if f, ok := l.Feature.(rowsFeature); ok {
		f.applyRows(dst, x)
		return
	}
	if n, ok := l.Feature.(Network); ok {
		applyInitialRows(n, dst, x)
		return
	}
	for i := range x.Rows {
		l.Feature.Apply(row(dst, i), row(x, i))
	}
}

// Readout returns what a state answers to the probes, probes × Dv,
// one a row; nil where the tokens have none. Ask the state of any token:
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
