//go:build goexperiment.simd && go1.27 && !wasm

package vec

import "simd"

// addRows adds productRows rows of a, down numbers apart, times b to as many rows
// of dst. sum is the terms of each element.
func addRows(dst []float64, stride, cols int, a []float64, down int, b []float64, bStride, sum int) {
	var s simd.Float64s
	l := s.Len()
	x0, x1, x2, x3 := a[:sum], a[down:][:sum], a[2*down:][:sum], a[3*down:][:sum]
	d := 0
	for ; d+2*l <= cols; d += 2 * l {
		r0, r1, r2, r3 := dst[d:d+2*l], dst[stride+d:][:2*l], dst[2*stride+d:][:2*l], dst[3*stride+d:][:2*l]
		c00, c01 := simd.LoadFloat64s(r0), simd.LoadFloat64s(r0[l:])
		c10, c11 := simd.LoadFloat64s(r1), simd.LoadFloat64s(r1[l:])
		c20, c21 := simd.LoadFloat64s(r2), simd.LoadFloat64s(r2[l:])
		c30, c31 := simd.LoadFloat64s(r3), simd.LoadFloat64s(r3[l:])
		o, p := d, 0
		for ; p < sum-3; p += 4 { // 4 terms of the sum
			row := b[o : o+2*l]
			o += bStride
			b0, b1 := simd.LoadFloat64s(row), simd.LoadFloat64s(row[l:])
			s = simd.BroadcastFloat64s(x0[p])
			c00 = s.MulAdd(b0, c00)
			c01 = s.MulAdd(b1, c01)
			s = simd.BroadcastFloat64s(x1[p])
			c10 = s.MulAdd(b0, c10)
			c11 = s.MulAdd(b1, c11)
			s = simd.BroadcastFloat64s(x2[p])
			c20 = s.MulAdd(b0, c20)
			c21 = s.MulAdd(b1, c21)
			s = simd.BroadcastFloat64s(x3[p])
			c30 = s.MulAdd(b0, c30)
			c31 = s.MulAdd(b1, c31)
			row = b[o : o+2*l]
			o += bStride
			b0, b1 = simd.LoadFloat64s(row), simd.LoadFloat64s(row[l:])
			s = simd.BroadcastFloat64s(x0[p+1])
			c00 = s.MulAdd(b0, c00)
			c01 = s.MulAdd(b1, c01)
			s = simd.BroadcastFloat64s(x1[p+1])
			c10 = s.MulAdd(b0, c10)
			c11 = s.MulAdd(b1, c11)
			s = simd.BroadcastFloat64s(x2[p+1])
			c20 = s.MulAdd(b0, c20)
			c21 = s.MulAdd(b1, c21)
			s = simd.BroadcastFloat64s(x3[p+1])
			c30 = s.MulAdd(b0, c30)
			c31 = s.MulAdd(b1, c31)
			row = b[o : o+2*l]
			o += bStride
			b0, b1 = simd.LoadFloat64s(row), simd.LoadFloat64s(row[l:])
			s = simd.BroadcastFloat64s(x0[p+2])
			c00 = s.MulAdd(b0, c00)
			c01 = s.MulAdd(b1, c01)
			s = simd.BroadcastFloat64s(x1[p+2])
			c10 = s.MulAdd(b0, c10)
			c11 = s.MulAdd(b1, c11)
			s = simd.BroadcastFloat64s(x2[p+2])
			c20 = s.MulAdd(b0, c20)
			c21 = s.MulAdd(b1, c21)
			s = simd.BroadcastFloat64s(x3[p+2])
			c30 = s.MulAdd(b0, c30)
			c31 = s.MulAdd(b1, c31)
			row = b[o : o+2*l]
			o += bStride
			b0, b1 = simd.LoadFloat64s(row), simd.LoadFloat64s(row[l:])
			s = simd.BroadcastFloat64s(x0[p+3])
			c00 = s.MulAdd(b0, c00)
			c01 = s.MulAdd(b1, c01)
			s = simd.BroadcastFloat64s(x1[p+3])
			c10 = s.MulAdd(b0, c10)
			c11 = s.MulAdd(b1, c11)
			s = simd.BroadcastFloat64s(x2[p+3])
			c20 = s.MulAdd(b0, c20)
			c21 = s.MulAdd(b1, c21)
			s = simd.BroadcastFloat64s(x3[p+3])
			c30 = s.MulAdd(b0, c30)
			c31 = s.MulAdd(b1, c31)
		}
		for ; p < sum; p++ {
			row := b[o : o+2*l]
			o += bStride
			b0, b1 := simd.LoadFloat64s(row), simd.LoadFloat64s(row[l:])
			s = simd.BroadcastFloat64s(x0[p])
			c00 = s.MulAdd(b0, c00)
			c01 = s.MulAdd(b1, c01)
			s = simd.BroadcastFloat64s(x1[p])
			c10 = s.MulAdd(b0, c10)
			c11 = s.MulAdd(b1, c11)
			s = simd.BroadcastFloat64s(x2[p])
			c20 = s.MulAdd(b0, c20)
			c21 = s.MulAdd(b1, c21)
			s = simd.BroadcastFloat64s(x3[p])
			c30 = s.MulAdd(b0, c30)
			c31 = s.MulAdd(b1, c31)
		}
		c00.Store(r0)
		c01.Store(r0[l:])
		c10.Store(r1)
		c11.Store(r1[l:])
		c20.Store(r2)
		c21.Store(r2[l:])
		c30.Store(r3)
		c31.Store(r3[l:])
	}
	for ; d+l <= cols; d += l {
		r0, r1, r2, r3 := dst[d:d+l], dst[stride+d:][:l], dst[2*stride+d:][:l], dst[3*stride+d:][:l]
		c0, c1, c2, c3 := simd.LoadFloat64s(r0), simd.LoadFloat64s(r1), simd.LoadFloat64s(r2), simd.LoadFloat64s(r3)
		o := d
		for p := 0; p < sum; p++ {
			b0 := simd.LoadFloat64s(b[o : o+l])
			o += bStride
			c0 = simd.BroadcastFloat64s(x0[p]).MulAdd(b0, c0)
			c1 = simd.BroadcastFloat64s(x1[p]).MulAdd(b0, c1)
			c2 = simd.BroadcastFloat64s(x2[p]).MulAdd(b0, c2)
			c3 = simd.BroadcastFloat64s(x3[p]).MulAdd(b0, c3)
		}
		c0.Store(r0)
		c1.Store(r1)
		c2.Store(r2)
		c3.Store(r3)
	}
	addStrided(dst, stride, cols, a, down, 1, b, bStride, sum, d)
}

// addColumns is addRows with columns of a in place of rows: term p of the sum
// begins at p·right.
func addColumns(dst []float64, stride, cols int, a []float64, right int, b []float64, bStride, sum int) {
	var s simd.Float64s
	l := s.Len()
	d := 0
	for ; d+2*l <= cols; d += 2 * l {
		r0, r1, r2, r3 := dst[d:d+2*l], dst[stride+d:][:2*l], dst[2*stride+d:][:2*l], dst[3*stride+d:][:2*l]
		c00, c01 := simd.LoadFloat64s(r0), simd.LoadFloat64s(r0[l:])
		c10, c11 := simd.LoadFloat64s(r1), simd.LoadFloat64s(r1[l:])
		c20, c21 := simd.LoadFloat64s(r2), simd.LoadFloat64s(r2[l:])
		c30, c31 := simd.LoadFloat64s(r3), simd.LoadFloat64s(r3[l:])
		o, p, q := d, 0, 0
		for ; p < sum-3; p += 4 { // 4 terms of the sum
			row := b[o : o+2*l]
			o += bStride
			b0, b1 := simd.LoadFloat64s(row), simd.LoadFloat64s(row[l:])
			x := a[q : q+productRows : q+productRows]
			q += right
			s = simd.BroadcastFloat64s(x[0])
			c00 = s.MulAdd(b0, c00)
			c01 = s.MulAdd(b1, c01)
			s = simd.BroadcastFloat64s(x[1])
			c10 = s.MulAdd(b0, c10)
			c11 = s.MulAdd(b1, c11)
			s = simd.BroadcastFloat64s(x[2])
			c20 = s.MulAdd(b0, c20)
			c21 = s.MulAdd(b1, c21)
			s = simd.BroadcastFloat64s(x[3])
			c30 = s.MulAdd(b0, c30)
			c31 = s.MulAdd(b1, c31)
			row = b[o : o+2*l]
			o += bStride
			b0, b1 = simd.LoadFloat64s(row), simd.LoadFloat64s(row[l:])
			x = a[q : q+productRows : q+productRows]
			q += right
			s = simd.BroadcastFloat64s(x[0])
			c00 = s.MulAdd(b0, c00)
			c01 = s.MulAdd(b1, c01)
			s = simd.BroadcastFloat64s(x[1])
			c10 = s.MulAdd(b0, c10)
			c11 = s.MulAdd(b1, c11)
			s = simd.BroadcastFloat64s(x[2])
			c20 = s.MulAdd(b0, c20)
			c21 = s.MulAdd(b1, c21)
			s = simd.BroadcastFloat64s(x[3])
			c30 = s.MulAdd(b0, c30)
			c31 = s.MulAdd(b1, c31)
			row = b[o : o+2*l]
			o += bStride
			b0, b1 = simd.LoadFloat64s(row), simd.LoadFloat64s(row[l:])
			x = a[q : q+productRows : q+productRows]
			q += right
			s = simd.BroadcastFloat64s(x[0])
			c00 = s.MulAdd(b0, c00)
			c01 = s.MulAdd(b1, c01)
			s = simd.BroadcastFloat64s(x[1])
			c10 = s.MulAdd(b0, c10)
			c11 = s.MulAdd(b1, c11)
			s = simd.BroadcastFloat64s(x[2])
			c20 = s.MulAdd(b0, c20)
			c21 = s.MulAdd(b1, c21)
			s = simd.BroadcastFloat64s(x[3])
			c30 = s.MulAdd(b0, c30)
			c31 = s.MulAdd(b1, c31)
			row = b[o : o+2*l]
			o += bStride
			b0, b1 = simd.LoadFloat64s(row), simd.LoadFloat64s(row[l:])
			x = a[q : q+productRows : q+productRows]
			q += right
			s = simd.BroadcastFloat64s(x[0])
			c00 = s.MulAdd(b0, c00)
			c01 = s.MulAdd(b1, c01)
			s = simd.BroadcastFloat64s(x[1])
			c10 = s.MulAdd(b0, c10)
			c11 = s.MulAdd(b1, c11)
			s = simd.BroadcastFloat64s(x[2])
			c20 = s.MulAdd(b0, c20)
			c21 = s.MulAdd(b1, c21)
			s = simd.BroadcastFloat64s(x[3])
			c30 = s.MulAdd(b0, c30)
			c31 = s.MulAdd(b1, c31)
		}
		for ; p < sum; p++ {
			row := b[o : o+2*l]
			o += bStride
			b0, b1 := simd.LoadFloat64s(row), simd.LoadFloat64s(row[l:])
			x := a[q : q+productRows : q+productRows]
			q += right
			s = simd.BroadcastFloat64s(x[0])
			c00 = s.MulAdd(b0, c00)
			c01 = s.MulAdd(b1, c01)
			s = simd.BroadcastFloat64s(x[1])
			c10 = s.MulAdd(b0, c10)
			c11 = s.MulAdd(b1, c11)
			s = simd.BroadcastFloat64s(x[2])
			c20 = s.MulAdd(b0, c20)
			c21 = s.MulAdd(b1, c21)
			s = simd.BroadcastFloat64s(x[3])
			c30 = s.MulAdd(b0, c30)
			c31 = s.MulAdd(b1, c31)
		}
		c00.Store(r0)
		c01.Store(r0[l:])
		c10.Store(r1)
		c11.Store(r1[l:])
		c20.Store(r2)
		c21.Store(r2[l:])
		c30.Store(r3)
		c31.Store(r3[l:])
	}
	for ; d+l <= cols; d += l {
		r0, r1, r2, r3 := dst[d:d+l], dst[stride+d:][:l], dst[2*stride+d:][:l], dst[3*stride+d:][:l]
		c0, c1, c2, c3 := simd.LoadFloat64s(r0), simd.LoadFloat64s(r1), simd.LoadFloat64s(r2), simd.LoadFloat64s(r3)
		o, q := d, 0
		for p := 0; p < sum; p++ {
			b0 := simd.LoadFloat64s(b[o : o+l])
			o += bStride
			x := a[q : q+productRows : q+productRows]
			q += right
			c0 = simd.BroadcastFloat64s(x[0]).MulAdd(b0, c0)
			c1 = simd.BroadcastFloat64s(x[1]).MulAdd(b0, c1)
			c2 = simd.BroadcastFloat64s(x[2]).MulAdd(b0, c2)
			c3 = simd.BroadcastFloat64s(x[3]).MulAdd(b0, c3)
		}
		c0.Store(r0)
		c1.Store(r1)
		c2.Store(r2)
		c3.Store(r3)
	}
	addStrided(dst, stride, cols, a, 1, right, b, bStride, sum, d)
}
