package engine

import (
	"math"
	"testing"
)

func drawn(t *testing.T, task string, change func(c *Config)) *Tokens {
	t.Helper()
	c, err := Default(task)
	if err != nil {
		t.Fatal(err)
	}
	if change != nil {
		change(&c)
	}
	tokens, _, err := c.Build()
	if err != nil {
		t.Fatal(err)
	}
	return tokens
}

// Without noise every query of recall is some earlier token's key, and its
// target that token's value.
func TestRecallAsksForAnEarlierToken(t *testing.T) {
	x := drawn(t, "recall", func(c *Config) { c.QueryNoise = 0; c.Length = 400 })
	n, _, _ := x.Dims()
	own, late := 0, 0
	for i := range n {
		found := -1
		for j := range i + 1 {
			if largestGap(x.Q.RawRowView(i), x.K.RawRowView(j)) == 0 {
				found = j
			}
		}
		if found < 0 || largestGap(x.Targets.RawRowView(i), x.V.RawRowView(found)) != 0 {
			t.Fatalf("query %d is that of token %d, its target is not", i, found)
		}
		if found == i {
			own++
		}
		if found > i/2 {
			late++
		}
	}
	// Token t asks for itself with probability 1/(t+1): 6.6 of 400 on average.
	if own < 1 || own > 20 {
		t.Errorf("%d of %d tokens ask for themselves", own, n)
	}
	if late < n/3 || late > 2*n/3 {
		t.Errorf("%d of %d tokens ask for one of the later half so far", late, n)
	}
}

func TestSmoothingAsksForTheRunningMean(t *testing.T) {
	x := drawn(t, "smoothing", nil)
	n, _, dv := x.Dims()
	for i := range n {
		for d := range dv {
			want := 0.0
			for j := range i + 1 {
				want += 0.2 * math.Pow(0.8, float64(i-j)) * x.V.At(j, d)
			}
			if !(math.Abs(x.Targets.At(i, d)-want) < 1e-14) {
				t.Fatalf("target %d is %v, want %v", i, x.Targets.At(i, d), want)
			}
		}
	}
}

// The sizes of keys and of the noise on queries are what the tasks say.
func TestReadingTasksDrawUnitKeysAndScaledNoise(t *testing.T) {
	for task, noise := range map[string]float64{"recall": 0.2, "smoothing": 0.5} {
		x := drawn(t, task, func(c *Config) { c.Length = 2000 })
		n, _, _ := x.Dims()
		keys, off := 0.0, 0.0
		for i := range n {
			for d, k := range x.K.RawRowView(i) {
				keys += k * k / float64(n)
				if task == "smoothing" {
					off += (x.Q.At(i, d) - k) * (x.Q.At(i, d) - k) / float64(n)
				}
			}
		}
		if !(math.Abs(keys-1) < 0.03) || task == "smoothing" && !(math.Abs(off-noise*noise) < 0.02) {
			t.Errorf("%s: mean ‖k‖² is %v, ‖q−k‖² %v", task, keys, off)
		}
	}
}

func largestGap(a, b []float64) float64 {
	most := 0.0
	for d := range a {
		most = max(most, math.Abs(a[d]-b[d]))
	}
	return most
}
