package engine

import (
	"math"
	"math/bits"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// numpyRand is NumPy's default_rng(seed), so that the inputs of reference
// numbers computed with NumPy can be drawn again and need not be stored:
// SeedSequence, PCG64 (XSL-RR) and the ziggurat of standard_normal.
type numpyRand struct {
	high, low, incrementHigh, incrementLow uint64
	half                                   uint32 // the other half of the last 64 bits
	halfLeft                               bool
}

func newNumpyRand(seed uint32) *numpyRand {
	word := seedSequence(seed)
	r := &numpyRand{incrementHigh: word[2]<<1 | word[3]>>63, incrementLow: word[3]<<1 | 1}
	r.step()
	var carry uint64
	r.low, carry = bits.Add64(r.low, word[1], 0)
	r.high, _ = bits.Add64(r.high, word[0], carry)
	r.step()
	return r
}

// seedSequence is SeedSequence(seed).generate_state(4, uint64).
func seedSequence(seed uint32) (state [4]uint64) {
	var pool [4]uint32
	hash := uint32(0x43b0d7e5)
	mix := func(x uint32) uint32 {
		x ^= hash
		hash *= 0x931e8875
		x *= hash
		return x ^ x>>16
	}
	pool[0] = mix(seed)
	for i := 1; i < 4; i++ {
		pool[i] = mix(0)
	}
	for from := range pool {
		for to := range pool {
			if from != to {
				x := 0xca01f9dd*pool[to] - 0x4973f715*mix(pool[from])
				pool[to] = x ^ x>>16
			}
		}
	}
	hash = 0x8b51f9dd
	for i := range 8 {
		x := pool[i%4] ^ hash
		hash *= 0x58f38ded
		x *= hash
		x ^= x >> 16
		state[i/2] |= uint64(x) << (32 * (i % 2))
	}
	return state
}

// step is state ← state·multiplier + increment, modulo 2¹²⁸.
func (r *numpyRand) step() {
	const multiplierHigh, multiplierLow = 2549297995355413924, 4865540595714422341
	high, low := bits.Mul64(r.low, multiplierLow)
	high += r.high*multiplierLow + r.low*multiplierHigh
	var carry uint64
	r.low, carry = bits.Add64(low, r.incrementLow, 0)
	r.high, _ = bits.Add64(high, r.incrementHigh, carry)
}

func (r *numpyRand) uint64() uint64 {
	r.step()
	return bits.RotateLeft64(r.high^r.low, -int(r.high>>58))
}

func (r *numpyRand) uint32() uint32 {
	if r.halfLeft {
		r.halfLeft = false
		return r.half
	}
	x := r.uint64()
	r.half, r.halfLeft = uint32(x>>32), true
	return uint32(x)
}

func (r *numpyRand) float64() float64 { return float64(r.uint64()>>11) / (1 << 53) }

// integer is integers(0, n), by Lemire's rule.
func (r *numpyRand) integer(n uint32) int {
	if n == 1 {
		return 0
	}
	m := uint64(r.uint32()) * uint64(n)
	if uint32(m) < n {
		for threshold := -n % n; uint32(m) < threshold; {
			m = uint64(r.uint32()) * uint64(n)
		}
	}
	return int(m >> 32)
}

// The ziggurat: 256 strips of one area under exp(−x²/2), x_255 = r outermost,
// and strip 0 the base with the tail.
const zigguratR = 3.6541528853610087963519472518

var ziggurat = func() (z struct {
	inside        [256]uint64 // below this the strip is under the curve
	scale, height [256]float64
}) {
	f := func(x float64) float64 { return math.Exp(-x * x / 2) }
	area := zigguratR*f(zigguratR) + math.Sqrt(math.Pi/2)*math.Erfc(zigguratR/math.Sqrt2)
	x := zigguratR
	z.scale[0], z.height[0] = area/f(x)/(1<<52), 1
	z.inside[0] = uint64(x / (area / f(x)) * (1 << 52))
	for i := 255; i >= 1; i-- {
		z.scale[i], z.height[i] = x/(1<<52), f(x)
		inner := 0.0
		if i > 1 {
			inner = math.Sqrt(-2 * math.Log(area/x+f(x)))
		}
		z.inside[i] = uint64(inner / x * (1 << 52))
		x = inner
	}
	return z
}()

func (r *numpyRand) normal() float64 {
	for {
		b := r.uint64()
		strip, b := b&0xff, b>>8
		size := b >> 1 & (1<<52 - 1)
		x := float64(size) * ziggurat.scale[strip]
		if b&1 != 0 {
			x = -x
		}
		switch {
		case size < ziggurat.inside[strip]:
			return x
		case strip == 0:
			for {
				far := -math.Log1p(-r.float64()) / zigguratR
				if y := -math.Log1p(-r.float64()); y+y > far*far {
					if size>>8&1 != 0 {
						return -(zigguratR + far)
					}
					return zigguratR + far
				}
			}
		case (ziggurat.height[strip-1]-ziggurat.height[strip])*r.float64()+ziggurat.height[strip] < math.Exp(-x*x/2):
			return x
		}
	}
}

func (r *numpyRand) normals(rows, cols int, scale float64) *mat.Dense {
	m := mat.NewDense(rows, cols, nil)
	for i := range rows {
		for j := range cols {
			m.Set(i, j, scale*r.normal())
		}
	}
	return m
}

// Printed by NumPy 1.24: r = default_rng(5); r.standard_normal(3);
// [r.integers(0, t+1) for t in range(6)]; r.standard_normal(2). And the sum and
// the sum of squares of default_rng(7).standard_normal(100000), which go
// through every strip and the tail.
func TestNumpysGeneratorIsReproduced(t *testing.T) {
	r := newNumpyRand(5)
	want := []float64{-0.8019314252534474, -1.324358995628145, -0.24836162209524854, 0, 1, 0, 3, 0, 1, -0.5526473205362324, -0.7847803553442784}
	var got []float64
	for range 3 {
		got = append(got, r.normal())
	}
	for n := range 6 {
		got = append(got, float64(r.integer(uint32(n)+1)))
	}
	got = append(got, r.normal(), r.normal())
	for i := range want {
		if !(math.Abs(got[i]-want[i]) <= 1e-14) {
			t.Errorf("draw %d is %v, NumPy has %v", i, got[i], want[i])
		}
	}
	r = newNumpyRand(7)
	sum, squares := 0.0, 0.0
	for range 100000 {
		x := r.normal()
		sum, squares = sum+x, squares+x*x
	}
	if !(math.Abs(sum-numpySum) < 1e-8) || !(math.Abs(squares-numpySquares) < 1e-8) {
		t.Errorf("sums %.10f, %.10f; NumPy has %.10f, %.10f", sum, squares, numpySum, numpySquares)
	}
}

const (
	numpySum     = -132.631908738513
	numpySquares = 99659.805523676754
)
