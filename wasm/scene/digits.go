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
	bottom := p.Height - weightsHeight - 26

	p.tokenTitle(0, titleMiddle)
	side := 2 * c.tile
	p.valuePicture(box{0, top, side, side})
	p.small(0, top+side+13, Start, plain("value "), symbol("v", ValueRole))
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

	p.weights(p.Height-weightsHeight, 64)
}

func (p *pen) digitsNarrow() {
	p.tokenTitle(0, titleMiddle)
	side := down(p.Width*0.25, 8)
	y, second := float32(headerHeight), side+16
	p.valuePicture(box{0, y, side, side})
	p.small(0, y+side+13, Start, plain("value "), symbol("v", ValueRole))
	p.writtenPicture(box{second, y, side, side})
	p.small(second, y+side+13, Start, plain("effective value "), symbol(valueHat, WrittenRole))
	x := second + max(side, 100) + 20
	p.spectrumTitle(x, titleMiddle, false)
	p.spectrum(box{x, y, p.Width - x, side})
	_, top := p.m.energy()
	p.small(x, y+side+13, Start, muted("top one holds "+decimal(top)))

	y += side + 40
	p.stateTitle(0, y+titleMiddle, p.Width)
	y += headerHeight
	tile := min(64, down((p.Width-35)/tilesInRow, 4))
	pitch := tile + 16
	rows := float32((p.m.KeyDim + tilesInRow - 1) / tilesInRow)
	p.tiles(0, y, tile, (p.Width-tile)/(tilesInRow-1), pitch)
	y += max(4, rows) * pitch
	p.stateLegend(0, y+6, Start)

	y += 32
	p.label(0, y+titleMiddle, Start, strong("asked with ten clean keys "), symbol(queryHat, QueryRole))
	y += headerHeight
	picture := min(72, down((p.Width-60)/5, 8))
	p.readouts(0, y, picture, (p.Width-picture)/4, picture+24)

	p.weights(p.Height-weightsHeight, 64)
}

// tokenTitle names the present token by the clock: the first is token 1.
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
// a frame around each tile shows how much it changes.
func (p *pen) tiles(x, y, tile, pitchX, pitchY float32) {
	m := p.m
	state := make([]float32, m.KeyDim*m.ValueDim)
	m.state(state)
	change := make([]float32, m.KeyDim)
	m.change(change)
	key := m.tokenRow(m.Key, m.KeyDim)
	for r := 0; r < m.KeyDim; r++ {
		b := box{floor(x + float32(r%tilesInRow)*pitchX + 0.5), y + float32(r/tilesInRow)*pitchY, tile, tile}
		p.fill(b.grown(2.5), p.t.Effective.Fade(m.rush*change[r]))
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

// readouts draws what the state answers to each clean class key, five a row.
func (p *pen) readouts(x, y, side, pitchX, pitchY float32) {
	m := p.m
	width := m.Probes * m.ValueDim
	answers := make([]float32, width)
	m.between(answers, m.Readout, nil)
	for k := 0; k < min(m.Probes, 10); k++ {
		b := box{floor(x + float32(k%5)*pitchX + 0.5), y + float32(k/5)*pitchY, side, side}
		pixels := row(answers, k, m.ValueDim)
		p.framed(p.grid(pictureSide, pictureSide, func(i int) Color { return p.pixel(pixels, i) }), b, p.t.Rule)
		p.small(b.x+side/2, b.bottom()+11, Middle, muted(integer(k)))
	}
}
