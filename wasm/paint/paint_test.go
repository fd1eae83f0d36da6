package paint_test

import (
	"image/color"
	"testing"

	"unrolled/wasm/paint"
	"unrolled/wasm/scene"
	"unrolled/wasm/scene/scenetest"
)

var (
	white = scene.Color{R: 255, G: 255, B: 255, A: 255}
	black = scene.Color{A: 255}
)

func rect(x, y, w, h float32, c scene.Color) scene.Mark {
	return scene.Mark{X: x, Y: y, W: w, H: h, Color: c, Grid: scene.NoGrid}
}

func painted(scale float64, marks ...scene.Mark) func(x, y int) color.RGBA {
	p := new(paint.Painter)
	picture := p.Paint(&scene.List{Width: 6, Height: 5, Paper: white, Marks: marks}, scale)
	return func(x, y int) color.RGBA { return picture.RGBAAt(x, y) }
}

func gray(v uint8) color.RGBA { return color.RGBA{v, v, v, 255} }

// near allows for the rounding of 8-bit mixes.
func near(a, b color.RGBA) bool {
	d := int(a.R) - int(b.R)
	return d >= -1 && d <= 1 && a.R == a.G && a.G == a.B && a.A == 255
}

func TestAPixelTakesThePartThatIsCovered(t *testing.T) {
	at := painted(1, rect(1.5, 1, 2, 2.25, black))
	for _, c := range []struct {
		x, y int
		want uint8
	}{
		{0, 1, 255}, {1, 1, 128}, {2, 1, 0}, {3, 1, 128}, {4, 1, 255},
		{2, 0, 255}, {2, 2, 0}, {2, 3, 191}, {1, 3, 223}, {2, 4, 255},
	} {
		if got := at(c.x, c.y); !near(got, gray(c.want)) {
			t.Errorf("pixel %d,%d is %v, not gray %d", c.x, c.y, got, c.want)
		}
	}
}

func TestARectangleInsideOnePixelIsFaint(t *testing.T) {
	if got := painted(1, rect(2.25, 2.25, 0.5, 0.5, black))(2, 2); !near(got, gray(191)) {
		t.Errorf("a quarter of a pixel is %v", got)
	}
}

func TestOpacityAndScaleCount(t *testing.T) {
	at := painted(2, rect(1, 1, 1, 1, black.Fade(0.5)))
	if got := at(2, 2); !near(got, gray(127)) {
		t.Errorf("half black is %v", got)
	}
	if at(1, 2) != gray(255) || at(4, 3) != gray(255) || !near(at(3, 3), gray(127)) {
		t.Error("one CSS pixel at scale 2 is not two device pixels wide")
	}
}

func TestWhatStandsOutsideIsCutOff(t *testing.T) {
	at := painted(1, rect(-10, -10, 11, 11, black), rect(5, 4, 1e9, 1e9, black), rect(-5, 2, -3, 1, black))
	if at(0, 0) != gray(0) || at(1, 1) != gray(255) || at(5, 4) != gray(0) || at(4, 3) != gray(255) {
		t.Error("a rectangle beyond the edge is wrong inside")
	}
}

// Each device pixel takes the cell that its middle lies in (the right one, if it
// lies on a border); edges are sharp.
func TestAGridIsSharpBlocks(t *testing.T) {
	red, blue := scene.Color{R: 255, A: 255}, scene.Color{B: 255, A: 255}
	list := &scene.List{
		Width: 6, Height: 5, Paper: white,
		Grids: []scene.Grid{{Cols: 2, Rows: 2}}, Pixels: []scene.Color{red, blue, black, white},
		Marks: []scene.Mark{{X: 1.4, Y: 0.6, W: 3, H: 4, Color: white, Grid: 0}},
	}
	p := new(paint.Painter)
	picture := p.Paint(list, 1) // device box 1…4 × 1…5: cells 1.5 wide, 2 high
	want := []string{"......", ".rbb..", ".rbb..", ".kww..", ".kww.."}
	for y, line := range want {
		for x, c := range line {
			is := map[color.RGBA]rune{gray(255): '.', {255, 0, 0, 255}: 'r', {0, 0, 255, 255}: 'b', gray(0): 'k'}[picture.RGBAAt(x, y)]
			if c == 'w' {
				c = '.'
			}
			if is != c {
				t.Errorf("pixel %d,%d is %c (%v), not %c", x, y, is, picture.RGBAAt(x, y), c)
			}
		}
	}
}

func TestNoListIsTooOddToPaint(t *testing.T) {
	p := new(paint.Painter)
	for _, scale := range []float64{0, -1, 1e-9, 1e9} {
		picture := p.Paint(&scene.List{Width: 0.1, Height: 9, Paper: black, Marks: []scene.Mark{rect(0, 0, 1, 1, white)}}, scale)
		if picture.Rect.Dx() < 1 || picture.Rect.Dy() < 1 || picture.Rect.Dy() > paint.MaxSide {
			t.Errorf("scale %v gives a picture of %v", scale, picture.Rect)
		}
	}
}

// A whole scene, by the colours of a few places that a reader looks at. Each
// is the middle of a cell, so it must match to the last bit.
func TestASceneIsPaintedAsLaidOut(t *testing.T) {
	film := scenetest.Digits(12, 0.9)
	for _, dark := range []bool{false, true} {
		theme := scene.ThemeOf(dark)
		list := scene.Lay(film, 12, scene.Canvas("digits", 1080), theme)
		p := new(paint.Painter)
		picture := p.Paint(&list, 2)
		seen := 0
		for i, m := range list.Marks {
			if m.Grid == scene.NoGrid || m.Color.A != 255 {
				continue
			}
			g := list.Grids[m.Grid]
			for cell, c := range list.Pixels[g.At : g.At+g.Cols*g.Rows] {
				x := int(2 * (m.X + (float32(cell%g.Cols)+0.5)*m.W/float32(g.Cols)))
				y := int(2 * (m.Y + (float32(cell/g.Cols)+0.5)*m.H/float32(g.Rows)))
				if got := picture.RGBAAt(x, y); got != (color.RGBA{c.R, c.G, c.B, 255}) {
					t.Fatalf("dark %v, mark %d, cell %d: %v, not %v", dark, i, cell, got, c)
				}
				seen++
			}
		}
		if seen < 44*64 {
			t.Errorf("only %d cells were drawn", seen)
		}
	}
}

func BenchmarkPaint(b *testing.B) {
	film := scenetest.Digits(64, 0.9)
	list := scene.Lay(film, 31.5, scene.Canvas("digits", 1080), scene.ThemeOf(false))
	p := new(paint.Painter)
	for b.Loop() {
		p.Paint(&list, 2)
	}
}
