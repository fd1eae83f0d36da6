package engine

import (
	"cmp"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"unrolled/engine/internal/vec"
)

// A Feature is φ, the map in front of the fast weight.
type Feature interface {
	// In is the width Dk of a key, Out the width Dh of its feature.
	In() int
	Out() int
	// Apply writes φ(x) to dst.
	Apply(dst, x []float64)
}

// A feature of many rows at once, for maps that a product computes faster.
type rowsFeature interface {
	// applyRows writes φ of every row of x to dst, whose rows lie close together.
	applyRows(dst, x blas64.General)
}

// features lists the feature maps that a Config can name. To add one, write a
// type with its Apply and a row here.
var features = []struct {
	name  string
	build func(c Config) Feature
}{
	{"tanh", func(c Config) Feature {
		p := gaussianMatrix(stream(c.Seed, streamProjection), c.KeyDim, c.HiddenDim, cmp.Or(c.Spread, 1))
		if c.Train {
			return MLP{Act: Tanh, Layers: []Layer{{A: p}}}
		}
		return TanhProjection{P: p}
	}},
	{"identity", func(c Config) Feature { return Identity{Dim: c.KeyDim} }},
	{"mlp", func(c Config) Feature { // two layers
		r := stream(c.Seed, streamProjection)
		return MLP{Act: Tanh, Layers: []Layer{{A: layerMatrix(r, c.KeyDim, c.HiddenDim)}, {A: layerMatrix(r, c.HiddenDim, c.HiddenDim)}}}
	}},
	{"swiglu", func(c Config) Feature {
		r := stream(c.Seed, streamProjection)
		return SwiGLU{Gate: layerMatrix(r, c.KeyDim, c.HiddenDim), Up: layerMatrix(r, c.KeyDim, c.HiddenDim)}
	}},
	{"glu", func(c Config) Feature {
		return DataGate{Gate: layerMatrix(stream(c.Seed, streamProjection), c.KeyDim, c.ValueDim)}
	}},
}

// layerMatrix draws in×out numbers ~ N(0, 1)/√in.
func layerMatrix(r *rand.Rand, in, out int) *mat.Dense {
	return gaussianMatrix(r, in, out, 1/math.Sqrt(float64(in)))
}

// Identity is φ(x) = x.
type Identity struct{ Dim int }

// In returns Dk.
func (f Identity) In() int { return f.Dim }

// Out returns Dh = Dk.
func (f Identity) Out() int { return f.Dim }

// Apply copies x to dst.
func (f Identity) Apply(dst, x []float64) { copy(dst, x) }

// TanhProjection is φ(x) = tanh(x P) with P fixed, Dk×Dh.
type TanhProjection struct{ P *mat.Dense }

// In returns Dk, the rows of P.
func (f TanhProjection) In() int { return f.P.RawMatrix().Rows }

// Out returns Dh, the columns of P.
func (f TanhProjection) Out() int { return f.P.RawMatrix().Cols }

// Apply writes tanh(x P) to dst.
func (f TanhProjection) Apply(dst, x []float64) {
	vec.ReadMatrix(dst, x, f.P.RawMatrix())
	vec.Tanh(dst, dst)
}

// applyRows writes tanh(X P) to dst, all rows in one product.
func (f TanhProjection) applyRows(dst, x blas64.General) {
	multiply(dst, x, f.P.RawMatrix())
	all := dst.Data[:dst.Rows*dst.Cols]
	vec.Tanh(all, all)
}
