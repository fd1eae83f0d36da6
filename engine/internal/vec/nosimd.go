//go:build !goexperiment.simd || !go1.27

package vec

const short = 0

func dot(x, y []float64) float64                               { return genericDot(x, y) }
func dots(dst, m, x []float64, stride int)                     { genericDots(dst, m, x, stride) }
func addScaled(dst []float64, a float64, x []float64)          { genericAddScaled(dst, a, x) }
func scale(dst []float64, a float64, x []float64)              { genericScale(dst, a, x) }
func addRead(dst, x, m []float64, stride int)                  { genericAddRead(dst, x, m, stride) }
func write(m []float64, a float64, x, g []float64, stride int) { genericWrite(m, a, x, g, stride) }
func tanhs(dst, x []float64)                                   { genericTanhs(dst, x) }
func descend(w, delta []float64, rate, alpha float64, x, g []float64) {
	genericDescend(w, delta, rate, alpha, x, g)
}
func addRows(dst []float64, stride, cols int, a []float64, down int, b []float64, bStride, sum int) {
	genericProduct(dst, stride, cols, a, down, 1, b, bStride, sum)
}
func addColumns(dst []float64, stride, cols int, a []float64, right int, b []float64, bStride, sum int) {
	genericProduct(dst, stride, cols, a, 1, right, b, bStride, sum)
}
