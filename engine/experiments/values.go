package experiments

import (
	"encoding/base64"
	"math"
	"slices"
	"strconv"
	"strings"

	"unrolled/engine/say"
)

// A form reads knob values. What lies outside a knob's range is clamped with a
// warning; what is no value at all is an error, and the first one stands.
type form struct {
	knobs    []Knob
	values   Values
	warnings []string
	names    []string // of the words of the text that is read; nil without one
	err      error
}

// read opens a form on values, whose names must all be knobs.
func read(experiment string, knobs []Knob, values Values) *form {
	f := &form{knobs: knobs, values: values}
	var names, strangers []string
	for _, k := range knobs {
		names = append(names, k.Name)
	}
	for name := range values {
		if !slices.Contains(names, name) {
			strangers = append(strangers, name)
		}
	}
	if len(strangers) > 0 {
		slices.Sort(strangers)
		f.fail("%s has no knob %q; it has %s", experiment, clip(strangers[0]), strings.Join(names, ", "))
	}
	return f
}

func (f *form) fail(format string, args ...any) {
	if f.err == nil {
		f.err = say.Errorf(format, args...)
	}
}

func (f *form) failWith(err error) {
	if f.err == nil {
		f.err = err
	}
}

func (f *form) warn(format string, args ...any) {
	f.warnings = append(f.warnings, say.Sprintf(format, args...))
}

// has reports whether the experiment offers the knob.
func (f *form) has(name string) bool {
	return slices.ContainsFunc(f.knobs, func(k Knob) bool { return k.Name == name })
}

// text returns the knob of that name and its value or default.
func (f *form) text(name string) (Knob, string) {
	for _, k := range f.knobs {
		if k.Name != name {
			continue
		}
		if text := strings.TrimSpace(f.values[name]); text != "" {
			return k, text
		}
		return k, k.Default
	}
	panic("experiments: no knob " + name)
}

// number reads a Number or Seed knob.
func (f *form) number(name string) float64 {
	k, text := f.text(name)
	x, ok := parse(text)
	if !ok {
		f.fail("%s is %q; it must be a number from %s to %s", name, clip(text), plain(k.Min), plain(k.top()))
		return k.Min
	}
	if k.Integer && x != math.Round(x) {
		f.warn("%s takes whole numbers, so %s became %s.", upper(name), plain(x), plain(math.Round(x)))
		x = math.Round(x)
	}
	return f.clamp(k, x)
}

// clamp moves x into the knob's range, with a warning.
func (f *form) clamp(k Knob, x float64) float64 {
	within := min(max(x, k.Min), k.top())
	if within != x {
		f.warn("%s goes from %s to %s, so %s became %s.", upper(k.Name), plain(k.Min), plain(k.top()), plain(x), plain(within))
	}
	return within
}

// top is the largest value that the engine takes from a knob.
func (k Knob) top() float64 { return max(k.Max, k.limit) }

// choice reads a Choice knob.
func (f *form) choice(name string) string {
	k, text := f.text(name)
	var options []string
	for _, option := range k.Choices {
		if option.Value == text {
			return text
		}
		options = append(options, option.Value)
	}
	f.fail("%s is %q; choose %s", name, clip(text), strings.Join(options, " or "))
	return k.Default
}

// on reads a Switch knob.
func (f *form) on(name string) bool {
	_, text := f.text(name)
	if text != "on" && text != "off" {
		f.fail("%s is %q; it must be on or off", name, clip(text))
	}
	return text == "on"
}

// cursor reads a Cursor knob among n tokens; empty or −1 is fallback.
func (f *form) cursor(name string, n, fallback int) int {
	_, text := f.text(name)
	if text == "" || text == "-1" {
		return fallback
	}
	x, ok := parse(text)
	if !ok {
		f.fail("%s is %q; it must be a token from 0 to %d", name, clip(text), n-1)
		return fallback
	}
	at := int(min(max(math.Round(x), 0), float64(n-1)))
	if float64(at) != x {
		f.warn("%s %s is not among the %d here; the nearest is shown.", upper(name), plain(x+1), n)
	}
	return at
}

// sequence reads a Sequence knob for n tokens; empty is nil. A shorter one goes
// on with its last value, a longer one is cut.
func (f *form) sequence(name string, n int) []float64 {
	k, text := f.text(name)
	if text == "" {
		return nil
	}
	given, ok := parseSequence(text)
	if !ok {
		f.fail("%s is %q; it must be numbers with commas between, or their packed form", name, clip(text))
		return nil
	}
	all := make([]float64, n)
	clamped := 0
	for t := range all {
		x := given[min(t, len(given)-1)]
		all[t] = min(max(x, k.Min), k.Max)
		if all[t] != x {
			clamped++
		}
	}
	if clamped > 0 {
		f.warn("%s goes from %s to %s, so %s clamped.", upper(k.Label), plain(k.Min), plain(k.Max), count(clamped, "value was", "values were"))
	}
	return all
}

// packedUnit is the step of a packed sequence: byte b stands for b/200.
const packedUnit = 200

// words reads a Text knob, in which an empty text counts as given.
func (f *form) words(name string) string {
	if text, given := f.values[name]; given {
		return text
	}
	_, text := f.text(name)
	return text
}

// parseSequence reads numbers with commas between, or the packed form of a
// link: base64url, one byte a token. A text with a comma or a point is a list.
func parseSequence(text string) ([]float64, bool) {
	if strings.ContainsAny(text, ",.") {
		var list []float64
		for field := range strings.SplitSeq(text, ",") {
			x, ok := parse(strings.TrimSpace(field))
			if !ok {
				return nil, false
			}
			list = append(list, x)
		}
		return list, true
	}
	bytes, err := base64.RawURLEncoding.DecodeString(strings.TrimRight(text, "="))
	if err != nil || len(bytes) == 0 {
		return nil, false
	}
	list := make([]float64, len(bytes))
	for t, b := range bytes {
		list[t] = float64(b) / packedUnit
	}
	return list, true
}

// parse reads a finite number.
func parse(text string) (float64, bool) {
	x, err := strconv.ParseFloat(text, 64)
	return x, err == nil && !math.IsNaN(x) && !math.IsInf(x, 0)
}

// clip keeps what is repeated to the reader short.
func clip(text string) string {
	const most = 40
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}
