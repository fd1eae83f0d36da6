package wire

import (
	"math"
	"strconv"
	"unicode/utf8"
)

// writer appends JSON to out and measured values to numbers.
type writer struct {
	out     []byte
	numbers []float64
}

// separate puts a comma where a value or a name follows another one.
func (w *writer) separate() {
	if n := len(w.out); n > 0 {
		switch w.out[n-1] {
		case '{', '[', ':', ',':
		default:
			w.out = append(w.out, ',')
		}
	}
}

func (w *writer) field(name string) *writer {
	w.text(name)
	w.out = append(w.out, ':')
	return w
}

func (w *writer) object(fields func()) {
	w.separate()
	w.out = append(w.out, '{')
	fields()
	w.out = append(w.out, '}')
}

func list[T any](w *writer, items []T, one func(T)) {
	w.separate()
	w.out = append(w.out, '[')
	for _, item := range items {
		one(item)
	}
	w.out = append(w.out, ']')
}

// array moves xs into the block of numbers and leaves its place in the text.
func (w *writer) array(xs []float64) {
	at := len(w.numbers)
	w.numbers = append(w.numbers, xs...)
	w.object(func() {
		w.field("at").number(float64(at))
		w.field("n").number(float64(len(xs)))
	})
}

// number writes null for what JSON cannot say.
func (w *writer) number(x float64) {
	w.separate()
	if math.IsNaN(x) || math.IsInf(x, 0) {
		w.out = append(w.out, "null"...)
		return
	}
	w.out = strconv.AppendFloat(w.out, x, 'g', -1, 64)
}

func (w *writer) boolean(b bool) {
	w.separate()
	w.out = strconv.AppendBool(w.out, b)
}

// text escapes what JSON asks for; invalid UTF-8 becomes U+FFFD.
func (w *writer) text(s string) {
	w.separate()
	w.out = append(w.out, '"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			w.out = append(w.out, '\\', byte(r))
		case r < 0x20 || r == 0x2028 || r == 0x2029:
			const hex = "0123456789abcdef"
			w.out = append(w.out, '\\', 'u', hex[r>>12&15], hex[r>>8&15], hex[r>>4&15], hex[r&15])
		default:
			w.out = utf8.AppendRune(w.out, r)
		}
	}
	w.out = append(w.out, '"')
}
