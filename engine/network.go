package engine

import (
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"unrolled/engine/say"
)

// A Network is a feature map with parameters Θ, which the inner loop may train
// (InnerLoop.Train). The package's networks are MLP, SwiGLU, DataGate and
// Conv3x3; the forward pass and the backpropagation of each stand side by side.
type Network interface {
	Feature
	// Theta returns the matrices of Θ before the first token, in order. A
	// vector is a matrix of one row.
	Theta() []Parameter

	// newTape returns room for one pass.
	newTape() *tape
	// forward computes φ(x) with the layers theta, one a matrix of Θ, and
	// remembers in the tape what backward needs.
	forward(tp *tape, x []float64, theta []linear)
	// backward takes tape.dphi = ∂ℓ/∂φ (and dgate) to the gradient of every
	// matrix of Θ, as factors: that of matrix p is inputs[p]ᵀ deltas[p].
	backward(tp *tape, theta []linear)
	check() error
}

// A Parameter is a named matrix.
type Parameter struct {
	Name  string
	Value *mat.Dense
}

// A tape holds one pass through a network.
type tape struct {
	phi, dphi   []float64   // φ(x), ∂ℓ/∂φ
	gate, dgate []float64   // s(x), of a network with f = (φ W) ∘ s; else nil
	inputs      [][]float64 // of each matrix of Θ: what it was applied to
	deltas      [][]float64 // … and ∂ℓ/∂(its product)
	outputs     [][]float64 // … and its product
	hidden      []float64   // room for ∂ℓ/∂h of one hidden layer
}

// tapeFor makes room for matrices of these shapes.
func tapeFor(out int, theta []Parameter) *tape {
	tp := &tape{phi: make([]float64, out), dphi: make([]float64, out)}
	for _, p := range theta {
		rows, cols := p.Value.Dims()
		tp.inputs = append(tp.inputs, make([]float64, rows))
		tp.deltas = append(tp.deltas, make([]float64, cols))
		tp.outputs = append(tp.outputs, make([]float64, cols))
		if rows > len(tp.hidden) {
			tp.hidden = make([]float64, rows)
		}
	}
	return tp
}

// asNetwork returns f itself, or f as a network without Θ.
func asNetwork(f Feature) Network {
	if n, ok := f.(Network); ok {
		return n
	}
	return static{f}
}

// static is a fixed feature map as a network without Θ.
type static struct{ Feature }

func (static) Theta() []Parameter                          { return nil }
func (s static) newTape() *tape                            { return tapeFor(s.Out(), nil) }
func (s static) forward(tp *tape, x []float64, _ []linear) { s.Apply(tp.phi, x) }
func (static) backward(*tape, []linear)                    {}
func (static) check() error                                { return nil }

// applyInitial writes φ(x) at the first Θ: Feature.Apply for every network.
func applyInitial(n Network, dst, x []float64) {
	one := func(v []float64) blas64.General {
		return blas64.General{Rows: 1, Cols: len(v), Stride: max(1, len(v)), Data: v}
	}
	applyInitialRows(n, one(dst), one(x))
}

// applyInitialRows writes φ of every row of x at the first Θ.
func applyInitialRows(n Network, dst, x blas64.General) {
	tp := n.newTape()
	var theta []linear
	for _, p := range n.Theta() {
		theta = append(theta, fixed{p.Value})
	}
	for i := range x.Rows {
		n.forward(tp, row(x, i), theta)
		copy(row(dst, i), tp.phi)
	}
}

// MLP is a multi-layer perceptron of n layers, the last one activated too:
//
//	h_0 = x,   h_l = a(h_{l−1} A_l + c_l),   φ = h_n
type MLP struct {
	Act    Activation
	Layers []Layer
}

// A Layer is one layer's matrix A and bias c; C nil means no bias.
type Layer struct {
	A *mat.Dense // in×out
	C []float64  // out
}

// In returns Dk, the rows of A_1.
func (n MLP) In() int { return n.Layers[0].A.RawMatrix().Rows }

// Out returns Dh, the columns of A_n.
func (n MLP) Out() int { return n.Layers[len(n.Layers)-1].A.RawMatrix().Cols }

// Apply writes φ(x) at the first Θ.
func (n MLP) Apply(dst, x []float64) { applyInitial(n, dst, x) }

// Theta returns A1, c1, A2, c2, …, without the biases that are off.
func (n MLP) Theta() []Parameter {
	var theta []Parameter
	for i, layer := range n.Layers {
		theta = append(theta, Parameter{say.Sprintf("A%d", i+1), layer.A})
		if layer.C != nil {
			theta = append(theta, Parameter{say.Sprintf("c%d", i+1), mat.NewDense(1, len(layer.C), layer.C)})
		}
	}
	return theta
}

func (n MLP) newTape() *tape {
	theta := n.Theta()
	tp := tapeFor(n.Out(), theta)
	for p, t := range theta {
		if t.Name[0] == 'c' {
			tp.inputs[p][0] = 1
		}
	}
	return tp
}

// forward: outputs[A_l] becomes h A + c; the next matrix's input is a(it).
func (n MLP) forward(tp *tape, x []float64, theta []linear) {
	p := 0
	for i, layer := range n.Layers {
		copy(tp.inputs[p], x)
		sum := tp.outputs[p]
		theta[p].apply(sum, x)
		p++
		if layer.C != nil {
			theta[p].apply(tp.outputs[p], tp.inputs[p])
			for d, c := range tp.outputs[p] {
				sum[d] += c
			}
			p++
		}
		x = tp.phi
		if i+1 < len(n.Layers) {
			x = tp.inputs[p]
		}
		for d, a := range sum {
			x[d] = n.Act.value(a)
		}
	}
}

// backward: δ_l = ∂ℓ/∂h_l ∘ a′(h_{l−1} A_l + c_l) is the delta of A_l and of
// c_l, and ∂ℓ/∂h_{l−1} = δ_l A_lᵀ.
func (n MLP) backward(tp *tape, theta []linear) {
	p := len(theta) - 1
	h, upstream := tp.phi, tp.dphi
	for i := len(n.Layers) - 1; i >= 0; i-- {
		bias := -1
		if n.Layers[i].C != nil {
			bias = p
			p--
		}
		delta := tp.deltas[p]
		for d, a := range tp.outputs[p] {
			delta[d] = upstream[d] * n.Act.slope(a, h[d])
		}
		if bias >= 0 {
			copy(tp.deltas[bias], delta)
		}
		if i > 0 {
			h = tp.inputs[p]
			upstream = tp.hidden[:len(h)]
			theta[p].transpose(upstream, delta)
			p--
		}
	}
}

func (n MLP) check() error {
	if len(n.Layers) < 1 || len(n.Layers) > maxLayers {
		return say.Errorf("an MLP has %d layers; it must have from 1 to %d", len(n.Layers), maxLayers)
	}
	width := -1
	for i, layer := range n.Layers {
		if layer.A == nil {
			return say.Errorf("matrix A%d is missing", i+1)
		}
		rows, cols := layer.A.Dims()
		if width >= 0 && rows != width {
			return say.Errorf("matrix A%d is %d×%d; the layer before it gives %d numbers", i+1, rows, cols, width)
		}
		if layer.C != nil && len(layer.C) != cols {
			return say.Errorf("c%d has %d numbers; A%d has %d columns", i+1, len(layer.C), i+1, cols)
		}
		width = cols
	}
	return n.Act.check()
}

// maxLayers bounds the depth of an MLP.
const maxLayers = 4
