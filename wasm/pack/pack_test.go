package main

import (
	"bytes"
	"slices"
	"testing"
)

// module is a program with a section before its data and one behind.
func module(segments ...segment) []byte {
	out := []byte(preamble)
	for _, section := range []struct {
		id   byte
		body []byte
	}{{1, []byte("types")}, {dataSection, write(segments)}, {0, []byte("\x04name")}} {
		out = append(unsigned(append(out, section.id), len(section.body)), section.body...)
	}
	return out
}

// memory is what lies there once the segments are copied, in their order.
func memory(segments []segment) []byte {
	size := 0
	for _, s := range segments {
		size = max(size, s.at+len(s.data))
	}
	out := make([]byte, size)
	for _, s := range segments {
		copy(out[s.at:], s.data)
	}
	return out
}

func TestJoinedSegmentsLeaveTheSameMemory(t *testing.T) {
	long := bytes.Repeat([]byte("x"), 300)
	for _, row := range []struct {
		name     string
		segments []segment
		left     int
	}{
		{"none", nil, 0},
		{"one", []segment{{8, []byte("a")}}, 1},
		{"touching", []segment{{0, []byte("ab")}, {2, []byte("c")}}, 1},
		{"a gap of the widest", []segment{{63, []byte("ab")}, {65 + widest, []byte("c")}}, 1},
		{"a gap too wide", []segment{{64, []byte("ab")}, {67 + widest, []byte("c")}}, 2},
		{"a long one and many far away", []segment{{128, long}, {1 << 20, long}, {1<<20 + 310, long}, {1 << 30, long[:1]}}, 3},
		{"one that overwrites another", []segment{{0, []byte("abc")}, {1, []byte("z")}}, 2},
		{"one before another", []segment{{10, []byte("abc")}, {1, []byte("z")}}, 2},
	} {
		t.Run(row.name, func(t *testing.T) {
			before := module(row.segments...)
			packed, err := pack(before)
			if err != nil {
				t.Fatal(err)
			}
			joined := join(row.segments)
			if len(joined) != row.left {
				t.Errorf("%d segments left, want %d", len(joined), row.left)
			}
			if !bytes.Equal(packed, module(joined...)) {
				t.Errorf("the other sections changed")
			}
			if row.segments != nil && row.segments[len(row.segments)-1].at < 1<<29 && !bytes.Equal(memory(joined), memory(row.segments)) {
				t.Errorf("memory holds %q, want %q", memory(joined), memory(row.segments))
			}
			if again, err := pack(packed); err != nil || !bytes.Equal(again, packed) {
				t.Errorf("packing twice changes it again, %v", err)
			}
		})
	}
}

func TestSegmentsReadBackAsWritten(t *testing.T) {
	want := []segment{{0, []byte("a")}, {63, nil}, {64, []byte("bc")}, {8191, []byte("d")}, {8192, bytes.Repeat([]byte("e"), 200)}, {1<<31 - 1, []byte("f")}}
	got, err := read(write(want))
	if err != nil {
		t.Fatal(err)
	}
	if !slices.EqualFunc(got, want, func(a, b segment) bool { return a.at == b.at && bytes.Equal(a.data, b.data) }) {
		t.Errorf("read %v, want %v", got, want)
	}
}

func TestWhatIsNoModuleIsRefused(t *testing.T) {
	whole := module(segment{8, []byte("abc")})
	for name, text := range map[string][]byte{
		"empty": nil, "something else": []byte("<!doctype html>"), "a segment of another kind": append([]byte(preamble), dataSection, 4, 1, 1, 1, 'x'),
		"a length without end":     append([]byte(preamble), dataSection, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff),
		"more segments than bytes": append([]byte(preamble), dataSection, 5, 0xff, 0xff, 0xff, 0xff, 0x0f),
	} {
		if _, err := pack(text); err == nil {
			t.Errorf("%s was packed", name)
		}
	}
	for cut := len(preamble) + 1; cut < len(whole); cut++ {
		if _, err := pack(whole[:cut]); err == nil && cut != len(preamble)+7 && cut != len(whole)-7 {
			t.Errorf("the first %d of %d bytes were packed", cut, len(whole))
		}
	}
}
