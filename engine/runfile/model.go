package runfile

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"unrolled/engine"
)

// A builder turns model and inputs into an inner loop and its tokens.
type builder struct {
	model, inputs *object
	loop          *engine.InnerLoop
	tokens        *engine.Tokens
	theta         *object // inputs.theta

	tokenCount int // T, rows of q
	rows       int // rows of k and v
	keyDim     int
	valueDim   int
	isConstant bool // learningRatePlacement "inside=outside (constant)"
	reader     bool // … "reader"
}

// build goes through the model part by part; each part takes the fields that it
// knows.
func (b *builder) build() error {
	for _, part := range []func() error{
		b.readTokens, b.readFeature, b.readBias, b.readLoss, b.readPlan, b.readSteps, b.readRates,
		b.readMomentum, b.readDecay, b.readMatrixRules, b.readReadout, b.readStart, b.readOptimizer,
	} {
		if err := part(); err != nil {
			return err
		}
	}
	return nil
}

func (b *builder) readTokens() error {
	if b.inputs.has("g") {
		return fmt.Errorf("inputs.g is a matrix for a function, not a run; unrolled -run takes q, k, v and w0")
	}
	q, err := b.inputs.needMatrix("q")
	if err != nil {
		return err
	}
	k, err := b.inputs.needMatrix("k")
	if err != nil {
		return err
	}
	v, err := b.inputs.needMatrix("v")
	if err != nil {
		return err
	}
	b.tokens = &engine.Tokens{Q: q, K: k, V: v}
	b.tokenCount, _ = q.Dims()
	b.rows, b.keyDim = k.Dims()
	_, b.valueDim = v.Dims()
	if b.loop.Writes, err = b.model.whole("writesPerToken", 1); err != nil {
		return err
	}
	if b.loop.Writes < 1 || b.loop.Writes*b.tokenCount != b.rows {
		return fmt.Errorf("inputs.k has %d rows for %d queries with %d writes a token", b.rows, b.tokenCount, b.loop.Writes)
	}
	b.theta, err = b.inputs.object("theta")
	if err != nil || b.theta != nil {
		return err
	}
	b.theta, err = parseObject("inputs.theta", []byte("{}"))
	return err
}

func (b *builder) readFeature() error {
	name, err := b.model.choice("feature", "identity", "tanh-mlp", "silu-mlp", "gelu-mlp", "gelu-tanh-mlp", "relu-mlp",
		"swiglu", "glu-data-gate", "depthwise-conv3x3")
	if err != nil {
		return err
	}
	if !b.model.has("feature") {
		return fmt.Errorf("model.feature is missing")
	}
	train, err := b.model.choice("train", "last", "all")
	if err != nil {
		return err
	}
	depth := map[string]int{"identity": 0, "depthwise-conv3x3": 0, "swiglu": 1, "glu-data-gate": 1}
	layers, isGiven := depth[name]
	stated, err := b.model.whole("layers", layers)
	if err != nil {
		return err
	}
	if isGiven && stated != layers && b.model.has("layers") {
		return fmt.Errorf("model.layers is %d; %s has %d", stated, name, layers)
	}
	switch name {
	case "identity":
		b.loop.Feature = engine.Identity{Dim: b.keyDim}
		return nil
	case "depthwise-conv3x3":
		return b.readImage()
	case "swiglu":
		err = b.readSwiGLU()
	case "glu-data-gate":
		var gate *mat.Dense
		gate, err = b.theta.needMatrix("gate")
		b.loop.Feature = engine.DataGate{Gate: gate}
	default:
		err = b.readMLP(name[:len(name)-len("-mlp")], stated)
	}
	b.loop.Train = train == "all"
	return err
}

func (b *builder) readImage() error {
	height, err := b.model.whole("height", 0)
	if err != nil {
		return err
	}
	width, err := b.model.whole("width", 0)
	b.loop.Feature = engine.Conv3x3{Height: height, Width: width, Channels: b.keyDim}
	return err
}

func (b *builder) readSwiGLU() error {
	gate, err := b.theta.needMatrix("gate")
	if err != nil {
		return err
	}
	up, err := b.theta.needMatrix("up")
	b.loop.Feature = engine.SwiGLU{Gate: gate, Up: up}
	return err
}

// readMLP reads A1, c1, A2, …, as many as there are, or as model.layers says.
func (b *builder) readMLP(activation string, layers int) error {
	act, err := engine.ActivationByName(activation)
	if err != nil {
		return err
	}
	if normed, _ := b.normed(); normed && activation == engine.GELUTanh.Name {
		act = engine.GELUTanhTTT // TTT-MLP's code; autograd has the exact derivative
	}
	biased, err := b.model.boolean("bias")
	if err != nil {
		return err
	}
	mlp := engine.MLP{Act: act}
	for n := 1; b.theta.has(fmt.Sprintf("A%d", n)); n++ {
		a, err := b.theta.needMatrix(fmt.Sprintf("A%d", n))
		if err != nil {
			return err
		}
		layer := engine.Layer{A: a}
		name := fmt.Sprintf("c%d", n)
		if layer.C, err = b.theta.list(name); err != nil {
			return err
		}
		if biased && layer.C == nil {
			return fmt.Errorf("inputs.theta.%s is missing; the model has biases", name)
		}
		if !biased && layer.C != nil {
			return fmt.Errorf("inputs.theta.%s is given, but the model has no biases", name)
		}
		mlp.Layers = append(mlp.Layers, layer)
	}
	if len(mlp.Layers) == 0 {
		return fmt.Errorf("inputs.theta.A1 is missing")
	}
	if b.model.has("layers") && layers != len(mlp.Layers) {
		return fmt.Errorf("model.layers is %d; inputs.theta has A1 to A%d", layers, len(mlp.Layers))
	}
	b.loop.Feature = mlp
	return nil
}

// readBias reads the bias after W: theta.bias, or b0.
func (b *builder) readBias() error {
	biased, err := b.model.boolean("bias")
	if err != nil {
		return err
	}
	fromTheta, err := b.theta.list("bias")
	if err != nil {
		return err
	}
	b0, err := b.inputs.list("b0")
	if err != nil {
		return err
	}
	switch {
	case fromTheta != nil && b0 != nil:
		return fmt.Errorf("inputs.b0 and inputs.theta.bias are two values of one bias")
	case !biased && (fromTheta != nil || b0 != nil):
		return fmt.Errorf("a bias is given, but the model has none")
	case biased && fromTheta == nil && b0 == nil:
		return fmt.Errorf("inputs.theta.bias is missing; the model has a bias")
	case fromTheta != nil:
		b.loop.Bias = fromTheta
	case b0 != nil:
		b.loop.Bias = b0
	}
	return b.theta.rest()
}

// normed reports whether the loss sees a layer norm.
func (b *builder) normed() (bool, error) { return b.model.boolean("innerLayernorm") }

func (b *builder) readLoss() error {
	if !b.model.has("loss") {
		return fmt.Errorf("model.loss is missing")
	}
	loss, err := b.model.choice("loss", "dot", "squared")
	if err != nil {
		return err
	}
	b.loop.Loss = engine.Loss(engine.Dot{})
	if loss == "squared" {
		b.loop.Loss = engine.Squared{}
	}
	target, err := b.model.choice("target", "v", string(engine.TargetVMinusK))
	if err != nil {
		return err
	}
	if target != "v" {
		b.loop.Target = engine.TargetVMinusK
	}
	return b.readLayerNorm()
}

// readLayerNorm reads the one layer norm of a model, in the loss, in the
// readout or in both.
func (b *builder) readLayerNorm() error {
	inside, err := b.normed()
	if err != nil {
		return err
	}
	output, err := b.model.choice("output", "raw", string(engine.ReadNormalizer), string(engine.ReadZPlusNorm), string(engine.ReadQPlusNorm))
	if err != nil {
		return err
	}
	if output != "raw" {
		b.loop.Readout = engine.Readout(output)
	}
	outside := b.loop.Readout == engine.ReadZPlusNorm || b.loop.Readout == engine.ReadQPlusNorm
	if !inside && !outside {
		return nil
	}
	norm := &engine.LayerNorm{}
	if norm.Weight, err = b.needList("lnWeight"); err != nil {
		return err
	}
	if norm.Bias, err = b.needList("lnBias"); err != nil {
		return err
	}
	if norm.Eps, err = b.model.number("eps", 1e-6); err != nil {
		return err
	}
	if inside {
		b.loop.Loss = engine.Normed{Loss: b.loop.Loss, Norm: norm}
	}
	if outside {
		b.loop.LayerNorm = norm
	}
	return nil
}

func (b *builder) needList(field string) ([]float64, error) {
	list, err := b.inputs.list(field)
	if err == nil && list == nil {
		err = fmt.Errorf("%s is missing", b.inputs.name(field))
	}
	return list, err
}

// readReadout reads what becomes of a query and of z.
func (b *builder) readReadout() error {
	query, err := b.model.choice("query", "q", string(engine.QueryK), string(engine.QueryMean))
	if err != nil {
		return err
	}
	if query != "q" {
		b.loop.Query = engine.Query(query)
	}
	if b.loop.QueryScale, err = b.model.number("queryScale", 1); err != nil {
		return err
	}
	if b.loop.QueryScale == 0 {
		return fmt.Errorf("model.queryScale is 0; every query would be the same")
	}
	if b.loop.Readout != engine.ReadNormalizer {
		return nil
	}
	b.loop.Z0, err = b.inputs.list("z0")
	return err
}

// readStart reads W_0 and the buffers before the first token.
func (b *builder) readStart() error {
	var err error
	if b.loop.W0, err = b.inputs.needMatrix("w0"); err != nil {
		return err
	}
	first, err := b.inputs.object("momentum0")
	if err != nil || first == nil {
		return err
	}
	b.loop.Momentum0 = map[string]*mat.Dense{}
	for _, name := range b.trained() {
		a, err := first.array(name)
		if err != nil {
			return err
		}
		if a == nil {
			return fmt.Errorf("%s is missing; every trained parameter has a buffer", first.name(name))
		}
		rows, cols := a.rows, a.cols
		if a.dims < 2 {
			rows, cols = 1, len(a.data)
		}
		m := mat.NewDense(rows, cols, a.data)
		if b.isConstant { // p −= lr·buffer, run with the rate inside
			rate, ok := b.loop.ThetaRates[name]
			if !ok {
				rate = b.loop.Rate
			}
			m.Scale(rate.At(0), m)
		}
		b.loop.Momentum0[name] = m
	}
	return first.rest()
}

// trained lists what the inner loop trains.
func (b *builder) trained() []string {
	names := []string{"w0"}
	if b.loop.Bias != nil {
		names = append(names, "bias")
	}
	if n, ok := b.loop.Feature.(engine.Network); ok && b.loop.Train {
		for _, p := range n.Theta() {
			names = append(names, p.Name)
		}
	}
	return names
}

func (b *builder) readOptimizer() error {
	optimizer, err := b.model.choice("optimizer", "sgd", "adam")
	b.loop.Adam = optimizer == "adam"
	return err
}

// exp is e^x, element by element.
func exp(xs []float64) []float64 {
	out := make([]float64, len(xs))
	for i, x := range xs {
		out[i] = math.Exp(x)
	}
	return out
}
