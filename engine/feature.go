package engine

import (
	"cmp"
	"math"

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

// features lists the feature maps that a Config can name. To add one, write a
// type with its Apply and a row here.
var features = []struct {
	name  string
	build func(c Config) Feature
}{
	{"tanh", func(c Config) Feature {
		return TanhProjection{P: gaussianMatrix(stream(c.Seed, streamProjection), c.KeyDim, c.HiddenDim, cmp.Or(c.Spread, 1))}
	}},
	{"identity", func(c Config) Feature { return Identity{Dim: c.KeyDim} }},
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
	clear(dst)
	for d, a := range x {
		vec.AddScaled(dst, a, f.P.RawRowView(d))
	}
	for h, a := range dst {
		dst[h] = math.Tanh(a)
	}
}
