package experiments

import (
	"math"
	"strconv"
	"strings"

	"unrolled/engine"
	"unrolled/engine/say"
)

// plain writes x as short as it reads back, whole numbers without an exponent.
func plain(x float64) string {
	if x == math.Trunc(x) && math.Abs(x) < 1e15 {
		return strconv.FormatFloat(x, 'f', 0, 64)
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}

// decimals writes a knob's value with two decimals, or more where it has more,
// up to four.
func decimals(x float64) string {
	for places := 2; places < 4; places++ {
		if text := strconv.FormatFloat(x, 'f', places, 64); math.Abs(mustParse(text)-x) < 1e-9 {
			return text
		}
	}
	return strconv.FormatFloat(x, 'f', 4, 64)
}

func mustParse(text string) float64 {
	x, _ := strconv.ParseFloat(text, 64)
	return x
}

// significant writes x to two significant digits, "0.10", "0.028", "3.8", "130",
// with a true minus in front of a negative one.
func significant(x float64) string {
	if x < 0 {
		return "−" + significant(-x)
	}
	switch {
	case x >= 0.1 && x < 100:
		return strconv.FormatFloat(x, 'f', max(0, 1-int(math.Floor(math.Log10(x)))), 64)
	case x >= 100 && x < 1e6:
		return strconv.FormatFloat(mustParse(strconv.FormatFloat(x, 'e', 1, 64)), 'f', 0, 64)
	}
	return strconv.FormatFloat(x, 'g', 2, 64)
}

// count writes "1 update" or "6 updates".
func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}

// upper makes the first letter a capital.
func upper(text string) string {
	if text == "" {
		return text
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

// sayDiverged is the sentence of a run that diverged, with the part to stress;
// "" if it did not.
func sayDiverged(r *engine.Result) (sentence, emphasis string) {
	t := r.Diverged()
	if t < 0 {
		return "", ""
	}
	emphasis = say.Sprintf("diverges at token %d", t+1) + called(r, t)
	reason := say.Sprintf("η·mean‖φ‖²/(1−α) is %s", significant(r.StepSize()))
	endless := math.IsInf(r.StepSize(), 0)
	if endless {
		reason = say.Sprintf("with a mean momentum of %.2f, η·mean‖φ‖²/(1−α) has no bound", r.Loop.Alpha.Mean())
	}
	switch {
	case r.Loop.Rate.Mean() < 0 && r.Config.Loss == "squared":
		reason += ", and gradient ascent on the squared loss has no stable rate"
	case r.Config.Loss == "squared" && !endless:
		reason += ", and the squared loss stays bounded only while that is below about 2"
	}
	return say.Sprintf("This run %s, where the output passes 1,000 times the largest value: %s. The curves stop there.", emphasis, reason), emphasis
}

// rule is the update rule with the present numbers.
func rule(c engine.Config) string {
	alpha, same := constant(c)
	scale := c.Scale()
	sign, rate := "−", c.Rate
	if rate < 0 {
		sign, rate = "+", -rate
	}
	size := plain(rate)
	tail := ""
	if c.Hold && scale != 1 {
		size = "η(1−α)"
		if !same {
			size = "η(1−ᾱ)"
		}
		tail = say.Sprintf(",  %s = %s · %s = %s", size, plain(rate), decimals(scale), strconv.FormatFloat(rate*scale, 'g', 3, 64))
	}
	if same && alpha == 0 {
		return say.Sprintf("W ← W %s %s ∇ₜ", sign, size) + tail
	}
	momentum := "αₜ"
	if same {
		momentum = decimals(alpha)
	}
	return say.Sprintf("Δₜ = ∇ₜ + %s Δₜ₋₁,  W ← W %s %s Δₜ", momentum, sign, size) + tail
}
