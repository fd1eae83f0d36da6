//go:build js && wasm

// Command engine is the worker's binary: the engine behind a few exports.
//
// A call goes: input(n) gives the address of n bytes to fill with the question;
// ask, film, paint or catalog computes and returns 0, or 1 if it refuses; text
// and data give the addresses of the result, or of the refusal's one sentence.
// A refusal of 2 asks for the word list: words(n) takes its file, as input(n).
// Everything that crosses is bytes in linear memory: a view costs microseconds,
// while a value boxed by syscall/js costs as much each.
//
// Exports run straight through: one that waits would return garbage. While one
// runs it calls report, which the worker passes on to the page.
package main

//lint:file-ignore U1000 JavaScript calls what go:wasmexport exports

import (
	"errors"
	"unsafe"

	"unrolled/engine"
	"unrolled/engine/experiments"
	"unrolled/wasm/camera"
	"unrolled/wasm/paint"
	"unrolled/wasm/scene"
	"unrolled/wasm/wire"
)

func main() {
	experiments.Report(func(work string, done, of int) { report(work, int32(done), int32(of)) })
	select {}
}

// report tells the worker of a piece of work and how many of its parts are done.
//
//go:wasmimport unrolled report
func report(work string, done, of int32)

// door holds what JavaScript looks at between two calls, so that the collector
// leaves it where it is.
var door struct {
	question []byte
	text     []byte
	data     []byte

	film    *scene.Film
	list    scene.List
	painter paint.Painter
}

//go:wasmexport input
func input(n int32) unsafe.Pointer {
	door.question = make([]byte, max(1, n))
	return unsafe.Pointer(&door.question[0])
}

//go:wasmexport text
func text() unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(door.text)) }

//go:wasmexport textLen
func textLen() int32 { return int32(len(door.text)) }

//go:wasmexport data
func data() unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(door.data)) }

//go:wasmexport dataLen
func dataLen() int32 { return int32(len(door.data)) }

//go:wasmexport catalog
func catalog() int32 {
	return answer(wire.Catalog(experiments.All()), nil)
}

// words takes the file of the word list.
//
//go:wasmexport words
func words(n int32) int32 {
	if err := experiments.LoadWords(door.question[:n]); err != nil {
		return refuse(err)
	}
	return answer(nil, nil)
}

// ask runs an experiment. It is not called run, which is an export of Go's own.
//
//go:wasmexport ask
func ask(n int32) int32 {
	name, values, err := wire.Question(string(door.question[:n]))
	if err != nil {
		return refuse(err)
	}
	found, err := experiments.Run(name, values)
	if err != nil {
		return refuse(err)
	}
	text, numbers := wire.Answer(found)
	return answer(text, wire.Bytes(numbers))
}

//go:wasmexport film
func film(n int32) int32 {
	name, values, err := wire.Question(string(door.question[:n]))
	if err != nil {
		return refuse(err)
	}
	config, _, err := experiments.ConfigOf(name, values)
	if err != nil {
		return refuse(err)
	}
	config.SequentialOnly = true // the stage plays the state, which only training has
	result, err := engine.Run(config)
	if err != nil {
		return refuse(err)
	}
	taken, err := camera.Film(result)
	if err != nil {
		return refuse(err)
	}
	encoded, err := scene.Encode(taken)
	if err != nil {
		return refuse(err)
	}
	door.film = taken
	return answer(nil, encoded)
}

// paint draws the last film at a token time with the software painter.
//
//go:wasmexport paint
func paintFrame(time float64, width, height int32, scale float64, dark int32) int32 {
	if door.film == nil {
		return refuse(errNoFilm)
	}
	size := scene.Size{Width: float32(width), Height: float32(height)}
	door.list.Lay(door.film, time, size, scene.ThemeOf(dark != 0))
	picture := door.painter.Paint(&door.list, scale)
	return answer(frame(picture, door.list.Labels), picture.Pix)
}

func answer(text, data []byte) int32 {
	door.text, door.data = text, data
	return 0
}

func refuse(err error) int32 {
	door.text, door.data = []byte(wire.Sentence(err)), nil
	if errors.Is(err, experiments.ErrNoWords) {
		return 2
	}
	return 1
}
