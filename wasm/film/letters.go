package main

import (
	"image"
	"image/color"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goitalic"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"

	"unrolled/wasm/scene"
)

// The stage's labels are HTML in the browser; a picture file needs them as
// pixels. This sets them in the Go fonts, which only this command links.

// letters sets labels at one device scale.
type letters struct {
	scale float64
	faces map[style]font.Face
}

type style struct {
	face  scene.Face
	small bool
}

func newLetters(scale float64) (*letters, error) {
	l := &letters{scale: scale, faces: map[style]font.Face{}}
	for face, data := range map[scene.Face][]byte{
		scene.Plain: goregular.TTF, scene.Strong: gobold.TTF, scene.Symbol: goitalic.TTF,
	} {
		parsed, err := opentype.Parse(data)
		if err != nil {
			return nil, err
		}
		for small, points := range map[bool]float64{false: 12.5, true: 11} {
			if face == scene.Symbol {
				points += 2
			}
			made, err := opentype.NewFace(parsed, &opentype.FaceOptions{Size: points * scale, DPI: 72, Hinting: font.HintingNone})
			if err != nil {
				return nil, err
			}
			l.faces[style{face, small}] = made
		}
	}
	return l, nil
}

// draw sets the labels onto a painted picture.
func (l *letters) draw(picture *image.RGBA, labels []scene.Label, theme *scene.Theme) {
	for _, label := range labels {
		width := fixed.Int26_6(0)
		for _, run := range label.Runs {
			width += l.measure(run, label.Small)
		}
		at := fixed.P(int(float64(label.X)*l.scale), int((float64(label.Y)+4)*l.scale))
		switch label.Anchor {
		case scene.Middle:
			at.X -= width / 2
		case scene.End:
			at.X -= width
		}
		for _, run := range label.Runs {
			at = l.set(picture, run, label.Small, theme.Color(run.Role), at)
		}
	}
}

// hat stands over the letter before it; the Go fonts have no combining marks
// and no superscript T, so both are drawn from other letters.
const (
	hat        = '\u0302'
	transposed = 'ᵀ'
)

func (l *letters) measure(run scene.Run, small bool) fixed.Int26_6 {
	face, width := l.faces[style{run.Face, small}], fixed.Int26_6(0)
	for _, r := range run.Text {
		if r != hat {
			width += font.MeasureString(face, string(replaced(r)))
		}
	}
	return width
}

func replaced(r rune) rune {
	if r == transposed {
		return 'T'
	}
	return r
}

func (l *letters) set(picture *image.RGBA, run scene.Run, small bool, c scene.Color, at fixed.Point26_6) fixed.Point26_6 {
	face := l.faces[style{run.Face, small}]
	d := font.Drawer{Dst: picture, Src: image.NewUniform(color.NRGBA{c.R, c.G, c.B, c.A}), Face: face, Dot: at}
	start := at.X
	for _, r := range run.Text {
		switch r {
		case hat:
			over, below := l.faces[style{scene.Plain, small}], d.Dot
			width := font.MeasureString(over, "^")
			d.Face, d.Dot = over, fixed.Point26_6{X: start + (below.X-start-width)/2 + fixed.I(1), Y: at.Y - fixed.Int26_6(2.5*l.scale*64)}
			d.DrawString("^")
			d.Face, d.Dot = face, below
		case transposed:
			d.Face, d.Dot.Y = l.faces[style{scene.Plain, true}], at.Y-fixed.Int26_6(4*l.scale*64)
			d.DrawString("T")
			d.Face, d.Dot.Y = face, at.Y
		default:
			start = d.Dot.X
			d.DrawString(string(r))
		}
	}
	return d.Dot
}
