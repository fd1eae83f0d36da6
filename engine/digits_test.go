package engine

import (
	"flag"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

var update = flag.Bool("update", false, "write digits.bin again from testdata/digits.csv")

// digits.bin is testdata/digits.csv, value for value.
func TestDigitsAreTheSourceUnchanged(t *testing.T) {
	text, err := os.ReadFile("testdata/digits.csv")
	if err != nil {
		t.Fatal(err)
	}
	var data []byte
	for line := range strings.Lines(string(text)) {
		fields := strings.Split(strings.TrimSpace(line), ",")
		if len(fields) != digitRecord {
			t.Fatalf("a line has %d fields", len(fields))
		}
		for _, field := range fields {
			x, err := strconv.Atoi(field)
			if err != nil {
				t.Fatal(err)
			}
			data = append(data, byte(x))
		}
	}
	if *update {
		if err := os.WriteFile("digits.bin", data, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if string(data) != digitsData {
		t.Error("digits.bin is not testdata/digits.csv; run go test ./engine -run Digits -update")
	}
}

// 200 digits of 8×8 pixels 0…16, 20 of each class: the data set's first 20 of
// each class of its test part.
func TestDigitsFacts(t *testing.T) {
	if len(digitsData) != digitCount*digitRecord {
		t.Fatalf("%d bytes", len(digitsData))
	}
	var perClass [digitClasses]int
	for n := range digitCount {
		pixels, class := digit(n)
		perClass[class]++
		for p, x := range pixels {
			if !(x >= 0 && x <= 1) || x*16 != math.Trunc(x*16) {
				t.Fatalf("digit %d has pixel %d at %v", n, p, x)
			}
		}
	}
	for class, count := range perClass {
		if count != 20 {
			t.Errorf("%d digits of class %d", count, class)
		}
	}
	// First row of the source: 0,0,5,13,9,1,0,0, … and class 0.
	if first, class := digit(0); first[2] != 5.0/16 || first[3] != 13.0/16 || class != 0 {
		t.Errorf("the first digit reads %v, class %d", first[:8], class)
	}
}

// Values are pictures: value + mean is the digit that the class names.
func TestDigitTokensArePictures(t *testing.T) {
	c, _ := Default("digits")
	c.Length = 450 // more than two decks
	x, _, err := c.Build()
	if err != nil {
		t.Fatal(err)
	}
	byPicture := map[[digitPixels]float64]int{}
	for n := range digitCount {
		pixels, class := digit(n)
		byPicture[pixels] = class
	}
	seen := map[[digitPixels]float64]int{}
	for token := range c.Length {
		var picture [digitPixels]float64
		for p := range picture {
			picture[p] = math.Round((x.V.At(token, p)+x.Mean[p])*16) / 16
		}
		class, ok := byPicture[picture]
		if !ok || class != x.Classes[token] {
			t.Fatalf("token %d is not a digit of class %d", token, x.Classes[token])
		}
		seen[picture]++
		if token < digitCount && seen[picture] > 1 {
			t.Errorf("token %d repeats a digit within the first deck", token)
		}
		key := x.K.RowView(token)
		if length := mat.Norm(key, 2); !(math.Abs(length-1) < 1e-12) {
			t.Errorf("key %d has length %v", token, length)
		}
		if near := cosine(x.K.RawRowView(token), x.Probes.RawRowView(class)); !(near > 0.8) {
			t.Errorf("key %d lies at cosine %.2f to its class key", token, near)
		}
	}
}

// meanOver runs c for some seeds and returns the mean cosine of output and own
// value.
func meanOver(t *testing.T, c Config) float64 {
	t.Helper()
	const seeds = 12
	sum := 0.0
	for seed := range uint64(seeds) {
		c.Seed = seed
		_, output, _ := alignment(t, c)
		sum += mean(output) / seeds
	}
	return sum
}

// Figures measured with NumPy on the same digits with its own random draws, so
// they hold for means over seeds: mean cosine of output and own value, q = k.
func TestDigitsFiguresMeasuredElsewhere(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*Config)
		want   float64
		within float64
	}{
		{"squared loss", func(*Config) {}, 0.98, 0.01},
		{"dot loss", func(c *Config) { c.Loss = "dot" }, 0.65, 0.03},
		{"α = 0.9, held", func(c *Config) { c.Alpha, c.Hold = 0.9, true }, 0.55, 0.05},
	} {
		config, _ := Default("digits")
		c.change(&config)
		got := meanOver(t, config)
		t.Logf("%s: %.3f here, %.3f elsewhere", c.name, got, c.want)
		if !(math.Abs(got-c.want) < c.within) {
			t.Errorf("%s: mean cosine %.3f, measured elsewhere %.3f", c.name, got, c.want)
		}
	}
}

// More inner steps at η = 0.006 copy the own digit more exactly: mean cosine of
// the digit just written with what its clean class key then reads. Measured
// with NumPy on its own draws.
func TestInnerStepsCopyTheOwnDigit(t *testing.T) {
	const seeds = 12
	for steps, want := range map[int]float64{1: 0.72, 4: 0.86, 16: 0.96, 64: 0.975} {
		got := 0.0
		for seed := range uint64(seeds) {
			c, _ := Default("digits")
			c.Seed, c.Rate, c.Steps, c.SequentialOnly = seed, 0.006, steps, true
			r, err := Run(c)
			if err != nil {
				t.Fatal(err)
			}
			for token, state := range r.Sequential.States() {
				answer := r.Readout(state).RawRowView(r.Tokens.Classes[token])
				got += cosine(answer, r.Tokens.V.RawRowView(token)) / float64(seeds*c.Length)
			}
		}
		t.Logf("K = %d: %.3f here, %.3f elsewhere", steps, got, want)
		if !(math.Abs(got-want) < 0.04) {
			t.Errorf("K = %d: mean cosine %.3f, measured elsewhere %.3f", steps, got, want)
		}
	}
}

// The ten clean class keys are answered with recognisable digits, and at
// α = 0.9 with η(1−α) still are: 0.90 and 0.95 of them nearest to the mean
// picture of their own class (measured with NumPy on its own draws).
func TestCleanKeysAreAnsweredWithTheirOwnDigit(t *testing.T) {
	means := make([][]float64, digitClasses)
	for class := range means {
		means[class] = make([]float64, digitPixels)
	}
	overall := meanDigit()
	for n := range digitCount {
		pixels, class := digit(n)
		for p, x := range pixels {
			means[class][p] += (x - overall[p]) / 20
		}
	}
	const seeds = 12
	for alpha, want := range map[float64]float64{0: 0.90, 0.9: 0.95} {
		right := 0.0
		for seed := range uint64(seeds) {
			c, _ := Default("digits")
			c.Seed, c.Alpha, c.Hold = seed, alpha, true
			r, err := Run(c)
			if err != nil {
				t.Fatal(err)
			}
			answers := r.Readout(r.Sequential.State(c.Length - 1))
			for class := range digitClasses {
				nearest, best := -1, math.Inf(-1)
				for other, picture := range means {
					if near := cosine(answers.RawRowView(class), picture); near > best {
						nearest, best = other, near
					}
				}
				if nearest == class {
					right += 1.0 / (seeds * digitClasses)
				}
			}
		}
		t.Logf("α=%v: %.2f here, %.2f elsewhere", alpha, right, want)
		if !(math.Abs(right-want) < 0.07) {
			t.Errorf("α=%v: a share of %.2f answers with its own digit, elsewhere %.2f", alpha, right, want)
		}
	}
}
