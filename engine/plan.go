package engine

// A phase is a group of rows that are written together, and the rows that are
// read before or after it. An inner loop is a list of phases.
type phase struct {
	from, to    int  // rows of K and V: written together
	read, until int  // rows of Q: read
	before      bool // the reads stand before the write
	causal      bool // the state advances row by row, each is read after its own
	decays      bool // decay before the gradient applies: once a token or chunk
}

// writes returns how many rows the phase writes.
func (p phase) writes() int { return p.to - p.from }

// plan lists the phases of a run over n tokens.
func (l *InnerLoop) plan(n int) []phase {
	switch {
	case len(l.Operations) > 0:
		return operationPhases(l.Operations)
	case l.writesPerToken() > 1:
		return multiplePhases(n, l.writesPerToken())
	}
	var phases []phase
	length := max(1, l.Chunk)
	for start := 0; start < n; start += length {
		end := min(start+length, n)
		p := phase{from: start, to: end, read: start, until: end, decays: true}
		p.before, p.causal = l.Order == ApplyThenUpdate, l.Order == TokenCausal
		if l.SkipLast && end == n {
			p.to = p.from
		}
		phases = append(phases, p)
	}
	return phases
}

func operationPhases(operations []Operation) []phase {
	var phases []phase
	for _, o := range operations {
		p := phase{from: o.Start, to: o.Start, read: o.Start, until: o.Start, decays: true}
		if o.Update {
			p.to = o.End
		}
		if o.Apply {
			p.until = o.End
		}
		phases = append(phases, p)
	}
	return phases
}

// multiplePhases: each token writes its rows one after the other and is read
// after the last.
func multiplePhases(n, writes int) []phase {
	var phases []phase
	for t := range n {
		for w := range writes {
			row := t*writes + w
			p := phase{from: row, to: row + 1, read: t, until: t, decays: w == 0}
			if w == writes-1 {
				p.until = t + 1
			}
			phases = append(phases, p)
		}
	}
	return phases
}

// reads returns how many rows a plan reads, and counts its writes, K a row.
func (l *InnerLoop) counts(phases []phase) (reads, writes int) {
	for _, p := range phases {
		reads += p.until - p.read
		writes += p.writes() * l.steps()
	}
	return reads, writes
}
