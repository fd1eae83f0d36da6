package words

import (
	"bytes"
	"encoding/csv"
	"flag"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"unrolled/engine"
)

var source = flag.String("source", "", "a CSV file, a word and its whole numbers a line, to write words.bin from")

// go test ./engine/words -run FromItsSource -source words.csv
func TestTheListIsMadeFromItsSource(t *testing.T) {
	if *source == "" {
		t.Skip("no -source")
	}
	file, err := os.Open(*source)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lines, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	var rows [][]int8
	for _, line := range lines {
		row := make([]int8, len(line)-1)
		for d, field := range line[1:] {
			x, err := strconv.ParseInt(field, 10, 8)
			if err != nil {
				t.Fatal(err)
			}
			row[d] = int8(x)
		}
		names, rows = append(names, line[0]), append(rows, row)
	}
	data, err := Encode(names, rows)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Equal(data, Table) {
		return
	}
	if err := os.WriteFile("words.bin", data, 0o644); err != nil {
		t.Fatal(err)
	}
	t.Log("words.bin was written")
}

func read(t testing.TB, data []byte) *engine.Words {
	t.Helper()
	w, err := engine.ReadWords(data)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func TestTheListHasItsWordsAndUnitVectors(t *testing.T) {
	w := read(t, Table)
	if w.Len() != 5996 || w.Dim() != 32 || w.Name(0) != "the" || w.Name(1) != "," {
		t.Fatalf("%d words of %d numbers, %q and %q first", w.Len(), w.Dim(), w.Name(0), w.Name(1))
	}
	for n := range w.Len() {
		sum := 0.0
		for _, x := range w.Vector(n) {
			sum += x * x
		}
		if math.Abs(sum-1) > 1e-12 {
			t.Fatalf("%q has the length %v", w.Name(n), math.Sqrt(sum))
		}
		if found, known := w.Find(w.Name(n)); !known || found != n {
			t.Fatalf("%q is found at %d", w.Name(n), found)
		}
	}
}

// Neighbours that a reader expects, as they were in the source.
func TestWordsLieNearWhatTheyMean(t *testing.T) {
	w := read(t, Table)
	for word, want := range map[string]string{
		"king": "prince lord queen", "red": "yellow blue green", "monday": "tuesday thursday",
	} {
		n, _ := w.Find(word)
		var near []string
		for _, one := range w.Nearest(w.Vector(n), 6) {
			near = append(near, w.Name(one.Index))
		}
		if near[0] != word {
			t.Errorf("%s is not nearest to itself: %q", word, near)
		}
		for _, one := range strings.Fields(want) {
			if !slices.Contains(near, one) {
				t.Errorf("%s is near %q, not %s", word, near, one)
			}
		}
	}
}

func TestAListReadsBackAsItWasWritten(t *testing.T) {
	data, err := Encode([]string{"king", ",", "sang"}, [][]int8{{3, 4}, {-128, 0}, {0, 127}})
	if err != nil {
		t.Fatal(err)
	}
	w := read(t, data)
	if w.Len() != 3 || w.Dim() != 2 || w.Name(1) != "," || w.Vector(0)[0] != 0.6 || w.Vector(0)[1] != 0.8 || w.Vector(1)[0] != -1 {
		t.Errorf("%d words, %q, %v, %v", w.Len(), w.Name(1), w.Vector(0), w.Vector(1))
	}
	if _, err := Encode([]string{"king"}, nil); err == nil {
		t.Error("a word without a row was written")
	}
	if _, err := Encode([]string{"a", "b"}, [][]int8{{1}, {1, 2}}); err == nil {
		t.Error("rows of two lengths were written")
	}
}

// Whatever byte is damaged, the list is refused in one sentence.
func TestADamagedListIsRefused(t *testing.T) {
	for at := 0; at < len(Table); at += 997 {
		damaged := bytes.Clone(Table)
		damaged[at] ^= 0x10
		if _, err := engine.ReadWords(damaged); err == nil || strings.Contains(err.Error(), "\n") {
			t.Fatalf("byte %d was changed, and the list read: %v", at, err)
		}
		if _, err := engine.ReadWords(Table[:at]); err == nil {
			t.Fatalf("%d bytes of %d read as a list", at, len(Table))
		}
	}
	for name, names := range map[string][]string{
		"a capital": {"King"}, "an empty word": {""}, "a word twice": {"king", "king"}, "two marks": {".."},
	} {
		data, err := Encode(names, make([][]int8, len(names)))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := engine.ReadWords(data); err == nil {
			t.Errorf("%s was read", name)
		}
	}
}

// FuzzReadWords gives the reader any bytes, with a checksum that fits: it
// refuses, or the list is whole.
func FuzzReadWords(f *testing.F) {
	small, err := Encode([]string{"king", "sang", "."}, [][]int8{{1, 2}, {0, 0}, {-3, 4}})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(small)
	f.Add([]byte(engine.WordsHeader + "\xff\xff\x20\x00a\n"))
	f.Add([]byte("\x01\x00\x00\x00a\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, body := range [][]byte{data, append([]byte(engine.WordsHeader), data...)} {
			sum := engine.WordsChecksum(body)
			w, err := engine.ReadWords(append(bytes.Clone(body), byte(sum), byte(sum>>8), byte(sum>>16), byte(sum>>24)))
			if err != nil {
				continue
			}
			for n := range w.Len() {
				if found, known := w.Find(w.Name(n)); !known || found != n || len(w.Vector(n)) != w.Dim() {
					t.Fatalf("word %d of %d is not whole", n, w.Len())
				}
			}
		}
	})
}
