// Package paint paints a scene's display list in software: in the worker for
// the first seconds and where there is no WebGL2, in the GIF, in tests.
//
// It is the reference that the GPU painter (wasm/stage) is held against.
package paint

import (
	"image"
	"math"

	"unrolled/wasm/scene"
)

// A Painter paints lists into one picture whose memory it uses again. The zero
// value is ready to use.
type Painter struct {
	canvas
	picture image.RGBA
}

// MaxSide bounds a picture's width and height in device pixels.
const MaxSide = 4096

// Paint paints the list at a device scale (device pixels in a CSS pixel). The
// picture is opaque, as large as the list times the scale, rounded, and is
// overwritten by the next Paint.
func (p *Painter) Paint(l *scene.List, scale float64) *image.RGBA {
	p.resize(side(float64(l.Width)*scale), side(float64(l.Height)*scale))
	p.clear(l.Paper)
	for _, mark := range l.Marks {
		x0, y0 := float64(mark.X)*scale, float64(mark.Y)*scale
		x1, y1 := x0+float64(mark.W)*scale, y0+float64(mark.H)*scale
		if !(x1 > x0 && y1 > y0) {
			continue
		}
		if mark.Grid == scene.NoGrid {
			p.fill(x0, y0, x1, y1, mark.Color)
		} else {
			p.grid(l, mark, math.Round(x0), math.Round(y0), math.Round(x1), math.Round(y1))
		}
	}
	p.picture = image.RGBA{Pix: p.Pix, Stride: 4 * p.Width, Rect: image.Rect(0, 0, p.Width, p.Height)}
	return &p.picture
}

func side(x float64) int {
	if !(x >= 1) {
		return 1
	}
	return int(math.Min(MaxSide, math.Round(x)))
}

// canvas is the memory of a picture: RGBA, four bytes a pixel, row by row.
type canvas struct {
	Width, Height int
	Pix           []byte
}

func (m *canvas) resize(width, height int) {
	m.Width, m.Height = width, height
	if n := 4 * width * height; cap(m.Pix) < n {
		m.Pix = make([]byte, n)
	} else {
		m.Pix = m.Pix[:n]
	}
}

// clear covers the image with one colour, doubling what is already there.
func (m *canvas) clear(c scene.Color) {
	copy(m.Pix, []byte{c.R, c.G, c.B, 255})
	for n := 4; n < len(m.Pix); n *= 2 {
		copy(m.Pix[n:], m.Pix[:n])
	}
}

// fill paints a rectangle; a pixel that it covers in part takes that part of
// its colour.
func (m *canvas) fill(x0, y0, x1, y1 float64, c scene.Color) {
	x0, x1 = math.Max(0, x0), math.Min(float64(m.Width), x1)
	y0, y1 = math.Max(0, y0), math.Min(float64(m.Height), y1)
	if !(x1 > x0 && y1 > y0) {
		return
	}
	for y := int(y0); float64(y) < y1; y++ {
		m.span(y, x0, x1, cover(y, y0, y1), c)
	}
}

// cover is the part of pixel i between from and to.
func cover(i int, from, to float64) float64 {
	return math.Min(to, float64(i+1)) - math.Max(from, float64(i))
}

// span paints one row of a rectangle: a left pixel in part, whole ones, a
// right pixel in part.
func (m *canvas) span(y int, x0, x1, covered float64, c scene.Color) {
	first, last := int(math.Ceil(x0)), int(math.Floor(x1))
	line := m.Pix[4*y*m.Width:]
	if first > last { // all within one pixel
		blend(line[4*last:], c, covered*(x1-x0))
		return
	}
	if left := float64(first) - x0; left > 0 {
		blend(line[4*(first-1):], c, covered*left)
	}
	if right := x1 - float64(last); right > 0 {
		blend(line[4*last:], c, covered*right)
	}
	if first < last {
		repeat(line[4*first:4*last], c, covered)
	}
}

// repeat paints whole pixels, all with the same part of the colour.
func repeat(pixels []byte, c scene.Color, covered float64) {
	a := alpha(c, covered)
	if a == 256 {
		copy(pixels, []byte{c.R, c.G, c.B, 255})
		for n := 4; n < len(pixels); n *= 2 {
			copy(pixels[n:], pixels[:n])
		}
		return
	}
	for i := 0; i+3 < len(pixels); i += 4 {
		mixInto(pixels[i:i+4], c, a)
	}
}

func blend(pixel []byte, c scene.Color, covered float64) {
	mixInto(pixel[:4], c, alpha(c, covered))
}

// alpha is the colour's opacity times the covered part, in 256ths.
func alpha(c scene.Color, covered float64) int32 {
	return int32(float64(c.A)*covered*256/255 + 0.5)
}

func mixInto(pixel []byte, c scene.Color, a int32) {
	pixel[0] = mix8(pixel[0], c.R, a)
	pixel[1] = mix8(pixel[1], c.G, a)
	pixel[2] = mix8(pixel[2], c.B, a)
}

func mix8(from, to uint8, a int32) uint8 {
	return uint8((int32(from)*(256-a) + int32(to)*a + 128) >> 8)
}

// grid paints a small picture into whole pixels, each enlarged to a block: a
// device pixel takes the colour of the cell that its middle lies in.
func (m *canvas) grid(l *scene.List, mark scene.Mark, x0, y0, x1, y1 float64) {
	g := l.Grids[mark.Grid]
	left, right := int(math.Max(0, x0)), int(math.Min(float64(m.Width), x1))
	bottom := int(math.Min(float64(m.Height), y1))
	if left >= right {
		return
	}
	for r := 0; r < g.Rows; r++ {
		cells := l.Pixels[g.At+r*g.Cols:][:g.Cols]
		same := mark.Color.A == 255 && opaque(cells)
		from := max(0, edge(y0, y1, r, g.Rows))
		to := min(bottom, edge(y0, y1, r+1, g.Rows))
		for y := from; y < to; y++ {
			line := m.Pix[4*y*m.Width : 4*(y+1)*m.Width]
			if y > from && same { // as the line above
				copy(line[4*left:4*right], m.Pix[4*((y-1)*m.Width+left):])
				continue
			}
			gridLine(line, cells, x0, x1, float64(mark.Color.A)/255)
		}
	}
}

// edge is the first device pixel of cell i of n between two device positions.
func edge(from, to float64, i, n int) int {
	return int(math.Ceil(from + float64(i)*(to-from)/float64(n) - 0.5))
}

func opaque(cells []scene.Color) bool {
	for _, c := range cells {
		if c.A != 255 {
			return false
		}
	}
	return true
}

// gridLine paints one line of device pixels of a grid's row of cells. The
// mark's opacity comes on top of each cell's own.
func gridLine(line []byte, cells []scene.Color, x0, x1, opacity float64) {
	for i, c := range cells {
		from := max(0, edge(x0, x1, i, len(cells)))
		to := min(len(line)/4, edge(x0, x1, i+1, len(cells)))
		if from < to {
			repeat(line[4*from:4*to], c, opacity)
		}
	}
}
