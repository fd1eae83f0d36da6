package engine

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// Presets are named models, each one line of an InnerLoop. They take the widths
// or the matrices that the model needs; W_0 is zero and everything can be
// changed afterwards:
//
//	loop := engine.DeltaNet(dk, beta)
//	loop.W0 = start
//	run, err := engine.RunTokens(&engine.Tokens{Q: q, K: k, V: v}, loop)

// LinearAttention is  S_t = S_{t−1} + k_tᵀ v_t,  o_t = q_t S_t: the dot loss with
// rate 1.
func LinearAttention(dk int) *InnerLoop {
	return &InnerLoop{Feature: Identity{dk}, Loss: Dot{}, Rate: Constant(1)}
}

// Retention is linear attention with decay,  S_t = γ S_{t−1} + k_tᵀ v_t  (RetNet;
// one γ a token is simple gated linear attention).
func Retention(dk int, gamma Schedule) *InnerLoop {
	return &InnerLoop{Feature: Identity{dk}, Loss: Dot{}, Rate: Constant(1), Gamma: gamma}
}

// DeltaNet is  S_t = S_{t−1} + β_t k_tᵀ (v_t − k_t S_{t−1}): the squared loss.
func DeltaNet(dk int, beta Schedule) *InnerLoop {
	return &InnerLoop{Feature: Identity{dk}, Loss: Squared{}, Rate: beta}
}

// GatedDeltaNet decays first and takes the error on the decayed state:
// S_t = γ_t S_{t−1} + β_t k_tᵀ (v_t − γ_t k_t S_{t−1}).
func GatedDeltaNet(dk int, beta, gamma Schedule) *InnerLoop {
	return &InnerLoop{Feature: Identity{dk}, Loss: Squared{}, Rate: beta, Gamma: gamma}
}

// MiniBatchDelta is the core of TTT-Linear without its layer norm: the squared
// loss, gradients at the start of mini-batches of b, token-causal inside. b = 1
// is DeltaNet; b = T with W_0 = 0 is linear attention with values ηv.
func MiniBatchDelta(dk, b int, eta Schedule) *InnerLoop {
	return &InnerLoop{Feature: Identity{dk}, Loss: Squared{}, Rate: eta, Chunk: b, Order: TokenCausal}
}

// TTTLinear is TTT-Linear as in ttt-lm: f(x) = LN(xW + b), target v − k, output
// q + LN(z). In a mini-batch of b, row i reads the parameters less
// token_i Σ_{j≤i} η_j ∇_j: η belongs to the writer, token (b numbers, repeated
// for every mini-batch; nil: ones) to the reader.
func TTTLinear(norm *LayerNorm, b int, eta Schedule, token []float64, n int) *InnerLoop {
	dim := len(norm.Weight)
	return &InnerLoop{
		Feature: Identity{dim}, Loss: Normed{Squared{}, norm}, Target: TargetVMinusK, Bias: make([]float64, dim),
		Rate: eta, Chunk: b, Order: TokenCausal, Reader: repeated(token, n), Readout: ReadQPlusNorm, LayerNorm: norm,
	}
}

// TTTLinearFLA is TTT-Linear as in flash-linear-attention: η belongs to the
// reader alone, queries are scaled by 1/√D, and the residual is z: z + LN(z).
func TTTLinearFLA(norm *LayerNorm, b int, eta Schedule) *InnerLoop {
	dim := len(norm.Weight)
	return &InnerLoop{
		Feature: Identity{dim}, Loss: Normed{Squared{}, norm}, Target: TargetVMinusK, Bias: make([]float64, dim),
		Rate: Constant(1), Chunk: b, Order: TokenCausal, Reader: eta, QueryScale: inverseRootOf(dim),
		Readout: ReadZPlusNorm, LayerNorm: norm,
	}
}

// TTTMLP is TTT-MLP as in ttt-lm: f(x) = LN(gelu(x A + c) W + b), everything
// trained, mini-batches of b as in TTTLinear. The derivative of gelu is exact
// here; GELUTanhTTT has that of the published code.
func TTTMLP(a *mat.Dense, c []float64, w0 *mat.Dense, norm *LayerNorm, b int, eta Schedule, token []float64, n int) *InnerLoop {
	loop := TTTLinear(norm, b, eta, token, n)
	loop.Feature, loop.Train, loop.W0 = MLP{Act: GELUTanh, Layers: []Layer{{A: a, C: c}}}, true, w0
	return loop
}

// Titans is  Δ_t = α_t Δ_{t−1} + θ_t ∇_t,  S_t = γ_t S_{t−1} − Δ_t  with the squared
// loss: momentum, and a decay that the gradient does not see.
func Titans(dk int, theta, alpha, gamma Schedule) *InnerLoop {
	return &InnerLoop{Feature: Identity{dk}, Loss: Squared{}, Rate: theta, Alpha: alpha, Gamma: gamma, DecayAfter: true, Order: TokenCausal}
}

// LaCT is LaCT's language layer: SwiGLU, all three weights trained on the dot
// loss by Muon on the accumulated gradient, weight norm after each step, chunks
// of b read before they are written. rates has one rate for gate, up and W; nil
// means 0.01 for each. Momentum is averaged over a chunk.
func LaCT(gate, up, w0 *mat.Dense, b int, rates *Rates3, alpha Schedule) *InnerLoop {
	if rates == nil {
		rates = &Rates3{Constant(0.01), Constant(0.01), Constant(0.01)}
	}
	return &InnerLoop{
		Feature: SwiGLU{Gate: gate, Up: up}, Loss: Dot{}, W0: w0, Train: true,
		Rate: rates.W, ThetaRates: map[string]Schedule{"gate": rates.Gate, "up": rates.Up}, Alpha: alpha,
		Chunk: b, Order: ApplyThenUpdate, SkipLast: true,
		Muon: &Muon{Method: NewtonSchulz, Coefficients: NewtonSchulzLaCT}, Norm: PostNorm,
	}
}

// Rates3 are LaCT's three rates a token.
type Rates3 struct{ Gate, Up, W Schedule }

// ViTTTGLU is ViTTT's gated linear unit: one step of rate 1 with all n tokens,
// each column of the gradient clipped.
func ViTTTGLU(gate, w0 *mat.Dense, n int) *InnerLoop {
	return &InnerLoop{
		Feature: DataGate{Gate: gate}, Loss: Dot{}, W0: w0, Train: true, Rate: Constant(1),
		Chunk: n, MeanThird: true, Clip: true,
	}
}

// ViTTTConv is ViTTT's depthwise 3×3 convolution on an image: w0 is channels×9.
func ViTTTConv(height, width int, w0 *mat.Dense) *InnerLoop {
	channels, _ := w0.Dims()
	return &InnerLoop{
		Feature: Conv3x3{height, width, channels}, Loss: Dot{}, W0: w0, Rate: Constant(1),
		Chunk: height * width, MeanThird: true, Clip: true,
	}
}

// A Variant is one stop of the paper's ablation walk (its Table 2), from the
// LaCT baseline to linear attention.
type Variant struct {
	Name string
	Text string // what this step takes away
}

// To add a stop, write a row here and what it takes away in Ablation.
var walk = []Variant{
	{"baseline", "LaCT: three weights trained, weight norm, SwiGLU, per-token rates, momentum, Muon"},
	{"1", "update the last layer only"},
	{"2", "and no weight norm"},
	{"3", "and a linear model in place of the MLP"},
	{"4", "and no per-token rate"},
	{"5", "and no momentum"},
	{"6", "and no Muon: linear attention"},
}

// Walk returns the stops of the paper's ablation walk, in order.
func Walk() []Variant { return append([]Variant(nil), walk...) }

// Ablation returns stop step of the walk, 0 being the baseline, from a baseline
// such as LaCT returns. From step 3 on the model is linear with a start of its
// own, linear (Dk×Dv).
func Ablation(step int, baseline *InnerLoop, linear *mat.Dense) *InnerLoop {
	loop := *baseline
	for n, take := range []func(){
		func() { loop.Train, loop.ThetaRates = false, nil },
		func() { loop.Norm = NoNorm },
		func() { loop.Feature, loop.W0 = Identity{loop.Feature.In()}, linear },
		func() { loop.Rate = Constant(1) },
		func() { loop.Alpha = nil },
		func() { loop.Muon = nil },
	} {
		if n < step {
			take()
		}
	}
	return &loop
}

// repeated lays the numbers of a mini-batch over n tokens; nil gives ones.
func repeated(token []float64, n int) Schedule {
	if token == nil {
		return Constant(1)
	}
	each := make(Schedule, n)
	for t := range each {
		each[t] = token[t%len(token)]
	}
	return each
}

func inverseRootOf(dim int) float64 { return 1 / math.Sqrt(float64(dim)) }
