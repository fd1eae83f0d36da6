package engine_test

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"unrolled/engine"
)

// One run as plain data, both ways.
func Example() {
	config, err := engine.Default("gaussian")
	if err != nil {
		fmt.Println(err)
		return
	}
	config.Alpha, config.Hold = 0.9, true
	run, err := engine.Run(config)
	if err != nil {
		fmt.Println(err)
		return
	}
	gap := engine.Compare(run.Sequential, run.Unrolled)
	fmt.Println("tokens:", run.Length())
	fmt.Println("agree to 1e-12:", gap.Relative < 1e-12)
	// Output:
	// tokens: 64
	// agree to 1e-12: true
}

// Matrices of one's own, in five lines: DeltaNet on two tokens.
func ExampleRunTokens() {
	keys := mat.NewDense(2, 2, []float64{1, 0, 0.6, 0.8})
	values := mat.NewDense(2, 1, []float64{2, 1})
	tokens := &engine.Tokens{Q: keys, K: keys, V: values}
	loop := &engine.InnerLoop{Feature: engine.Identity{Dim: 2}, Loss: engine.Squared{}, Rate: engine.Constant(0.5)}
	run, err := engine.RunTokens(tokens, loop)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("trained:  %.3f\n", run.Sequential.Output.RawMatrix().Data)
	fmt.Printf("attended: %.3f\n", run.Unrolled.Output.RawMatrix().Data)
	// Output:
	// trained:  [1.000 0.800]
	// attended: [1.000 0.800]
}

// How much the oldest of 64 tokens counts, and how long it took.
func ExampleHalfLife() {
	alpha := engine.Constant(0.98).Expand(64)
	limit, _ := engine.HalfLifeLimit(0.98)
	weights := engine.AgeRow(alpha, 63)
	fmt.Println(engine.HalfLife(alpha, 0), limit)
	fmt.Printf("%.4f\n", weights[63]/weights[0])
	// Output:
	// 22 34
	// 0.0276
}

// A preset on one's own matrices, in five lines, and what is known of its form.
func ExampleDeltaNet() {
	keys := mat.NewDense(3, 2, []float64{1, 0, 0, 1, 1, 0})
	values := mat.NewDense(3, 1, []float64{2, 5, 4})
	loop := engine.DeltaNet(2, engine.Constant(1))
	run, err := engine.RunTokens(&engine.Tokens{Q: keys, K: keys, V: values}, loop)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.3f\n", run.Unrolled.Output.RawMatrix().Data)
	fmt.Println(loop.Linearity(3).Closed.Reason)
	// Output:
	// [2.000 5.000 4.000]
	// v̂_i depends linearly on the writes before it: one triangular solve (WY/UT) gives them all.
}

// All outputs without going through them one by one: chunks of two tokens, each
// a triangular solve and a masked product, and the states between them by a scan.
func ExampleParallel() {
	keys := mat.NewDense(4, 2, []float64{1, 0, 0, 1, 1, 0, 0.6, 0.8})
	values := mat.NewDense(4, 1, []float64{2, 5, 4, 1})
	tokens := &engine.Tokens{Q: keys, K: keys, V: values}
	loop := engine.DeltaNet(2, engine.Constant(1))
	for _, form := range []engine.Form{engine.Chunkwise, engine.HillisSteele} {
		run, err := engine.Parallel(tokens, loop, form, 2)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%.3f, %d chunks, %d rounds\n", run.Output.RawMatrix().Data, run.Chunks, run.Rounds)
	}
	fmt.Printf("%.3f\n", engine.Sequential(tokens, loop).Output.RawMatrix().Data)
	// Output:
	// [2.000 5.000 4.000 1.000], 2 chunks, 0 rounds
	// [2.000 5.000 4.000 1.000], 2 chunks, 1 rounds
	// [2.000 5.000 4.000 1.000]
}

// Why a rule has no parallel form, or what is missing for one.
func ExampleInnerLoop_Parallelizable() {
	loop := engine.DeltaNet(2, engine.Constant(1))
	fmt.Println(loop.Parallelizable(8))
	loop.Norm = engine.PostNorm
	fmt.Println(loop.Parallelizable(8))
	// Output:
	// <nil>
	// no parallel form: Weight norm gates every later reading by norms of the state itself: a nested norm, not a plain sum
}

// An outer loop: a readout trained on sequences, asked on others, at each of two
// numbers of inner steps.
func ExampleOuter() {
	outer, err := engine.DrawOuter("smoothing", 1, 20, 24, 8, 4)
	if err != nil {
		fmt.Println(err)
		return
	}
	loop := &engine.InnerLoop{Feature: engine.Identity{Dim: 8}, Loss: engine.Squared{}, Rate: engine.Constant(0.02)}
	scores, err := outer.Steps(loop, []int{1, 8})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("each key's own loss falls:", scores[1][1].InnerLoss < scores[0][0].InnerLoss)
	fmt.Println("on smoothing eight steps beat one:", scores[1][1].Error < scores[0][0].Error)
	fmt.Println("a readout is best at the steps it was trained at:", scores[0][0].Error < scores[0][1].Error && scores[1][1].Error < scores[1][0].Error)
	// Output:
	// each key's own loss falls: true
	// on smoothing eight steps beat one: true
	// a readout is best at the steps it was trained at: true
}
