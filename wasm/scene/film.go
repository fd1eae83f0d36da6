// Package scene turns a Film and a time into a display list.
//
// It is pure Go and a leaf: it imports neither the engine nor gonum nor JSON,
// so that the canvas's binary stays small. Two painters draw its list:
// Ebitengine on the GPU (wasm/stage) and a software painter (wasm/paint).
package scene

// A Film is one run as the stage plays it: everything that happened to the
// fast-weight state, token by token, in float32. All matrices are row-major.
// Time is measured in tokens: after token t the clock reads t+1.
type Film struct {
	Task       string    // "digits" or "gaussian"
	Tokens     int       // T, up to the token where the run diverged
	KeyDim     int       // D_h: rows of the state, width of k̂
	ValueDim   int       // D_v: columns of the state, width of v̂
	Classes    []int8    // T: the digit shown by token t; empty where tokens have no name
	Value      []float32 // T×D_v: v_t
	Key        []float32 // T×D_h: k̂_t, the key as written
	Effective  []float32 // T×D_v: v̂_t = −η ∂ℓ/∂f of token t's write
	State      []float32 // T×D_h×D_v: S_t after token t's write
	Output     []float32 // T×D_v: o_t
	Multiplier []float32 // T(T+1)/2: c_i^t for i ≤ t, reading by reading
	Scale      float32   // η_used/η: 1−α where η/(1−α) is held, else 1
	Probes     int       // how many clean class keys are asked: 10 on digits, else 0
	Readout    []float32 // T×Probes×D_v: what S_t answers to each
	Spectrum   []float32 // T×min(D_h,D_v): singular values of S_t, largest first
	// Pixel range of v as pictures (mean image added back): picture = Mean + value.
	Mean []float32 // D_v: the mean image, or empty
}
