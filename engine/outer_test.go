package engine

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// numpyOuter draws the sequences of testdata/outer.py.
func numpyOuter(task string) *Outer {
	const length, keyDim, valueDim = 48, 16, 8
	draw := func(seed uint32) Sequence {
		r := newNumpyRand(seed)
		tokens := &Tokens{K: r.normals(length, keyDim, 1), V: r.normals(length, valueDim, 1)}
		if task == "smoothing" {
			tokens.Q = r.normals(length, keyDim, 0.5)
			tokens.Q.Add(tokens.Q, tokens.K)
			return smoothingOf(tokens)
		}
		which := make([]int, length)
		for t := range which {
			which[t] = r.integer(uint32(t) + 1)
		}
		s := recallOf(tokens, which)
		s.Tokens.Q.Add(s.Tokens.Q, r.normals(length, keyDim, 0.2))
		return s
	}
	o := &Outer{Penalty: 0.01}
	for i := range uint32(60) {
		o.Train, o.Test = append(o.Train, draw(100+i)), append(o.Test, draw(900+i))
	}
	return o
}

// outerLoop is the inner loop of testdata/outer.py.
func outerLoop(loss Loss, rate float64) *InnerLoop {
	return &InnerLoop{Feature: TanhProjection{P: newNumpyRand(0).normals(16, 24, 0.25)}, Loss: loss, Rate: Constant(rate)}
}

// What NumPy found, from the same draws: the error of a readout trained at K
// and tested at K, the inner loss, ascent, and keys in place of queries.
func TestOuterLoopAgreesWithNumPy(t *testing.T) {
	var golden map[string]struct {
		Zero       float64     `json:"zero"`
		Inner      []float64   `json:"inner"`
		Error      [][]float64 `json:"error"`
		Ascent     float64     `json:"ascent"`
		AscentKept float64     `json:"ascent_kept"`
		Keys       float64     `json:"keys"`
		KeysKept   float64     `json:"keys_kept"`
	}
	data, err := os.ReadFile("testdata/outer.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &golden); err != nil {
		t.Fatal(err)
	}
	steps := []int{1, 2, 4, 8, 16, 32}
	if testing.Short() {
		steps = steps[:3]
	}
	for name, want := range golden {
		lossName, task, _ := strings.Cut(name, " ")
		loss := map[string]Loss{"squared": Squared{}, "dot": Dot{}}[lossName]
		o := numpyOuter(task)
		check := func(what string, got, want float64) {
			t.Helper()
			// rounding through 48 tokens, 32 steps and a solve; 1e-12 was measured
			if !(math.Abs(got-want) <= 1e-9*math.Max(1, math.Abs(want))) {
				t.Errorf("%s, %s: %.12g, NumPy has %.12g", name, what, got, want)
			}
		}
		ask := func(o *Outer, loop *InnerLoop, readout *mat.Dense) float64 {
			t.Helper()
			score, err := o.Ask(loop, readout)
			if err != nil {
				t.Fatal(err)
			}
			return score.Error
		}
		fit := func(o *Outer, loop *InnerLoop) *mat.Dense {
			t.Helper()
			readout, err := o.Fit(loop)
			if err != nil {
				t.Fatal(err)
			}
			return readout
		}
		scores, err := o.Steps(outerLoop(loss, 0.05), steps)
		if err != nil {
			t.Fatal(err)
		}
		for a := range steps {
			for b := range steps {
				check(fmt.Sprintf("trained at %d, tested at %d", steps[a], steps[b]), scores[a][b].Error, want.Error[a][b])
				check(fmt.Sprintf("inner loss at %d", steps[b]), scores[a][b].InnerLoss, want.Inner[b])
			}
		}
		down, up := outerLoop(loss, 0.05), outerLoop(loss, -0.05)
		check("nothing", ask(o, down, mat.NewDense(8, 8, nil)), want.Zero)
		kept := fit(o, down)
		check("ascent", ask(o, up, fit(o, up)), want.Ascent)
		check("ascent, readout kept", ask(o, up, kept), want.AscentKept)
		keys := o.QueriesAreKeys()
		check("queries are keys", ask(keys, down, fit(keys, down)), want.Keys)
		check("queries are keys, readout kept", ask(keys, down, kept), want.KeysKept)
	}
}

func smallOuter(t *testing.T, task string) *Outer {
	t.Helper()
	o, err := DrawOuter(task, 3, 12, 24, 6, 5)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// The dot loss is odd in the rate, so with W_0 = 0 ascent is an exact negative
// and so is its readout: the answers are the same to the last bit.
func TestRetrainedReadoutUndoesAscentExactly(t *testing.T) {
	for _, task := range OuterTasks() {
		o := smallOuter(t, task)
		p := random(testRand(61), 6, 9, 0.5)
		down := &InnerLoop{Feature: TanhProjection{P: p}, Loss: Dot{}, Rate: Constant(0.05), Alpha: Constant(0.5)}
		up := *down
		up.Rate = Constant(-0.05)
		a, errA := o.Fit(down)
		b, errB := o.Fit(&up)
		if errA != nil || errB != nil {
			t.Fatal(errA, errB)
		}
		var sum mat.Dense
		sum.Add(a, b)
		if largest(&sum) != 0 {
			t.Errorf("%s: R_asc + R_desc = %v", task, largest(&sum))
		}
		x, errA := o.Ask(down, a)
		y, errB := o.Ask(&up, b)
		if errA != nil || errB != nil || x.Error != y.Error {
			t.Errorf("%s: errors %v and %v (%v, %v)", task, x.Error, y.Error, errA, errB)
		}
	}
}

// K steps on the dot loss are K times the outputs: with the penalty at K² the
// retrained readout is R/K and the error the same.
func TestRetrainedReadoutAbsorbsInnerStepsOfTheDotLoss(t *testing.T) {
	for _, task := range OuterTasks() {
		o := smallOuter(t, task)
		loop := &InnerLoop{Feature: TanhProjection{P: random(testRand(62), 6, 9, 0.5)}, Loss: Dot{}, Rate: Constant(0.05)}
		first := 0.0
		for _, steps := range []int{1, 2, 3, 8, 32} {
			o.Penalty = 0.01 * float64(steps*steps)
			readout, err := o.Fit(loop.withSteps(steps))
			if err != nil {
				t.Fatal(err)
			}
			score, err := o.Ask(loop.withSteps(steps), readout)
			if err != nil {
				t.Fatal(err)
			}
			if steps == 1 {
				first = score.Error
			}
			// K is not always a power of two: rounding only
			if !(math.Abs(score.Error-first) <= 1e-12*first) {
				t.Errorf("%s: error %v at K=%d, %v at K=1", task, score.Error, steps, first)
			}
		}
	}
}

func TestOuterLoopRefusesWithAReason(t *testing.T) {
	loop := &InnerLoop{Feature: Identity{Dim: 6}, Loss: Squared{}, Rate: Constant(0.05)}
	o := smallOuter(t, "recall")
	for _, row := range []struct {
		what string
		run  func() error
		want string
	}{
		{"task", func() error { _, err := DrawOuter("copy", 1, 2, 3, 4, 5); return err }, "choose recall or smoothing"},
		{"count", func() error { _, err := DrawOuter("recall", 1, 0, 3, 4, 5); return err }, "sequences is 0"},
		{"no training", func() error { _, err := (&Outer{}).Fit(loop); return err }, "no sequence to train on"},
		{"no test", func() error { _, err := (&Outer{}).Ask(loop, nil); return err }, "no sequence to test on"},
		{"no penalty, no outputs", func() error {
			still := *loop
			still.Rate = nil
			_, err := (&Outer{Train: o.Train}).Fit(&still)
			return err
		}, "span too little"},
		{"diverged", func() error {
			wild := *loop
			wild.Rate = Constant(-50)
			_, err := o.Fit(&wild)
			return err
		}, "training sequence 0: the inner loop diverged"},
		{"shape", func() error {
			other := *loop
			other.Feature = Identity{Dim: 5}
			_, err := o.Fit(&other)
			return err
		}, "takes keys of width 5"},
	} {
		if err := row.run(); err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%s: %v; want %q", row.what, err, row.want)
		}
	}
}

func TestCholeskySolves(t *testing.T) {
	r := testRand(63)
	m, x := random(r, 9, 9, 1), random(r, 9, 4, 1)
	a := product(m, m.T())
	b := product(a, x)
	if !solvePositive(mat.DenseCopyOf(a), b) {
		t.Fatal("a positive definite matrix is refused")
	}
	within(t, "solution", b, x, 1e-9) // condition of a: some thousands
	if solvePositive(mat.NewDense(2, 2, []float64{1, 2, 2, 1}), mat.NewDense(2, 1, nil)) {
		t.Error("an indefinite matrix is accepted")
	}
}
