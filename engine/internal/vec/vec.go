// Package vec holds the engine's hot loops over flat float64 slices.
package vec

import "math"

// Dot returns Σ x_d y_d of two vectors of one length.
func Dot(x, y []float64) float64 {
	y = y[:len(x)]
	sum := 0.0
	for d, a := range x {
		sum += a * y[d]
	}
	return sum
}

// AddScaled adds a·x to dst, which has the length of x.
func AddScaled(dst []float64, a float64, x []float64) {
	dst = dst[:len(x)]
	for d, b := range x {
		dst[d] += a * b
	}
}

// MaxAbs returns max |x_d|, and 0 for an empty x. With a NaN among the elements
// it is NaN or +Inf, so that no limit holds it.
func MaxAbs(x []float64) float64 {
	largest := 0.0
	for _, a := range x {
		largest = math.Max(largest, math.Abs(a))
	}
	return largest
}
