// Code generated from simd.go by go generate; DO NOT EDIT.

//go:build goexperiment.simd && go1.27

package vec

import "simd/archsimd"

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
	var zero archsimd.Float64x2
	l := zero.Len()
	n := len(x)
	var lanes [maxLanes]float64
	for i := range dst {
		row := m[i*stride : i*stride+n]
		a0, a1, a2, a3 := zero, zero, zero, zero
		d := 0
		for ; d+4*l <= n; d += 4 * l {
			p, q := row[d:d+4*l], x[d:d+4*l]
			a0 = a0.Add(archsimd.LoadFloat64x2(p).Mul(archsimd.LoadFloat64x2(q)))
			a1 = a1.Add(archsimd.LoadFloat64x2(p[l:]).Mul(archsimd.LoadFloat64x2(q[l:])))
			a2 = a2.Add(archsimd.LoadFloat64x2(p[2*l:]).Mul(archsimd.LoadFloat64x2(q[2*l:])))
			a3 = a3.Add(archsimd.LoadFloat64x2(p[3*l:]).Mul(archsimd.LoadFloat64x2(q[3*l:])))
		}
		for ; d+l <= n; d += l {
			a0 = a0.Add(archsimd.LoadFloat64x2(row[d : d+l]).Mul(archsimd.LoadFloat64x2(x[d : d+l])))
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
	s := archsimd.BroadcastFloat64x2(a)
	l := s.Len()
	x = x[:len(dst)]
	d := 0
	for ; d+l <= len(dst); d += l {
		to := dst[d : d+l]
		archsimd.LoadFloat64x2(to).Add(s.Mul(archsimd.LoadFloat64x2(x[d : d+l]))).Store(to)
	}
	for ; d < len(dst); d++ {
		dst[d] += a * x[d]
	}
}

func scale(dst []float64, a float64, x []float64) {
	s := archsimd.BroadcastFloat64x2(a)
	l := s.Len()
	x = x[:len(dst)]
	d := 0
	for ; d+l <= len(dst); d += l {
		s.Mul(archsimd.LoadFloat64x2(x[d : d+l])).Store(dst[d : d+l])
	}
	for ; d < len(dst); d++ {
		dst[d] = a * x[d]
	}
}

// addRead adds x m to dst; row h of m begins at h·stride.
func addRead(dst, x, m []float64, stride int) {
	var s archsimd.Float64x2
	l := s.Len()
	d := 0
	for ; d+8*l <= len(dst); d += 8 * l {
		to := dst[d : d+8*l]
		a0 := archsimd.LoadFloat64x2(to)
		a1 := archsimd.LoadFloat64x2(to[l:])
		a2 := archsimd.LoadFloat64x2(to[2*l:])
		a3 := archsimd.LoadFloat64x2(to[3*l:])
		a4 := archsimd.LoadFloat64x2(to[4*l:])
		a5 := archsimd.LoadFloat64x2(to[5*l:])
		a6 := archsimd.LoadFloat64x2(to[6*l:])
		a7 := archsimd.LoadFloat64x2(to[7*l:])
		o := d
		for _, a := range x {
			row := m[o : o+8*l]
			o += stride
			s = archsimd.BroadcastFloat64x2(a)
			a0 = a0.Add(s.Mul(archsimd.LoadFloat64x2(row)))
			a1 = a1.Add(s.Mul(archsimd.LoadFloat64x2(row[l:])))
			a2 = a2.Add(s.Mul(archsimd.LoadFloat64x2(row[2*l:])))
			a3 = a3.Add(s.Mul(archsimd.LoadFloat64x2(row[3*l:])))
			a4 = a4.Add(s.Mul(archsimd.LoadFloat64x2(row[4*l:])))
			a5 = a5.Add(s.Mul(archsimd.LoadFloat64x2(row[5*l:])))
			a6 = a6.Add(s.Mul(archsimd.LoadFloat64x2(row[6*l:])))
			a7 = a7.Add(s.Mul(archsimd.LoadFloat64x2(row[7*l:])))
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
		a0 := archsimd.LoadFloat64x2(to)
		a1 := archsimd.LoadFloat64x2(to[l:])
		a2 := archsimd.LoadFloat64x2(to[2*l:])
		a3 := archsimd.LoadFloat64x2(to[3*l:])
		o := d
		for _, a := range x {
			row := m[o : o+4*l]
			o += stride
			s = archsimd.BroadcastFloat64x2(a)
			a0 = a0.Add(s.Mul(archsimd.LoadFloat64x2(row)))
			a1 = a1.Add(s.Mul(archsimd.LoadFloat64x2(row[l:])))
			a2 = a2.Add(s.Mul(archsimd.LoadFloat64x2(row[2*l:])))
			a3 = a3.Add(s.Mul(archsimd.LoadFloat64x2(row[3*l:])))
		}
		a0.Store(to)
		a1.Store(to[l:])
		a2.Store(to[2*l:])
		a3.Store(to[3*l:])
	}
	for ; d+l <= len(dst); d += l {
		sum, o := archsimd.LoadFloat64x2(dst[d:d+l]), d
		for _, a := range x {
			sum = sum.Add(archsimd.BroadcastFloat64x2(a).Mul(archsimd.LoadFloat64x2(m[o : o+l])))
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
	var s archsimd.Float64x2
	l := s.Len()
	n := len(g)
	d := 0
	for ; d+8*l <= n; d += 8 * l {
		from := g[d : d+8*l]
		g0 := archsimd.LoadFloat64x2(from)
		g1 := archsimd.LoadFloat64x2(from[l:])
		g2 := archsimd.LoadFloat64x2(from[2*l:])
		g3 := archsimd.LoadFloat64x2(from[3*l:])
		g4 := archsimd.LoadFloat64x2(from[4*l:])
		g5 := archsimd.LoadFloat64x2(from[5*l:])
		g6 := archsimd.LoadFloat64x2(from[6*l:])
		g7 := archsimd.LoadFloat64x2(from[7*l:])
		o := d
		for _, b := range x {
			s = archsimd.BroadcastFloat64x2(a * b)
			to := m[o : o+8*l]
			o += stride
			archsimd.LoadFloat64x2(to).Add(s.Mul(g0)).Store(to)
			to = to[l:]
			archsimd.LoadFloat64x2(to).Add(s.Mul(g1)).Store(to)
			to = to[l:]
			archsimd.LoadFloat64x2(to).Add(s.Mul(g2)).Store(to)
			to = to[l:]
			archsimd.LoadFloat64x2(to).Add(s.Mul(g3)).Store(to)
			to = to[l:]
			archsimd.LoadFloat64x2(to).Add(s.Mul(g4)).Store(to)
			to = to[l:]
			archsimd.LoadFloat64x2(to).Add(s.Mul(g5)).Store(to)
			to = to[l:]
			archsimd.LoadFloat64x2(to).Add(s.Mul(g6)).Store(to)
			to = to[l:]
			archsimd.LoadFloat64x2(to).Add(s.Mul(g7)).Store(to)
		}
	}
	for ; d+l <= n; d += l {
		g0, o := archsimd.LoadFloat64x2(g[d:d+l]), d
		for _, b := range x {
			to := m[o : o+l]
			o += stride
			archsimd.LoadFloat64x2(to).Add(archsimd.BroadcastFloat64x2(a * b).Mul(g0)).Store(to)
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
	keep := archsimd.BroadcastFloat64x2(alpha)
	l := keep.Len()
	n := len(g)
	d := 0
	for ; d+4*l <= n; d += 4 * l {
		from := g[d : d+4*l]
		g0 := archsimd.LoadFloat64x2(from)
		g1 := archsimd.LoadFloat64x2(from[l:])
		g2 := archsimd.LoadFloat64x2(from[2*l:])
		g3 := archsimd.LoadFloat64x2(from[3*l:])
		o := d
		for _, b := range x {
			s := archsimd.BroadcastFloat64x2(rate * b)
			down, to := delta[o:o+4*l], w[o:o+4*l]
			o += n
			s0 := keep.Mul(archsimd.LoadFloat64x2(down)).Add(s.Mul(g0))
			s1 := keep.Mul(archsimd.LoadFloat64x2(down[l:])).Add(s.Mul(g1))
			s2 := keep.Mul(archsimd.LoadFloat64x2(down[2*l:])).Add(s.Mul(g2))
			s3 := keep.Mul(archsimd.LoadFloat64x2(down[3*l:])).Add(s.Mul(g3))
			s0.Store(down)
			s1.Store(down[l:])
			s2.Store(down[2*l:])
			s3.Store(down[3*l:])
			archsimd.LoadFloat64x2(to).Sub(s0).Store(to)
			archsimd.LoadFloat64x2(to[l:]).Sub(s1).Store(to[l:])
			archsimd.LoadFloat64x2(to[2*l:]).Sub(s2).Store(to[2*l:])
			archsimd.LoadFloat64x2(to[3*l:]).Sub(s3).Store(to[3*l:])
		}
	}
	for ; d+l <= n; d += l {
		g0, o := archsimd.LoadFloat64x2(g[d:d+l]), d
		for _, b := range x {
			down, to := delta[o:o+l], w[o:o+l]
			o += n
			step := keep.Mul(archsimd.LoadFloat64x2(down)).Add(archsimd.BroadcastFloat64x2(rate * b).Mul(g0))
			step.Store(down)
			archsimd.LoadFloat64x2(to).Sub(step).Store(to)
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
	one := archsimd.BroadcastFloat64x2(1)
	l := one.Len()
	two, small, top := archsimd.BroadcastFloat64x2(2), archsimd.BroadcastFloat64x2(tanhSmall), archsimd.BroadcastFloat64x2(tanhOne)
	p0, p1, p2 := archsimd.BroadcastFloat64x2(tanhP0), archsimd.BroadcastFloat64x2(tanhP1), archsimd.BroadcastFloat64x2(tanhP2)
	q0, q1, q2 := archsimd.BroadcastFloat64x2(tanhQ0), archsimd.BroadcastFloat64x2(tanhQ1), archsimd.BroadcastFloat64x2(tanhQ2)
	log2e, round := archsimd.BroadcastFloat64x2(log2E), archsimd.BroadcastFloat64x2(rounder)
	high, low := archsimd.BroadcastFloat64x2(ln2High), archsimd.BroadcastFloat64x2(ln2Low)
	c13 := archsimd.BroadcastFloat64x2(exp13)
	c12 := archsimd.BroadcastFloat64x2(exp12)
	c11 := archsimd.BroadcastFloat64x2(exp11)
	c10 := archsimd.BroadcastFloat64x2(exp10)
	c9 := archsimd.BroadcastFloat64x2(exp9)
	c8 := archsimd.BroadcastFloat64x2(exp8)
	c7 := archsimd.BroadcastFloat64x2(exp7)
	c6 := archsimd.BroadcastFloat64x2(exp6)
	c5 := archsimd.BroadcastFloat64x2(exp5)
	c4 := archsimd.BroadcastFloat64x2(exp4)
	c3 := archsimd.BroadcastFloat64x2(exp3)
	c2 := archsimd.BroadcastFloat64x2(exp2)
	sign := archsimd.BroadcastUint64x2(1 << 63)
	d := 0
	for ; d+l <= len(dst); d += l {
		v := archsimd.LoadFloat64x2(x[d : d+l])
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
