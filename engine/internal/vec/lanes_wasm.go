//go:build goexperiment.simd && go1.27

package vec

const (
	maxLanes = 2  // float64s in a vector
	short    = 16 // below this length calling a kernel costs more than it saves
)
