package scene

import "math"

// Size is a canvas's size in CSS pixels: the stage's, and Bleed on every side.
type Size struct{ Width, Height float32 }

// Bleed is how far the canvas reaches beyond the stage on every side, so that
// a picture at the stage's edge stands flush with the text above it and its
// frame is not cut off.
const Bleed = 4

// Canvas is the size of the canvas of a stage that is this wide.
func Canvas(task string, width float32) Size {
	return Size{width + 2*Bleed, Height(task, width) + 2*Bleed}
}

// wide is the width from which the blocks stand side by side.
const wide = 720

// heights are the stage's heights from each width on. One step function of
// the width, for every task, so that web/styles/stage.css can reserve the
// space before anything has run (a test holds the two equal).
var heights = []struct{ from, height float32 }{
	{0, 696}, {340, 776}, {400, 840}, {480, 912}, {wide, 448}, {960, 508},
}

// Height returns the height in CSS pixels that a stage of this width wants.
// Task is there for compositions to come: digits and gaussian want the same.
func Height(task string, width float32) float32 {
	h := heights[0].height
	for _, step := range heights {
		if width >= step.from {
			h = step.height
		}
	}
	return h
}

// Outside these sizes there is nothing but paper.
const leastSide, mostSide = 200, 8192

// Lay draws the film at a time: token time, where the clock reads t+1 after
// token t and the fraction is the write of the next token going in.
func Lay(f *Film, time float64, size Size, theme *Theme) List {
	var l List
	l.Lay(f, time, size, theme)
	return l
}

// Lay is the function of the same name, into a list that is used again.
func (l *List) Lay(f *Film, time float64, size Size, theme *Theme) {
	l.Width, l.Height, l.Paper = size.Width, size.Height, theme.Paper
	l.Marks, l.Grids = l.Marks[:0], l.Grids[:0]
	l.Pixels, l.Labels = l.Pixels[:0], l.Labels[:0]
	if f == nil || f.Check() != nil || !(size.Width >= leastSide && size.Width <= mostSide && size.Height >= leastSide && size.Height <= mostSide) {
		return
	}
	p := pen{List: l, m: f.at(time), t: theme, width: size.Width - 2*Bleed, height: size.Height - 2*Bleed}
	digits := f.Task == "digits" && f.ValueDim == pictureSide*pictureSide && f.KeyDim <= tilesMost
	switch {
	case digits && p.width >= wide:
		p.digitsWide()
	case digits:
		p.digitsNarrow()
	case f.named() && p.width >= wide:
		p.wordsWide()
	case f.named():
		p.wordsNarrow()
	case p.width >= wide:
		p.matrixWide()
	default:
		p.matrixNarrow()
	}
	l.shift(Bleed)
}

// shift moves everything right and down.
func (l *List) shift(d float32) {
	for i := range l.Marks {
		l.Marks[i].X += d
		l.Marks[i].Y += d
	}
	for i := range l.Labels {
		l.Labels[i].X += d
		l.Labels[i].Y += d
	}
}

// A pen draws one moment into a list, from the stage's corner.
type pen struct {
	*List
	m             moment
	t             *Theme
	width, height float32 // the stage's
}

// box is a rectangle in CSS pixels.
type box struct{ x, y, w, h float32 }

func (b box) right() float32  { return b.x + b.w }
func (b box) bottom() float32 { return b.y + b.h }

// grown is the box with d more on each side.
func (b box) grown(d float32) box { return box{b.x - d, b.y - d, b.w + 2*d, b.h + 2*d} }

// towards is the box on its way to another.
func (b box) towards(c box, s float32) box {
	return box{mix(b.x, c.x, s), mix(b.y, c.y, s), mix(b.w, c.w, s), mix(b.h, c.h, s)}
}

func (p *pen) fill(b box, c Color) {
	if b.w > 0 && b.h > 0 && c.A > 0 {
		p.Marks = append(p.Marks, Mark{b.x, b.y, b.w, b.h, c, NoGrid})
	}
}

// outline is a frame around a box, d wide.
func (p *pen) outline(b box, d float32, c Color) {
	o := b.grown(d)
	p.fill(box{o.x, o.y, o.w, d}, c)
	p.fill(box{o.x, b.bottom(), o.w, d}, c)
	p.fill(box{o.x, b.y, d, b.h}, c)
	p.fill(box{b.right(), b.y, d, b.h}, c)
}

// line is a horizontal hairline.
func (p *pen) line(x, y, w float32) { p.fill(box{x, y, w, 1}, p.t.Rule) }

// grid adds a picture of cols×rows pixels, coloured one by one.
func (p *pen) grid(cols, rows int, color func(i int) Color) int {
	at := len(p.Pixels)
	for i := 0; i < cols*rows; i++ {
		p.Pixels = append(p.Pixels, color(i))
	}
	p.Grids = append(p.Grids, Grid{cols, rows, at})
	return len(p.Grids) - 1
}

// show draws a grid into a box.
func (p *pen) show(grid int, b box, opacity float32) {
	p.Marks = append(p.Marks, Mark{b.x, b.y, b.w, b.h, Color{255, 255, 255, 255}.Fade(opacity), grid})
}

func (p *pen) label(x, y float32, anchor Anchor, runs ...Run) {
	p.Labels = append(p.Labels, Label{x, y, anchor, false, runs})
}

func (p *pen) small(x, y float32, anchor Anchor, runs ...Run) {
	p.Labels = append(p.Labels, Label{x, y, anchor, true, runs})
}

func plain(s string) Run          { return Run{s, Ink, Plain} }
func muted(s string) Run          { return Run{s, Muted, Plain} }
func strong(s string) Run         { return Run{s, Ink, Strong} }
func symbol(s string, r Role) Run { return Run{s, r, Symbol} }

// The formula's letters, with a combining hat where a quantity is effective.
const (
	keyHat   = "k\u0302"
	valueHat = "v\u0302"
	queryHat = "q\u0302"
)

func floor(x float32) float32 { return float32(math.Floor(float64(x))) }

// down rounds x down to a multiple of step, at least one step.
func down(x, step float32) float32 { return max(step, floor(x/step)*step) }

// columns are the three columns of the wide layout: token, state, readouts.
// All sizes derive from one tile, so that the columns share their edges.
type columns struct {
	tile, gap           float32
	left, middle, right box // x and w only
}

func (p *pen) columns() columns {
	most := float32(60)
	if p.width < 960 {
		most = 44
	}
	c := columns{tile: min(most, down((p.width-76)/17.1, 4))}
	c.gap = floor(c.tile*0.19 + 0.5)
	c.left.w = 2 * c.tile
	c.middle.w = 8*c.tile + 7*c.gap
	c.right.w = 5*c.tile + 4*c.gap
	spare := p.width - c.left.w - c.middle.w - c.right.w
	c.middle.x = c.left.w + floor(spare*0.53)
	c.right.x = p.width - c.right.w
	return c
}

// signed draws a bar from the middle of a track: left for negative values,
// right for positive ones, of full length at |x| = 1.
func (p *pen) signed(track box, x float32, c Color) {
	middle := track.x + track.w/2
	p.line(track.x, floor(track.y+track.h/2), track.w)
	length := track.w / 2 * x
	p.fill(box{min(middle, middle+length), track.y, max(1, abs(length)), track.h}, c)
}

func abs(x float32) float32 { return max(x, -x) }
