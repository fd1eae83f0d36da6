package engine

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"unrolled/engine/internal/vec"
)

// Trace is what one of the two ways did, read by read and write by write. A
// run in chunks reads every token once and, but for a skipped last chunk, writes
// it K times; Operations may read and write a token several times or never.
// Where the run diverged at read t, the rows from t on are zero, as are the
// writes of tokens from t on, and Length is t.
type Trace struct {
	Queries   *mat.Dense // T×Dh: q̂_t
	Keys      *mat.Dense // T·K×Dh: k̂_i, in the order of writing
	Effective *mat.Dense // T·K×Dv: v̂_i, a rate outside the buffer not included
	Output    *mat.Dense // T×Dv: o_t
	Loss      []float64  // ℓ(f_i, v_i) of each row of K before its first step; 0 if never written

	// MultiplyAdds counts the work, up to where the run diverged.
	MultiplyAdds float64

	reads    int
	first    []int    // the first write of a row of K; −1 where there is none
	rows     []int    // the row of K that each write so far has written
	perToken int      // rows of K a token
	diverged int      // read, or −1
	states   *states  // nil in Unrolled, which has none
	final    *learner // nil in Unrolled
}

func newTrace(tokens *Tokens, loop *InnerLoop, phases []phase) *Trace {
	rows, _ := tokens.K.Dims()
	_, dv := tokens.V.Dims()
	reads, writes := loop.counts(phases)
	dh := loop.Feature.Out()
	tr := &Trace{
		Queries: zeros(reads, dh), Keys: zeros(writes, dh), Effective: zeros(writes, dv), Output: zeros(reads, dv),
		Loss: make([]float64, rows), first: make([]int, rows), rows: make([]int, 0, writes),
		reads: reads, perToken: loop.writesPerToken(), diverged: -1,
	}
	for row := range tr.first {
		tr.first[row] = -1
	}
	return tr
}

// zeros returns a matrix of zeros, an empty one where rows is 0.
func zeros(rows, cols int) *mat.Dense {
	if rows == 0 {
		return &mat.Dense{}
	}
	return mat.NewDense(rows, cols, nil)
}

// Length returns how many reads there were before the trace diverged: all of
// them, T in a run in chunks, if it did not.
func (tr *Trace) Length() int {
	if tr.diverged >= 0 {
		return tr.diverged
	}
	return tr.reads
}

// write records k̂ and v̂ of one write of a row of K, in the order of writing.
func (tr *Trace) write(row, step int, loss float64, key, effective []float64) {
	i := len(tr.rows)
	copy(tr.Keys.RawRowView(i), key)
	copy(tr.Effective.RawRowView(i), effective)
	tr.note(row, step, loss)
}

// note counts one write of a row of K.
func (tr *Trace) note(row, step int, loss float64) {
	if step == 0 {
		tr.Loss[row] = loss
	}
	if tr.first[row] < 0 {
		tr.first[row] = len(tr.rows)
	}
	tr.rows = append(tr.rows, row)
}

// stop records that the run diverged at read t and clears what it left there.
func (tr *Trace) stop(t int) {
	tr.diverged = t
	for r := t; r < tr.reads; r++ {
		clear(tr.Output.RawRowView(r))
		clear(tr.Queries.RawRowView(r))
	}
	for i, row := range tr.rows {
		if row >= t*tr.perToken {
			clear(tr.Keys.RawRowView(i))
			clear(tr.Effective.RawRowView(i))
			tr.Loss[row] = 0
		}
	}
}

// Attention writes q̂_t·k̂_i for every row of K up to token t to dst and returns
// it, t+1 numbers where a token has one row. The weight of write i in output t
// is c_i^t times this. With K inner steps it takes each row's first write; as
// long as φ is fixed, all K agree. A row that was never written has 0.
func (tr *Trace) Attention(dst []float64, t int) []float64 {
	dst = dst[:0]
	query := tr.Queries.RawRowView(t)
	for _, i := range tr.first[:(t+1)*tr.perToken] {
		if i < 0 {
			dst = append(dst, 0)
			continue
		}
		dst = append(dst, vec.Dot(query, tr.Keys.RawRowView(i)))
	}
	return dst
}

// A Gap is how far the outputs of two traces lie apart.
type Gap struct {
	Absolute float64   // max |a − b| over tokens and coordinates
	Relative float64   // Absolute / max(1, Size)
	Size     float64   // max |o|
	PerToken []float64 // max |a − b| over the coordinates of one token
}

// Compare measures the gap up to where either trace diverged.
func Compare(a, b *Trace) Gap {
	gap := Gap{PerToken: make([]float64, min(a.Length(), b.Length()))}
	for t := range gap.PerToken {
		x, y := a.Output.RawRowView(t), b.Output.RawRowView(t)
		for d := range x {
			gap.PerToken[t] = math.Max(gap.PerToken[t], math.Abs(x[d]-y[d]))
		}
		gap.Absolute = math.Max(gap.Absolute, gap.PerToken[t])
		gap.Size = math.Max(gap.Size, math.Max(vec.MaxAbs(x), vec.MaxAbs(y)))
	}
	gap.Relative = gap.Absolute / math.Max(1, gap.Size)
	return gap
}
