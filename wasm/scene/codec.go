package scene

import (
	"encoding/binary"
	"errors"
	"math"
	"strings"
)

// The encoded form, little-endian:
//
//	 0  "UFLM"            4  version
//	 8  task, 16 bytes, padded with zeros
//	24  T, D_h, D_v, probes, stride, flags    (uint32 each)
//	48  scale and the six Scales              (float32 each)
//	76  the arrays of parts(), float32, then the classes, one byte each, then the
//	    places of names, two bytes each, and the vocabulary, a line feed between words
//
// Every length but the vocabulary's follows from the header, so a decoder knows
// the size before it allocates anything; the vocabulary is what is left.
const (
	magic       = "UFLM"
	version     = 2
	taskBytes   = 16
	headerBytes = 76

	hasClasses = 1 << 0
	hasMean    = 1 << 1
	hasInitial = 1 << 2
	hasNames   = 1 << 3
)

// Encode writes a film as bytes, to travel from the worker to the stage.
func Encode(f *Film) ([]byte, error) {
	if err := f.Check(); err != nil {
		return nil, err
	}
	if len(f.Task) > taskBytes {
		return nil, errors.New("scene: a task's name has at most 16 bytes")
	}
	b := make([]byte, headerBytes, f.Bytes())
	copy(b, magic)
	binary.LittleEndian.PutUint32(b[4:], version)
	copy(b[8:], f.Task)
	for i, n := range []int{f.Tokens, f.KeyDim, f.ValueDim, f.Probes, f.Stride, f.flags()} {
		binary.LittleEndian.PutUint32(b[24+4*i:], uint32(n))
	}
	for i, x := range append([]float32{f.Scale}, f.Scales.list()...) {
		binary.LittleEndian.PutUint32(b[48+4*i:], math.Float32bits(x))
	}
	for _, p := range f.parts() {
		for _, x := range *p.floats {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
		}
	}
	for _, c := range f.Classes {
		b = append(b, byte(c))
	}
	if f.named() {
		for _, p := range f.nameParts() {
			for _, place := range *p.places {
				b = binary.LittleEndian.AppendUint16(b, place)
			}
		}
		b = append(b, strings.Join(f.Names.Vocabulary, "\n")...)
	}
	return b, nil
}

func (f *Film) flags() int {
	flags := 0
	if len(f.Classes) > 0 {
		flags |= hasClasses
	}
	if len(f.Mean) > 0 {
		flags |= hasMean
	}
	if len(f.Initial) > 0 {
		flags |= hasInitial
	}
	if f.named() {
		flags |= hasNames
	}
	return flags
}

// Decode reads what Encode wrote. Bytes that are no film give an error.
func Decode(b []byte) (*Film, error) {
	if len(b) < headerBytes || string(b[:4]) != magic {
		return nil, errors.New("scene: these bytes are no film")
	}
	if v := binary.LittleEndian.Uint32(b[4:]); v != version {
		return nil, errors.New("scene: the film is of another version")
	}
	f, flags, err := decodeHeader(b)
	if err != nil {
		return nil, err
	}
	parts, total := f.present(flags)
	if total > len(b) || total < 0 || total != len(b) && flags&hasNames == 0 {
		return nil, errors.New("scene: the film is cut short or too long")
	}
	rest := b[headerBytes:]
	for _, p := range parts {
		*p.floats = make([]float32, p.length)
		for i := range *p.floats {
			(*p.floats)[i] = math.Float32frombits(binary.LittleEndian.Uint32(rest[4*i:]))
		}
		rest = rest[4*p.length:]
	}
	if flags&hasClasses != 0 {
		f.Classes = make([]int8, f.Tokens)
		for i := range f.Classes {
			f.Classes[i] = int8(rest[i])
		}
		rest = rest[f.Tokens:]
	}
	if flags&hasNames != 0 {
		f.decodeNames(rest)
	}
	return f, f.Check()
}

// decodeNames reads the places, whose lengths are known to fit, and the vocabulary.
func (f *Film) decodeNames(rest []byte) {
	for _, p := range f.nameParts() {
		*p.places = make([]uint16, p.length)
		for i := range *p.places {
			(*p.places)[i] = binary.LittleEndian.Uint16(rest[2*i:])
		}
		rest = rest[2*p.length:]
	}
	f.Names.Vocabulary = strings.Split(string(rest), "\n")
}

func decodeHeader(b []byte) (f *Film, flags uint32, err error) {
	field := func(i int) uint32 { return binary.LittleEndian.Uint32(b[24+4*i:]) }
	for i := 0; i < 5; i++ {
		if field(i) > 1<<16 {
			return nil, 0, errors.New("scene: a size in the film's header is out of range")
		}
	}
	name := b[8 : 8+taskBytes]
	for len(name) > 0 && name[len(name)-1] == 0 {
		name = name[:len(name)-1]
	}
	f = &Film{
		Task: string(name), Tokens: int(field(0)), KeyDim: int(field(1)), ValueDim: int(field(2)),
		Probes: int(field(3)), Stride: int(field(4)),
	}
	floats := make([]float32, 7)
	for i := range floats {
		floats[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[48+4*i:]))
	}
	f.Scale = floats[0]
	f.Scales.set(floats[1:])
	return f, field(5), f.checkHeader()
}

// present lists the arrays that the flags promise, and the film's exact size.
// The product of the largest sizes, 2048×512×512, needs int64 on the way.
func (f *Film) present(flags uint32) (parts []part, total int) {
	sum := int64(headerBytes)
	for _, p := range f.parts() {
		if p.floats == &f.Mean && flags&hasMean == 0 || p.floats == &f.Initial && flags&hasInitial == 0 || p.floats == &f.Names.Cosines && flags&hasNames == 0 {
			continue
		}
		parts = append(parts, p)
		sum += 4 * int64(p.length)
	}
	if flags&hasClasses != 0 {
		sum += int64(f.Tokens)
	}
	if flags&hasNames != 0 {
		for _, p := range f.nameParts() {
			sum += 2 * int64(p.length)
		}
	}
	if sum > math.MaxInt32 {
		return nil, -1
	}
	return parts, int(sum)
}
