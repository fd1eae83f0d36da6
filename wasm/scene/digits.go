package scene

// The digits composition: values are pictures of 8×8 pixels, so each row of
// the state is the picture that it adds to a readout.
const (
	pictureSide = 8
	tilesMost   = 32
	tilesInRow  = 8
)

func (p *pen) digitsWide() {
	c, top := p.columns(), float32(headerHeight)
	bottom := p.height - weightsHeight - 26

	p.tokenTitle(0, titleMiddle)
	side := 2 * c.tile
	p.valuePicture(box{0, top, side, side})
	p.small(0, top+side+13, Start, p.valueCaption(side)...)
	below := box{0, top + side + floor(0.45*side), side, side}
	p.writtenPicture(below)
	p.small(0, below.bottom()+13, Start, plain("effective value "), symbol(valueHat, WrittenRole))
	p.small(0, below.bottom()+29, Start, muted("what is really written"))

	p.stateTitle(c.middle.x, titleMiddle, c.middle.w)
	rows := float32((p.m.KeyDim + tilesInRow - 1) / tilesInRow)
	pitch := floor((bottom - top - 16) / max(4, rows))
	p.tiles(c.middle.x, top, c.tile, c.tile+c.gap, pitch)
	p.stateLegend(c.middle.x+c.middle.w, bottom-7, End)

	p.label(c.right.x, titleMiddle, Start, strong("asked with ten clean keys "), symbol(queryHat, QueryRole))
	pitch = c.tile + 28
	p.readouts(c.right.x, top, c.tile, c.tile+c.gap, pitch)
	y := top + 2*pitch + 16
	p.spectrumTitle(c.right.x, y+titleMiddle, true)
	p.spectrum(box{c.right.x, y + headerHeight, c.right.w, bottom - 16 - y - headerHeight})

	p.weights(p.height-weightsHeight, 64)
}

// narrowSizes are the sides of the three kinds of pictures on a narrow stage.
type narrowSizes struct{ token, tile, readout float32 }

func (p *pen) narrowSizes() narrowSizes {
	most := float32(72)
	if p.width < 480 {
		most = 64
	}
	if p.width < 400 {
		most = 56
	}
	return narrowSizes{
		token:   min(120, down(p.width*0.25, 8)),
		tile:    min(64, down((p.width-35)/tilesInRow, 4)),
		readout: min(most, down((p.width-60)/5, 8)),
	}
}

func (p *pen) digitsNarrow() {
	s := p.narrowSizes()
	rows := max(4, float32((p.m.KeyDim+tilesInRow-1)/tilesInRow))
	tokens := headerHeight + s.token + 20
	state := headerHeight + rows*(s.tile+16) + 14
	readouts := headerHeight + 2*(s.readout+24)
	gap := max(8, floor((p.height-weightsHeight-tokens-state-readouts)/3))

	p.tokensNarrow(s.token)
	y := tokens + gap
	p.stateTitle(0, y+titleMiddle, p.width)
	p.tiles(0, y+headerHeight, s.tile, (p.width-s.tile)/(tilesInRow-1), s.tile+16)
	p.stateLegend(0, y+state-8, Start)

	y += state + gap
	p.label(0, y+titleMiddle, Start, strong("asked with ten clean keys "), symbol(queryHat, QueryRole))
	p.readouts(0, y+headerHeight, s.readout, (p.width-s.readout)/4, s.readout+24)
	p.weights(p.height-weightsHeight, 64)
}

// tokensNarrow sets value, effective value and spectrum side by side.
func (p *pen) tokensNarrow(side float32) {
	const y = headerHeight
	second := side + 16
	caption := y + side + 13
	p.tokenTitle(0, titleMiddle)
	p.valuePicture(box{0, y, side, side})
	p.small(0, caption, Start, p.valueCaption(side)...)
	p.writtenPicture(box{second, y, side, side})
	p.small(second, caption, Start, plain("effective value "), symbol(valueHat, WrittenRole))
	x := second + max(side, 100) + 20
	p.spectrumTitle(x, titleMiddle, false)
	p.spectrum(box{x, y, p.width - x, side})
	p.topShare(x, caption, p.width-x)
}

// valueCaption names the picture and, where there is room, the digit.
func (p *pen) valueCaption(width float32) []Run {
	runs := []Run{plain("value "), symbol("v", ValueRole)}
	if class := p.class(); class >= 0 && width >= 80 {
		runs = append(runs, muted(" digit "+integer(class)))
	}
	return runs
}

// class is the present token's, −1 where it has none.
func (p *pen) class() int {
	if p.m.present < 0 || len(p.m.Classes) == 0 {
		return -1
	}
	return int(p.m.Classes[p.m.present])
}

// tokenTitle names the present token, counted from 1 as everywhere on the page.
func (p *pen) tokenTitle(x, y float32) {
	p.label(x, y, Start, strong("token "+integer(p.m.present+1)), muted(" of "+integer(p.m.Tokens)))
}

func (p *pen) stateTitle(x, y, width float32) {
	tail := integer(p.m.KeyDim) + " rows, each drawn as the picture it adds"
	if width < 344 {
		tail = integer(p.m.KeyDim) + " rows, each a picture"
	}
	p.label(x, y, Start, strong("state "), symbol("S ", StateRole), muted(tail))
}

func (p *pen) stateLegend(x, y float32, anchor Anchor) {
	p.small(x, y, anchor, muted("bars: key "), symbol(keyHat, KeyRole), muted(", how much of "),
		symbol(valueHat, WrittenRole), muted(" each row takes"))
}

// pixel is mean + v at one pixel: what a value looks like as a picture.
func (p *pen) pixel(v []float32, i int) Color {
	return p.t.Picture(finite(get(v, i)) + finite(get(p.m.Mean, i)))
}

// framed draws a grid with a frame of one pixel around it.
func (p *pen) framed(grid int, b box, frame Color) {
	p.fill(b.grown(1), frame)
	p.show(grid, b, 1)
}

func (p *pen) valuePicture(b box) {
	v := p.m.tokenRow(p.m.Value, p.m.ValueDim)
	p.framed(p.grid(pictureSide, pictureSide, func(i int) Color {
		if v == nil {
			return p.t.Paper
		}
		return p.pixel(v, i)
	}), b, p.t.Value)
}

func (p *pen) writtenPicture(b box) {
	v := p.m.tokenRow(p.m.Effective, p.m.ValueDim)
	p.framed(p.grid(pictureSide, pictureSide, func(i int) Color {
		return p.t.Diverge(ratio(get(v, i), p.m.Scales.Effective))
	}), b, p.t.Effective)
}

// tiles draws the state's rows as pictures, each over a bar for k̂: how much of
// the present token's effective value this row takes. While the write goes in,
// a frame around each tile shows how much of the write it takes.
func (p *pen) tiles(x, y, tile, pitchX, pitchY float32) {
	m := p.m
	state := make([]float32, m.KeyDim*m.ValueDim)
	m.state(state)
	change := make([]float32, m.KeyDim)
	m.change(change)
	key := m.tokenRow(m.Key, m.KeyDim)
	for r := 0; r < m.KeyDim; r++ {
		b := box{floor(x + float32(r%tilesInRow)*pitchX + 0.5), y + float32(r/tilesInRow)*pitchY, tile, tile}
		p.fill(b.grown(2), p.t.Effective.Fade(m.rush*change[r]*change[r]))
		pixels := row(state, r, m.ValueDim)
		p.framed(p.grid(pictureSide, pictureSide, func(i int) Color {
			return p.t.Diverge(ratio(pixels[i], m.Scales.State))
		}), b, p.t.Rule)
		p.signed(box{b.x, b.bottom() + 6, tile, 5}, ratio(get(key, r), m.Scales.Key), p.t.Key.Fade(p.shown()))
	}
}

// shown hides what belongs to a token before there is one.
func (p *pen) shown() float32 {
	if p.m.present < 0 {
		return 0
	}
	return 1
}

// readouts draws what the state answers to each clean class key, five a row;
// the present token's class is set strong.
func (p *pen) readouts(x, y, side, pitchX, pitchY float32) {
	m := p.m
	width := m.Probes * m.ValueDim
	answers := make([]float32, width)
	m.between(answers, m.Readout, nil)
	for k := 0; k < min(m.Probes, 10); k++ {
		b := box{floor(x + float32(k%5)*pitchX + 0.5), y + float32(k/5)*pitchY, side, side}
		pixels := row(answers, k, m.ValueDim)
		p.framed(p.grid(pictureSide, pictureSide, func(i int) Color { return p.pixel(pixels, i) }), b, p.t.Rule)
		name := muted(integer(k))
		if k == p.class() {
			name = strong(integer(k))
		}
		p.small(b.x+side/2, b.bottom()+11, Middle, name)
	}
}
