package engine

import (
	"testing"

	"gonum.org/v1/gonum/mat"
)

// Replayed states are the very states of the run, whichever way they are asked
// for, at every distance from a checkpoint.
func TestStatesReplayTheRun(t *testing.T) {
	for _, c := range allRules() {
		if c.loop.Steps != 3 || c.loop.W0 == nil {
			continue
		}
		x := randomTokens(1)
		r := mustRun(t, x, c.loop)
		w := newLearner(x, c.loop)
		seen := 0
		for token, state := range r.Sequential.States() {
			w.run(token)
			if !mat.Equal(state, w.state()) || !mat.Equal(r.Sequential.State(token), w.state()) {
				t.Fatalf("%s: state %d is not the run's", c.name, token)
			}
			out := product(r.Sequential.Queries.Slice(token, token+1, 0, c.loop.Feature.Out()), state)
			within(t, c.name+": q̂ S", out, r.Sequential.Output.Slice(token, token+1, 0, testDv), tolerance)
			seen++
		}
		if seen != testT {
			t.Errorf("%s: %d states of %d", c.name, seen, testT)
		}
		if !mat.Equal(r.Sequential.State(-1), c.loop.W0) {
			t.Errorf("%s: the state before the first token is not W_0", c.name)
		}
		if r.Unrolled.State(3) != nil {
			t.Errorf("%s: Unrolled has a state", c.name)
		}
	}
}

// S_t = W_0 + Σ_i c_i^t k̂_iᵀ v̂_i, with the other way's writes.
func TestStateIsTheSumOfTheWrites(t *testing.T) {
	x := randomTokens(4)
	alpha := varying(testT)
	w0 := random(testRand(4), testDk, testDv, 0.3)
	r := mustRun(t, x, &InnerLoop{Feature: Identity{Dim: testDk}, Loss: Squared{}, Rate: Constant(0.05), Alpha: alpha, W0: w0})
	for _, read := range []int{0, 1, 9, testT - 1} {
		sum := mat.DenseCopyOf(w0)
		for i := range read + 1 {
			var write mat.Dense
			write.Outer(ageByDefinition(alpha, read, i), r.Unrolled.Keys.RowView(i), r.Unrolled.Effective.RowView(i))
			sum.Add(sum, &write)
		}
		within(t, "state", sum, r.Sequential.State(read), tolerance)
	}
}

// Without momentum a token changes the state by one outer product.
func TestOneWriteIsRankOneWithoutMomentum(t *testing.T) {
	x := randomTokens(4)
	r := mustRun(t, x, &InnerLoop{Feature: Identity{Dim: testDk}, Loss: Squared{}, Rate: Constant(0.05)})
	var change, write mat.Dense
	change.Sub(r.Sequential.State(9), r.Sequential.State(8))
	write.Outer(1, r.Sequential.Keys.RowView(9), r.Sequential.Effective.RowView(9))
	within(t, "S_9 − S_8", &change, &write, tolerance)
}

// The checkpoints of the longest page run and of a wide one stay below 32 MB.
func TestCheckpointsStayBelowTheirBound(t *testing.T) {
	for _, c := range []struct{ length, hidden int }{{1024, 32}, {4096, 256}, {300, 1024}} {
		config, _ := Default("digits")
		config.Length, config.HiddenDim, config.SequentialOnly = c.length, c.hidden, true
		config.Rate = 0.001
		tokens, loop, err := config.Build()
		if err != nil {
			t.Fatal(err)
		}
		s := newStates(newLearner(tokens, loop))
		bytes := (c.length / s.every) * 8 * 2 * c.hidden * digitPixels
		if bytes > checkpointBytes {
			t.Errorf("T=%d, Dh=%d: checkpoints take %d bytes", c.length, c.hidden, bytes)
		}
	}
}
