package engine

// Work estimates the multiply-adds of Unrolled on tokens: every row and query
// attends over the writes before it; weight norm compares all writes with all at
// every step, Muon those that are in its buffer. Muon's own work on each matrix,
// in both ways, comes on top.
func (l *InnerLoop) Work(tokens *Tokens) float64 {
	x := tokens.size()
	width := float64(l.Feature.Out() + x.valueDim)
	if l.trainsTheta() {
		for _, p := range l.Feature.(Network).Theta() {
			rows, cols := p.Value.Dims()
			width += 2 * float64(rows+cols)
		}
	}
	rounds := 2.0
	if l.Muon != nil {
		rounds += float64(len(l.Muon.Coefficients))
	}
	matrices := l.matrixWork(x.valueDim)
	written, work := 0.0, 0.0
	for _, p := range l.plan(x.reads) {
		rows := float64(p.writes())
		for range l.steps() {
			work += rows * written * width
			written += rows
			if l.Norm != NoNorm {
				work += written * written * width
			}
			if l.Muon != nil {
				buffered := rows
				if l.anyAlpha() {
					buffered = written
				}
				work += rounds * buffered * buffered * width
				if rows > 0 {
					work += matrices
				}
			}
		}
		work += float64(p.until-p.read) * written * width
	}
	return work
}

// matrixWork estimates what Muon costs a step beside the writes: products of
// small matrices, or Jacobi's rotations, sweep by sweep (measured).
func (l *InnerLoop) matrixWork(valueDim int) float64 {
	work := 0.0
	if l.Muon == nil {
		return 0
	}
	for _, name := range l.parameterNames() {
		rows, cols := l.shape(name, valueDim)
		small, large, mixed := float64(min(rows, cols)), float64(max(rows, cols)), float64(cols)
		switch l.Muon.Method {
		case NewtonSchulz:
			work += 3 * float64(len(l.Muon.Coefficients)) * (small*small*large + mixed*mixed*mixed)
		case Polar:
			work += 200*small*small*large + 100*mixed*mixed*mixed
		}
	}
	return work
}
