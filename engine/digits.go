package engine

import (
	_ "embed"
	"math"

	"gonum.org/v1/gonum/mat"
)

// Whoever shows the digits names their source and licence.
const (
	DigitsSource  = "Optical Recognition of Handwritten Digits, E. Alpaydin and C. Kaynak, UCI Machine Learning Repository, 1998"
	DigitsLink    = "https://doi.org/10.24432/C50P49"
	DigitsLicence = "CC BY 4.0"
	DigitsTerms   = "https://creativecommons.org/licenses/by/4.0/"
	DigitsChanges = "the first 20 of each class of the test part, scaled to 0…1 and centred by their mean image"
)

const (
	digitCount   = 200
	digitClasses = 10
	digitPixels  = 64 // 8×8, row-major
	digitRecord  = digitPixels + 1
	digitWhite   = 16 // the largest pixel value
)

// digitsData is digitCount records of 64 pixels 0…16 and the class, one byte
// each, made from testdata/digits.csv by `go test ./engine -run Digits -update`.
//
//go:embed digits.bin
var digitsData string

// digit returns the pixels of digit n, scaled to 0…1, and its class.
func digit(n int) (pixels [digitPixels]float64, class int) {
	record := digitsData[n*digitRecord : (n+1)*digitRecord]
	for p := range pixels {
		pixels[p] = float64(record[p]) / digitWhite
	}
	return pixels, int(record[digitPixels])
}

// meanDigit returns the mean image of all digits, scaled to 0…1.
func meanDigit() []float64 {
	mean := make([]float64, digitPixels)
	for n := range digitCount {
		pixels, _ := digit(n)
		for p, x := range pixels {
			mean[p] += x / digitCount
		}
	}
	return mean
}

// drawDigits: v is a digit's picture minus the mean image; k is the unit key of
// its class plus KeyNoise/√Dk·N(0, I), renormalised; q = k + QueryNoise·N(0, I).
// Digits are dealt from a shuffled deck of all 200, so none repeats before all
// were shown.
func drawDigits(c Config) *Tokens {
	classKeys := gaussianMatrix(stream(c.Seed, streamClasses), digitClasses, c.KeyDim, 1)
	normalizeRows(classKeys)

	order := stream(c.Seed, streamOrder)
	mean := meanDigit()
	k := mat.NewDense(c.Length, c.KeyDim, nil)
	v := mat.NewDense(c.Length, digitPixels, nil)
	classes := make([]int, c.Length)
	var deck []int
	for t := range c.Length {
		if len(deck) == 0 {
			deck = order.Perm(digitCount)
		}
		pixels, class := digit(deck[0])
		deck = deck[1:]
		classes[t] = class
		copy(k.RawRowView(t), classKeys.RawRowView(class))
		for p, x := range pixels {
			v.Set(t, p, x-mean[p])
		}
	}
	k = withNoise(k, stream(c.Seed, streamKeys), c.KeyNoise/math.Sqrt(float64(c.KeyDim)))
	normalizeRows(k)
	return &Tokens{
		K: k, Q: withNoise(k, stream(c.Seed, streamQueries), c.QueryNoise), V: v,
		Classes: classes, Mean: mean, Probes: classKeys,
	}
}
