package engine

import "unrolled/engine/internal/vec"

// A Loss is the inner loss ℓ(f, v) of a prediction f against a value v, with
// its gradient beside it.
type Loss interface {
	// Value returns ℓ(f, v).
	Value(f, v []float64) float64
	// Gradient writes ∂ℓ/∂f to dst.
	Gradient(dst, f, v []float64)
}

// losses lists the losses that a Config can name. To add one, write a type with
// its two methods and a row here.
var losses = []struct {
	name string
	loss Loss
}{
	{"squared", Squared{}},
	{"dot", Dot{}},
}

// Squared is ½‖f − v‖², the loss of DeltaNet and TTT-Linear. (The paper writes
// it without the ½; every effective value then doubles.)
type Squared struct{}

// Value returns ½‖f − v‖².
func (Squared) Value(f, v []float64) float64 {
	sum := 0.0
	for d := range f {
		r := f[d] - v[d]
		sum += r * r
	}
	return sum / 2
}

// Gradient writes f − v.
func (Squared) Gradient(dst, f, v []float64) {
	for d := range dst {
		dst[d] = f[d] - v[d]
	}
}

// Dot is −⟨f, v⟩, the loss of LaCT and ViTTT.
type Dot struct{}

// Value returns −⟨f, v⟩.
func (Dot) Value(f, v []float64) float64 { return -vec.Dot(f, v) }

// Gradient writes −v.
func (Dot) Gradient(dst, _, v []float64) {
	for d := range dst {
		dst[d] = -v[d]
	}
}
