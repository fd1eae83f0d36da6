//go:build js && wasm

// Command stage is the canvas's binary: an ebiten.Game that paints the scene's
// display list on the GPU.
//
// It lives in a frame of its own (web/stage.html), since Ebitengine takes the
// whole page for its own. The frame's script (web/stage-frame.ts) sets
//
//	stageFrame = { ready(film, show), drawn(order, labels), failed(sentence) }
//
// before it starts. The stage hands it film(bytes), which takes an encoded film
// and answers with "" or a sentence, and show(time, dark, order), which asks for
// one picture. After the picture is drawn it calls drawn with the same order,
// and with the labels as JSON text if they are others than before, else null.
// The frame lets Ebitengine's loop run only as far as pictures were asked for.
package main

import (
	"image"
	"syscall/js"

	"github.com/hajimehoshi/ebiten/v2"

	"unrolled/wasm/scene"
)

func main() {
	g := &game{frame: js.Global().Get("stageFrame")}
	ebiten.SetTPS(ebiten.SyncWithFPS)
	ebiten.SetScreenClearedEveryFrame(false)
	g.frame.Call("ready", js.FuncOf(g.takeFilm), js.FuncOf(g.show))
	err := ebiten.RunGameWithOptions(g, &ebiten.RunGameOptions{InitUnfocused: true, ScreenTransparent: true})
	if err != nil {
		g.fail(err.Error())
	}
}

// game is the ebiten.Game: it draws one moment of one film, when asked.
type game struct {
	frame js.Value
	scale float64     // device pixels in a CSS pixel
	size  image.Point // of the screen that was drawn last
	film  *scene.Film

	asked  moment // what is wanted
	drawn  moment // what the screen shows
	broken bool

	list   scene.List
	labels []byte
	brush  brush
}

// moment is all that a picture depends on, but the film and the size.
type moment struct {
	time  float64
	dark  bool
	order int
}

func (g *game) fail(sentence string) {
	g.broken = true
	g.frame.Call("failed", sentence)
}

// takeFilm(bytes Uint8Array) string: a new film, shown at the next order.
func (g *game) takeFilm(_ js.Value, args []js.Value) any {
	bytes := make([]byte, args[0].Get("length").Int())
	js.CopyBytesToGo(bytes, args[0])
	film, err := scene.Decode(bytes)
	if err != nil {
		return err.Error()
	}
	g.film = film
	return ""
}

// show(time number, dark boolean, order number): asks for a picture.
func (g *game) show(_ js.Value, args []js.Value) any {
	g.asked = moment{args[0].Float(), args[1].Bool(), args[2].Int()}
	return nil
}

// Update has nothing to move: time comes from the page.
func (g *game) Update() error { return nil }

// LayoutF makes the screen as large as the frame in device pixels.
func (g *game) LayoutF(width, height float64) (float64, float64) {
	g.scale = ebiten.Monitor().DeviceScaleFactor()
	return width * g.scale, height * g.scale
}

// Layout is never called, since there is LayoutF.
func (g *game) Layout(width, height int) (int, int) { return width, height }

// Draw paints what was asked for, and does nothing where that is on the screen
// already: what Draw leaves alone stays.
func (g *game) Draw(screen *ebiten.Image) {
	defer func() {
		if r := recover(); r != nil {
			g.fail(reason(r))
		}
	}()
	bounds := screen.Bounds()
	same := g.asked == g.drawn && bounds.Size() == g.size
	if g.broken || g.film == nil || same {
		return
	}
	size := scene.Size{Width: float32(float64(bounds.Dx()) / g.scale), Height: float32(float64(bounds.Dy()) / g.scale)}
	g.list.Lay(g.film, g.asked.time, size, scene.ThemeOf(g.asked.dark))
	g.brush.paint(screen, &g.list, g.scale)
	g.drawn, g.size = g.asked, bounds.Size()
	g.frame.Call("drawn", g.drawn.order, g.newLabels())
}

// newLabels is the labels' text if it is new, else nil.
func (g *game) newLabels() any {
	text := scene.AppendLabels(nil, g.list.Labels)
	if string(text) == string(g.labels) {
		return nil
	}
	g.labels = text
	return string(text)
}

func reason(r any) string {
	switch r := r.(type) {
	case error:
		return r.Error()
	case string:
		return r
	}
	return "the stage stopped drawing"
}
