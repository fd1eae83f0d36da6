package vec

// The twins in plain Go are compiled everywhere: the tests hold the vector
// kernels against them.

// Eight columns at a time: as many sums as fit in registers.
const width = 8

func genericDot(x, y []float64) float64 {
	sum := 0.0
	y = y[:len(x)]
	for d, a := range x {
		sum += a * y[d]
	}
	return sum
}

func genericDots(dst, m, x []float64, stride int) {
	i := 0
	for ; i+4 <= len(dst); i += 4 {
		r0, r1, r2, r3 := m[i*stride:][:len(x)], m[(i+1)*stride:][:len(x)], m[(i+2)*stride:][:len(x)], m[(i+3)*stride:][:len(x)]
		var s0, s1, s2, s3 float64
		for d, a := range x {
			s0 += a * r0[d]
			s1 += a * r1[d]
			s2 += a * r2[d]
			s3 += a * r3[d]
		}
		dst[i], dst[i+1], dst[i+2], dst[i+3] = s0, s1, s2, s3
	}
	for ; i < len(dst); i++ {
		dst[i] = genericDot(x, m[i*stride:][:len(x)])
	}
}

func genericAddScaled(dst []float64, a float64, x []float64) {
	x = x[:len(dst)]
	for d, b := range x {
		dst[d] += a * b
	}
}

func genericScale(dst []float64, a float64, x []float64) {
	x = x[:len(dst)]
	for d, b := range x {
		dst[d] = a * b
	}
}

// genericAddRead adds x m to dst; row h of m begins at h·stride.
func genericAddRead(dst, x, m []float64, stride int) {
	d := 0
	for ; d+width <= len(dst); d += width {
		to := dst[d : d+width : d+width]
		a0, a1, a2, a3, a4, a5, a6, a7 := to[0], to[1], to[2], to[3], to[4], to[5], to[6], to[7]
		o := d
		for _, s := range x {
			row := m[o : o+width : o+width]
			o += stride
			a0 += s * row[0]
			a1 += s * row[1]
			a2 += s * row[2]
			a3 += s * row[3]
			a4 += s * row[4]
			a5 += s * row[5]
			a6 += s * row[6]
			a7 += s * row[7]
		}
		to[0], to[1], to[2], to[3], to[4], to[5], to[6], to[7] = a0, a1, a2, a3, a4, a5, a6, a7
	}
	for ; d < len(dst); d++ {
		sum, o := dst[d], d
		for _, s := range x {
			sum += s * m[o]
			o += stride
		}
		dst[d] = sum
	}
}

// genericWrite adds a·xᵀg to m; row h of m begins at h·stride.
func genericWrite(m []float64, a float64, x, g []float64, stride int) {
	n := len(g)
	d := 0
	for ; d+4 <= n; d += 4 {
		g0, g1, g2, g3 := g[d], g[d+1], g[d+2], g[d+3]
		o := d
		for _, b := range x {
			s := a * b
			row := m[o : o+4 : o+4]
			o += stride
			row[0] += s * g0
			row[1] += s * g1
			row[2] += s * g2
			row[3] += s * g3
		}
	}
	for ; d < n; d++ {
		o := d
		for _, b := range x {
			m[o] += (a * b) * g[d]
			o += stride
		}
	}
}

func genericDescend(w, delta []float64, rate, alpha float64, x, g []float64) {
	n := len(g)
	d := 0
	for ; d+4 <= n; d += 4 {
		g0, g1, g2, g3 := g[d], g[d+1], g[d+2], g[d+3]
		o := d
		for _, b := range x {
			s := rate * b
			down, row := delta[o:o+4:o+4], w[o:o+4:o+4]
			o += n
			s0 := alpha*down[0] + s*g0
			s1 := alpha*down[1] + s*g1
			s2 := alpha*down[2] + s*g2
			s3 := alpha*down[3] + s*g3
			down[0], down[1], down[2], down[3] = s0, s1, s2, s3
			row[0] -= s0
			row[1] -= s1
			row[2] -= s2
			row[3] -= s3
		}
	}
	for ; d < n; d++ {
		o := d
		for _, b := range x {
			step := alpha*delta[o] + (rate*b)*g[d]
			delta[o] = step
			w[o] -= step
			o += n
		}
	}
}

func genericTanhs(dst, x []float64) {
	for d, a := range x {
		dst[d] = tanh(a)
	}
}

// genericProduct is addRows with right = 1, and addColumns with down = 1: element
// (r, p) of a is a[r·down + p·right].
func genericProduct(dst []float64, stride, cols int, a []float64, down, right int, b []float64, bStride, sum int) {
	d := 0
	for ; d+2 <= cols; d += 2 {
		r0, r1, r2, r3 := dst[d:d+2:d+2], dst[stride+d:][:2:2], dst[2*stride+d:][:2:2], dst[3*stride+d:][:2:2]
		c00, c01, c10, c11, c20, c21, c30, c31 := r0[0], r0[1], r1[0], r1[1], r2[0], r2[1], r3[0], r3[1]
		o, q := d, 0
		for range sum {
			row := b[o : o+2 : o+2]
			o += bStride
			b0, b1 := row[0], row[1]
			x0, x1, x2, x3 := a[q], a[q+down], a[q+2*down], a[q+3*down]
			q += right
			c00 += x0 * b0
			c01 += x0 * b1
			c10 += x1 * b0
			c11 += x1 * b1
			c20 += x2 * b0
			c21 += x2 * b1
			c30 += x3 * b0
			c31 += x3 * b1
		}
		r0[0], r0[1], r1[0], r1[1], r2[0], r2[1], r3[0], r3[1] = c00, c01, c10, c11, c20, c21, c30, c31
	}
	addStrided(dst, stride, cols, a, down, right, b, bStride, sum, d)
}
