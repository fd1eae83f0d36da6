// Command pack joins the data segments of a Go program for the browser.
//
//	pack FILE.wasm   rewrites the file
//
// Go's linker leaves out every run of more than eight zero bytes, so that one
// table of the runtime alone, a word and sixteen zeros for each function's piece
// of the address space, becomes tens of thousands of segments of five bytes each
// under headers of seven. Zeros pack better than headers, and few segments are
// sooner copied than many: with them joined the engine is a twelfth smaller after
// gzip. What lies in memory at the start stays the same to the byte.
package main

import (
	"errors"
	"fmt"
	"os"
)

// widest is the widest gap, in bytes, that is filled with zeros. Wider ones are
// rare: what lies there is not worth its bytes before compression.
const widest = 64

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: pack FILE.wasm")
		os.Exit(2)
	}
	if err := rewrite(os.Args[1]); err != nil {
		fmt.Fprintf(os.Stderr, "pack: %s: %v\n", os.Args[1], err)
		os.Exit(1)
	}
}

func rewrite(name string) error {
	module, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	packed, err := pack(module)
	if err != nil {
		return err
	}
	return os.WriteFile(name, packed, 0o644)
}

var errForm = errors.New("not a module as Go's linker writes it")

const (
	preamble    = "\x00asm\x01\x00\x00\x00"
	dataSection = 11
)

// pack returns the module with its data segments joined; all other sections are
// copied as they are. See https://webassembly.github.io/spec/core/binary/modules.html.
func pack(module []byte) ([]byte, error) {
	if len(module) < len(preamble) || string(module[:len(preamble)]) != preamble {
		return nil, errForm
	}
	out := append([]byte(nil), preamble...)
	in := reader{rest: module[len(preamble):]}
	for len(in.rest) > 0 {
		id := in.take(1)
		body := in.take(in.unsigned())
		if in.failed {
			return nil, errForm
		}
		if id[0] == dataSection {
			segments, err := read(body)
			if err != nil {
				return nil, err
			}
			body = write(join(segments))
		}
		out = append(out, id[0])
		out = unsigned(out, len(body))
		out = append(out, body...)
	}
	return out, nil
}

// A segment is what lies in memory from an address on when the program starts.
type segment struct {
	at   int
	data []byte
}

func read(body []byte) ([]segment, error) {
	in := reader{rest: body}
	count := in.unsigned()
	if count > len(in.rest) {
		return nil, errForm
	}
	segments := make([]segment, count)
	for i := range segments {
		// of memory 0, at a constant address: 0, i32.const …, end
		head := in.take(2)
		at := in.signed()
		end := in.take(1)
		data := in.take(in.unsigned())
		if in.failed || head[0] != 0 || head[1] != 0x41 || end[0] != 0x0b || at < 0 {
			return nil, errForm
		}
		segments[i] = segment{at, data}
	}
	if len(in.rest) > 0 {
		return nil, errForm
	}
	return segments, nil
}

// join fills narrow gaps between a segment and the next with zeros. A segment
// that starts before the last one ended stays its own, as its bytes come later.
func join(segments []segment) []segment {
	var joined []segment
	for _, s := range segments {
		if n := len(joined); n > 0 {
			last := &joined[n-1]
			if gap := s.at - last.at - len(last.data); gap >= 0 && gap <= widest {
				last.data = append(append(last.data, make([]byte, gap)...), s.data...)
				continue
			}
		}
		joined = append(joined, segment{s.at, append([]byte(nil), s.data...)})
	}
	return joined
}

func write(segments []segment) []byte {
	out := unsigned(nil, len(segments))
	for _, s := range segments {
		out = append(out, 0, 0x41)
		out = signed(out, s.at)
		out = append(out, 0x0b)
		out = unsigned(out, len(s.data))
		out = append(out, s.data...)
	}
	return out
}

// reader takes bytes and LEB128 numbers off a text; failed says that it ended early.
type reader struct {
	rest   []byte
	failed bool
}

func (r *reader) take(n int) []byte {
	if n < 0 || n > len(r.rest) {
		r.failed, r.rest = true, nil
		return make([]byte, 2) // enough for whoever looks before asking
	}
	taken := r.rest[:n]
	r.rest = r.rest[n:]
	return taken
}

func (r *reader) unsigned() int {
	n, _ := r.number()
	return n
}

func (r *reader) signed() int {
	n, bits := r.number()
	if n>>(bits-1)&1 == 1 {
		n -= 1 << bits
	}
	return n
}

// number reads seven bits a byte, the lowest first, and says how many there were.
func (r *reader) number() (n, bits int) {
	for bits < 35 {
		b := r.take(1)[0]
		n |= int(b&0x7f) << bits
		bits += 7
		if b < 0x80 {
			return n, bits
		}
	}
	r.failed, r.rest = true, nil
	return 0, bits
}

func unsigned(out []byte, n int) []byte {
	for ; n >= 0x80; n >>= 7 {
		out = append(out, byte(n)|0x80)
	}
	return append(out, byte(n))
}

// signed writes n ≥ 0; bit 6 of the last byte is the sign.
func signed(out []byte, n int) []byte {
	for ; n >= 0x40; n >>= 7 {
		out = append(out, byte(n&0x7f)|0x80)
	}
	return append(out, byte(n))
}
