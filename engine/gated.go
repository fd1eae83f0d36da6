package engine

import (
	"gonum.org/v1/gonum/mat"

	"unrolled/engine/say"
)

// SwiGLU is LaCT's feature map φ(x) = silu(x Gate) ∘ (x Up).
type SwiGLU struct{ Gate, Up *mat.Dense } // Dk×Dh both

// In returns Dk.
func (n SwiGLU) In() int { return n.Gate.RawMatrix().Rows }

// Out returns Dh.
func (n SwiGLU) Out() int { return n.Gate.RawMatrix().Cols }

// Apply writes φ(x) at the first Θ.
func (n SwiGLU) Apply(dst, x []float64) { applyInitial(n, dst, x) }

// Theta returns gate, up.
func (n SwiGLU) Theta() []Parameter { return []Parameter{{"gate", n.Gate}, {"up", n.Up}} }

func (n SwiGLU) newTape() *tape { return tapeFor(n.Out(), n.Theta()) }

func (n SwiGLU) forward(tp *tape, x []float64, theta []linear) {
	for p := range theta {
		copy(tp.inputs[p], x)
		theta[p].apply(tp.outputs[p], x)
	}
	for d, u := range tp.outputs[1] {
		tp.phi[d] = silu(tp.outputs[0][d]) * u
	}
}

// backward: ∂ℓ/∂(x Gate) = ∂ℓ/∂φ ∘ (x Up) ∘ silu′, ∂ℓ/∂(x Up) = ∂ℓ/∂φ ∘ silu.
func (n SwiGLU) backward(tp *tape, _ []linear) {
	for d, g := range tp.outputs[0] {
		tp.deltas[0][d] = tp.dphi[d] * tp.outputs[1][d] * siluSlope(g, 0)
		tp.deltas[1][d] = tp.dphi[d] * silu(g)
	}
}

func (n SwiGLU) check() error {
	if n.Gate == nil || n.Up == nil {
		return say.Errorf("a SwiGLU needs gate and up")
	}
	rows, cols := n.Gate.Dims()
	if r, c := n.Up.Dims(); r != rows || c != cols {
		return say.Errorf("gate is %d×%d and up %d×%d; they must agree", rows, cols, r, c)
	}
	return nil
}

// DataGate is ViTTT's gated linear unit f(x) = (x W) ∘ silu(x Gate): φ is the
// identity, and the gate stands behind W. A write's value carries the gate of
// its key, an output that of its query.
type DataGate struct{ Gate *mat.Dense } // Dk×Dv

// In returns Dk.
func (n DataGate) In() int { return n.Gate.RawMatrix().Rows }

// Out returns Dh = Dk.
func (n DataGate) Out() int { return n.Gate.RawMatrix().Rows }

// Apply writes φ(x) = x.
func (n DataGate) Apply(dst, x []float64) { copy(dst, x) }

// Theta returns gate.
func (n DataGate) Theta() []Parameter { return []Parameter{{"gate", n.Gate}} }

func (n DataGate) newTape() *tape {
	tp := tapeFor(n.Out(), n.Theta())
	cols := n.Gate.RawMatrix().Cols
	tp.gate, tp.dgate = make([]float64, cols), make([]float64, cols)
	return tp
}

func (n DataGate) forward(tp *tape, x []float64, theta []linear) {
	copy(tp.phi, x)
	copy(tp.inputs[0], x)
	theta[0].apply(tp.outputs[0], x)
	for d, g := range tp.outputs[0] {
		tp.gate[d] = silu(g)
	}
}

// backward: ∂ℓ/∂(x Gate) = ∂ℓ/∂s ∘ silu′.
func (n DataGate) backward(tp *tape, _ []linear) {
	for d, g := range tp.outputs[0] {
		tp.deltas[0][d] = tp.dgate[d] * siluSlope(g, 0)
	}
}

func (n DataGate) check() error {
	if n.Gate == nil {
		return say.Errorf("a data gate needs its matrix")
	}
	return nil
}

// Conv3x3 is ViTTT's depthwise convolution: one 3×3 kernel a channel, zero
// padding, no flip. As a feature map it is the identity on patches,
//
//	φ(x)_{c,δ} = x_{c,p+δ},   δ = (dy+1)·3 + (dx+1)
//
// and W has one block of nine weights and one output a channel: an attention
// over all positions whose features are 3×3 patches, one head a channel.
// Token p is the pixel y·Width + x.
type Conv3x3 struct{ Height, Width, Channels int }

// In returns the number of channels.
func (n Conv3x3) In() int { return n.Channels }

// Out returns nine numbers a channel.
func (n Conv3x3) Out() int { return 9 * n.Channels }

// Apply writes the patch of a pixel that stands alone: its neighbours are zero.
func (n Conv3x3) Apply(dst, x []float64) {
	clear(dst)
	for c, a := range x {
		dst[9*c+4] = a
	}
}

// Patches returns φ of every pixel of an image, pixels × 9·channels.
func (n Conv3x3) Patches(x *mat.Dense) *mat.Dense {
	out := mat.NewDense(n.Height*n.Width, n.Out(), nil)
	for p := range n.Height * n.Width {
		row := out.RawRowView(p)
		for delta := range 9 {
			y, z := p/n.Width+delta/3-1, p%n.Width+delta%3-1
			if y < 0 || y >= n.Height || z < 0 || z >= n.Width {
				continue
			}
			for c, a := range x.RawRowView(y*n.Width + z) {
				row[9*c+delta] = a
			}
		}
	}
	return out
}
