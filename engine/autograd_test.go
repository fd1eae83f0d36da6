package engine

import "math"

// A graph is reverse-mode differentiation of single numbers, written for the
// tests alone: the oracle's gradients share nothing with the engine's.
type graph struct {
	value, slope []float64
	parents      [][2]int
	partials     [][2]float64
}

func (g *graph) node(value float64, a int, da float64, b int, db float64) int {
	g.value = append(g.value, value)
	g.slope = append(g.slope, 0)
	g.parents = append(g.parents, [2]int{a, b})
	g.partials = append(g.partials, [2]float64{da, db})
	return len(g.value) - 1
}

// reset forgets every node and keeps the room.
func (g *graph) reset() *graph {
	g.value, g.slope, g.parents, g.partials = g.value[:0], g.slope[:0], g.parents[:0], g.partials[:0]
	return g
}

func (g *graph) leaf(x float64) int { return g.node(x, -1, 0, -1, 0) }

func (g *graph) add(a, b int) int { return g.node(g.value[a]+g.value[b], a, 1, b, 1) }

func (g *graph) mul(a, b int) int {
	return g.node(g.value[a]*g.value[b], a, g.value[b], b, g.value[a])
}

// of applies a function of one number whose derivative is given.
func (g *graph) of(a int, value, slope float64) int { return g.node(value, a, slope, -1, 0) }

func (g *graph) times(a int, c float64) int { return g.of(a, c*g.value[a], c) }
func (g *graph) plus(a int, c float64) int  { return g.of(a, c+g.value[a], 1) }

func (g *graph) exp(a int) int { e := math.Exp(g.value[a]); return g.of(a, e, e) }
func (g *graph) inverse(a int) int {
	x := g.value[a]
	return g.of(a, 1/x, -1/(x*x))
}
func (g *graph) root(a int) int {
	r := math.Sqrt(g.value[a])
	return g.of(a, r, 1/(2*r))
}

// tanh has the derivative 1 − tanh².
func (g *graph) tanh(a int) int {
	y := math.Tanh(g.value[a])
	return g.of(a, y, (1-y)*(1+y))
}

// sigmoid is 1/(1 + e^−x).
func (g *graph) sigmoid(a int) int { return g.inverse(g.plus(g.exp(g.times(a, -1)), 1)) }

// activate is the activation of that name by its textbook formula.
func (g *graph) activate(name string, a int) int {
	x := g.value[a]
	switch name {
	case "tanh":
		return g.tanh(a)
	case "silu":
		return g.mul(a, g.sigmoid(a))
	case "gelu":
		half := g.of(a, 0.5+0.5*math.Erf(x/math.Sqrt2), math.Exp(-x*x/2)/math.Sqrt(2*math.Pi))
		return g.mul(a, half)
	case "gelu-tanh":
		cube := g.times(g.mul(g.mul(a, a), a), 0.044715)
		inner := g.times(g.add(a, cube), math.Sqrt(2/math.Pi))
		return g.mul(g.times(a, 0.5), g.plus(g.tanh(inner), 1))
	case "relu":
		if x > 0 {
			return g.times(a, 1)
		}
		return g.times(a, 0)
	}
	panic("no activation " + name)
}

// backward returns the derivative of root by every node.
func (g *graph) backward(root int) []float64 {
	clear(g.slope)
	g.slope[root] = 1
	for n := root; n >= 0; n-- {
		for i, p := range g.parents[n] {
			if p >= 0 {
				g.slope[p] += g.slope[n] * g.partials[n][i]
			}
		}
	}
	return g.slope
}
