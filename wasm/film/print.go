package main

import (
	"image"
	"image/color"
	"image/gif"
	"io"
	"math"

	"unrolled/wasm/paint"
	"unrolled/wasm/scene"
)

// A printer turns moments of a film into pictures.
type printer struct {
	film    *scene.Film
	size    scene.Size
	theme   *scene.Theme
	scale   float64
	letters *letters // nil: no labels
	list    scene.List
	painter paint.Painter
}

// margin is the paper around the canvas, in CSS pixels.
const margin = 16 - scene.Bleed

func newPrinter(f *scene.Film, o options) (*printer, error) {
	p := &printer{
		film: f, scale: o.scale, theme: scene.ThemeOf(o.theme == "dark"),
		size: scene.Canvas(f.Task, float32(o.width)),
	}
	if o.labels {
		var err error
		if p.letters, err = newLetters(o.scale); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// print draws the film at a time, with a margin; a negative time is the end.
func (p *printer) print(time float64) *image.RGBA {
	if !(time >= 0) {
		time = float64(p.film.Tokens)
	}
	p.list.Lay(p.film, time, p.size, p.theme)
	p.shift()
	picture := p.painter.Paint(&p.list, p.scale)
	if p.letters != nil {
		p.letters.draw(picture, p.list.Labels, p.theme)
	}
	return picture
}

// shift moves the list by the margin.
func (p *printer) shift() {
	p.list.Width += 2 * margin
	p.list.Height += 2 * margin
	for i := range p.list.Marks {
		p.list.Marks[i].X += margin
		p.list.Marks[i].Y += margin
	}
	for i := range p.list.Labels {
		p.list.Labels[i].X += margin
		p.list.Labels[i].Y += margin
	}
}

// animate writes the whole run as a GIF that loops, with a rest at the end.
func (p *printer) animate(w io.Writer, o options) error {
	palette := paletteOf(p.theme)
	nearest := map[color.RGBA]uint8{}
	delay := int(math.Max(2, math.Round(100/(o.speed*float64(o.frames)))))
	var out gif.GIF
	var before *image.Paletted
	for i := 0; i <= p.film.Tokens*o.frames; i++ {
		full := reduce(p.print(float64(i)/float64(o.frames)), palette, nearest)
		out.Image = append(out.Image, difference(before, full))
		out.Delay = append(out.Delay, delay)
		out.Disposal = append(out.Disposal, gif.DisposalNone)
		before = full
	}
	out.Delay[len(out.Delay)-1] = 300
	return gif.EncodeAll(w, &out)
}

// paletteOf gathers what a theme draws with: the diverging map, the grays, the
// meanings and their shades towards the paper. The last entry is transparent,
// for what stands still between two frames.
func paletteOf(t *scene.Theme) color.Palette {
	var palette color.Palette
	seen := map[color.RGBA]bool{}
	add := func(c scene.Color) {
		rgba := color.RGBA{c.R, c.G, c.B, 255}
		if !seen[rgba] && len(palette) < 255 {
			seen[rgba] = true
			palette = append(palette, rgba)
		}
	}
	add(t.Paper)
	for _, c := range []scene.Color{t.Ink, t.Muted, t.Rule, t.Key, t.Value, t.Query, t.Effective} {
		for _, share := range []float64{1, 0.75, 0.5, 0.25} {
			add(blend(t.Paper, c, share))
		}
	}
	for i := 0; i <= 36; i++ {
		add(t.Picture(float32(i) / 36))
	}
	for i := 1; i <= 94; i++ {
		add(t.Diverge(float32(i) / 94))
		add(t.Diverge(float32(-i) / 94))
	}
	return append(palette, color.RGBA{})
}

func blend(from, to scene.Color, share float64) scene.Color {
	mix := func(a, b uint8) uint8 { return uint8(float64(a)*(1-share) + float64(b)*share + 0.5) }
	return scene.Color{R: mix(from.R, to.R), G: mix(from.G, to.G), B: mix(from.B, to.B), A: 255}
}

// reduce maps a picture to the palette, without dither, which would flicker.
func reduce(picture *image.RGBA, palette color.Palette, nearest map[color.RGBA]uint8) *image.Paletted {
	opaque := palette[:len(palette)-1]
	out := image.NewPaletted(picture.Rect, palette)
	for i := range out.Pix {
		c := color.RGBA{picture.Pix[4*i], picture.Pix[4*i+1], picture.Pix[4*i+2], 255}
		index, known := nearest[c]
		if !known {
			index = uint8(opaque.Index(c))
			nearest[c] = index
		}
		out.Pix[i] = index
	}
	return out
}

// difference keeps of a frame what changed since the one before: the smallest
// rectangle that holds it, with the rest transparent.
func difference(before, now *image.Paletted) *image.Paletted {
	if before == nil {
		return now
	}
	changed := image.Rectangle{}
	for y := 0; y < now.Rect.Dy(); y++ {
		for x := 0; x < now.Rect.Dx(); x++ {
			if i := y*now.Stride + x; now.Pix[i] != before.Pix[i] {
				changed = changed.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	if changed.Empty() {
		changed = image.Rect(0, 0, 1, 1)
	}
	out := image.NewPaletted(changed, now.Palette)
	transparent := uint8(len(now.Palette) - 1)
	for y := changed.Min.Y; y < changed.Max.Y; y++ {
		for x := changed.Min.X; x < changed.Max.X; x++ {
			i := y*now.Stride + x
			c := now.Pix[i]
			if c == before.Pix[i] {
				c = transparent
			}
			out.SetColorIndex(x, y, c)
		}
	}
	return out
}
