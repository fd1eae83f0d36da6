package scene

// weightsHeight is the height of the block along the bottom: title, bars and
// the strip of tokens.
const weightsHeight = headerHeight + 64 + 6 + 26

// weights draws every token's age multiplier at this reading, oldest left, and
// the tokens themselves under their bars. While a write goes in, the part by
// which momentum makes an older token grow is drawn in the write's colour.
func (p *pen) weights(y, height float32) {
	title := []Run{strong("weight of each token in this readout")}
	if p.width >= 400 {
		title = append(title, muted(" by age"))
	}
	p.label(0, y+titleMiddle, Start, title...)
	if p.width >= 340 {
		p.small(p.width, y+titleMiddle, End, muted("full bar "+decimal(float64(p.m.Scales.Multiplier))))
	}
	bars := box{0, y + headerHeight, p.width, height}
	pitch := p.pitch()
	p.line(0, bars.bottom(), min(p.width, pitch*float32(p.m.Tokens)))
	if pitch >= 4 {
		p.bars(bars, pitch)
	} else {
		p.profile(bars, pitch)
	}
	p.strip(box{0, bars.bottom() + 6, p.width, 26}, pitch)
}

// pitch is the distance between two tokens along the bottom.
func (p *pen) pitch() float32 { return min(40, p.width/float32(max(1, p.m.Tokens))) }

// bars draws one bar a token, all equally wide and on whole pixels.
func (p *pen) bars(b box, pitch float32) {
	width := max(2, floor(pitch-max(1, min(6, pitch*0.16))))
	for i := 0; i <= p.m.present; i++ {
		before, now := p.m.weight(i)
		p.bar(floor(float32(i)*pitch+(pitch-width)/2+0.5), width, b, before, now, i == p.m.present)
	}
}

// profile draws bars that have grown thinner than their gaps: a filled curve,
// one column a pixel, that takes the largest of the tokens it covers.
func (p *pen) profile(b box, pitch float32) {
	end := min(b.w, float32(p.m.present+1)*pitch)
	for x := float32(0); x < end; x++ {
		first := min(int(x/pitch), p.m.present)
		last := min(max(first, int((x+1)/pitch)-1), p.m.present)
		before, now := float32(0), float32(0)
		for i := first; i <= last; i++ {
			was, is := p.m.weight(i)
			before, now = max(before, was), max(now, is)
		}
		p.bar(x, min(1, end-x), b, before, now, false)
	}
	if p.m.present >= 0 { // too thin to be told by its colour: a mark on the base line
		x := floor((float32(p.m.present) + 0.5) * pitch)
		_, now := p.m.weight(p.m.present)
		p.bar(x-1, 2, b, now, now, true)
		p.fill(box{x - 2, b.bottom() + 1, 4, 3}, p.t.Effective)
	}
}

func (p *pen) bar(x, width float32, b box, before, now float32, present bool) {
	h := max(0, ratio(now, p.m.Scales.Multiplier)) * b.h
	if present {
		p.fill(box{x, b.bottom() - h, width, h}, p.t.Effective)
		return
	}
	p.fill(box{x, b.bottom() - h, width, h}, p.t.Ink.Fade(0.82))
	if grown := h - max(0, ratio(before, p.m.Scales.Multiplier))*b.h; grown > 0 && p.m.rush > 0 {
		p.fill(box{x, b.bottom() - h, width, grown}, p.t.Effective.Fade(p.m.rush))
	}
}

// strip shows the tokens under their bars: words as text, digits as pictures, other
// values as one heat column a token. Tokens to come are faint.
func (p *pen) strip(b box, pitch float32) {
	switch pictures := p.m.ValueDim == pictureSide*pictureSide && len(p.m.Mean) > 0; {
	case p.m.named():
		p.running(b, pitch)
	case !pictures:
		p.valueStrip(b, pitch)
	case pitch >= 26:
		p.thumbs(b, 24, pitch, 0)
	case pitch >= 16:
		p.thumbs(b, 16, pitch, 0)
	default:
		p.loupe(b, pitch)
	}
}

const faint = 0.26 // opacity of a token that is still to come

// thumbs draws the tokens as small pictures, the token at scroll leftmost;
// those that leave the box fade.
func (p *pen) thumbs(b box, side, pitch, scroll float32) {
	for i := max(0, int(scroll)-1); i < p.m.Tokens; i++ {
		x := (float32(i)-scroll)*pitch + (pitch-side)/2
		outside := max(0, -x, x+side-b.w)
		opacity := 1 - outside/(0.3*side)
		if x > b.w {
			break
		}
		if opacity <= 0 {
			continue
		}
		if i > p.m.present {
			opacity *= faint
		}
		p.thumb(i, box{floor(b.x + x + 0.5), b.y + floor((b.h-side)/2), side, side}, opacity)
	}
}

func (p *pen) thumb(i int, b box, opacity float32) {
	v := row(p.m.Value, i, p.m.ValueDim)
	grid := p.grid(pictureSide, pictureSide, func(j int) Color { return p.pixel(v, j) })
	switch {
	case i == p.m.present:
		p.fill(b.grown(1.5), p.t.Effective)
		p.fill(b, p.t.Paper)
	case b.w >= 24:
		p.fill(b.grown(1), p.t.Rule.Fade(opacity))
		p.fill(b, p.t.Paper.Fade(opacity))
	}
	p.show(grid, b, opacity)
}

// loupe shows a window of tokens around the present one where not all fit, and
// a bracket under the bars that says which they are.
func (p *pen) loupe(b box, pitch float32) {
	const side = 24
	fit := floor(b.w / (side + 4))
	step := b.w / fit
	scroll := max(0, min(float32(p.m.Tokens)-fit, float32(p.m.present)+p.m.done-fit/2))
	p.fill(box{b.x + scroll*pitch, b.y - 4, min(fit, float32(p.m.Tokens)) * pitch, 2}, p.t.Muted)
	p.thumbs(box{b.x, b.y + 1, b.w, b.h}, side, step, scroll)
}

// valueStrip draws v_i as one column a token.
func (p *pen) valueStrip(b box, pitch float32) {
	m := p.m
	stride := (m.Tokens + 511) / 512
	cols := m.Tokens / max(1, stride)
	if cols == 0 {
		return
	}
	width := pitch * float32(cols*stride)
	grid := p.grid(cols, m.ValueDim, func(i int) Color {
		t := i % cols * stride
		c := p.t.Diverge(ratio(m.Value[t*m.ValueDim+i/cols], m.Scales.Output))
		if t > m.present {
			return c.Fade(faint)
		}
		return c
	})
	p.show(grid, box{b.x, b.y, width, b.h}, 1)
	if m.present >= 0 {
		x := b.x + float32(m.present)*pitch
		p.fill(box{x, b.bottom() + 1, max(2, pitch), 2}, p.t.Effective)
	}
}
