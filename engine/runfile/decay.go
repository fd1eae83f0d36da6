package runfile

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"unrolled/engine"
)

// readDecay reads γ, which a file may state as decay, as its logarithm, as what
// is forgotten, or as torch's weight decay; where it states more than one, they
// must agree.
func (b *builder) readDecay() error {
	placement, err := b.model.choice("decayPlacement", "none", "before-gradient", "after-gradient")
	if err != nil {
		return err
	}
	applies, err := b.model.choice("decayApplies", "last layer", "all trained parameters")
	if err != nil {
		return err
	}
	gamma, err := b.decayNumbers()
	if err != nil {
		return err
	}
	if placement == "none" {
		return b.noDecay(gamma)
	}
	b.loop.DecayAfter = placement == "after-gradient"
	b.loop.DecayTheta = applies == "all trained parameters"
	if gamma != nil && gamma.dims == 2 {
		b.loop.GammaChannels = mat.NewDense(gamma.rows, gamma.cols, gamma.data)
		return nil // a weight decay beside it stays unknown, and is an error
	}
	if gamma != nil {
		lay := spread{rows: b.tokenCount, chunk: b.loop.Chunk}
		if b.loop.Gamma, err = lay.schedule(gamma); err != nil {
			return err
		}
	}
	if b.loop.Gamma, err = b.readWeightDecay(b.loop.Gamma); err != nil {
		return err
	}
	if b.loop.Gamma == nil {
		return fmt.Errorf("model.decay is missing; decayPlacement is %s", placement)
	}
	return nil
}

// noDecay: where nothing decays, every γ that is given must be 1, and a weight
// decay 0.
func (b *builder) noDecay(gamma *array) error {
	weight, err := b.model.number("weightDecay", 0)
	if err != nil {
		return err
	}
	if weight != 0 {
		return fmt.Errorf("model.weightDecay is %v, but model.decayPlacement is none", weight)
	}
	if gamma == nil {
		return nil
	}
	for _, x := range gamma.data {
		if x != 1 {
			return fmt.Errorf("%s is %v, but model.decayPlacement is none", gamma.name, x)
		}
	}
	return nil
}

// decayNumbers returns γ from whichever field states it most exactly, nil where
// none does.
func (b *builder) decayNumbers() (*array, error) {
	logs, err := b.inputs.array("logDecay")
	if err != nil {
		return nil, err
	}
	if logs != nil {
		logs.data = exp(logs.data)
	}
	plain, err := b.model.array("decay")
	if err != nil {
		return nil, err
	}
	forget, err := b.inputs.array("forget")
	if err != nil {
		return nil, err
	}
	if forget != nil {
		for i, x := range forget.data {
			forget.data[i] = 1 - x
		}
	}
	var found *array
	for _, a := range []*array{logs, plain, forget} {
		switch {
		case a == nil:
		case found == nil:
			found = a
		case len(a.data) > 1 && len(found.data) > 1 && len(a.data) != len(found.data):
			return nil, fmt.Errorf("%s and %s have %d and %d numbers", found.name, a.name, len(found.data), len(a.data))
		default:
			if err := same(found, a, "as what decay leaves"); err != nil {
				return nil, err
			}
		}
	}
	return found, nil
}

// readWeightDecay reads torch's weight decay w, which is γ = 1 − ηw with the rate
// of the optimiser: η where it is constant or outside the buffer, 1 where rates
// weight the loss. It states γ, or must agree with it.
func (b *builder) readWeightDecay(gamma engine.Schedule) (engine.Schedule, error) {
	if !b.model.has("weightDecay") {
		return gamma, nil
	}
	weight, err := b.model.number("weightDecay", 0)
	if err != nil {
		return nil, err
	}
	rates := b.loop.Rate
	if len(rates) > 1 && !b.loop.RateOutside {
		rates = engine.Constant(1)
	}
	stated := make(engine.Schedule, len(rates))
	for t, rate := range rates {
		stated[t] = 1 - rate*weight
	}
	if gamma == nil {
		return stated, nil
	}
	for t := range b.tokenCount {
		if x, y := gamma.At(t), stated.At(t); !(math.Abs(x-y) <= 1e-9) {
			return nil, fmt.Errorf("model.decay and model.weightDecay disagree: %v and 1 − rate·%v = %v at token %d", x, weight, y, t)
		}
	}
	return gamma, nil
}
