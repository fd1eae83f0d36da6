// Package say puts values into sentences, with the verbs of fmt that the engine
// needs and without fmt: fmt and what it pulls in weigh 80 KB in the worker's
// binary. Its test holds it to fmt's own output.
//
// Verbs: %s, %v and %d for strings, integers, bools, errors and floats (and %v
// for slices of them), %q for strings, %c for runes, %g, %e and %f with an
// optional precision for floats, %% for a percent sign. A precision cuts %s and %q.
package say

import (
	"reflect"
	"strconv"
	"unicode/utf8"
)

// Sprintf returns format with each verb replaced by its argument.
func Sprintf(format string, args ...any) string { return string(appendf(nil, format, args)) }

// Errorf returns an error whose text is Sprintf's. It wraps nothing.
func Errorf(format string, args ...any) error { return sentence(appendf(nil, format, args)) }

type sentence string

func (s sentence) Error() string { return string(s) }

func appendf(out []byte, format string, args []any) []byte {
	for i := 0; i < len(format); i++ {
		if format[i] != '%' {
			out = append(out, format[i])
			continue
		}
		i++
		precision := -1
		if i < len(format) && format[i] == '.' {
			precision = 0
			for i++; i < len(format) && format[i] >= '0' && format[i] <= '9'; i++ {
				precision = 10*precision + int(format[i]-'0')
			}
		}
		switch {
		case i >= len(format):
			panic("say: format ends within a verb: " + format)
		case format[i] == '%':
			out = append(out, '%')
		case len(args) == 0:
			panic("say: too few arguments for " + format)
		default:
			out = appendVerb(out, format[i], precision, args[0])
			args = args[1:]
		}
	}
	if len(args) > 0 {
		panic("say: too many arguments for " + format)
	}
	return out
}

func appendVerb(out []byte, verb byte, precision int, arg any) []byte {
	switch verb {
	case 's', 'q':
		value := cut(string(appendValue(nil, -1, arg)), precision)
		if verb == 'q' {
			return strconv.AppendQuote(out, value)
		}
		return append(out, value...)
	case 'c':
		r, _ := arg.(rune)
		return utf8.AppendRune(out, r)
	case 'e', 'f':
		if precision < 0 {
			precision = 6
		}
		x, _ := arg.(float64)
		return strconv.AppendFloat(out, x, verb, precision, 64)
	case 'g', 'v', 'd':
		return appendValue(out, precision, arg)
	}
	panic("say: unknown verb %" + string(verb))
}

// appendValue writes a value as fmt's %v would; what no sentence
// holds so far shows as "?".
func appendValue(out []byte, precision int, arg any) []byte {
	switch x := arg.(type) {
	case string:
		return append(out, x...)
	case []byte:
		return append(out, x...)
	case error:
		return append(out, x.Error()...)
	case interface{ String() string }:
		return append(out, x.String()...)
	case int:
		return strconv.AppendInt(out, int64(x), 10)
	case int64:
		return strconv.AppendInt(out, x, 10)
	case int32:
		return strconv.AppendInt(out, int64(x), 10)
	case uint64:
		return strconv.AppendUint(out, x, 10)
	case uint32:
		return strconv.AppendUint(out, uint64(x), 10)
	case uint8:
		return strconv.AppendUint(out, uint64(x), 10)
	case bool:
		return strconv.AppendBool(out, x)
	case float64:
		return strconv.AppendFloat(out, x, 'g', precision, 64)
	case float32:
		return strconv.AppendFloat(out, float64(x), 'g', precision, 32)
	case []float64:
		return appendAll(out, precision, x)
	case [][3]float64:
		return appendAll(out, precision, x)
	case [3]float64:
		return appendAll(out, precision, x[:])
	}
	return appendNamed(out, precision, reflect.ValueOf(arg))
}

// appendNamed writes a value of a named type by what it is made of.
func appendNamed(out []byte, precision int, v reflect.Value) []byte {
	switch v.Kind() {
	case reflect.String:
		return append(out, v.String()...)
	case reflect.Int, reflect.Int8, reflect.Int16:
		return strconv.AppendInt(out, v.Int(), 10)
	case reflect.Float64:
		return strconv.AppendFloat(out, v.Float(), 'g', precision, 64)
	}
	return append(out, '?')
}

func appendAll[T any](out []byte, precision int, xs []T) []byte {
	out = append(out, '[')
	for i, x := range xs {
		if i > 0 {
			out = append(out, ' ')
		}
		out = appendValue(out, precision, x)
	}
	return append(out, ']')
}

// cut keeps the first runes of s, all where runes is negative.
func cut(s string, runes int) string {
	if runes < 0 {
		return s
	}
	for i := range s {
		if runes == 0 {
			return s[:i]
		}
		runes--
	}
	return s
}
