package engine

// Work estimates the multiply-adds of Unrolled on tokens: every row and query
// attends over the writes before it; weight norm compares all writes with all at
// every step, Muon those that are in its buffer.
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
			}
		}
		work += float64(p.until-p.read) * written * width
	}
	return work
}
