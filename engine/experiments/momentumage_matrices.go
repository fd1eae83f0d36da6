package experiments

import (
	"slices"

	"gonum.org/v1/gonum/mat"

	"unrolled/engine"
	"unrolled/engine/say"
)

// Bounds of the two-matrix view: looking at a state replays the inner loop, and
// a spectrum costs as much as many tokens.
const (
	longestReplay = 1024
	mostSpectra   = 128
)

// twoMatrices are what momentum keeps, reading by reading: the state S_t, and
// the step −ηΔ_t that the reading's update added to it.
type twoMatrices struct {
	reading    int
	dims       [2]int    // of either
	keys       int       // numbers in one write: k̂ and v̂
	alone      bool      // no momentum: Δ need not be kept
	sizes      []float64 // ‖S_t‖
	steps      []float64 // ‖S_t − S_{t−1}‖
	at         []int     // readings whose spectra were taken
	state      []shape   // at those
	step       []shape
	here       shape     // of the step at the reading
	now, after []float64 // the step and S_t at the reading
}

// replay goes through the inner loop once more; W_0 is zero here.
func (two *twoMatrices) replay(trace *engine.Trace, shown, reading int) {
	two.reading = reading
	if shown == 0 || shown > longestReplay {
		return
	}
	stride := max(1, (shown+mostSpectra-1)/mostSpectra)
	var before, step []float64
	for t, state := range trace.States() {
		data := state.RawMatrix().Data
		if before == nil {
			two.dims[0], two.dims[1] = state.Dims()
			before, step = make([]float64, len(data)), make([]float64, len(data))
		}
		for i, w := range data {
			step[i] = w - before[i]
		}
		two.sizes, two.steps = append(two.sizes, norm(data)), append(two.steps, norm(step))
		if t%stride == 0 {
			two.at = append(two.at, t)
			two.state, two.step = append(two.state, spectrumOf(state)), append(two.step, spectrumOf(dense(two.dims[0], step)))
		}
		if t == reading {
			two.here = spectrumOf(dense(two.dims[0], step))
			two.now, two.after = slices.Clone(step), slices.Clone(data)
		}
		copy(before, data)
	}
	_, width := trace.Keys.Dims()
	two.keys = width + two.dims[1]
	two.alone = !slices.ContainsFunc(two.step, func(s shape) bool { return s.rank > 1 })
}

func spectrumOf(m *mat.Dense) shape { return shapeOf(new(engine.Spectrum).Follow(m)) }

// charts are the sizes of both, in how many directions they are written, and how
// many numbers either way of computing keeps.
func (two *twoMatrices) charts() []Series {
	if len(two.sizes) == 0 {
		return nil
	}
	every := make([]int, len(two.sizes))
	for t := range every {
		every[t] = t
	}
	curve := func(chart, axis, name, label, role, style string, at []int, y func(n int) float64) Series {
		s := Series{Chart: chart, Name: name, Label: label, Role: role, Style: style, XAxis: Axis{Label: "reading t"}, YAxis: Axis{Label: axis}}
		for n, t := range at {
			s.X, s.Y = append(s.X, float64(t)), append(s.Y, y(n))
		}
		return s
	}
	const size, directions, numbers = "size ‖·‖", "directions, the effective rank", "numbers kept"
	ends := []int{0, len(every) - 1}
	return []Series{
		curve("matrices", size, "state", "W", "state", "line", every, func(n int) float64 { return two.sizes[n] }),
		curve("matrices", size, "step", "step", "effective", "line", every, func(n int) float64 { return two.steps[n] }),
		curve("directions", directions, "step", "step", "effective", "line", two.at, func(n int) float64 { return two.step[n].effectiveRank }),
		curve("directions", directions, "state", "W", "state", "line", two.at, func(n int) float64 { return two.state[n].effectiveRank }),
		curve("directions", directions, "one", "one write", "muted", "dashed", ends, func(int) float64 { return 1 }),
		curve("kept", numbers, "writes", "every write", "effective", "line", ends, func(n int) float64 { return float64(two.keys * (ends[n] + 1)) }),
		curve("kept", numbers, "both", "W and Δ", "state", "line", ends, func(int) float64 { return float64(2 * two.numbers()) }),
		curve("kept", numbers, "state", "W alone", "muted", "dashed", ends, func(int) float64 { return float64(two.numbers()) }),
	}
}

// numbers is how many one matrix holds.
func (two *twoMatrices) numbers() int { return two.dims[0] * two.dims[1] }

// pictures are both matrices at the reading. They share a colour scale on which
// the step alone would hardly be seen, so it is drawn stronger and says by how
// much.
func (two *twoMatrices) pictures() []Matrix {
	if two.after == nil {
		return nil
	}
	times := magnify(peak(two.after) / peak(two.now))
	stronger := slices.Clone(two.now)
	for i := range stronger {
		stronger[i] *= times
	}
	one := func(name, label string, values []float64) Matrix {
		return Matrix{
			Name: name, Label: label, Rows: two.dims[0], Cols: two.dims[1], Stride: 1,
			RowAxis: Axis{Label: "feature"}, ColAxis: Axis{Label: "output"}, Diverging: true, Values: values,
		}
	}
	label := "the step −ηΔ that led to it"
	if times > 1 {
		label += say.Sprintf(", %s times as strong", plain(times))
	}
	return []Matrix{one("state", say.Sprintf("W after token %d", two.reading+1), two.after), one("step", label, stronger)}
}

func peak(values []float64) float64 { return largest(values, values, 0) }

// magnify is the largest of 1, 2, 5, 10, 20, … up to ratio, at most 1,000.
func magnify(ratio float64) float64 {
	best := 1.0
	for power := 1.0; power <= 1000; power *= 10 {
		for _, lead := range []float64{1, 2, 5} {
			if x := lead * power; x <= ratio && x <= 1000 {
				best = x
			}
		}
	}
	return best
}

// say is what the view shows, with a space in front.
func (two *twoMatrices) say() string {
	switch {
	case two.after == nil:
		return ""
	case two.alone:
		return say.Sprintf(" Without momentum each step is one write, of rank 1, and only W is kept: %d numbers, however long the text.", two.numbers())
	}
	return say.Sprintf(" The step at this reading has rank %d, spread over %.1f directions, where one write has 1. Both W and Δ are kept: %d numbers, however long the text.",
		two.here.rank, two.here.effectiveRank, 2*two.numbers())
}

func (two *twoMatrices) scalars(s *scalars) {
	if two.after == nil {
		return
	}
	s.put("step.rank", float64(two.here.rank), "", "rank of what the update at the reading added to the state; 1 without momentum", "singular values above 10⁻⁶ of the largest")
	s.put("step.directions", two.here.effectiveRank, "", "its effective rank", "exp of the entropy of σ/Σσ")
	s.put("step.share", two.steps[two.reading]/two.sizes[two.reading], "", "size of that step over the size of the state", "‖ηΔ_t‖ / ‖S_t‖")
	kept := 2 * two.numbers()
	if two.alone {
		kept = two.numbers()
	}
	s.put("kept", float64(kept), "", "numbers that training keeps", "W, and Δ where there is momentum")
	s.put("kept.writes", float64(two.keys*(two.reading+1)), "", "numbers in all writes up to the reading", "k̂ and v̂ of each")
}

// beyond are the numbers of the views above.
func (v *ageView) beyond() []Scalar {
	var s scalars
	v.two.scalars(&s)
	raw, used := v.eventual()
	s.put("eventual.raw", raw, "", "eventual weight of a write at the rate η", "η/(1−α), with the mean of α")
	s.put("eventual", used, "", "eventual weight of a write as the run uses it", "η used/(1−α): η where the weight is held")
	v.pinScalars(&s)
	return s
}
