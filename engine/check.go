package engine

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"unrolled/engine/say"
)

// A size is the shape of tokens: T queries, rows of keys and values, Dk and Dv.
type size struct{ reads, rows, keyDim, valueDim int }

// size returns the shape of valid tokens.
func (x *Tokens) size() size {
	reads, _ := x.Q.Dims()
	rows, keyDim, valueDim := x.Dims()
	return size{reads, rows, keyDim, valueDim}
}

// Check says in one sentence why the rule cannot run on tokens, or returns nil.
func (l *InnerLoop) Check(tokens *Tokens) error {
	if err := tokens.check(); err != nil {
		return err
	}
	return l.check(tokens)
}

// check is Check for tokens that are known to be sound.
func (l *InnerLoop) check(tokens *Tokens) error { return l.checkSize(tokens.size()) }

// checkSize says in one sentence why the rule cannot run on tokens of a size, or
// returns nil.
func (l *InnerLoop) checkSize(x size) error {
	if l.Feature == nil || l.Loss == nil {
		return say.Errorf("the inner loop needs a feature map and a loss")
	}
	for _, part := range []func(size) error{
		l.checkFeature, l.checkPlan, l.checkSchedules, l.checkStart, l.checkRule, l.checkCausal, l.checkReading,
	} {
		if err := part(x); err != nil {
			return err
		}
	}
	return nil
}

// checkFeature fits φ to the tokens.
func (l *InnerLoop) checkFeature(x size) error {
	if n, ok := l.Feature.(Network); ok {
		if err := n.check(); err != nil {
			return err
		}
		for _, p := range n.Theta() {
			if err := finite(p.Name, p.Value); err != nil {
				return err
			}
		}
	} else if l.Train {
		return say.Errorf("train is on, but the feature map has nothing to train; use an MLP or another Network")
	}
	if l.Feature.In() != x.keyDim {
		return say.Errorf("the feature map takes keys of width %d; these have width %d", l.Feature.In(), x.keyDim)
	}
	switch f := l.Feature.(type) {
	case DataGate:
		if _, cols := f.Gate.Dims(); cols != x.valueDim {
			return say.Errorf("the gate has %d columns for values of width %d", cols, x.valueDim)
		}
		if l.Bias != nil {
			return say.Errorf("a data gate takes no bias")
		}
	case Conv3x3:
		return f.checkImage(x)
	}
	return nil
}

func (n Conv3x3) checkImage(x size) error {
	if n.Height < 1 || n.Width < 1 || n.Channels < 1 {
		return say.Errorf("an image is %d×%d with %d channels; each must be at least 1", n.Height, n.Width, n.Channels)
	}
	if n.Height*n.Width != x.rows || x.reads != x.rows {
		return say.Errorf("an image of %d×%d has %d pixels; there are %d tokens", n.Height, n.Width, n.Height*n.Width, x.rows)
	}
	if x.valueDim != n.Channels {
		return say.Errorf("values have width %d for %d channels; a depthwise convolution keeps the channels", x.valueDim, n.Channels)
	}
	return nil
}

// checkPlan looks at what is written and read when.
func (l *InnerLoop) checkPlan(x size) error {
	if l.Steps < 0 || l.Steps > maxSteps {
		return say.Errorf("steps is %d; it must be from 1 to %d", l.Steps, maxSteps)
	}
	if l.Chunk < 0 || l.Chunk > maxLength {
		return say.Errorf("chunk is %d; it must be from 1 to %d", l.Chunk, maxLength)
	}
	if l.Writes < 0 || l.Writes > maxSteps {
		return say.Errorf("writes a token is %d; it must be from 1 to %d", l.Writes, maxSteps)
	}
	if !slices.Contains([]Order{UpdateThenApply, ApplyThenUpdate, TokenCausal}, l.Order) {
		return unknown("order", string(l.Order), []string{"update-then-apply", string(ApplyThenUpdate), string(TokenCausal)})
	}
	if x.rows != x.reads*l.writesPerToken() {
		return say.Errorf("there are %d keys for %d queries with %d writes a token", x.rows, x.reads, l.writesPerToken())
	}
	chunked := l.Chunk > 1 || l.Order != UpdateThenApply || l.SkipLast
	if l.writesPerToken() > 1 && (chunked || len(l.Operations) > 0) {
		return say.Errorf("several writes a token are written one by one; leave chunk, order and operations out")
	}
	if len(l.Operations) > 0 && chunked {
		return say.Errorf("operations stand in place of chunks; leave chunk and order out")
	}
	for n, o := range l.Operations {
		if o.Start < 0 || o.End > x.reads || o.Start >= o.End {
			return say.Errorf("operation %d goes from %d to %d; it must lie within 0 to %d", n, o.Start, o.End, x.reads)
		}
	}
	return nil
}

// checkSchedules looks at every rate, momentum and decay.
func (l *InnerLoop) checkSchedules(x size) error {
	type list struct {
		name  string
		s     Schedule
		n     int
		limit float64
	}
	lists := []list{
		{"rate", l.Rate, x.rows, maxRate}, {"alpha", l.Alpha, x.reads, maxAlpha},
		{"gamma", l.Gamma, x.reads, maxAlpha}, {"reader rate", l.Reader, x.reads, maxRate},
	}
	names := l.parameterNames()
	for _, name := range names {
		lists = append(lists, list{"rate of " + name, l.ThetaRates[name], x.rows, maxRate})
	}
	for name := range l.ThetaRates {
		if name == "w0" || !slices.Contains(names, name) {
			return say.Errorf("there is a rate for %q, which is not trained", name)
		}
	}
	for _, s := range lists {
		if err := s.s.check(s.name, s.n, s.limit); err != nil {
			return err
		}
	}
	if err := fits("channel rates", l.ChannelRate, x.rows, x.valueDim, maxRate); err != nil {
		return err
	}
	return fits("channel decay", l.GammaChannels, x.reads, l.Feature.Out(), maxAlpha)
}

// parameterNames lists what is trained.
func (l *InnerLoop) parameterNames() []string {
	names := []string{"w0"}
	if l.Bias != nil {
		names = append(names, "bias")
	}
	if n, ok := l.Feature.(Network); ok && l.Train {
		for _, p := range n.Theta() {
			names = append(names, p.Name)
		}
	}
	return names
}

// shapes returns the shape of every trained matrix, as it is given.
func (l *InnerLoop) shape(name string, dv int) (rows, cols int) {
	switch name {
	case "w0":
		if conv, ok := l.Feature.(Conv3x3); ok {
			return conv.Channels, 9
		}
		return l.Feature.Out(), dv
	case "bias":
		return 1, dv
	}
	for _, p := range l.Feature.(Network).Theta() {
		if p.Name == name {
			return p.Value.Dims()
		}
	}
	panic("engine: no such matrix")
}

// checkStart looks at what stands before the first token.
func (l *InnerLoop) checkStart(x size) error {
	dv := x.valueDim
	rows, cols := l.shape("w0", dv)
	if err := fits("w0", l.W0, rows, cols, math.MaxFloat64); err != nil {
		return err
	}
	if l.Bias != nil {
		if len(l.Bias) != dv {
			return say.Errorf("the bias has %d numbers for values of width %d", len(l.Bias), dv)
		}
		if err := finiteNumbers("the bias", l.Bias); err != nil {
			return err
		}
	}
	names := l.parameterNames()
	for name := range l.Momentum0 {
		if !slices.Contains(names, name) {
			return say.Errorf("there is an initial buffer for %q, which is not trained", name)
		}
	}
	for _, name := range names {
		rows, cols := l.shape(name, dv)
		if err := fits("the initial buffer of "+name, l.Momentum0[name], rows, cols, math.MaxFloat64); err != nil {
			return err
		}
	}
	return nil
}

// checkRule looks at combinations that have no meaning.
func (l *InnerLoop) checkRule(x size) error {
	if !(math.Abs(l.GradientScale) <= maxRate) {
		return say.Errorf("the gradient scale is %v; it must be from %v to %v", l.GradientScale, -maxRate, maxRate)
	}
	if !(l.NormEps >= 0 && l.NormEps <= 1) {
		return say.Errorf("the norm's eps is %v; it must be from 0 to 1", l.NormEps)
	}
	if !slices.Contains([]WeightNorm{NoNorm, PostNorm, PreNorm}, l.Norm) {
		return unknown("weight norm", string(l.Norm), []string{"none", string(PostNorm), string(PreNorm)})
	}
	if l.Muon != nil {
		if err := l.Muon.check(); err != nil {
			return err
		}
	}
	if n, ok := l.Loss.(Normed); ok {
		if n.Loss == nil || n.Norm == nil {
			return say.Errorf("a loss of a layer norm needs both")
		}
		if err := n.Norm.check(x.valueDim); err != nil {
			return err
		}
	}
	for _, clash := range []struct {
		holds bool
		text  string
	}{
		{l.trainsVectors() && (l.Muon != nil || l.Norm != NoNorm), "Muon and weight norm are for matrices, and a bias that is trained is a vector"},
		{l.ChannelRate != nil && (l.Train || l.Bias != nil || l.Clip || l.RateOutside), "a rate a channel is for W alone, inside the buffer and without clipping"},
		{l.GammaChannels != nil && (l.DecayTheta || len(l.Gamma) > 0), "a decay a channel is for W alone, in place of gamma"},
		{l.GammaChannels != nil && l.isConv(), "a decay a channel is for one W, not for a convolution"},
		{l.Adam && (l.anyAlpha() || l.RateOutside || l.Clip || l.Muon != nil || l.Norm != NoNorm || len(l.Gamma) > 0 || l.GammaChannels != nil || l.ChannelRate != nil || l.Reader != nil || len(l.Momentum0) > 0),
			"Adam stands in place of momentum, decay, clipping, Muon, weight norm and outside rates"},
	} {
		if clash.holds {
			return say.Errorf("%s", clash.text)
		}
	}
	return l.checkConstant(x)
}

// trainsVectors reports whether a bias is trained, W's or one of Θ.
func (l *InnerLoop) trainsVectors() bool {
	if n, ok := l.Feature.(MLP); ok && l.Train {
		for _, layer := range n.Layers {
			if layer.C != nil {
				return true
			}
		}
	}
	return l.Bias != nil
}

func (l *InnerLoop) isConv() bool {
	_, ok := l.Feature.(Conv3x3)
	return ok
}

// anyAlpha reports whether there is momentum at all.
func (l *InnerLoop) anyAlpha() bool {
	for _, a := range l.Alpha {
		if a != 0 {
			return true
		}
	}
	return false
}

// checkConstant: what acts once a chunk must be one number in it.
func (l *InnerLoop) checkConstant(x size) error {
	for _, p := range l.plan(x.reads) {
		if p.causal || p.writes() < 2 {
			continue
		}
		if !l.Gamma.constantOver(p.from, p.to) || l.GammaChannels != nil {
			return say.Errorf("decay changes inside the chunk of tokens %d to %d; it acts once a chunk", p.from, p.to-1)
		}
		if !l.RateOutside && !l.Clip && !l.Adam {
			continue
		}
		for _, name := range l.parameterNames() {
			if !l.thetaRate(name).constantOver(p.from, p.to) {
				return say.Errorf("the rate of %s changes inside the chunk of tokens %d to %d; outside the buffer, or after clipping, it acts once a chunk", name, p.from, p.to-1)
			}
		}
	}
	return nil
}

// checkCausal looks at the order in which W advances row by row.
func (l *InnerLoop) checkCausal(size) error {
	if l.Reader != nil {
		if l.Order != TokenCausal {
			return say.Errorf("reader rates need the token-causal order")
		}
		if l.anyAlpha() || len(l.Momentum0) > 0 || len(l.Gamma) > 0 || l.GammaChannels != nil || l.RateOutside || l.Clip || l.Muon != nil || l.Norm != NoNorm {
			return say.Errorf("reader rates take no momentum, decay, outside rate, clipping, Muon or weight norm")
		}
	}
	if l.Order != TokenCausal {
		return nil
	}
	if l.steps() > 1 && (l.Chunk > 1 || l.Reader != nil) {
		return say.Errorf("in token-causal order a chunk takes one inner step, not %d", l.steps())
	}
	if l.Chunk > 1 && !l.DecayAfter && (len(l.Gamma) > 0 || l.GammaChannels != nil) {
		return say.Errorf("in token-causal order the gradients of a chunk are taken at its start; decay can only come after them")
	}
	return nil
}

// checkReading looks at the query, the target and what becomes of z.
func (l *InnerLoop) checkReading(x size) error {
	dk, dv := x.keyDim, x.valueDim
	if !slices.Contains([]Query{QueryQ, QueryK, QueryMean}, l.Query) {
		return unknown("query", string(l.Query), []string{"q", string(QueryK), string(QueryMean)})
	}
	if !slices.Contains([]Target{TargetV, TargetVMinusK}, l.Target) {
		return unknown("target", string(l.Target), []string{"v", string(TargetVMinusK)})
	}
	if !(math.Abs(l.QueryScale) <= 1e6) {
		return say.Errorf("the query scale is %v; it must be from -1e6 to 1e6", l.QueryScale)
	}
	if l.writesPerToken() > 1 && l.Query != QueryQ {
		return say.Errorf("with several writes a token there is no one key to read with")
	}
	if l.Target == TargetVMinusK && dk != dv {
		return say.Errorf("the target v-k needs keys and values of one width; they have %d and %d", dk, dv)
	}
	if !(l.Divergence >= 0) {
		return say.Errorf("divergence is %v; it must be at least 0", l.Divergence)
	}
	return l.checkReadout(dk, dv)
}

func (l *InnerLoop) checkReadout(dk, dv int) error {
	switch l.Readout {
	case ReadRaw:
	case ReadNormalizer:
		if l.isConv() || l.steps() > 1 || len(l.Gamma) > 0 || l.GammaChannels != nil {
			return say.Errorf("a normalizer sums each key once: it takes one inner step, no decay and no convolution")
		}
		if l.Z0 != nil && len(l.Z0) != l.Feature.Out() {
			return say.Errorf("z0 has %d numbers for features of width %d", len(l.Z0), l.Feature.Out())
		}
		return finiteNumbers("z0", l.Z0)
	case ReadZPlusNorm, ReadQPlusNorm:
		if l.LayerNorm == nil {
			return say.Errorf("the readout %s needs a layer norm", l.Readout)
		}
		if l.Readout == ReadQPlusNorm && dk != dv {
			return say.Errorf("the readout %s needs queries and values of one width; they have %d and %d", l.Readout, dk, dv)
		}
		return l.LayerNorm.check(dv)
	default:
		return unknown("readout", string(l.Readout), []string{"raw", string(ReadNormalizer), string(ReadZPlusNorm), string(ReadQPlusNorm)})
	}
	return nil
}

// fits checks a matrix that may be nil: its shape, and every number.
func fits(name string, m *mat.Dense, rows, cols int, limit float64) error {
	if m == nil {
		return nil
	}
	if r, c := m.Dims(); r != rows || c != cols {
		return say.Errorf("%s is %d×%d; it must be %d×%d", name, r, c, rows, cols)
	}
	if err := finite(name, m); err != nil {
		return err
	}
	for r := range rows {
		for c, x := range m.RawRowView(r) {
			if math.Abs(x) > limit {
				return say.Errorf("%s is %v in row %d, column %d; it must be from %v to %v", name, x, r, c, -limit, limit)
			}
		}
	}
	return nil
}

// finiteNumbers names the first NaN or infinity in a list.
func finiteNumbers(name string, xs []float64) error {
	for i, x := range xs {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return say.Errorf("%s holds %v at %d; every number must be finite", name, x, i)
		}
	}
	return nil
}
