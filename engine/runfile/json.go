package runfile

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
)

// Bounds of a file: what is longer or deeper is not read.
const (
	maxBytes = 64 << 20
	maxDepth = 16
)

// readBounded reads a file and stops at the first byte that makes it too long
// or too deep, so that neither can fill the memory.
func readBounded(r io.Reader) ([]byte, error) {
	var (
		all                []byte
		block              = make([]byte, 64<<10)
		depth              int
		quoted, afterSlash bool
	)
	for {
		n, err := r.Read(block)
		for _, b := range block[:n] {
			switch {
			case afterSlash:
				afterSlash = false
			case quoted && b == '\\':
				afterSlash = true
			case b == '"':
				quoted = !quoted
			case !quoted && (b == '{' || b == '['):
				depth++
			case !quoted && (b == '}' || b == ']'):
				depth--
			}
			if depth > maxDepth {
				return nil, fmt.Errorf("the file is nested more than %d deep; a run file is a model, inputs and matrices", maxDepth)
			}
		}
		all = append(all, block[:n]...)
		if len(all) > maxBytes {
			return nil, fmt.Errorf("the file is longer than %d MB", maxBytes>>20)
		}
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err != nil {
			return nil, err
		}
	}
}

// An object is a JSON object whose fields are taken one by one. What nobody
// took is unknown, and an error: no part of a file is ignored.
type object struct {
	path   string // as a sentence names it: "model", "inputs.theta"
	fields map[string]json.RawMessage
	taken  map[string]bool
}

// parseObject reads one object and nothing after it. A key that stands twice is
// an error; null is a field that is not there.
func parseObject(path string, raw []byte) (*object, error) {
	o := &object{path: path, fields: map[string]json.RawMessage{}, taken: map[string]bool{}}
	d := json.NewDecoder(bytes.NewReader(raw))
	start, err := d.Token()
	if err != nil {
		return nil, syntax(err)
	}
	if start != json.Delim('{') {
		return nil, fmt.Errorf("%s must be an object", path)
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return nil, syntax(err)
		}
		name, _ := key.(string)
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return nil, syntax(err)
		}
		if o.taken[name] {
			return nil, fmt.Errorf("%s stands twice", o.name(name))
		}
		o.taken[name] = true
		if string(value) != "null" {
			o.fields[name] = value
		}
	}
	if _, err := d.Token(); err != nil {
		return nil, syntax(err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("something follows the end of the file's object")
	}
	clear(o.taken)
	return o, nil
}

func syntax(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New("the file ends in the middle")
	}
	return fmt.Errorf("the file is not JSON: %w", err)
}

// name is a field as a sentence names it.
func (o *object) name(field string) string {
	if o.path == "the file" {
		return shorten(field)
	}
	return o.path + "." + shorten(field)
}

// shorten keeps names that come from a file short and on one line.
func shorten(text string) string {
	if len(text) > 40 {
		text = text[:40] + "…"
	}
	return strings.Map(func(r rune) rune {
		if r < ' ' {
			return ' '
		}
		return r
	}, text)
}

// has reports whether a field is there; take returns it.
func (o *object) has(field string) bool { return o.fields[field] != nil }

func (o *object) take(field string) (json.RawMessage, bool) {
	raw, ok := o.fields[field]
	o.taken[field] = true
	return raw, ok
}

// rest returns an error that names a field nobody took.
func (o *object) rest() error {
	for _, field := range slices.Sorted(maps.Keys(o.fields)) {
		if !o.taken[field] {
			return fmt.Errorf("%s is not a field that unrolled knows here; a file is never run with a part ignored", o.name(field))
		}
	}
	return nil
}

// text returns a string field, or without where it is missing.
func (o *object) text(field, without string) (string, error) {
	raw, ok := o.take(field)
	if !ok {
		return without, nil
	}
	var s string
	if err := json.Unmarshal(raw, &s); err != nil {
		return "", fmt.Errorf("%s must be a text", o.name(field))
	}
	if strings.HasSuffix(s, "-quirk") {
		return "", fmt.Errorf("%s is %q, a slip of the code it comes from; unrolled runs the rule, not the slip", o.name(field), shorten(s))
	}
	return s, nil
}

// choice returns a string field that must be one of the choices, the first
// where it is missing.
func (o *object) choice(field string, choices ...string) (string, error) {
	s, err := o.text(field, choices[0])
	if err != nil {
		return "", err
	}
	if !slices.Contains(choices, s) {
		return "", fmt.Errorf("%s is %q; it must be %s", o.name(field), shorten(s), strings.Join(choices, " or "))
	}
	return s, nil
}

// boolean returns a true or false field, false where it is missing.
func (o *object) boolean(field string) (bool, error) {
	raw, ok := o.take(field)
	if !ok {
		return false, nil
	}
	var b bool
	if err := json.Unmarshal(raw, &b); err == nil {
		return b, nil
	}
	if _, err := o.text(field, ""); err != nil {
		return false, err // a quirk has its own sentence
	}
	return false, fmt.Errorf("%s must be true or false", o.name(field))
}

// number returns a number field, or without where it is missing.
func (o *object) number(field string, without float64) (float64, error) {
	raw, ok := o.take(field)
	if !ok {
		return without, nil
	}
	var x float64
	if err := json.Unmarshal(raw, &x); err != nil {
		return 0, fmt.Errorf("%s must be a finite number", o.name(field))
	}
	return x, nil
}

// whole returns a number field that counts something.
func (o *object) whole(field string, without int) (int, error) {
	x, err := o.number(field, float64(without))
	if err != nil {
		return 0, err
	}
	const most = 1 << 31
	if x != math.Trunc(x) || math.Abs(x) > most {
		return 0, fmt.Errorf("%s is %v; it must be a whole number from −%d to %d", o.name(field), x, most, most)
	}
	return int(x), nil
}

// object returns a field that is an object, nil where it is missing.
func (o *object) object(field string) (*object, error) {
	raw, ok := o.take(field)
	if !ok {
		return nil, nil
	}
	return parseObject(o.name(field), raw)
}
