package experiments

import (
	"math"

	"unrolled/engine"
	"unrolled/engine/say"
)

// A mistake is the unrolled sum with one index wrong, and what that costs.
type mistake struct {
	knob, label, role string
	text              string    // "reading the query before the write"
	gap               []float64 // a token: largest difference over the coordinates
	most              float64   // NaN where it was not run
}

func mistakeKnob(name, key, label, symbol, help string) Knob {
	return Knob{Name: name, Key: key, Kind: Switch, Label: label, Symbol: symbol, Default: "off", Help: help}
}

// longestReread bounds the readings at which all keys are computed again: the
// work grows with T².
const longestReread = 256

// mistakes measures those whose switch is on, over the tokens shown.
func (f *form) mistakes(r *engine.Result, shown int) []mistake {
	all := []mistake{
		{knob: "old-query", label: "φₜ(q)", role: "query", text: "reading the query before the write"},
		{knob: "strict", label: "i < t", role: "effective", text: "leaving the token’s own write out"},
		{knob: "new-keys", label: "φₜ₊₁(kᵢ)", role: "key", text: "computing the keys again with the newest Θ"},
	}
	for n := range all {
		m := &all[n]
		m.most = math.NaN()
		if !f.on(m.knob) || shown == 0 {
			continue
		}
		if m.knob == "new-keys" && shown > longestReread {
			f.warn("Keys are computed again at every reading only up to %d tokens.", longestReread)
			continue
		}
		m.measure(r, shown)
	}
	return all
}

// measure attends to the right writes of the unrolled run with one thing wrong.
func (m *mistake) measure(r *engine.Result, shown int) {
	loop := *r.Loop
	loop.Divergence = math.Inf(1)
	query := func(t int) []float64 { return r.Unrolled.Queries.RawRowView(t) }
	key := func(_, write int) []float64 { return r.Unrolled.Keys.RawRowView(write) }
	upTo := func(t int) int { return t }
	steps := max(1, loop.Steps)
	switch m.knob {
	case "old-query":
		// A layer that reads before it writes makes the same writes.
		loop.Order = engine.ApplyThenUpdate
		old := engine.Sequential(r.Tokens, &loop).Queries
		query = func(t int) []float64 { return old.RawRowView(t) }
	case "strict":
		upTo = func(t int) int { return t - 1 }
	case "new-keys":
		// After each write ask with every key so far: the queries of that run are
		// φ_{t+1}(k_i), i ≤ t, one triangle's row after the other.
		for t := range shown {
			loop.Operations = append(loop.Operations, engine.Operation{Start: t, End: t + 1, Update: true}, engine.Operation{End: t + 1, Apply: true})
		}
		again := engine.Sequential(&engine.Tokens{Q: r.Tokens.K, K: r.Tokens.K, V: r.Tokens.V}, &loop).Queries
		key = func(t, write int) []float64 { return again.RawRowView(t*(t+1)/2 + write/steps) }
	}
	m.most = 0
	alphas := everyStep(r.Alphas(), steps)
	_, _, dv := r.Tokens.Dims()
	out := make([]float64, dv)
	for t := range shown {
		clear(out)
		if w0 := loop.W0; w0 != nil {
			copy(out, readState(query(t), w0))
		}
		age := engine.AgeRow(alphas, (t+1)*steps-1)
		for write := range (upTo(t) + 1) * steps {
			weight := age[write] * dot(query(t), key(t, write))
			for d, v := range r.Unrolled.Effective.RawRowView(write) {
				out[d] += weight * v
			}
		}
		m.gap = append(m.gap, largest(out, r.Sequential.Output.RawRowView(t), 1))
		m.most = max(m.most, m.gap[t])
	}
}

// everyStep repeats each token's momentum for its inner steps.
func everyStep(alphas []float64, steps int) []float64 {
	all := make([]float64, 0, len(alphas)*steps)
	for _, alpha := range alphas {
		for range steps {
			all = append(all, alpha)
		}
	}
	return all
}

// rounding is the size below which a difference is no mistake.
const rounding = 1e-12

// sayMistakes says what each mistake that was made costs.
func sayMistakes(all []mistake, trained bool) string {
	text := ""
	for _, m := range all {
		switch {
		case math.IsNaN(m.most):
		case m.most > rounding:
			text += say.Sprintf(" %s is wrong by %s.", upper(m.text), significant(m.most))
		case trained:
			text += say.Sprintf(" %s makes no difference here.", upper(m.text))
		default:
			text += say.Sprintf(" %s makes no difference while Θ is frozen.", upper(m.text))
		}
	}
	return text
}

// mistaken are the mistakes beside the gap.
func (v *duelView) mistaken() []Series {
	var series []Series
	for _, m := range v.mistakes {
		if math.IsNaN(m.most) {
			continue
		}
		s := v.gaps()
		s.Name, s.Label, s.Role, s.Style = m.knob, m.label, m.role, "line"
		for t, gap := range m.gap[:len(s.Y)] {
			s.Y[t] = max(gap, gapFloor)
		}
		series = append(series, s)
	}
	return series
}

func (v *duelView) mistakeScalars() []Scalar {
	var s scalars
	for _, m := range v.mistakes {
		meaning := "largest difference to training, " + m.text
		if math.IsNaN(m.most) {
			meaning = "not measured: the switch is off, or the run is too long or diverged"
		}
		s.put("mistake."+m.knob, m.most, "", meaning, "max |sequential − sum with that index|")
	}
	return s
}
