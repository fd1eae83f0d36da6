// Package engine computes test-time training twice: as literal inner-loop
// learning, and as linear attention over effective values.
//
//	Config ─▶ Tokens + InnerLoop ─┬─▶ Sequential ─▶ Trace ─┐
//	                              └─▶ Unrolled   ─▶ Trace ─┴─▶ Result
//
// Start at Run, which takes a Config (one whole run as plain data), or at
// RunTokens, which takes matrices of your own. Sequential is the definition: a
// fast weight W that takes a gradient step at every token. Unrolled is the
// claim: the same outputs, as attention over everything that was written, with
// W never formed. Neither reads what the other computed.
//
// # Notation
//
// Vectors are rows. Row t of a matrix is token t. Index i is a write, t a read.
//
//	T           tokens                          Config.Length
//	q, k, v     query, key, value of a token    Tokens.Q (T×Dk), K (T×Dk), V (T×Dv)
//	φ           feature map, Dk → Dh            Feature
//	W, S_t      fast weight, Dh×Dv; S_t is W after the update of token t
//	f           prediction φ(k) W
//	ℓ           inner loss ℓ(f, v)              Loss
//	η           inner learning rate, inside the momentum buffer; η < 0 is ascent
//	α           momentum, never β               InnerLoop.Alpha
//	K           inner steps a token             InnerLoop.Steps
//	Δ           momentum buffer: Δ ← α Δ + η ∂ℓ/∂W,  W ← W − Δ
//	Θ           parameters of φ, trained with W where InnerLoop.Train; A_1, c_1, … or gate, up
//	L           tokens a chunk, which share one update   InnerLoop.Chunk
//	γ           what decay leaves of W: W ← γ W  InnerLoop.Gamma
//	ρ           a rate outside the buffer: W ← W − ρ Δ
//	M, P        Muon: M(Δ) with Δ = Kᵀ V is Kᵀ (V P)     InnerLoop.Muon
//	R, n_0      weight norm: columns times R = n_0/‖column‖   InnerLoop.Norm
//	z, s        what W reads; a gate behind it, f = z ∘ s(x)   DataGate
//	β_i^j       Π_{s=i+1..j} α_s, and 1 for j = i
//	c_i^t       Σ_{j=i..t} β_i^j, the age multiplier of write i at reading t; with
//	            decay and outside rates Σ_j ρ_j β_i^j Π_{s=j+1..t} γ_s
//	k̂_i        φ(k_i), frozen when written     Trace.Keys
//	v̂_i        −η ∂ℓ/∂f at write i             Trace.Effective
//	q̂_t        φ(q_t) after update t           Trace.Queries
//	o_t         the output q̂_t S_t             Trace.Output
//
// The theorem (Liu, Elflein, Litany, Gojcic, Li, "Test-Time Training with KV
// Binding Is Secretly Linear Attention", arXiv 2602.21204, Theorem 5.3):
//
//	o_t = q̂_t W_0 + Σ_{i≤t} c_i^t (q̂_t·k̂_i) v̂_i
//
// The paper folds c_i^t into the value and calls the product m_i^{(t)}; here it
// is kept apart, since v̂_i is fixed when written and c_i^t grows with age. With
// K inner steps a token makes K writes with the same key; i and t in c_i^t then
// count writes.
//
// # Rules
//
// An InnerLoop describes a rule: φ and what of it is trained, chunks, momentum,
// decay, rates, Muon, weight norm, what is read. Sequential and Unrolled run the
// same description, each in its own terms: a weight (weight.go) is numbers and a
// buffer; a memory (memory.go) is a first value and writes, and what a rule does
// to the matrix becomes what it does to the multipliers of the writes. Presets
// (presets.go) are InnerLoops with a name. InnerLoop.Linearity answers what is linear,
// closed and parallel about a rule (form.go).
package engine
