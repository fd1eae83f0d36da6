//go:build goexperiment.simd && go1.27 && !wasm

package vec

import "simd"

//go:generate go test -run TestWasmKernelsAreTheSame -update

// The twins for wasm are these files with vectors of 128 bits, the only width that
// WebAssembly has: it spares each call the choice of a width, and the binary a
// second copy of every kernel that emulates vectors.
//
// Each kernel takes eight vectors of columns at a time (four where it needs the
// registers, two of four rows for products of matrices), then single vectors,
// then single columns.

func dot(x, y []float64) float64 {
	var sum [1]float64
	dots(sum[:], y, x, len(x))
	return sum[0]
}

// dots sums each row of m in four vectors; row i begins at i·stride.
func dots(dst, m, x []float64, stride int) {
	var zero simd.Float64s
	l := zero.Len()
	n := len(x)
	var lanes [maxLanes]float64
	for i := range dst {
		row := m[i*stride : i*stride+n]
		a0, a1, a2, a3 := zero, zero, zero, zero
		d := 0
		for ; d+4*l <= n; d += 4 * l {
			p, q := row[d:d+4*l], x[d:d+4*l]
			a0 = a0.Add(simd.LoadFloat64s(p).Mul(simd.LoadFloat64s(q)))
			a1 = a1.Add(simd.LoadFloat64s(p[l:]).Mul(simd.LoadFloat64s(q[l:])))
			a2 = a2.Add(simd.LoadFloat64s(p[2*l:]).Mul(simd.LoadFloat64s(q[2*l:])))
			a3 = a3.Add(simd.LoadFloat64s(p[3*l:]).Mul(simd.LoadFloat64s(q[3*l:])))
		}
		for ; d+l <= n; d += l {
			a0 = a0.Add(simd.LoadFloat64s(row[d : d+l]).Mul(simd.LoadFloat64s(x[d : d+l])))
		}
		a0.Add(a1).Add(a2.Add(a3)).Store(lanes[:])
		sum := 0.0
		for _, a := range lanes[:l] {
			sum += a
		}
		for ; d < n; d++ {
			sum += row[d] * x[d]
		}
		dst[i] = sum
	}
}

func addScaled(dst []float64, a float64, x []float64) {
	s := simd.BroadcastFloat64s(a)
	l := s.Len()
	x = x[:len(dst)]
	d := 0
	for ; d+l <= len(dst); d += l {
		to := dst[d : d+l]
		simd.LoadFloat64s(to).Add(s.Mul(simd.LoadFloat64s(x[d : d+l]))).Store(to)
	}
	for ; d < len(dst); d++ {
		dst[d] += a * x[d]
	}
}

func scale(dst []float64, a float64, x []float64) {
	s := simd.BroadcastFloat64s(a)
	l := s.Len()
	x = x[:len(dst)]
	d := 0
	for ; d+l <= len(dst); d += l {
		s.Mul(simd.LoadFloat64s(x[d : d+l])).Store(dst[d : d+l])
	}
	for ; d < len(dst); d++ {
		dst[d] = a * x[d]
	}
}

// addRead adds x m to dst; row h of m begins at h·stride.
func addRead(dst, x, m []float64, stride int) {
	var s simd.Float64s
	l := s.Len()
	d := 0
	for ; d+8*l <= len(dst); d += 8 * l {
		to := dst[d : d+8*l]
		a0 := simd.LoadFloat64s(to)
		a1 := simd.LoadFloat64s(to[l:])
		a2 := simd.LoadFloat64s(to[2*l:])
		a3 := simd.LoadFloat64s(to[3*l:])
		a4 := simd.LoadFloat64s(to[4*l:])
		a5 := simd.LoadFloat64s(to[5*l:])
		a6 := simd.LoadFloat64s(to[6*l:])
		a7 := simd.LoadFloat64s(to[7*l:])
		o := d
		for _, a := range x {
			row := m[o : o+8*l]
			o += stride
			s = simd.BroadcastFloat64s(a)
			a0 = a0.Add(s.Mul(simd.LoadFloat64s(row)))
			a1 = a1.Add(s.Mul(simd.LoadFloat64s(row[l:])))
			a2 = a2.Add(s.Mul(simd.LoadFloat64s(row[2*l:])))
			a3 = a3.Add(s.Mul(simd.LoadFloat64s(row[3*l:])))
			a4 = a4.Add(s.Mul(simd.LoadFloat64s(row[4*l:])))
			a5 = a5.Add(s.Mul(simd.LoadFloat64s(row[5*l:])))
			a6 = a6.Add(s.Mul(simd.LoadFloat64s(row[6*l:])))
			a7 = a7.Add(s.Mul(simd.LoadFloat64s(row[7*l:])))
		}
		a0.Store(to)
		a1.Store(to[l:])
		a2.Store(to[2*l:])
		a3.Store(to[3*l:])
		a4.Store(to[4*l:])
		a5.Store(to[5*l:])
		a6.Store(to[6*l:])
		a7.Store(to[7*l:])
	}
	for ; d+4*l <= len(dst); d += 4 * l {
		to := dst[d : d+4*l]
		a0 := simd.LoadFloat64s(to)
		a1 := simd.LoadFloat64s(to[l:])
		a2 := simd.LoadFloat64s(to[2*l:])
		a3 := simd.LoadFloat64s(to[3*l:])
		o := d
		for _, a := range x {
			row := m[o : o+4*l]
			o += stride
			s = simd.BroadcastFloat64s(a)
			a0 = a0.Add(s.Mul(simd.LoadFloat64s(row)))
			a1 = a1.Add(s.Mul(simd.LoadFloat64s(row[l:])))
			a2 = a2.Add(s.Mul(simd.LoadFloat64s(row[2*l:])))
			a3 = a3.Add(s.Mul(simd.LoadFloat64s(row[3*l:])))
		}
		a0.Store(to)
		a1.Store(to[l:])
		a2.Store(to[2*l:])
		a3.Store(to[3*l:])
	}
	for ; d+l <= len(dst); d += l {
		sum, o := simd.LoadFloat64s(dst[d:d+l]), d
		for _, a := range x {
			sum = sum.Add(simd.BroadcastFloat64s(a).Mul(simd.LoadFloat64s(m[o : o+l])))
			o += stride
		}
		sum.Store(dst[d : d+l])
	}
	for ; d < len(dst); d++ {
		sum, o := dst[d], d
		for _, a := range x {
			sum += a * m[o]
			o += stride
		}
		dst[d] = sum
	}
}

// write adds a·xᵀg to m; row h of m begins at h·stride.
func write(m []float64, a float64, x, g []float64, stride int) {
	var s simd.Float64s
	l := s.Len()
	n := len(g)
	d := 0
	for ; d+8*l <= n; d += 8 * l {
		from := g[d : d+8*l]
		g0 := simd.LoadFloat64s(from)
		g1 := simd.LoadFloat64s(from[l:])
		g2 := simd.LoadFloat64s(from[2*l:])
		g3 := simd.LoadFloat64s(from[3*l:])
		g4 := simd.LoadFloat64s(from[4*l:])
		g5 := simd.LoadFloat64s(from[5*l:])
		g6 := simd.LoadFloat64s(from[6*l:])
		g7 := simd.LoadFloat64s(from[7*l:])
		o := d
		for _, b := range x {
			s = simd.BroadcastFloat64s(a * b)
			to := m[o : o+8*l]
			o += stride
			simd.LoadFloat64s(to).Add(s.Mul(g0)).Store(to)
			to = to[l:]
			simd.LoadFloat64s(to).Add(s.Mul(g1)).Store(to)
			to = to[l:]
			simd.LoadFloat64s(to).Add(s.Mul(g2)).Store(to)
			to = to[l:]
			simd.LoadFloat64s(to).Add(s.Mul(g3)).Store(to)
			to = to[l:]
			simd.LoadFloat64s(to).Add(s.Mul(g4)).Store(to)
			to = to[l:]
			simd.LoadFloat64s(to).Add(s.Mul(g5)).Store(to)
			to = to[l:]
			simd.LoadFloat64s(to).Add(s.Mul(g6)).Store(to)
			to = to[l:]
			simd.LoadFloat64s(to).Add(s.Mul(g7)).Store(to)
		}
	}
	for ; d+l <= n; d += l {
		g0, o := simd.LoadFloat64s(g[d:d+l]), d
		for _, b := range x {
			to := m[o : o+l]
			o += stride
			simd.LoadFloat64s(to).Add(simd.BroadcastFloat64s(a * b).Mul(g0)).Store(to)
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

func descend(w, delta []float64, rate, alpha float64, x, g []float64) {
	keep := simd.BroadcastFloat64s(alpha)
	l := keep.Len()
	n := len(g)
	d := 0
	for ; d+4*l <= n; d += 4 * l {
		from := g[d : d+4*l]
		g0 := simd.LoadFloat64s(from)
		g1 := simd.LoadFloat64s(from[l:])
		g2 := simd.LoadFloat64s(from[2*l:])
		g3 := simd.LoadFloat64s(from[3*l:])
		o := d
		for _, b := range x {
			s := simd.BroadcastFloat64s(rate * b)
			down, to := delta[o:o+4*l], w[o:o+4*l]
			o += n
			s0 := keep.Mul(simd.LoadFloat64s(down)).Add(s.Mul(g0))
			s1 := keep.Mul(simd.LoadFloat64s(down[l:])).Add(s.Mul(g1))
			s2 := keep.Mul(simd.LoadFloat64s(down[2*l:])).Add(s.Mul(g2))
			s3 := keep.Mul(simd.LoadFloat64s(down[3*l:])).Add(s.Mul(g3))
			s0.Store(down)
			s1.Store(down[l:])
			s2.Store(down[2*l:])
			s3.Store(down[3*l:])
			simd.LoadFloat64s(to).Sub(s0).Store(to)
			simd.LoadFloat64s(to[l:]).Sub(s1).Store(to[l:])
			simd.LoadFloat64s(to[2*l:]).Sub(s2).Store(to[2*l:])
			simd.LoadFloat64s(to[3*l:]).Sub(s3).Store(to[3*l:])
		}
	}
	for ; d+l <= n; d += l {
		g0, o := simd.LoadFloat64s(g[d:d+l]), d
		for _, b := range x {
			down, to := delta[o:o+l], w[o:o+l]
			o += n
			step := keep.Mul(simd.LoadFloat64s(down)).Add(simd.BroadcastFloat64s(rate * b).Mul(g0))
			step.Store(down)
			simd.LoadFloat64s(to).Sub(step).Store(to)
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

// tanhs computes both formulas of tanh for every element, but for the division,
// which it does once.
func tanhs(dst, x []float64) {
	one := simd.BroadcastFloat64s(1)
	l := one.Len()
	two, small, top := simd.BroadcastFloat64s(2), simd.BroadcastFloat64s(tanhSmall), simd.BroadcastFloat64s(tanhOne)
	p0, p1, p2 := simd.BroadcastFloat64s(tanhP0), simd.BroadcastFloat64s(tanhP1), simd.BroadcastFloat64s(tanhP2)
	q0, q1, q2 := simd.BroadcastFloat64s(tanhQ0), simd.BroadcastFloat64s(tanhQ1), simd.BroadcastFloat64s(tanhQ2)
	log2e, round := simd.BroadcastFloat64s(log2E), simd.BroadcastFloat64s(rounder)
	high, low := simd.BroadcastFloat64s(ln2High), simd.BroadcastFloat64s(ln2Low)
	c13 := simd.BroadcastFloat64s(exp13)
	c12 := simd.BroadcastFloat64s(exp12)
	c11 := simd.BroadcastFloat64s(exp11)
	c10 := simd.BroadcastFloat64s(exp10)
	c9 := simd.BroadcastFloat64s(exp9)
	c8 := simd.BroadcastFloat64s(exp8)
	c7 := simd.BroadcastFloat64s(exp7)
	c6 := simd.BroadcastFloat64s(exp6)
	c5 := simd.BroadcastFloat64s(exp5)
	c4 := simd.BroadcastFloat64s(exp4)
	c3 := simd.BroadcastFloat64s(exp3)
	c2 := simd.BroadcastFloat64s(exp2)
	sign := simd.BroadcastUint64s(1 << 63)
	d := 0
	for ; d+l <= len(dst); d += l {
		v := simd.LoadFloat64s(x[d : d+l])
		a := v.Abs()

		z := a.Mul(a)
		p := p0.Mul(z).Add(p1).Mul(z).Add(p2)
		q := z.Add(q0).Mul(z).Add(q1).Mul(z).Add(q2)
		y := two.Mul(a.Min(top))
		k := y.Mul(log2e).Add(round)
		n := k.Sub(round)
		r := y.Sub(n.Mul(high)).Sub(n.Mul(low))
		e := c13.Mul(r).Add(c12)
		e = e.Mul(r).Add(c11)
		e = e.Mul(r).Add(c10)
		e = e.Mul(r).Add(c9)
		e = e.Mul(r).Add(c8)
		e = e.Mul(r).Add(c7)
		e = e.Mul(r).Add(c6)
		e = e.Mul(r).Add(c5)
		e = e.Mul(r).Add(c4)
		e = e.Mul(r).Add(c3)
		e = e.Mul(r).Add(c2)
		e = e.Mul(r).Add(one).Mul(r).Add(one)
		e = e.ToBits().Add(k.ToBits().ShiftAllLeft(52)).BitsToFloat64()
		near := a.Less(small)
		t := p.IfElse(near, two).Div(q.IfElse(near, e.Add(one)))
		t = a.Add(a.Mul(z).Mul(t)).IfElse(near, one.Sub(t))
		t = t.ToBits().Or(v.ToBits().And(sign)).BitsToFloat64()
		t.IfElse(v.Equal(v), v).Store(dst[d : d+l]) // NaN stays
	}
	for ; d < len(dst); d++ {
		dst[d] = tanh(x[d])
	}
}
