package engine

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// Two tasks whose right answers are not the token's own value. Keys are
// N(0, I/Dk), so that with P ~ N(0, 1) a projection k P has unit variance.

// drawRecall asks at token t, by a noisy copy of its key, for the value of a
// token j drawn uniformly from 0 … t.
func drawRecall(c Config) *Tokens {
	x := drawReading(c)
	order := stream(c.Seed, streamOrder)
	q := mat.NewDense(c.Length, c.KeyDim, nil)
	x.Targets = mat.NewDense(c.Length, c.ValueDim, nil)
	for t := range c.Length {
		j := order.IntN(t + 1)
		q.SetRow(t, x.K.RawRowView(j))
		x.Targets.SetRow(t, x.V.RawRowView(j))
	}
	x.Q = withKeyNoise(q, c)
	return x
}

// drawSmoothing asks at token t, by a noisy copy of its own key, for the
// running mean a_t = 0.8 a_{t−1} + 0.2 v_t of the values.
func drawSmoothing(c Config) *Tokens {
	x := drawReading(c)
	x.Q = withKeyNoise(x.K, c)
	x.Targets = mat.NewDense(c.Length, c.ValueDim, nil)
	for t := range c.Length {
		for d, v := range x.V.RawRowView(t) {
			before := 0.0
			if t > 0 {
				before = x.Targets.At(t-1, d)
			}
			x.Targets.Set(t, d, 0.8*before+0.2*v)
		}
	}
	return x
}

func drawReading(c Config) *Tokens {
	k := gaussianMatrix(stream(c.Seed, streamKeys), c.Length, c.KeyDim, 1)
	shrink(k)
	return &Tokens{K: k, V: gaussianMatrix(stream(c.Seed, streamValues), c.Length, c.ValueDim, 1)}
}

// withKeyNoise adds QueryNoise times a vector drawn as the keys are.
func withKeyNoise(m *mat.Dense, c Config) *mat.Dense {
	noise := gaussianMatrix(stream(c.Seed, streamQueries), c.Length, c.KeyDim, c.QueryNoise)
	shrink(noise)
	noise.Add(noise, m)
	return noise
}

// shrink divides by √Dk.
func shrink(m *mat.Dense) {
	_, dk := m.Dims()
	m.Scale(1/math.Sqrt(float64(dk)), m)
}
