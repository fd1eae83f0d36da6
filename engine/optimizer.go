package engine

import (
	"gonum.org/v1/gonum/mat"
)

// An InnerLoop is the learning rule of the fast weight: what it minimises, how
// it steps, when it steps, and what is read from it. The zero value of a field
// means that the field's idea is off, so that
//
//	InnerLoop{Feature: φ, Loss: ℓ, Rate: η, Alpha: α}
//
// is one step of gradient descent with momentum a token. In full, with G the
// gradient of the summed loss of the tokens that are written together, one
// inner step is
//
//	W ← γ W                        decay before the gradient, once a chunk
//	G = Σ_i η_i ∂ℓ_i/∂W            at the parameters as they stand
//	Δ ← α Δ + clip(G)              the buffer
//	U = M(Δ)                       orthogonalised, or Δ itself
//	W ← γ W − ρ U                  decay after the gradient; ρ a rate outside
//	W ← W ∘ n_0/‖column‖           weight norm
//
// and the same for every matrix of Θ where Train is set, from the same gradient
// evaluation.
type InnerLoop struct {
	Feature Feature
	Loss    Loss
	Rate    Schedule   // η_t, inside the buffer; negative is gradient ascent
	Alpha   Schedule   // α_t; empty is no momentum; a chunk takes its tokens' mean
	Steps   int        // K; 0 means 1
	W0      *mat.Dense // Dh×Dv, or channels×9 for Conv3x3; nil means zero

	// What learns.

	Train bool      // Θ too, not W alone; Feature must then be a Network
	Bias  []float64 // Dv: a bias after W, trained with it; nil: none

	// When it learns. Chunk tokens share one update; 0 means 1.

	Chunk      int
	Order      Order       // of writing and reading inside a chunk
	SkipLast   bool        // the last chunk is read, never written (LaCT)
	Operations []Operation // in place of chunks: these, in order
	Writes     int         // rows of K and V a token, written one after the other; 0 means 1

	// The gradient.

	Ascent        bool    // −∂ℓ in place of ∂ℓ
	GradientScale float64 // a factor on the gradient (Titans: 2); 0 means 1
	MeanThird     bool    // ViTTT: the summed loss is divided by 3·tokens
	Clip          bool    // ViTTT: each column of G divided by its norm + 1, before the rate

	// Rates. With a rate that changes from token to token, a rate inside the
	// buffer and a rate outside are two models.

	RateOutside bool                // η multiplies the buffer, not the gradient
	ThetaRates  map[string]Schedule // rates of single matrices of Θ, by name; else Rate
	ChannelRate *mat.Dense          // T×Dv: one rate a token and output channel, in place of Rate
	Reader      Schedule            // causal order: row i reads W_chunk − Reader_i Σ_{j≤i} G_j

	// Momentum0 is the buffer before the first token, by name, W's being "w0".
	// It is subtracted like any buffer: as it stands with a rate inside.
	Momentum0 map[string]*mat.Dense

	// Decay.

	Gamma         Schedule   // γ_t, what decay leaves; empty: all
	GammaChannels *mat.Dense // T×Dh: one γ for every row of W, in place of Gamma
	DecayAfter    bool       // the gradient is taken before the decay (torch's weight decay), every inner step
	DecayTheta    bool       // Θ and the bias decay too

	// What becomes of the buffer and of W.

	Muon    *Muon      // orthogonalise Δ; nil: off
	Norm    WeightNorm // columns back to their first norm
	NormEps float64    // ‖column‖ + NormEps; 0 means 1e-5
	Adam    bool       // Adam in place of all the above; breaks the linear form

	// Reading.

	Query      Query
	QueryScale float64 // a factor on the query before φ; 0 means 1
	Target     Target
	Readout    Readout
	LayerNorm  *LayerNorm // of Readout
	Z0         []float64  // Dh, normalizer: what Σ k̂ starts from; nil: zero

	// Divergence is the multiple of max|v| at which an output counts as
	// diverged; 0 means 1000, +Inf only at numbers that are not finite.
	Divergence float64

	// Watch is told what is being computed and how many of its chunks are done, so
	// that a long run can say how far it is; nil: nobody is.
	Watch Watch
}

// A Watch is told of a piece of work and how many of its parts are done.
type Watch func(work string, done, of int)

// tell is a call that a nil Watch survives.
func (w Watch) tell(work string, done, of int) {
	if w != nil {
		w(work, done, of)
	}
}

// An Order is the order of writing and reading inside a chunk.
type Order string

// The three orders. In the causal one the gradients of a chunk are taken at its
// start, W advances token by token, and row i has seen the writes j ≤ i; Titans
// and TTT do so. A chunk of one token makes it the first order.
const (
	UpdateThenApply Order = ""                  // every token sees its whole chunk
	ApplyThenUpdate Order = "apply-then-update" // every token sees earlier chunks only
	TokenCausal     Order = "token-causal"
)

// An Operation updates with tokens Start ≤ t < End, then lets their queries
// read; either part may be left out.
type Operation struct {
	Start, End    int
	Update, Apply bool
}

// A WeightNorm puts each column of a weight back to the norm it had at first.
type WeightNorm string

// The weight norms.
const (
	NoNorm   WeightNorm = ""
	PostNorm WeightNorm = "post" // the normalised weight is what the next step starts from
	PreNorm  WeightNorm = "pre"  // an un-normalised copy accumulates; the normalised one is used
)

// A Query says which vector is read.
type Query string

// The queries.
const (
	QueryQ    Query = ""        // q_t
	QueryK    Query = "k"       // k_t in its place
	QueryMean Query = "(q+k)/2" // half of both
)

// A Target says which vector a prediction is compared with.
type Target string

// The targets.
const (
	TargetV       Target = ""    // v_t
	TargetVMinusK Target = "v-k" // v_t − k_t, as in TTT and Titans
)

// A Readout says what becomes of z = q̂ W.
type Readout string

// The readouts.
const (
	ReadRaw        Readout = ""               // o = z
	ReadNormalizer Readout = "normalizer"     // o = z / (q̂·(z_0 + Σ k̂) + 1e-10)
	ReadZPlusNorm  Readout = "z+layernorm(z)" // fla's TTT, Titans
	ReadQPlusNorm  Readout = "q+layernorm(z)" // ttt-lm: the residual is the query
)

// steps returns K, at least 1.
func (l *InnerLoop) steps() int { return max(1, l.Steps) }

// writesPerToken returns how many rows of K and V a token has, at least 1.
func (l *InnerLoop) writesPerToken() int { return max(1, l.Writes) }

// gradientFactor multiplies ∂ℓ/∂f of a token that is written together with
// count−1 others.
func (l *InnerLoop) gradientFactor(count int) float64 {
	factor := 1.0
	if l.GradientScale != 0 {
		factor = l.GradientScale
	}
	if l.MeanThird {
		factor /= 3 * float64(count)
	}
	if l.Ascent {
		factor = -factor
	}
	return factor
}

// keep returns γ_t, 1 where nothing decays.
func (l *InnerLoop) keep(t int) float64 {
	if len(l.Gamma) == 0 {
		return 1
	}
	return l.Gamma.At(t)
}

// thetaRate returns η of the matrix of Θ of that name.
func (l *InnerLoop) thetaRate(name string) Schedule {
	if rate, ok := l.ThetaRates[name]; ok {
		return rate
	}
	return l.Rate
}

// normEps returns what is added to a column's norm.
func (l *InnerLoop) normEps() float64 {
	if l.NormEps == 0 {
		return 1e-5
	}
	return l.NormEps
}
