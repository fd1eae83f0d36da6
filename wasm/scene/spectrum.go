package scene

import "strconv"

const (
	headerHeight = 26 // a block's title and the space under it
	titleMiddle  = 9  // the title's line, from the block's top
)

// spectrumTitle names the block; told adds the top direction's share.
func (p *pen) spectrumTitle(x, y float32, told bool) {
	runs := []Run{strong("spectrum")}
	if told {
		_, top := p.m.energy()
		tail := " top direction holds " + decimal(top)
		if p.width-x >= 300 {
			tail += " of the energy"
		}
		runs = append(runs, muted(tail))
	}
	p.label(x, y, Start, runs...)
}

// topShare says the same under a block that is too narrow for a long title.
func (p *pen) topShare(x, y, width float32) {
	_, top := p.m.energy()
	text := "top one holds "
	if width < 110 {
		text = "top holds "
	}
	p.small(x, y, Start, muted(text+decimal(top)))
}

// spectrum draws the state's singular values, largest first, at the film's
// scale, so that the bars grow with the state.
func (p *pen) spectrum(b box) {
	values, _ := p.m.energy()
	values = values[:min(len(values), max(1, int(b.w/4)))] // the rest would be slivers
	pitch := b.w / float32(max(1, len(values)))
	gap := max(1, min(4, floor(pitch*0.3)))
	for i, v := range values {
		c := p.t.Muted
		if i == 0 {
			c = p.t.State
		}
		h := max(0, ratio(v, p.m.Scales.Spectrum)) * b.h
		x := floor(b.x + float32(i)*pitch + 0.5)
		p.fill(box{x, b.bottom() - h, max(1, floor(pitch-gap)), h}, c)
	}
	p.line(b.x, b.bottom(), b.w)
}

func integer(n int) string { return strconv.Itoa(n) }

// decimal sets a number with two decimals, or short where it is huge.
func decimal(x float64) string {
	x = float64(finite(float32(x)))
	if x >= 1e4 || x <= -1e4 {
		return strconv.FormatFloat(x, 'g', 3, 64)
	}
	return strconv.FormatFloat(x, 'f', 2, 64)
}
