package scene_test

import (
	"bytes"
	"encoding/binary"
	"math"
	"testing"

	"unrolled/wasm/scene"
	"unrolled/wasm/scene/scenetest"
)

func encoded(t testing.TB, f *scene.Film) []byte {
	t.Helper()
	b, err := scene.Encode(f)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestAFilmSurvivesItsBytes(t *testing.T) {
	start := scenetest.Gaussian(3, 0.5)
	start.Initial = make([]float32, 16*8)
	start.Initial[5] = 2.5
	for name, f := range map[string]*scene.Film{
		"digits": scenetest.Digits(5, 0.9), "gaussian": scenetest.Gaussian(4, 0), "with W₀": start, "words": scenetest.Words(0.9),
		"no token": {Task: "gaussian", KeyDim: 3, ValueDim: 2, Stride: 1},
	} {
		b := encoded(t, f)
		if len(b) != f.Bytes() {
			t.Errorf("%s: %d bytes, but Bytes says %d", name, len(b), f.Bytes())
		}
		back, err := scene.Decode(b)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if again := encoded(t, back); !bytes.Equal(b, again) {
			t.Errorf("%s: decoding and encoding again gives other bytes", name)
		}
		if back.Task != f.Task || back.Scales != f.Scales || back.Scale != f.Scale {
			t.Errorf("%s: read back %q %v %v", name, back.Task, back.Scale, back.Scales)
		}
	}
}

func TestBytesThatAreNoFilmAreRefused(t *testing.T) {
	good := encoded(t, scenetest.Gaussian(3, 0.5))
	with := func(at int, v uint32) []byte {
		b := bytes.Clone(good)
		binary.LittleEndian.PutUint32(b[at:], v)
		return b
	}
	for name, b := range map[string][]byte{
		"nothing":           nil,
		"a header's part":   good[:40],
		"another magic":     with(0, 0x12345678),
		"another version":   with(4, 3),
		"cut short":         good[:len(good)-1],
		"too long":          append(bytes.Clone(good), 0),
		"2³² tokens":        with(24, math.MaxUint32),
		"2³¹ tokens":        with(24, 1<<31),
		"2049 tokens":       with(24, 2049),
		"too wide":          with(28, 513),
		"no width":          with(32, 0),
		"too many probes":   with(36, 1<<20),
		"no stride":         with(40, 0),
		"classes not there": with(44, 1),
		"the largest sizes": func() []byte {
			b := bytes.Clone(good)
			for at, v := range map[int]uint32{24: 2048, 28: 512, 32: 512, 36: 512} {
				binary.LittleEndian.PutUint32(b[at:], v)
			}
			return b
		}(),
	} {
		if f, err := scene.Decode(b); err == nil {
			t.Errorf("%s: read as a film of %d tokens", name, f.Tokens)
		}
	}
}

func TestAFilmWithAWrongArrayIsNotEncoded(t *testing.T) {
	f := scenetest.Gaussian(3, 0.5)
	f.State = f.State[1:]
	if _, err := scene.Encode(f); err == nil {
		t.Error("a state is missing and Encode says nothing")
	}
	f = scenetest.Digits(3, 0.5)
	f.Classes = f.Classes[1:]
	if _, err := scene.Encode(f); err == nil {
		t.Error("a class is missing and Encode says nothing")
	}
	for name, spoil := range map[string]func(*scene.Names){
		"a word":      func(n *scene.Names) { n.Read = n.Read[1:] },
		"an answer":   func(n *scene.Names) { n.Answers = n.Answers[3:] },
		"a cosine":    func(n *scene.Names) { n.Cosines = n.Cosines[1:] },
		"the last of": func(n *scene.Names) { n.Vocabulary = n.Vocabulary[:len(n.Vocabulary)-1] },
		"all names":   func(n *scene.Names) { n.Vocabulary = nil },
	} {
		f := scenetest.Words(0.5)
		spoil(&f.Names)
		if _, err := scene.Encode(f); err == nil {
			t.Errorf("%s is missing and Encode says nothing", name)
		}
	}
}

// What can be decoded can be drawn, whatever numbers it holds.
func FuzzDecodeAndLay(f *testing.F) {
	// Small seeds: the fuzzer spends its time on cutting large ones down.
	small := &scene.Film{Task: "digits", Tokens: 1, KeyDim: 2, ValueDim: 64, Stride: 1, Multiplier: []float32{1}, Key: make([]float32, 2)}
	for _, array := range []*[]float32{&small.Value, &small.Effective, &small.Output} {
		*array = make([]float32, 64)
	}
	small.State, small.Spectrum = make([]float32, 128), make([]float32, 2)
	f.Add(encoded(f, small), 0.5, float32(800))
	f.Add(encoded(f, scenetest.Gaussian(2, 0.9)), 0.25, float32(320))
	f.Add(encoded(f, scenetest.Words(0.9)), 0.75, float32(320))
	f.Add(encoded(f, &scene.Film{Task: "digits", KeyDim: 32, ValueDim: 64, Stride: 1}), 3.0, float32(720))
	f.Fuzz(func(t *testing.T, b []byte, time float64, width float32) {
		film, err := scene.Decode(b)
		if err != nil {
			return
		}
		for _, dark := range []bool{false, true} {
			list := scene.Lay(film, time, scene.Canvas(film.Task, width), scene.ThemeOf(dark))
			checkList(t, &list)
		}
	})
}

// checkList fails if a list holds what no painter can draw.
func checkList(t *testing.T, l *scene.List) {
	t.Helper()
	finite := func(xs ...float32) bool {
		for _, x := range xs {
			if x != x || math.IsInf(float64(x), 0) {
				return false
			}
		}
		return true
	}
	for i, m := range l.Marks {
		if !finite(m.X, m.Y, m.W, m.H) || m.W < 0 || m.H < 0 {
			t.Fatalf("mark %d is %+v", i, m)
		}
		if m.Grid >= len(l.Grids) || m.Grid < scene.NoGrid {
			t.Fatalf("mark %d shows grid %d of %d", i, m.Grid, len(l.Grids))
		}
	}
	for i, g := range l.Grids {
		if g.Cols < 1 || g.Rows < 1 || g.At < 0 || g.At+g.Cols*g.Rows > len(l.Pixels) {
			t.Fatalf("grid %d is %+v of %d pixels", i, g, len(l.Pixels))
		}
	}
	for _, label := range l.Labels {
		if !finite(label.X, label.Y) || len(label.Runs) == 0 {
			t.Fatalf("label %+v", label)
		}
	}
}
