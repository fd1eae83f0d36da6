package engine

// A Linearity answers three separate questions about a model. They are often taken
// for one.
type Linearity struct {
	// Form (A): is the readout linear in a state that is a sum of k̂ᵀv̂?
	Form Verdict
	// Closed (B): are the effective values known without running the recurrence?
	Closed Verdict
	// Parallel (C): is there a masked product or an associative scan?
	Parallel Verdict
}

// A Verdict is an answer with its reason, one sentence.
type Verdict struct {
	Holds  bool
	Reason string
}

func yes(reason string) Verdict { return Verdict{true, reason} }
func no(reason string) Verdict  { return Verdict{false, reason} }

// Linearity answers the three questions for the rule on n tokens.
func (l *InnerLoop) Linearity(n int) Linearity {
	return Linearity{Form: l.linearForm(), Closed: l.closedForm(n), Parallel: l.parallelForm(n)}
}

func (l *InnerLoop) linearForm() Verdict {
	switch {
	case l.Adam:
		return no("Adam divides every element of the gradient by its own size, so an update is no longer a sum of k̂ᵀv̂.")
	case l.Readout == ReadZPlusNorm || l.Readout == ReadQPlusNorm:
		return yes("z = q̂S is linear in S = W_0 + Σ k̂ᵀ(c v̂); the layer norm comes after it.")
	case l.Readout == ReadNormalizer:
		return yes("q̂S is linear in S = W_0 + Σ k̂ᵀ(c v̂), and the normalizer in Σ k̂.")
	case l.Norm != NoNorm:
		return yes("o = q̂S, and weight norm gates the columns of S, that is, the effective values and W_0.")
	case l.Muon != nil:
		return yes("o = q̂S: Muon leaves the keys and mixes the values, M(KᵀV) = Kᵀ(VP).")
	case l.isGated():
		return yes("o = s(q) ∘ qS: the gate of the key is part of the effective value, that of the query stands outside.")
	}
	return yes("o = q̂S with S = W_0 + Σ k̂ᵀ(c v̂): a gradient step on a linear layer is an outer product.")
}

// nonlinear returns what makes an effective value depend on earlier ones in
// another way than linearly, or "".
func (l *InnerLoop) nonlinear() string {
	_, normed := l.Loss.(Normed)
	_, dot := l.Loss.(Dot)
	_, squared := l.Loss.(Squared)
	switch {
	case l.Adam:
		return "Adam's step depends on every gradient before it, element by element."
	case l.trainsTheta():
		return "Θ is trained: k̂_i = φ_i(k_i) needs Θ_i, which needs every write before it, a nested nonlinear recursion."
	case l.Norm == PostNorm:
		return "Weight norm gates every later reading by norms of the state itself: a nested norm, not a plain sum."
	case normed:
		return "The layer norm in the loss makes the gradient a nonlinear function of the state."
	case !dot && !squared:
		return "The loss is neither dot nor squared: its gradient is no affine function of the state."
	case squared && l.Muon != nil:
		return "The squared loss needs the state, and Muon made the state from earlier effective values by a nonlinear P."
	case squared && l.Norm == PreNorm:
		return "The gradient of the squared loss sees the normalised weight."
	case squared && l.Clip:
		return "The squared loss needs the state, and clipping made the state from earlier effective values nonlinearly."
	}
	return ""
}

// trainsTheta reports whether φ changes.
func (l *InnerLoop) trainsTheta() bool {
	n, ok := l.Feature.(Network)
	return ok && l.Train && len(n.Theta()) > 0
}

func (l *InnerLoop) isGated() bool {
	_, ok := l.Feature.(DataGate)
	return ok
}

// onePhase reports whether everything is written in one inner step, so that
// every gradient is taken at the start.
func (l *InnerLoop) onePhase(n int) bool {
	writing := 0
	for _, p := range l.plan(n) {
		if p.writes() > 0 {
			writing++
		}
	}
	return writing <= 1 && l.steps() == 1 && !l.Adam
}

func (l *InnerLoop) closedForm(n int) Verdict {
	if l.onePhase(n) {
		return yes("There is one step, and every gradient of it is taken at the first parameters.")
	}
	if reason := l.nonlinear(); reason != "" {
		return no(reason)
	}
	if _, squared := l.Loss.(Squared); squared {
		return yes("v̂_i depends linearly on the writes before it: one triangular solve (WY/UT) gives them all.")
	}
	if l.Muon != nil {
		return yes("The dot loss gives every value at once; P of each step follows from the buffers, which are a cumulative sum.")
	}
	return yes("The dot loss does not look at the state: v̂_i = ηv_i.")
}

func (l *InnerLoop) parallelForm(n int) Verdict {
	if l.onePhase(n) {
		return yes("There is one step: all writes are independent.")
	}
	if reason := l.nonlinear(); reason != "" {
		return no(reason)
	}
	switch _, squared := l.Loss.(Squared); {
	case squared:
		return yes("A triangular solve inside a chunk and a recurrence between chunks, or a scan with matrices.")
	case l.Norm == PreNorm:
		return yes("The dot loss does not see the norm: scan the un-normalised sum, then normalise.")
	case l.Muon != nil:
		return yes("Scan the buffers, orthogonalise each, then take a second cumulative sum.")
	case l.anyAlpha():
		return yes("One masked product with C = MA, chunkwise, or an associative scan over (W, Δ).")
	}
	return yes("One masked product, chunkwise, or a cumulative sum.")
}

// notUnrolled returns why Unrolled cannot run the rule, or "".
func (l *InnerLoop) notUnrolled() string {
	if form := l.linearForm(); !form.Holds {
		return form.Reason
	}
	if l.GammaChannels != nil && (l.anyAlpha() || len(l.Momentum0) > 0) && (l.Muon != nil || l.Norm == PostNorm) {
		return "With momentum, a decay by channel and a rule that acts on columns, a write comes back at every later step as another one; Unrolled keeps one pair a write."
	}
	return ""
}

// Unrollable says whether Unrolled can run the rule, with the reason where it
// cannot.
func (l *InnerLoop) Unrollable() Verdict {
	if reason := l.notUnrolled(); reason != "" {
		return no(reason)
	}
	return yes("")
}

// LinearInValues reports whether, with W_0 = 0, the outputs are a linear
// function of the values: dot or squared loss, φ frozen, and nothing that looks
// at the size of what is written.
func (l *InnerLoop) LinearInValues() bool {
	return l.nonlinear() == "" && l.Muon == nil && l.Norm == NoNorm && !l.Clip && l.ChannelRate == nil &&
		l.Bias == nil && len(l.Momentum0) == 0 && l.Target == TargetV && !l.isGated() && !l.isConv() &&
		(l.Readout == ReadRaw || l.Readout == ReadNormalizer)
}
