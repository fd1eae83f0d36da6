//go:build js && wasm

package main

import (
	"bytes"
	"image"
	"math"

	"github.com/hajimehoshi/ebiten/v2"

	"unrolled/wasm/scene"
)

// A brush paints a display list in one draw call: every mark is a rectangle of
// the same small texture, plain ones of its white corner, grids of the place
// where their pixels lie.
type brush struct {
	texture  *ebiten.Image
	pixels   []byte // premultiplied RGBA, as the texture should be
	uploaded []byte // as the texture is
	places   []image.Point
	vertices []ebiten.Vertex
	indices  []uint16
}

const (
	textureWidth = 512 // as wide as the widest grid
	whiteSide    = 4   // the white corner
	// mostVertices is what 16-bit indices reach.
	mostVertices = 1<<16 - 4
)

func (b *brush) paint(screen *ebiten.Image, l *scene.List, scale float64) {
	b.pack(l)
	b.upload()
	b.vertices, b.indices = b.vertices[:0], b.indices[:0]
	bounds := screen.Bounds()
	b.rect(screen, 0, 0, float64(bounds.Dx()), float64(bounds.Dy()), l.Paper)
	for _, m := range l.Marks {
		x0, y0 := float64(m.X)*scale, float64(m.Y)*scale
		x1, y1 := x0+float64(m.W)*scale, y0+float64(m.H)*scale
		if !(x1 > x0 && y1 > y0) {
			continue
		}
		if m.Grid == scene.NoGrid {
			b.rect(screen, x0, y0, x1, y1, m.Color)
			continue
		}
		g, at := l.Grids[m.Grid], b.places[m.Grid]
		from := image.Rect(at.X, at.Y, at.X+g.Cols, at.Y+g.Rows)
		b.quad(screen, math.Round(x0), math.Round(y0), math.Round(x1), math.Round(y1), from, m.Color, 1)
	}
	b.flush(screen)
}

// rect is a rectangle with anti-aliased edges: a pixel that it covers in part
// is a quad of its own that is as faint as the part is small, exactly what the
// software painter does.
func (b *brush) rect(screen *ebiten.Image, x0, y0, x1, y1 float64, c scene.Color) {
	white := image.Rect(1, 1, whiteSide-1, whiteSide-1)
	xs, nx := cuts(x0, x1)
	ys, ny := cuts(y0, y1)
	for _, y := range ys[:ny] {
		for _, x := range xs[:nx] {
			b.quad(screen, x.from, y.from, x.to, y.to, white, c, x.covered*y.covered)
		}
	}
}

// A cut is a run of device pixels that are all covered to the same part.
type cut struct{ from, to, covered float64 }

// cuts splits an interval into a first pixel in part, whole ones, a last in part.
func cuts(from, to float64) (parts [3]cut, n int) {
	first, last := math.Ceil(from), math.Floor(to)
	add := func(a, b, covered float64) {
		if b > a && covered > 0 {
			parts[n] = cut{a, b, covered}
			n++
		}
	}
	if first > last { // all within one pixel
		add(last, first, to-from)
		return parts, n
	}
	add(first-1, first, first-from)
	add(first, last, 1)
	add(last, last+1, to-last)
	return parts, n
}

func (b *brush) quad(screen *ebiten.Image, x0, y0, x1, y1 float64, from image.Rectangle, c scene.Color, covered float64) {
	if len(b.vertices) >= mostVertices {
		b.flush(screen)
	}
	n := uint16(len(b.vertices))
	v := ebiten.Vertex{
		ColorR: float32(c.R) / 255, ColorG: float32(c.G) / 255, ColorB: float32(c.B) / 255,
		ColorA: float32(c.A) / 255 * float32(covered),
	}
	for i := range 4 {
		v.DstX, v.SrcX = float32(x0), float32(from.Min.X)
		v.DstY, v.SrcY = float32(y0), float32(from.Min.Y)
		if i%2 == 1 {
			v.DstX, v.SrcX = float32(x1), float32(from.Max.X)
		}
		if i >= 2 {
			v.DstY, v.SrcY = float32(y1), float32(from.Max.Y)
		}
		b.vertices = append(b.vertices, v)
	}
	b.indices = append(b.indices, n, n+1, n+2, n+1, n+3, n+2)
}

func (b *brush) flush(screen *ebiten.Image) {
	if len(b.indices) > 0 {
		screen.DrawTriangles(b.vertices, b.indices, b.texture, nil)
	}
	b.vertices, b.indices = b.vertices[:0], b.indices[:0]
}

// pack lays the grids out on shelves, after the white corner.
func (b *brush) pack(l *scene.List) {
	b.places = b.places[:0]
	at, shelf := image.Pt(whiteSide, 0), whiteSide
	for _, g := range l.Grids {
		if at.X+g.Cols > textureWidth {
			at, shelf = image.Pt(0, at.Y+shelf), 0
		}
		b.places = append(b.places, at)
		at.X += g.Cols
		shelf = max(shelf, g.Rows)
	}
	height := 16
	for height < at.Y+shelf {
		height *= 2
	}
	b.resize(max(height, len(b.pixels)/(4*textureWidth)))
	for i := range whiteSide * whiteSide {
		set(b.pixels, i%whiteSide, i/whiteSide, scene.Color{R: 255, G: 255, B: 255, A: 255})
	}
	for i, g := range l.Grids {
		for j, c := range l.Pixels[g.At : g.At+g.Cols*g.Rows] {
			set(b.pixels, b.places[i].X+j%g.Cols, b.places[i].Y+j/g.Cols, c)
		}
	}
}

func set(pixels []byte, x, y int, c scene.Color) {
	p := pixels[4*(y*textureWidth+x):][:4]
	if c.A == 255 {
		p[0], p[1], p[2], p[3] = c.R, c.G, c.B, 255
		return
	}
	a := uint32(c.A)
	p[0], p[1], p[2], p[3] = uint8(uint32(c.R)*a/255), uint8(uint32(c.G)*a/255), uint8(uint32(c.B)*a/255), c.A
}

// resize makes texture and pixels of the height, which only grows.
func (b *brush) resize(height int) {
	if len(b.pixels) == 4*textureWidth*height {
		return
	}
	if b.texture != nil {
		b.texture.Deallocate()
	}
	b.pixels, b.uploaded = make([]byte, 4*textureWidth*height), nil
	b.texture = ebiten.NewImageWithOptions(image.Rect(0, 0, textureWidth, height), &ebiten.NewImageOptions{Unmanaged: true})
}

// upload sends the texture's pixels where they changed.
func (b *brush) upload() {
	if bytes.Equal(b.pixels, b.uploaded) {
		return
	}
	b.texture.WritePixels(b.pixels)
	b.uploaded = append(b.uploaded[:0], b.pixels...)
}
