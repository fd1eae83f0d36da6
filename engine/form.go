package engine

// notUnrolled returns why Unrolled cannot run the rule, or "".
func (l *InnerLoop) notUnrolled() string {
	if l.Adam {
		return "Adam divides every element of the gradient by its own size, so an update is no longer a sum of k̂ᵀv̂: there is nothing to attend to."
	}
	if l.GammaChannels != nil && (l.anyAlpha() || len(l.Momentum0) > 0) && (l.Muon != nil || l.Norm == PostNorm) {
		return "With momentum, a decay by channel and a rule that mixes or rescales columns, every write returns at each later step as another one; Unrolled keeps one pair a write."
	}
	return ""
}
