package engine

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// An oracle is a third computation of an inner loop, slow and literal: gradients
// by the tests' own graph of numbers, matrices by gonum, the rule step by step
// from its description. It takes what can be run from the InnerLoop and calls
// none of the engine's code.
type oracle struct {
	l       *InnerLoop
	x       *Tokens
	order   []string
	p       map[string]*mat.Dense // the parameters that are used
	master  map[string]*mat.Dense // pre-norm: the sums
	first   map[string]*mat.Dense
	buffer  map[string]*mat.Dense
	z       []float64
	outputs [][]float64
	graph   graph
}

// oracleRun returns the outputs, and every parameter at the end.
func oracleRun(x *Tokens, l *InnerLoop) (*mat.Dense, map[string]*mat.Dense) {
	o := &oracle{l: l, x: x, p: map[string]*mat.Dense{}, master: map[string]*mat.Dense{}, first: map[string]*mat.Dense{}, buffer: map[string]*mat.Dense{}}
	_, dv := x.V.Dims()
	rows, cols := l.Feature.Out(), dv
	if conv, ok := l.Feature.(Conv3x3); ok {
		rows, cols = conv.Channels, 9
	}
	w0 := mat.NewDense(rows, cols, nil)
	if l.W0 != nil {
		w0.Copy(l.W0)
	}
	o.start("w0", w0)
	if l.Bias != nil {
		o.start("bias", mat.NewDense(1, dv, append([]float64(nil), l.Bias...)))
	}
	for _, p := range o.theta() {
		o.start(p.Name, mat.DenseCopyOf(p.Value))
	}
	o.z = make([]float64, l.Feature.Out())
	copy(o.z, l.Z0)
	o.walk()
	out := mat.NewDense(len(o.outputs), dv, nil)
	for r, row := range o.outputs {
		out.SetRow(r, row)
	}
	return out, o.p
}

func (o *oracle) theta() []Parameter {
	switch f := o.l.Feature.(type) {
	case MLP:
		return f.Theta()
	case SwiGLU:
		return []Parameter{{"gate", f.Gate}, {"up", f.Up}}
	case DataGate:
		return []Parameter{{"gate", f.Gate}}
	}
	return nil
}

func (o *oracle) start(name string, m *mat.Dense) {
	o.order = append(o.order, name)
	o.p[name], o.master[name], o.first[name] = m, mat.DenseCopyOf(m), mat.DenseCopyOf(m)
	r, c := m.Dims()
	o.buffer[name] = mat.NewDense(r, c, nil)
	if b := o.l.Momentum0[name]; b != nil {
		o.buffer[name].Copy(b)
	}
}

func (o *oracle) trains(name string) bool {
	return name == "w0" || name == "bias" || o.l.Train
}

// walk goes through chunks or operations.
func (o *oracle) walk() {
	n, _ := o.x.Q.Dims()
	l := o.l
	for _, op := range l.Operations {
		if op.Update {
			o.chunk(op.Start, op.End, false)
		}
		if op.Apply {
			o.reads(op.Start, op.End)
		}
	}
	if len(l.Operations) > 0 {
		return
	}
	length := max(1, l.Chunk)
	for s := 0; s < n; s += length {
		e := min(n, s+length)
		switch {
		case l.Order == ApplyThenUpdate:
			o.reads(s, e)
			if !l.SkipLast || s < n-length {
				o.chunk(s, e, false)
			}
		case l.Order == TokenCausal:
			o.chunk(s, e, true)
		case l.Writes > 1:
			for w := range l.Writes {
				row := s*l.Writes + w
				if w == 0 && !l.DecayAfter {
					o.decay(s)
				}
				o.update([]map[string]*mat.Dense{o.gradient(row)}, []int{row}, s, s)
			}
			o.reads(s, e)
		default:
			o.chunk(s, e, false)
			o.reads(s, e)
		}
	}
}

// chunk writes tokens s ≤ t < e.
func (o *oracle) chunk(s, e int, causal bool) {
	if !o.l.DecayAfter && (!causal || e == s+1) {
		o.decay(s)
	}
	if causal {
		o.causal(s, e)
		return
	}
	for range max(1, o.l.Steps) {
		var gradients []map[string]*mat.Dense
		var rows []int
		for t := s; t < e; t++ {
			gradients = append(gradients, o.gradient(t))
			rows = append(rows, t)
		}
		o.update(gradients, rows, s, e-1)
	}
}

func (o *oracle) causal(s, e int) {
	var gradients []map[string]*mat.Dense
	before := map[string]*mat.Dense{}
	for name, m := range o.p {
		before[name] = mat.DenseCopyOf(m)
	}
	for t := s; t < e; t++ {
		gradients = append(gradients, o.gradient(t))
	}
	for t := s; t < e; t++ {
		if o.l.Reader == nil {
			o.update(gradients[t-s:t-s+1], []int{t}, t, t)
			o.reads(t, t+1)
			continue
		}
		for _, name := range o.order {
			if !o.trains(name) {
				continue
			}
			o.p[name].Copy(before[name])
			for j := s; j <= t; j++ {
				var step mat.Dense
				step.Scale(o.l.Reader.At(t)*o.rate(name).At(j)*o.factor(1), gradients[j-s][name])
				o.p[name].Sub(o.p[name], &step)
			}
		}
		o.reads(t, t+1)
	}
}

func (o *oracle) rate(name string) Schedule {
	if r, ok := o.l.ThetaRates[name]; ok {
		return r
	}
	return o.l.Rate
}

func (o *oracle) factor(tokens int) float64 {
	f := 1.0
	if o.l.GradientScale != 0 {
		f = o.l.GradientScale
	}
	if o.l.MeanThird {
		f /= 3 * float64(tokens)
	}
	if o.l.Ascent {
		f = -f
	}
	return f
}

func (o *oracle) decay(t int) {
	for _, name := range o.order {
		if name != "w0" && !(o.l.DecayTheta && o.trains(name)) {
			continue
		}
		m := o.master[name]
		if o.l.Norm != PreNorm {
			m = o.p[name]
		}
		m.Apply(func(h, _ int, x float64) float64 {
			if o.l.GammaChannels != nil && name == "w0" {
				return x * o.l.GammaChannels.At(t, h)
			}
			if len(o.l.Gamma) > 0 {
				return x * o.l.Gamma.At(t)
			}
			return x
		}, m)
		if o.l.Norm == PreNorm && (o.l.GammaChannels != nil || len(o.l.Gamma) > 0) {
			o.normalize(name)
		}
	}
}

// update takes one step with the gradients of rows; from and to are the tokens.
func (o *oracle) update(gradients []map[string]*mat.Dense, rows []int, from, to int) {
	alpha := 0.0
	for t := from; t <= to; t++ {
		alpha += o.l.Alpha.At(t) / float64(to-from+1)
	}
	if o.l.DecayAfter {
		o.decay(from)
	}
	for _, name := range o.order {
		if !o.trains(name) {
			continue
		}
		r, c := o.p[name].Dims()
		g := mat.NewDense(r, c, nil)
		for i, one := range gradients {
			weight := o.rate(name).At(rows[i])
			if o.l.RateOutside || o.l.Clip {
				weight = 1
			}
			var add mat.Dense
			add.Apply(func(_, d int, x float64) float64 {
				if o.l.ChannelRate != nil {
					weight = o.l.ChannelRate.At(rows[i], d)
				}
				return x * weight * o.factor(len(rows))
			}, one[name])
			g.Add(g, &add)
		}
		if o.l.Clip {
			o.clip(g)
			if !o.l.RateOutside {
				g.Scale(o.rate(name).At(rows[0]), g)
			}
		}
		b := o.buffer[name]
		b.Scale(alpha, b)
		b.Add(b, g)
		u := mat.DenseCopyOf(b)
		if o.l.Muon != nil {
			u = orthogonalByGonum(b, o.l.Muon)
		}
		if o.l.RateOutside {
			u.Scale(o.rate(name).At(rows[0]), u)
		}
		o.land(name, u)
	}
	for _, row := range rows {
		if _, ok := o.l.Feature.(Identity); ok {
			for h := range o.z {
				o.z[h] += o.x.K.At(row, h)
			}
		}
	}
}

// clip: columns, or the whole kernel of a convolution's channel, by norm + 1.
func (o *oracle) clip(g *mat.Dense) {
	r, c := g.Dims()
	_, conv := o.l.Feature.(Conv3x3)
	if conv {
		for i := range r {
			n := mat.Norm(g.RowView(i), 2) + 1
			for j := range c {
				g.Set(i, j, g.At(i, j)/n)
			}
		}
		return
	}
	for j := range c {
		n := mat.Norm(g.ColView(j), 2) + 1
		for i := range r {
			g.Set(i, j, g.At(i, j)/n)
		}
	}
}

// land takes u off a parameter and normalises it.
func (o *oracle) land(name string, u *mat.Dense) {
	m := o.p[name]
	if o.l.Norm == PreNorm {
		m = o.master[name]
	}
	m.Sub(m, u)
	if o.l.Norm != NoNorm {
		o.normalize(name)
	}
}

// normalize puts the columns that are used back to their first norm.
func (o *oracle) normalize(name string) {
	m := o.p[name]
	if o.l.Norm == PreNorm {
		m = o.master[name]
	}
	eps := o.l.NormEps
	if eps == 0 {
		eps = 1e-5
	}
	_, c := m.Dims()
	for j := range c {
		now, then := mat.Norm(m.ColView(j), 2), mat.Norm(o.first[name].ColView(j), 2)
		r, _ := m.Dims()
		for i := range r {
			o.p[name].Set(i, j, m.At(i, j)/(now+eps)*then)
		}
	}
}

// orthogonalByGonum is Newton-Schulz by matrix products, or the polar factor by
// gonum's SVD.
func orthogonalByGonum(g *mat.Dense, m *Muon) *mat.Dense {
	if m.Method == Polar {
		var svd mat.SVD
		svd.Factorize(g, mat.SVDThin)
		var u, v mat.Dense
		svd.UTo(&u)
		svd.VTo(&v)
		sigma := svd.Values(nil)
		keep := mat.NewDiagDense(len(sigma), nil)
		for i, s := range sigma {
			if s > 1e-6*sigma[0] {
				keep.SetDiag(i, 1)
			}
		}
		return product(product(&u, keep), v.T())
	}
	eps := m.Eps
	if eps == 0 {
		eps = 1e-7
	}
	x := mat.DenseCopyOf(g)
	x.Scale(1/(mat.Norm(g, 2)+eps), x)
	if m.Method == Frobenius {
		return x
	}
	for _, t := range m.Coefficients {
		b := product(x, x.T())
		bb := product(b, b)
		b.Scale(t[1], b)
		bb.Scale(t[2], bb)
		b.Add(b, bb)
		next := product(b, x)
		x.Scale(t[0], x)
		x.Add(x, next)
	}
	return x
}

// gradient is ∂ℓ/∂p of one row for every parameter.
func (o *oracle) gradient(row int) map[string]*mat.Dense {
	g := o.graph.reset()
	nodes := o.leaves(g)
	f := o.forward(g, nodes, o.x.K, row, 1)
	loss := o.l.Loss
	if n, ok := loss.(Normed); ok {
		f, loss = o.norm(g, f, n.Norm), n.Loss
	}
	total := g.leaf(0)
	for d, a := range f {
		v := o.x.V.At(row, d)
		if o.l.Target == TargetVMinusK {
			v -= o.x.K.At(row, d)
		}
		if _, ok := loss.(Dot); ok {
			total = g.add(total, g.times(a, -v))
			continue
		}
		r := g.plus(a, -v)
		total = g.add(total, g.times(g.mul(r, r), 0.5))
	}
	slope := g.backward(total)
	out := map[string]*mat.Dense{}
	for _, name := range o.order {
		r, c := o.p[name].Dims()
		m := mat.NewDense(r, c, nil)
		for i, n := range nodes[name] {
			m.Set(i/c, i%c, slope[n])
		}
		out[name] = m
	}
	return out
}

// reads answers the queries of tokens s ≤ t < e.
func (o *oracle) reads(s, e int) {
	scale := o.l.QueryScale
	if scale == 0 {
		scale = 1
	}
	q := mat.DenseCopyOf(o.x.Q)
	switch o.l.Query {
	case QueryK:
		q = mat.DenseCopyOf(o.x.K)
	case QueryMean:
		q.Add(q, o.x.K)
		q.Scale(0.5, q)
	}
	for t := s; t < e; t++ {
		g := o.graph.reset()
		z := o.forward(g, o.leaves(g), q, t, scale)
		switch o.l.Readout {
		case ReadZPlusNorm:
			for d, n := range o.norm(g, z, o.l.LayerNorm) {
				z[d] = g.add(z[d], n)
			}
		case ReadQPlusNorm:
			for d, n := range o.norm(g, z, o.l.LayerNorm) {
				z[d] = g.plus(n, q.At(t, d))
			}
		}
		var row []float64
		for _, n := range z {
			row = append(row, g.value[n])
		}
		if o.l.Readout == ReadNormalizer {
			total := 1e-10
			for h, k := range o.z {
				total += scale * q.At(t, h) * k
			}
			for d := range row {
				row[d] /= total
			}
		}
		for _, x := range row {
			if math.IsNaN(x) {
				panic("oracle: NaN")
			}
		}
		o.outputs = append(o.outputs, row)
	}
}
