//go:build js && wasm

// Command engine is the program of the page's workers: the door to the main
// experiments, with films and pictures of a run beside it.
package main

//lint:file-ignore U1000 JavaScript calls what go:wasmexport exports

import (
	"unrolled/engine"
	"unrolled/engine/experiments"
	"unrolled/wasm/camera"
	"unrolled/wasm/door"
	"unrolled/wasm/paint"
	"unrolled/wasm/scene"
)

func main() { door.Open(experiments.Main()) }

// last is the film that was made last, and what paints it.
var last struct {
	film    *scene.Film
	list    scene.List
	painter paint.Painter
}

//go:wasmexport film
func film(n int32) int32 {
	config, err := door.Config(n)
	if err != nil {
		return door.Refuse(err)
	}
	if err := camera.Fits(config); err != nil {
		return door.Refuse(err)
	}
	config.SequentialOnly = true // the stage plays the state, which only training has
	result, err := engine.Run(config)
	if err != nil {
		return door.Refuse(err)
	}
	taken, err := camera.Film(result)
	if err != nil {
		return door.Refuse(err)
	}
	encoded, err := scene.Encode(taken)
	if err != nil {
		return door.Refuse(err)
	}
	last.film = taken
	return door.Answer(nil, encoded)
}

// paint draws the last film at a token time with the software painter.
//
//go:wasmexport paint
func paintFrame(time float64, width, height int32, scale float64, dark int32) int32 {
	if last.film == nil {
		return door.Refuse(errNoFilm)
	}
	size := scene.Size{Width: float32(width), Height: float32(height)}
	last.list.Lay(last.film, time, size, scene.ThemeOf(dark != 0))
	picture := last.painter.Paint(&last.list, scale)
	return door.Answer(frame(picture, last.list.Labels), picture.Pix)
}
