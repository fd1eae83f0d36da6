package scene

import "math"

// A moment is a film at one time. Between two clock ticks the present token is
// being written: its picture is there, and the state is on its way from
// S_{t−1} to S_t.
type moment struct {
	*Film
	present int     // token being written or written last; −1 before the first
	done    float32 // share of its write that is in the state, 0 … 1
	since   float32 // time since its write began, 0 … 1
	rush    float32 // emphasis of what changes: 0 at rest, 1 in the middle
	kept    int     // the kept state that is reached next, or is here; −1 at time 0
	keptBy  float32 // share of the way to it
}

// at returns the film at a time, clamped to 0 … T.
func (f *Film) at(time float64) moment {
	if !(time > 0) || f.Tokens == 0 {
		return moment{Film: f, present: -1, done: 1, kept: -1, keptBy: 1}
	}
	time = min(time, float64(f.Tokens))
	m := moment{Film: f, present: int(math.Ceil(time)) - 1}
	since := time - float64(m.present)
	m.since, m.done = float32(since), float32(ease(since))
	if m.rush = float32(math.Sin(math.Pi * since)); m.rush < 0.001 {
		m.rush = 0
	}
	// The kept state j is reached at the clock KeptToken(j)+1.
	m.kept = max(m.present, 0) / f.Stride
	from, to := m.kept*f.Stride, f.KeptToken(m.kept)+1
	m.keptBy = float32(ease((time - float64(from)) / float64(to-from)))
	if f.Stride > 1 {
		m.keptBy = float32((time - float64(from)) / float64(to-from))
	}
	return m
}

// ease starts and ends at rest.
func ease(s float64) float64 {
	s = min(1, max(0, s))
	return s * s * (3 - 2*s)
}

// between fills dst with the row of m's moment in an array that has one row of
// len(dst) values for each kept state; start is the row before the first, nil
// for zeros.
func (m moment) between(dst, array, start []float32) {
	width := len(dst)
	var before, after []float32
	if m.kept >= 0 {
		after = row(array, m.kept, width)
	} else {
		after = start
	}
	if before = start; m.kept > 0 {
		before = row(array, m.kept-1, width)
	}
	for i := range dst {
		dst[i] = mix(get(before, i), get(after, i), m.keptBy)
	}
}

func get(xs []float32, i int) float32 {
	if i < len(xs) {
		return xs[i]
	}
	return 0
}

// state fills dst, D_h×D_v, with S at this moment.
func (m moment) state(dst []float32) { m.between(dst, m.State, m.Initial) }

// change fills dst, one value for each row of the state, with the size of what
// the present write does to that row, relative to the row that changes most.
func (m moment) change(dst []float32) {
	clear(dst)
	if m.kept < 0 {
		return
	}
	largest := 0.0
	sizes := make([]float64, len(dst))
	for r := range dst {
		for c := 0; c < m.ValueDim; c++ {
			i := r*m.ValueDim + c
			before := get(m.Initial, i)
			if m.kept > 0 {
				before = m.State[(m.kept-1)*m.KeyDim*m.ValueDim+i]
			}
			d := float64(finite(m.State[m.kept*m.KeyDim*m.ValueDim+i])) - float64(finite(before))
			sizes[r] += d * d
		}
		largest = max(largest, sizes[r])
	}
	if largest > 0 {
		for r := range dst {
			dst[r] = float32(math.Sqrt(sizes[r] / largest))
		}
	}
}

// weight is token i's multiplier times Scale: what it had before the present
// write, and what it has now.
func (m moment) weight(i int) (before, now float32) {
	if i > m.present {
		return 0, 0
	}
	before = finite(m.multiplier(m.present-1, i)) * finite(m.Scale)
	now = mix(before, finite(m.multiplier(m.present, i))*finite(m.Scale), m.done)
	if m.done >= 1 {
		before = now
	}
	return before, now
}

// tokenRow is the present token's row of a T×width array, nil before the
// first.
func (m moment) tokenRow(array []float32, width int) []float32 {
	if m.present < 0 {
		return nil
	}
	return row(array, m.present, width)
}

// energy returns the spectrum at this moment, and the top direction's share of
// its squared length (0 where the state is zero).
func (m moment) energy() (values []float32, top float64) {
	values = make([]float32, m.Rank())
	m.between(values, m.Spectrum, nil)
	sum := 0.0
	for _, v := range values {
		sum += float64(v) * float64(v)
	}
	if sum > 0 && len(values) > 0 {
		top = float64(values[0]) * float64(values[0]) / sum
	}
	return values, top
}

// round rounds x to 1/steps.
func round(x, steps float64) float64 { return math.Round(x*steps) / steps }
