package vec

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/blas/blas64"
)

// Widths around every block of every kernel: 1 to 3 vectors of 2, 4 or 8 lanes,
// and what is left over.
var widths = []int{0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 24, 31, 32, 33, 63, 64, 65, 100, 128, 131}

func random(r *rand.Rand, n int) []float64 {
	x := make([]float64, n)
	for d := range x {
		x[d] = r.NormFloat64()
	}
	return x
}

func copied(x []float64) []float64 { return append([]float64(nil), x...) }

// near fails unless every element agrees within a few roundings of sums of
// some hundred numbers around one.
func near(t *testing.T, what string, got, want []float64) {
	t.Helper()
	for d := range want {
		if !(math.Abs(got[d]-want[d]) <= 1e-13*(1+math.Abs(want[d]))) {
			t.Fatalf("%s: element %d is %v, want %v", what, d, got[d], want[d])
		}
	}
}

// The twins do the same operations in the same order, column by column; only
// sums along a row, and a compiler that fuses x·y+z, may differ.
func TestEveryKernelAgreesWithItsTwin(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range widths {
		for _, rows := range []int{1, 2, 3, 7, 16, 65} {
			name := fmt.Sprintf("%d×%d", rows, n)
			x, g, m, delta := random(r, rows), random(r, n), random(r, rows*n), random(r, rows*n)

			near(t, name+" dot", []float64{dot(g, m[:n])}, []float64{genericDot(g, m[:n])})

			a, b := make([]float64, rows), make([]float64, rows)
			dots(a, m, g, n)
			genericDots(b, m, g, n)
			near(t, name+" dots", a, b)

			a, b = copied(g), copied(g)
			addScaled(a, 0.7, m[:n])
			genericAddScaled(b, 0.7, m[:n])
			near(t, name+" addScaled", a, b)

			scale(a, 0.7, a)
			genericScale(b, 0.7, b)
			near(t, name+" scale", a, b)

			a, b = copied(g), copied(g)
			addRead(a, x, m, n)
			genericAddRead(b, x, m, n)
			near(t, name+" addRead", a, b)

			a, b = copied(m), copied(m)
			write(a, 0.7, x, g, n)
			genericWrite(b, 0.7, x, g, n)
			near(t, name+" write", a, b)

			a, b = copied(m), copied(m)
			da, db := copied(delta), copied(delta)
			descend(a, da, 0.3, 0.9, x, g)
			genericDescend(b, db, 0.3, 0.9, x, g)
			near(t, name+" descend W", a, b)
			near(t, name+" descend Δ", da, db)

			stride := n + 3
			four, tall, b0 := random(r, productRows*(rows+3)), random(r, productRows*stride), random(r, rows*stride)
			a, b = copied(tall), copied(tall)
			addRows(a, stride, n, four, rows+3, b0, stride, rows)
			genericProduct(b, stride, n, four, rows+3, 1, b0, stride, rows)
			near(t, name+" addRows", a, b)
			a, b = copied(tall), copied(tall)
			addColumns(a, stride, n, four, productRows, b0, stride, rows)
			genericProduct(b, stride, n, four, 1, productRows, b0, stride, rows)
			near(t, name+" addColumns", a, b)
		}
	}
}

// The exported kernels against their equations, written out element by element.
func TestEveryKernelComputesItsEquation(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, n := range widths {
		rows := 1 + n/2
		x, g, m, delta := random(r, rows), random(r, n), random(r, rows*n), random(r, rows*n)
		read, added, written, w, buffer := make([]float64, n), copied(g), copied(m), copied(m), copied(delta)
		dots := make([]float64, rows)
		for h := range rows {
			for d := range n {
				read[d] += x[h] * m[h*n+d]
				added[d] += x[h] * m[h*n+d]
				dots[h] += m[h*n+d] * g[d]
				written[h*n+d] += 0.3 * x[h] * g[d]
				buffer[h*n+d] = 0.9*buffer[h*n+d] + 0.3*x[h]*g[d]
				w[h*n+d] -= buffer[h*n+d]
			}
		}
		name := fmt.Sprintf("%d×%d", rows, n)
		got := random(r, n)
		Read(got, x, m)
		near(t, name+" Read", got, read)
		got = copied(g)
		AddRead(got, x, m)
		near(t, name+" AddRead", got, added)
		got = make([]float64, rows)
		Dots(got, m, g)
		near(t, name+" Dots", got, dots)
		got = copied(m)
		Write(got, 0.3, x, g)
		near(t, name+" Write", got, written)
		got, down := copied(m), copied(delta)
		Descend(got, down, 0.3, 0.9, x, g)
		near(t, name+" Descend W", got, w)
		near(t, name+" Descend Δ", down, buffer)
	}
}

func general(r *rand.Rand, rows, cols int) blas64.General {
	stride := cols + 2
	return blas64.General{Rows: rows, Cols: cols, Stride: stride, Data: random(r, rows*stride)}
}

func TestProductsComputeTheirSums(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, rows := range []int{1, 3, 4, 5, 8, 17} {
		for _, sum := range []int{1, 2, 5, 64, 257, 520} {
			for _, cols := range []int{1, 2, 3, 7, 16, 33} {
				a, b, dst := general(r, rows, sum), general(r, sum, cols), general(r, rows, cols)
				flipped := blas64.General{Rows: sum, Cols: rows, Stride: rows, Data: make([]float64, sum*rows)}
				Transpose(flipped, a)
				want, other := copied(dst.Data), dst
				other.Data = copied(dst.Data)
				for i := range rows {
					for p := range sum {
						for j := range cols {
							want[i*dst.Stride+j] += a.Data[i*a.Stride+p] * b.Data[p*b.Stride+j]
						}
					}
				}
				AddMul(dst, a, b)
				near(t, fmt.Sprintf("%d×%d×%d AddMul", rows, sum, cols), dst.Data, want)
				AddMulT(other, flipped, b)
				near(t, fmt.Sprintf("%d×%d×%d AddMulT", rows, sum, cols), other.Data, want)
			}
		}
	}
}

// ulps is how many float64s lie between two numbers of one sign.
func ulps(a, b float64) float64 {
	return math.Abs(float64(int64(math.Float64bits(a)) - int64(math.Float64bits(b))))
}

func TestTanhIsWithinTwoUnitsInTheLastPlaceOfMathTanh(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	var x []float64
	for range 200000 {
		x = append(x, 2*r.NormFloat64(), 25*(2*r.Float64()-1), math.Exp(-40*r.Float64()))
	}
	for n := -3; n < 3; n++ { // around the border of the two formulas
		x = append(x, math.Float64frombits(math.Float64bits(tanhSmall)+uint64(n)))
	}
	got := make([]float64, len(x))
	Tanh(got, x)
	worst := 0.0
	for d, a := range x {
		if u := ulps(got[d], math.Tanh(a)); !(u <= 2) {
			t.Fatalf("Tanh(%v) = %v; math.Tanh gives %v, %v units away", a, got[d], math.Tanh(a), u)
		} else {
			worst = max(worst, u)
		}
	}
	t.Logf("worst: %v units", worst)
	near(t, "twin", got, func() []float64 { y := copied(x); genericTanhs(y, y); return y }())
}

func TestTanhKeepsWhatIsSpecial(t *testing.T) {
	inf := math.Inf(1)
	x := []float64{0, math.Copysign(0, -1), inf, -inf, math.NaN(), 1e-320, -1e-320, 1e300, -1e300, 22, -22, 5e-324, 1, -1, 0.5, -0.5}
	got := make([]float64, len(x))
	Tanh(got, x)
	for d, a := range x {
		want := math.Tanh(a)
		if math.IsNaN(want) != math.IsNaN(got[d]) || math.Signbit(want) != math.Signbit(got[d]) || !math.IsNaN(want) && ulps(want, got[d]) > 2 {
			t.Errorf("Tanh(%v) = %v, want %v", a, got[d], want)
		}
	}
}

// Small whole numbers, so that every sum is exact.
func TestByHand(t *testing.T) {
	x, y := []float64{1, 2, 3, -4, 5}, []float64{2, 0, -1, 1, 3}
	if got := Dot(x, y); got != 10 {
		t.Errorf("Dot is %v, want 10", got)
	}
	AddScaled(y, -2, x)
	for d, want := range []float64{0, -4, -7, 9, -7} {
		if y[d] != want {
			t.Errorf("AddScaled gives %v at %d, want %v", y[d], d, want)
		}
	}
	if got := MaxAbs(x); got != 5 {
		t.Errorf("MaxAbs is %v, want 5", got)
	}
	if Dot(nil, nil) != 0 || MaxAbs(nil) != 0 {
		t.Error("empty vectors are not zero")
	}
}

// A NaN anywhere must reach the divergence rule.
func TestMaxAbsOfNaNIsNaN(t *testing.T) {
	for d := range 3 {
		x := []float64{1, 2, math.Inf(1)}
		x[d] = math.NaN()
		if got := MaxAbs(x); !math.IsNaN(got) {
			t.Errorf("NaN at %d: MaxAbs is %v", d, got)
		}
	}
}

func TestKernelsDoNotAllocate(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	const rows, n = 19, 37
	x, g, m, delta, y := random(r, rows), random(r, n), random(r, rows*n), random(r, rows*n), random(r, n)
	square := general(r, n, n)
	if got := testing.AllocsPerRun(10, func() {
		Read(y, x, m)
		Dots(x, m, g)
		Write(m, 1e-9, x, g)
		Descend(m, delta, 1e-9, 0.5, x, g)
		Tanh(y, g)
		AddScaled(y, Dot(y, g), g)
		AddMul(square, square, square)
	}); got != 0 {
		t.Errorf("%v allocations a call", got)
	}
}

// The sizes of the benchmark: Dh 128, Dv 64.
func benchmark(b *testing.B, run func(x, g, m, delta []float64)) {
	r := rand.New(rand.NewPCG(11, 12))
	const rows, n = 128, 64
	x, g, m, delta := random(r, rows), random(r, n), random(r, rows*n), random(r, rows*n)
	b.SetBytes(rows * n * 8)
	for b.Loop() {
		run(x, g, m, delta)
	}
}

func BenchmarkRead(b *testing.B) {
	dst := make([]float64, 64)
	benchmark(b, func(x, _, m, _ []float64) { Read(dst, x, m) })
}

func BenchmarkDots(b *testing.B) {
	dst := make([]float64, 128)
	benchmark(b, func(_, g, m, _ []float64) { Dots(dst, m, g) })
}

func BenchmarkWrite(b *testing.B) {
	benchmark(b, func(x, g, m, _ []float64) { Write(m, 1e-9, x, g) })
}

func BenchmarkDescend(b *testing.B) {
	benchmark(b, func(x, g, m, delta []float64) { Descend(m, delta, 1e-9, 0.9, x, g) })
}

func BenchmarkTanh(b *testing.B) {
	benchmark(b, func(_, _, m, delta []float64) { Tanh(delta, m) })
}

func BenchmarkMathTanh(b *testing.B) {
	benchmark(b, func(_, _, m, delta []float64) {
		for d, a := range m {
			delta[d] = math.Tanh(a)
		}
	})
}

// A panel of 32 rows: divide by 32 to compare with BenchmarkRead.
func BenchmarkProduct(b *testing.B) {
	r := rand.New(rand.NewPCG(13, 14))
	a, p, dst := general(r, 32, 128), general(r, 128, 64), general(r, 32, 64)
	for b.Loop() {
		AddMul(dst, a, p)
	}
}
