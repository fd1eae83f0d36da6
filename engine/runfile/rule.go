package runfile

import (
	"encoding/json"
	"fmt"
	"strings"

	"gonum.org/v1/gonum/mat"

	"unrolled/engine"
)

// readPlan reads what is written and read when.
func (b *builder) readPlan() error {
	if !b.model.has("chunk") {
		return fmt.Errorf("model.chunk is missing")
	}
	chunk, err := b.model.whole("chunk", 1)
	if err != nil {
		return err
	}
	b.loop.Chunk = chunk
	order, err := b.model.choice("order", "update-then-apply", string(engine.ApplyThenUpdate), string(engine.TokenCausal))
	if err != nil {
		return err
	}
	if order != "update-then-apply" {
		b.loop.Order = engine.Order(order)
	}
	if err := b.readCausal(); err != nil {
		return err
	}
	if (chunk == 0) != b.inputs.has("operations") {
		return fmt.Errorf("model.chunk is %d; chunk 0 goes with inputs.operations, and no other does", chunk)
	}
	if chunk < 0 {
		return fmt.Errorf("model.chunk is %d; it must be at least 0", chunk)
	}
	if chunk > 0 {
		return nil
	}
	return b.readOperations()
}

// readCausal reads the three ways to say that W advances token by token inside
// a chunk.
func (b *builder) readCausal() error {
	chunkRead, err := b.model.choice("chunkRead", "", "token-causal inside the chunk")
	if err != nil {
		return err
	}
	gradientAt, err := b.model.choice("gradientAt", "", "chunk start")
	if err != nil {
		return err
	}
	stateUpdate, err := b.model.choice("stateUpdate", "", "every token")
	if err != nil {
		return err
	}
	if (gradientAt == "") != (stateUpdate == "") {
		return fmt.Errorf("model.gradientAt and model.stateUpdate go together: gradients at the chunk's start while the state advances every token")
	}
	placement, err := b.model.choice("learningRatePlacement", "inside", "outside", "reader", "inside=outside (constant)")
	if err != nil {
		return err
	}
	b.reader, b.isConstant = placement == "reader", strings.HasSuffix(placement, "(constant)")
	b.loop.RateOutside = placement == "outside"
	if chunkRead == "" && stateUpdate == "" && !b.reader && !b.model.has("tokenEta") {
		return nil
	}
	if b.loop.Order == engine.ApplyThenUpdate {
		return fmt.Errorf("model.order is apply-then-update, yet tokens are to read inside their own chunk")
	}
	b.loop.Order = engine.TokenCausal
	return nil
}

func (b *builder) readOperations() error {
	raw, _ := b.inputs.take("operations")
	var list []json.RawMessage
	if err := json.Unmarshal(raw, &list); err != nil || len(list) == 0 {
		return fmt.Errorf("inputs.operations must be a list of {start, end, update, apply}")
	}
	for n, one := range list {
		o, err := parseObject(fmt.Sprintf("inputs.operations[%d]", n), one)
		if err != nil {
			return err
		}
		operation, err := readOperation(o)
		if err != nil {
			return err
		}
		b.loop.Operations = append(b.loop.Operations, operation)
	}
	return nil
}

func readOperation(o *object) (op engine.Operation, err error) {
	for _, field := range []string{"start", "end"} {
		if !o.has(field) {
			return op, fmt.Errorf("%s is missing", o.name(field))
		}
	}
	if op.Start, err = o.whole("start", 0); err != nil {
		return op, err
	}
	if op.End, err = o.whole("end", 0); err != nil {
		return op, err
	}
	if op.Update, err = o.boolean("update"); err != nil {
		return op, err
	}
	if op.Apply, err = o.boolean("apply"); err != nil {
		return op, err
	}
	if !op.Update && !op.Apply {
		return op, fmt.Errorf("%s neither updates nor applies", o.path)
	}
	return op, o.rest()
}

// readSteps reads how a gradient is taken.
func (b *builder) readSteps() error {
	steps, err := b.model.whole("steps", 1)
	if err != nil {
		return err
	}
	if steps < 1 {
		return fmt.Errorf("model.steps is %d; it must be at least 1", steps)
	}
	b.loop.Steps = steps
	sign, err := b.model.choice("sign", "descent", "ascent")
	if err != nil {
		return err
	}
	b.loop.Ascent = sign == "ascent"
	reduction, err := b.model.choice("lossReduction", "sum", "mean*1/3")
	if err != nil {
		return err
	}
	b.loop.MeanThird = reduction != "sum"
	if b.loop.GradientScale, err = b.model.number("gradientScale", 1); err != nil {
		return err
	}
	if b.loop.GradientScale == 0 {
		return fmt.Errorf("model.gradientScale is 0; nothing would be learnt")
	}
	return b.readClip()
}

func (b *builder) readClip() error {
	const columns, kernels = "g/(|g_col|+1)", "g/(|g_c|_F+1)"
	clip, err := b.model.choice("gradientClip", "none", columns, kernels)
	if err != nil {
		return err
	}
	_, conv := b.loop.Feature.(engine.Conv3x3)
	if clip == kernels && !conv || clip == columns && conv {
		return fmt.Errorf("model.gradientClip is %q; a convolution clips each kernel, %s, anything else each column, %s", clip, kernels, columns)
	}
	b.loop.Clip = clip != "none"
	return nil
}

// over returns how lists of one number a row lie, per naming the field that
// says so.
func (b *builder) over(rows int, per string) (spread, error) {
	text, err := b.model.choice(per, "", "token", "chunk", "constant")
	return spread{rows: rows, chunk: b.loop.Chunk, per: text}, err
}

func (b *builder) readRates() error {
	lay, err := b.over(b.rows, "learningRatePer")
	if err != nil {
		return err
	}
	if !b.model.has("learningRate") {
		return fmt.Errorf("model.learningRate is missing")
	}
	if raw := b.model.fields["learningRate"]; raw[0] == '{' {
		return b.readObjectRates(lay)
	}
	rate, err := b.model.array("learningRate")
	if err != nil {
		return err
	}
	if b.isConstant && rate.dims > 0 {
		return fmt.Errorf("model.learningRate is a list, but its placement says that it is constant")
	}
	if rate.dims == 2 {
		if b.loop.RateOutside || b.reader {
			return fmt.Errorf("model.learningRate is a matrix; a rate a channel stands inside the buffer")
		}
		b.loop.ChannelRate = mat.NewDense(rate.rows, rate.cols, rate.data)
		return b.readTokenEta()
	}
	if b.loop.Rate, err = lay.schedule(rate); err != nil {
		return err
	}
	return b.readTokenEta()
}

// readObjectRates reads one rate for W and one for each matrix of Θ.
func (b *builder) readObjectRates(lay spread) error {
	if b.reader {
		return fmt.Errorf("model.learningRate has one rate a weight; the reader has one rate")
	}
	o, err := b.model.object("learningRate")
	if err != nil {
		return err
	}
	names := []string{"w0"}
	if n, ok := b.loop.Feature.(engine.Network); ok {
		for _, p := range n.Theta() {
			names = append(names, p.Name)
		}
	}
	if b.loop.Bias != nil {
		names = append(names, "bias")
	}
	b.loop.ThetaRates = map[string]engine.Schedule{}
	for _, name := range names {
		a, err := o.array(name)
		if err != nil {
			return err
		}
		switch {
		case a == nil && (name == "w0" || name == "bias" || b.loop.Train):
			return fmt.Errorf("%s is missing; each trained weight has its rate", o.name(name))
		case a == nil:
			continue
		case a.dims > 0 && b.isConstant:
			return fmt.Errorf("%s is a list, but its placement says that it is constant", a.name)
		}
		rate, err := lay.schedule(a)
		if err != nil {
			return err
		}
		switch {
		case name == "w0":
			b.loop.Rate = rate
		case name == "bias" || b.loop.Train:
			b.loop.ThetaRates[name] = rate
		}
	}
	if err := o.rest(); err != nil {
		return err
	}
	return b.readTokenEta()
}

// readTokenEta reads the rates that belong to the reader: a list over the
// tokens of a chunk, or the learning rate itself.
func (b *builder) readTokenEta() error {
	eta, err := b.model.array("tokenEta")
	if err != nil {
		return err
	}
	switch {
	case eta != nil && b.reader:
		return fmt.Errorf("model.tokenEta and the placement reader are two rates of the reader")
	case b.reader:
		if b.loop.ChannelRate != nil {
			return fmt.Errorf("model.learningRate is a matrix; the reader has one rate")
		}
		b.loop.Reader, b.loop.Rate = b.loop.Rate, engine.Constant(1)
	case eta == nil:
	case eta.dims == 0:
		b.loop.Reader = engine.Constant(eta.data[0])
	case eta.dims == 1 && eta.rows == b.loop.Chunk:
		for t := range b.tokenCount {
			b.loop.Reader = append(b.loop.Reader, eta.data[t%eta.rows])
		}
	default:
		return fmt.Errorf("model.tokenEta must have one number for each of the %d tokens of a chunk", b.loop.Chunk)
	}
	return nil
}

func (b *builder) readMomentum() error {
	lay, err := b.over(b.tokenCount, "momentumPer")
	if err != nil {
		return err
	}
	reduction, err := b.model.choice("momentumReduction", "none", "chunk mean")
	if err != nil {
		return err
	}
	if reduction != "none" && b.loop.Order == engine.TokenCausal && b.loop.Chunk > 1 {
		return fmt.Errorf("model.momentumReduction is %q, but in token-causal order the buffer advances every token", reduction)
	}
	// LaCT's code names its reduction, and never writes the last chunk.
	b.loop.SkipLast = b.model.has("momentumReduction") && b.loop.Order == engine.ApplyThenUpdate
	a, err := b.model.array("momentum")
	if err != nil {
		return err
	}
	if a == nil {
		a = &array{name: "model.momentum", data: []float64{0}}
	}
	perToken := a.dims == 1 && a.rows == b.tokenCount && lay.per != "chunk" && b.loop.Chunk != 1
	if perToken && reduction == "none" && b.loop.Order != engine.TokenCausal {
		return fmt.Errorf("model.momentum has one number a token, and a chunk of several tokens takes one step; set momentumReduction to %q, or give one a chunk", "chunk mean")
	}
	b.loop.Alpha, err = lay.schedule(a)
	return err
}

// readMatrixRules reads what is done to a whole matrix.
func (b *builder) readMatrixRules() error {
	norm, err := b.model.choice("normalize", "none", string(engine.PostNorm), string(engine.PreNorm))
	if err != nil {
		return err
	}
	if norm != "none" {
		b.loop.Norm = engine.WeightNorm(norm)
	}
	if b.loop.NormEps, err = b.model.number("normEps", 1e-5); err != nil {
		return err
	}
	method, err := b.model.choice("orthogonalize", "none", "newton-schulz-5", string(engine.Frobenius), string(engine.Polar))
	if err != nil {
		return err
	}
	coefficients, err := b.readCoefficients()
	if err != nil {
		return err
	}
	eps, err := b.model.number("eps", 1e-7)
	if err != nil {
		return err
	}
	if _, normed := b.loop.Loss.(engine.Normed); normed || b.loop.LayerNorm != nil {
		if method != "none" && b.model.has("eps") {
			return fmt.Errorf("model.eps would be that of a layer norm and of orthogonalisation; unrolled runs one of the two")
		}
		eps = 1e-7
	}
	switch method {
	case "none":
		return nil
	case "newton-schulz-5":
		if len(coefficients) != 5 {
			return fmt.Errorf("model.coefficients has %d triples; newton-schulz-5 needs 5", len(coefficients))
		}
		b.loop.Muon = &engine.Muon{Method: engine.NewtonSchulz, Coefficients: coefficients, Eps: eps}
	default:
		if len(coefficients) > 0 {
			return fmt.Errorf("model.coefficients are given, but %s has none", method)
		}
		b.loop.Muon = &engine.Muon{Method: engine.MuonMethod(method), Eps: eps}
	}
	return nil
}

func (b *builder) readCoefficients() ([][3]float64, error) {
	raw, ok := b.model.take("coefficients")
	if !ok || strings.Join(strings.Fields(string(raw)), "") == "[]" {
		return nil, nil
	}
	a, err := b.model.array("coefficients")
	if err != nil {
		return nil, err
	}
	if a.dims != 2 || a.cols != 3 {
		return nil, fmt.Errorf("model.coefficients must be a list of triples")
	}
	var triples [][3]float64
	for r := range a.rows {
		triples = append(triples, [3]float64(a.data[3*r:3*r+3]))
	}
	return triples, nil
}
