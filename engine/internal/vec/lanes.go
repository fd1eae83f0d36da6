//go:build goexperiment.simd && go1.27 && !wasm

package vec

const (
	maxLanes = 8  // float64s in the widest vector, of 512 bits
	short    = 16 // below this length calling a kernel costs more than it saves
)
