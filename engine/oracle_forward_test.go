package engine

import "gonum.org/v1/gonum/mat"

// The oracle's forward passes, number by number on the graph.

// leaves are the nodes of every parameter.
func (o *oracle) leaves(g *graph) map[string][]int {
	nodes := map[string][]int{}
	for _, name := range o.order {
		for _, x := range o.p[name].RawMatrix().Data {
			nodes[name] = append(nodes[name], g.leaf(x))
		}
	}
	return nodes
}

// matvec is x A of nodes, A rows×cols.
func matvec(g *graph, x, a []int, cols int) []int {
	out := make([]int, cols)
	for j := range cols {
		sum := g.leaf(0)
		for i, n := range x {
			sum = g.add(sum, g.mul(n, a[i*cols+j]))
		}
		out[j] = sum
	}
	return out
}

// forward returns φ(x) W + b, gated where the model is, for row of m.
func (o *oracle) forward(g *graph, nodes map[string][]int, m *mat.Dense, row int, scale float64) []int {
	_, dv := o.x.V.Dims()
	if conv, ok := o.l.Feature.(Conv3x3); ok {
		return o.convolve(g, nodes, conv, m, row, scale)
	}
	var x []int
	for _, a := range m.RawRowView(row) {
		x = append(x, g.leaf(scale*a))
	}
	var gate []int
	switch f := o.l.Feature.(type) {
	case MLP:
		for i, layer := range f.Layers {
			n := string(rune('1' + i))
			_, cols := layer.A.Dims()
			x = matvec(g, x, nodes["A"+n], cols)
			for d := range x {
				if layer.C != nil {
					x[d] = g.add(x[d], nodes["c"+n][d])
				}
				x[d] = g.activate(f.Act.Name, x[d])
			}
		}
	case SwiGLU:
		_, cols := f.Gate.Dims()
		a, b := matvec(g, x, nodes["gate"], cols), matvec(g, x, nodes["up"], cols)
		x = nil
		for d := range a {
			x = append(x, g.mul(g.activate("silu", a[d]), b[d]))
		}
	case DataGate:
		for _, a := range matvec(g, x, nodes["gate"], dv) {
			gate = append(gate, g.activate("silu", a))
		}
	}
	f := matvec(g, x, nodes["w0"], dv)
	for d := range f {
		if b := nodes["bias"]; b != nil {
			f[d] = g.add(f[d], b[d])
		}
		if gate != nil {
			f[d] = g.mul(f[d], gate[d])
		}
	}
	return f
}

// convolve is the 3×3 cross-correlation at pixel row, with zero padding.
func (o *oracle) convolve(g *graph, nodes map[string][]int, conv Conv3x3, m *mat.Dense, row int, scale float64) []int {
	y, x := row/conv.Width, row%conv.Width
	var out []int
	for c := range conv.Channels {
		sum := g.leaf(0)
		for dy := -1; dy <= 1; dy++ {
			for dx := -1; dx <= 1; dx++ {
				if y+dy >= 0 && y+dy < conv.Height && x+dx >= 0 && x+dx < conv.Width {
					pixel := g.leaf(scale * m.At((y+dy)*conv.Width+x+dx, c))
					sum = g.add(sum, g.mul(pixel, nodes["w0"][c*9+(dy+1)*3+dx+1]))
				}
			}
		}
		out = append(out, sum)
	}
	return out
}

// norm is the layer norm of nodes.
func (o *oracle) norm(g *graph, z []int, n *LayerNorm) []int {
	mean := g.leaf(0)
	for _, a := range z {
		mean = g.add(mean, a)
	}
	mean = g.times(mean, 1/float64(len(z)))
	variance := g.leaf(0)
	var centred, out []int
	for _, a := range z {
		c := g.add(a, g.times(mean, -1))
		centred = append(centred, c)
		variance = g.add(variance, g.mul(c, c))
	}
	inverse := g.inverse(g.root(g.plus(g.times(variance, 1/float64(len(z))), n.Eps)))
	for d, c := range centred {
		out = append(out, g.plus(g.times(g.mul(c, inverse), n.Weight[d]), n.Bias[d]))
	}
	return out
}
