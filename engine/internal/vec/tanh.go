package vec

import "math"

// tanh x is Cephes' rational function below 5/8 and 1 − 2/(e^2x + 1) above, as
// in math.Tanh, without its branches: both twins do the operations below in
// this order, so that they agree to the last bit where nothing is fused.
//
// e^y is 2^k e^r with k = round(y/ln 2) and |r| ≤ ln 2 / 2. Adding 1.5·2⁵²
// rounds to an integer and leaves it in the low bits of the sum.
const (
	tanhSmall = 0.625
	tanhOne   = 22 // tanh is 1 from here on: 2/(e^44 + 1) is below 2⁻⁵³

	tanhP0 = -9.64399179425052238628e-1
	tanhP1 = -9.92877231001918586564e1
	tanhP2 = -1.61468768441708447952e3
	tanhQ0 = 1.12811678491632931402e2
	tanhQ1 = 2.23548839060100448583e3
	tanhQ2 = 4.84406305325125486048e3

	log2E   = math.Log2E
	rounder = 3 << 51
	ln2High = 6.93147180369123816490e-01 // the low 32 bits are zero, so k·ln2High is exact
	ln2Low  = 1.90821492927058770002e-10
)

// The coefficients 1/n! of e^r; the next term is below 2⁻⁵⁶ for |r| ≤ ln 2 / 2.
const (
	exp2  = 1.0 / 2
	exp3  = 1.0 / 6
	exp4  = 1.0 / 24
	exp5  = 1.0 / 120
	exp6  = 1.0 / 720
	exp7  = 1.0 / 5040
	exp8  = 1.0 / 40320
	exp9  = 1.0 / 362880
	exp10 = 1.0 / 3628800
	exp11 = 1.0 / 39916800
	exp12 = 1.0 / 479001600
	exp13 = 1.0 / 6227020800
)

// tanh is one element of Tanh.
func tanh(x float64) float64 {
	a := math.Abs(x)
	switch {
	case a != a:
		return x
	case a < tanhSmall:
		z := a * a
		p := (tanhP0*z+tanhP1)*z + tanhP2
		q := ((z+tanhQ0)*z+tanhQ1)*z + tanhQ2
		a += a * z * (p / q)
	default:
		y := 2 * min(a, tanhOne)
		k := y*log2E + rounder
		n := k - rounder
		r := (y - n*ln2High) - n*ln2Low
		e := float64(exp13)*r + exp12
		e = e*r + exp11
		e = e*r + exp10
		e = e*r + exp9
		e = e*r + exp8
		e = e*r + exp7
		e = e*r + exp6
		e = e*r + exp5
		e = e*r + exp4
		e = e*r + exp3
		e = e*r + exp2
		e = (e*r+1)*r + 1
		e = math.Float64frombits(math.Float64bits(e) + math.Float64bits(k)<<52)
		a = 1 - 2/(e+1)
	}
	return math.Copysign(a, x)
}
