// Package scene turns a Film and a time into a display list.
//
// It is pure Go and a leaf: it imports neither the engine nor gonum nor JSON,
// so that the canvas's binary stays small. Two painters draw its list:
// Ebitengine on the GPU (wasm/stage) and a software painter (wasm/paint).
//
//	Film + time + size + theme ── Lay ──▶ List ─┬─▶ wasm/stage  (canvas)
//	                                            └─▶ wasm/paint  (worker, GIF, tests)
//
// Start with [Lay]; the compositions are in digits.go and matrix.go.
package scene

import "errors"

// A Film is one run as the stage plays it: everything that happened to the
// fast-weight state, token by token, in float32. All matrices are row-major.
// Time is measured in tokens: after token t the clock reads t+1.
type Film struct {
	Task       string    // "digits", "gaussian" or "words"
	Tokens     int       // T, up to the token where the run diverged
	KeyDim     int       // D_h: rows of the state, width of k̂
	ValueDim   int       // D_v: columns of the state, width of v̂
	Classes    []int8    // T: the digit shown by token t; empty where tokens have no name
	Value      []float32 // T×D_v: v_t
	Key        []float32 // T×D_h: k̂_t, the key as written
	Effective  []float32 // T×D_v: v̂_t = −η ∂ℓ/∂f of token t's write
	Output     []float32 // T×D_v: o_t
	Multiplier []float32 // T(T+1)/2: c_i^t for i ≤ t, reading by reading
	Scale      float32   // η_used/η: 1−α where η/(1−α) is held, else 1
	Probes     int       // how many keys are asked: the 10 clean class keys of digits, words of a text, else 0
	// Pixel range of v as pictures (mean image added back): picture = Mean + value.
	Mean []float32 // D_v: the mean image, or empty

	// Stride thins what is large: State, Readout and Spectrum are kept after
	// tokens Stride−1, 2·Stride−1, … and after the last one, Kept() rows in
	// all; between two of them the stage draws the straight line. 1 keeps all.
	Stride   int
	Initial  []float32 // D_h×D_v: W₀, or empty where it is zero
	State    []float32 // Kept×D_h×D_v: S_t after token t's write
	Readout  []float32 // Kept×Probes×D_v: what S_t answers to each
	Spectrum []float32 // Kept×min(D_h,D_v): singular values of S_t, largest first

	Names Names // empty but for words

	// Scales hold for the whole film, so that growth stays visible.
	Scales Scales
}

// MaxTokens is the longest run that the stage plays: its multipliers alone
// take 8 MB.
const MaxTokens = 2048

// MaxBytes bounds a Film's size; whoever makes one raises Stride until it fits.
const MaxBytes = 16 << 20

// Kept is the number of states in the film, ⌈T/Stride⌉.
func (f *Film) Kept() int {
	if f.Stride < 1 {
		return 0
	}
	return (f.Tokens + f.Stride - 1) / f.Stride
}

// KeptToken is the token after which the j-th kept state was taken.
func (f *Film) KeptToken(j int) int { return min((j+1)*f.Stride, f.Tokens) - 1 }

// Rank is the number of singular values of a state, min(D_h, D_v).
func (f *Film) Rank() int { return min(f.KeyDim, f.ValueDim) }

// part is one array of a film and the length that its header asks for.
type part struct {
	floats   *[]float32
	length   int
	optional bool // may be empty instead
}

// parts lists every float array in the order of the file.
func (f *Film) parts() []part {
	t, kept := f.Tokens, f.Kept()
	return []part{
		{&f.Value, t * f.ValueDim, false},
		{&f.Key, t * f.KeyDim, false},
		{&f.Effective, t * f.ValueDim, false},
		{&f.Output, t * f.ValueDim, false},
		{&f.Multiplier, t * (t + 1) / 2, false},
		{&f.Mean, f.ValueDim, true},
		{&f.Initial, f.KeyDim * f.ValueDim, true},
		{&f.State, kept * f.KeyDim * f.ValueDim, false},
		{&f.Readout, kept * f.Probes * f.ValueDim, false},
		{&f.Spectrum, kept * f.Rank(), false},
		{&f.Names.Cosines, kept * f.Probes, true},
	}
}

// maxDim bounds the widths and the number of probes in a film, so that no
// product of header fields can overflow an int of 32 bits.
const maxDim = 512

// checkHeader says whether the sizes are ones that a film can have.
func (f *Film) checkHeader() error {
	switch {
	case f.Tokens < 0 || f.Tokens > MaxTokens:
		return errors.New("scene: a film has 0 to 2048 tokens")
	case f.KeyDim < 1 || f.KeyDim > maxDim || f.ValueDim < 1 || f.ValueDim > maxDim:
		return errors.New("scene: a film's keys and values are 1 to 512 wide")
	case f.Probes < 0 || f.Probes > maxDim:
		return errors.New("scene: a film asks 0 to 512 keys")
	case f.Stride < 1 || f.Stride > MaxTokens:
		return errors.New("scene: a film keeps every first to 2048th state")
	}
	return nil
}

// Check says whether every array has the length that the sizes ask for.
func (f *Film) Check() error {
	if err := f.checkHeader(); err != nil {
		return err
	}
	for _, p := range f.parts() {
		if n := len(*p.floats); n != p.length && (n != 0 || !p.optional) {
			return errors.New("scene: an array of the film has the wrong length")
		}
	}
	if n := len(f.Classes); n != 0 && n != f.Tokens {
		return errors.New("scene: the film has fewer classes than tokens")
	}
	if !f.checkNames() {
		return errors.New("scene: the film's names do not fit its tokens")
	}
	return nil
}

// Bytes is the film's size when encoded.
func (f *Film) Bytes() int {
	n := headerBytes + len(f.Classes) + f.nameBytes()
	for _, p := range f.parts() {
		n += 4 * len(*p.floats)
	}
	return n
}

// multiplier is c_i^t, 0 for a token that reading t has not seen.
func (f *Film) multiplier(t, i int) float32 {
	if i > t || t < 0 {
		return 0
	}
	return f.Multiplier[t*(t+1)/2+i]
}

// row is row t of a matrix of the given width.
func row(m []float32, t, width int) []float32 { return m[t*width : (t+1)*width] }
