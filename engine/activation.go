package engine

import (
	"math"

	"unrolled/engine/say"
)

// An Activation is a function of one number with its derivative beside it.
type Activation struct {
	Name string
	// value is a(x); slope is a′(x), given y = a(x) as well.
	value func(x float64) float64
	slope func(x, y float64) float64
}

// The activations. To add one, write it here and in the list below.
var (
	// Tanh: a′ = 1 − a².
	Tanh = Activation{"tanh", math.Tanh, func(_, y float64) float64 { return 1 - y*y }}
	// SiLU is x σ(x): a′ = σ (1 + x (1 − σ)).
	SiLU = Activation{"silu", silu, siluSlope}
	// GELU is x Φ(x) with the normal distribution Φ, exactly: a′ = Φ + x Φ′.
	GELU = Activation{"gelu", func(x float64) float64 { return x * normalCDF(x) }, func(x, _ float64) float64 {
		return normalCDF(x) + x*math.Exp(-x*x/2)/math.Sqrt(2*math.Pi)
	}}
	// GELUTanh is the approximation ½x(1 + tanh(√(2/π)(x + 0.044715x³))), with
	// its exact derivative.
	GELUTanh = Activation{"gelu-tanh", geluTanh, func(x, _ float64) float64 {
		return geluTanhSlope(x, geluScale, 3*geluCubic*geluScale)
	}}
	// GELUTanhTTT is GELUTanh with the derivative that TTT-MLP's code uses, whose
	// constants are cut after 8 and 10 digits (relative difference 1e-8).
	GELUTanhTTT = Activation{"gelu-tanh-ttt", geluTanh, func(x, _ float64) float64 {
		return geluTanhSlope(x, 0.79788456, 0.1070322243)
	}}
	// ReLU: a′(0) = 0.
	ReLU = Activation{"relu", func(x float64) float64 { return max(0, x) }, func(x, _ float64) float64 {
		if x > 0 {
			return 1
		}
		return 0
	}}
)

var activations = []Activation{Tanh, SiLU, GELU, GELUTanh, GELUTanhTTT, ReLU}

// ActivationByName returns the activation of that name.
func ActivationByName(name string) (Activation, error) {
	var names []string
	for _, a := range activations {
		if a.Name == name {
			return a, nil
		}
		names = append(names, a.Name)
	}
	return Activation{}, unknown("activation", name, names)
}

// check says whether the activation is one of the list.
func (a Activation) check() error {
	if a.value == nil || a.slope == nil {
		return say.Errorf("an activation is missing; take one of the package's, such as Tanh")
	}
	return nil
}

func sigmoid(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

func silu(x float64) float64 { return x * sigmoid(x) }

func siluSlope(x, _ float64) float64 {
	s := sigmoid(x)
	return s * (1 + x*(1-s))
}

// normalCDF is Φ(x) = ½ erfc(−x/√2), accurate in both tails.
func normalCDF(x float64) float64 { return math.Erfc(-x/math.Sqrt2) / 2 }

const geluCubic = 0.044715

var geluScale = math.Sqrt(2 / math.Pi)

func geluTanh(x float64) float64 {
	return 0.5 * x * (1 + math.Tanh(geluScale*(x+geluCubic*x*x*x)))
}

// geluTanhSlope is ½(1 + t) + ½x(1 − t²)(s + c x²) with t = tanh(s x(1 + 0.044715x²)).
func geluTanhSlope(x, s, c float64) float64 {
	t := math.Tanh(s * x * (1 + geluCubic*x*x))
	return 0.5*(1+t) + 0.5*x*(1-t*t)*(s+c*x*x)
}
