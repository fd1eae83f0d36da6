package scene

import "math"

// Scales are the film's fixed ranges: what is drawn at full colour or full
// length. They are taken over the whole film, so that a state that grows is
// seen to grow. Zero means that there is nothing to draw.
type Scales struct {
	State      float32 // 99th percentile of |S|
	Effective  float32 // 99th percentile of |v̂|
	Key        float32 // largest |k̂|
	Multiplier float32 // largest c·Scale
	Spectrum   float32 // largest singular value
	Output     float32 // 99th percentile of |v| and |o|
}

func (s *Scales) list() []float32 {
	return []float32{s.State, s.Effective, s.Key, s.Multiplier, s.Spectrum, s.Output}
}

func (s *Scales) set(x []float32) {
	*s = Scales{x[0], x[1], x[2], x[3], x[4], x[5]}
}

// Measure sets the film's Scales from its arrays.
func (f *Film) Measure() {
	f.Scales = Scales{
		State:      percentile(0.99, f.State),
		Effective:  percentile(0.99, f.Effective),
		Key:        percentile(1, f.Key),
		Multiplier: percentile(1, f.Multiplier) * finite(f.Scale),
		Spectrum:   percentile(1, f.Spectrum),
		Output:     percentile(0.99, f.Value, f.Output),
	}
}

// percentile returns the p-quantile of the finite |x|, at most 0.8 % too
// large: positive floats sort like their bits, so one pass that counts the
// upper 16 bits (exponent and 7 bits of the fraction) replaces a sort. p = 1
// gives the exact maximum.
func percentile(p float64, arrays ...[]float32) float32 {
	var counts [1 << 15]int
	total, largest := 0, float32(0)
	for _, xs := range arrays {
		for _, x := range xs {
			bits := math.Float32bits(x) &^ (1 << 31)
			if bits >= 0x7f800000 { // Inf or NaN
				continue
			}
			counts[bits>>16]++
			total++
			largest = max(largest, math.Float32frombits(bits))
		}
	}
	if total == 0 || p >= 1 {
		return largest
	}
	left := int(p * float64(total))
	for bin, n := range counts {
		if left -= n; left < 0 {
			return min(largest, math.Float32frombits(uint32(bin+1)<<16))
		}
	}
	return largest
}

// finite is x, with NaN as 0 and infinities as the largest float32.
func finite(x float32) float32 {
	switch {
	case x != x:
		return 0
	case x > math.MaxFloat32:
		return math.MaxFloat32
	case x < -math.MaxFloat32:
		return -math.MaxFloat32
	}
	return x
}

// ratio is x/scale between −1 and 1; 0 where the scale is no positive number.
func ratio(x, scale float32) float32 {
	if !(scale > 0) {
		return 0
	}
	return max(-1, min(1, finite(x)/scale))
}

// mix is a + (b−a)·g, exact at g = 0 and g = 1, finite for all input.
func mix(a, b, g float32) float32 {
	if g <= 0 {
		return finite(a)
	}
	if g >= 1 {
		return finite(b)
	}
	return finite(finite(a)*(1-g) + finite(b)*g)
}
