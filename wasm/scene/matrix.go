package scene

// The matrix composition, for values that are no pictures: the state is a heat
// map, the present write k̂ᵀv̂ another one beside it, and between them the bars
// of k̂. While the write goes in, it travels from its place into the state.

func (p *pen) matrixWide() {
	c := p.columns()
	bottom := p.height - weightsHeight - 26
	side := floor(c.left.w * 1.2)
	keys := box{x: side + 16, w: floor(c.left.w * 0.62)}
	state := box{x: keys.right() + 8}
	state.w = c.middle.x + c.middle.w - state.x
	p.product(box{0, 0, side, 0}, keys, state, 0, bottom)

	p.answerTitle(c.right.x, titleMiddle)
	half := floor((bottom - headerHeight) / 2)
	p.answer(box{c.right.x, headerHeight, c.right.w, half - 28})
	y := headerHeight + half
	p.spectrumTitle(c.right.x, y+titleMiddle, true)
	p.spectrum(box{c.right.x, y + headerHeight, c.right.w, bottom - 16 - y - headerHeight})
	p.weights(p.height-weightsHeight, 64)
}

func (p *pen) matrixNarrow() {
	side := floor(p.width * 0.24)
	keys := box{x: side + 8, w: floor(p.width * 0.15)}
	state := box{x: keys.right() + 6}
	state.w = p.width - state.x
	y := p.height - weightsHeight - 28 - 190
	p.product(box{0, 0, side, 0}, keys, state, 0, y-20)

	half := floor(p.width * 0.47)
	p.answerTitle(0, y+titleMiddle)
	p.answer(box{0, y + headerHeight, half, 130})
	x := p.width - half
	p.spectrumTitle(x, y+titleMiddle, false)
	p.spectrum(box{x, y + headerHeight, half, 130})
	p.topShare(x, y+headerHeight+144, half)
	p.weights(p.height-weightsHeight, 64)
}

// product draws the write, the key's bars and the state between the heights
// top and bottom, their rows in line; the value's bars stand over the columns.
func (p *pen) product(write, keys, state box, top, bottom float32) {
	m := p.m
	const over = 46 // the value's bars
	y := top + headerHeight + over
	cell := max(1, floor((bottom-y-22)/float32(m.KeyDim)))
	if cell > 4 { // whole cells, so that no two look different in size
		state.w = max(1, floor(state.w/float32(m.ValueDim))) * float32(m.ValueDim)
		write.w = max(1, floor(write.w/float32(m.ValueDim))) * float32(m.ValueDim)
	}
	h := cell * float32(m.KeyDim)
	write.y, keys.y, state.y = y, y, y
	write.h, keys.h, state.h = h, h, h

	if m.named() {
		p.pairTitle(write.x, top+titleMiddle, state.x-write.x-8)
	} else {
		p.tokenTitle(write.x, top+titleMiddle)
	}
	p.label(state.x, top+titleMiddle, Start, strong("state "), symbol("S ", StateRole),
		muted(integer(m.KeyDim)+" × "+integer(m.ValueDim)))
	p.small(write.x, write.bottom()+14, Start, plain("write "), symbol(keyHat, KeyRole), symbol("ᵀ", KeyRole), symbol(valueHat, WrittenRole))
	p.small(keys.x+keys.w/2, write.bottom()+14, Middle, plain("key "), symbol(keyHat, KeyRole))
	p.small(state.x, state.bottom()+14, Start, plain("bars above: effective value "), symbol(valueHat, WrittenRole))

	p.valueBars(box{write.x, y - over + 4, write.w, over - 10})
	p.valueBars(box{state.x, y - over + 4, state.w, over - 10})
	p.keyBars(keys)
	p.heatMaps(write, state)
}

// heatMaps draws the write and the state, and the write on its way.
func (p *pen) heatMaps(write, state box) {
	m := p.m
	key, value := m.tokenRow(m.Key, m.KeyDim), m.tokenRow(m.Effective, m.ValueDim)
	full := finite(m.Scales.Key) * finite(m.Scales.Effective)
	written := p.grid(m.ValueDim, m.KeyDim, func(i int) Color {
		return p.t.Diverge(ratio(get(key, i/m.ValueDim)*get(value, i%m.ValueDim), full))
	})
	values := make([]float32, m.KeyDim*m.ValueDim)
	m.state(values)
	p.framed(p.grid(m.ValueDim, m.KeyDim, func(i int) Color {
		return p.t.Diverge(ratio(values[i], m.Scales.State))
	}), state, p.t.Rule)
	p.framed(written, write, p.t.Effective.Fade(max(0.4, p.shown())))
	p.flight(written, write, state)
}

// flight shows the write on its way into the state: it gets there in half its
// time and is gone soon after, while the state goes on changing.
func (p *pen) flight(written int, write, state box) {
	time := p.m.since
	opacity := min(0.9, (0.7-time)*4)
	if m := p.m; m.present < 0 || m.done >= 1 || opacity <= 0 {
		return
	}
	way := write.towards(state, float32(ease(float64(2*time))))
	p.show(written, way, opacity)
	p.outline(way, 1.5, p.t.Effective.Fade(opacity))
}

// keyBars draws k̂, one bar beside each row.
func (p *pen) keyBars(b box) {
	key := p.m.tokenRow(p.m.Key, p.m.KeyDim)
	pitch := b.h / float32(p.m.KeyDim)
	thick := max(1, min(8, floor(pitch*0.5)))
	for r := 0; r < p.m.KeyDim; r++ {
		y := floor(b.y + (float32(r)+0.5)*pitch - thick/2)
		p.signed(box{b.x, y, b.w, thick}, ratio(get(key, r), p.m.Scales.Key), p.t.Key.Fade(p.shown()))
	}
}

// valueBars draws v̂, one bar over each column.
func (p *pen) valueBars(b box) {
	value := p.m.tokenRow(p.m.Effective, p.m.ValueDim)
	p.line(b.x, floor(b.y+b.h/2), b.w)
	p.upright(b, value, p.m.ValueDim, p.m.Scales.Effective, 0.34, 0, p.t.Effective)
}

// upright draws signed bars around the middle line of a box, one a column;
// width and shift are shares of a column.
func (p *pen) upright(b box, values []float32, n int, scale, width, shift float32, c Color) {
	pitch := b.w / float32(max(1, n))
	thick := max(1, floor(pitch*width))
	for i := range values {
		h := b.h / 2 * ratio(values[i], scale)
		x := floor(b.x + (float32(i)+0.5+shift)*pitch - thick/2)
		middle := b.y + b.h/2
		p.fill(box{x, min(middle, middle-h), thick, max(1, abs(h))}, c)
	}
}

func (p *pen) answerTitle(x, y float32) {
	p.label(x, y, Start, strong("answer "), symbol("o ", Ink), muted("beside "), symbol("v", ValueRole))
}

// answer draws the output at this token beside the value it should recall.
func (p *pen) answer(b box) {
	m := p.m
	p.line(b.x, floor(b.y+b.h/2), b.w)
	p.upright(b, m.tokenRow(m.Value, m.ValueDim), m.ValueDim, m.Scales.Output, 0.28, -0.17, p.t.Value)
	p.upright(b, m.tokenRow(m.Output, m.ValueDim), m.ValueDim, m.Scales.Output, 0.28, 0.17, p.t.Ink.Fade(0.82))
}
