//go:build js && wasm

// Package door is what a worker's program answers through: the engine behind a
// few exports, the same for the page's engine and the lab.
//
// A call goes: input(n) gives the address of n bytes to fill with the question;
// ask, and whatever else a program exports, computes and returns 0, or 1 if it
// refuses; text and data give the addresses of the result, or of the refusal's
// one sentence. A refusal of 2 asks for the word list: words(n) takes its file,
// as input(n). Everything that crosses is bytes in linear memory: a view costs
// microseconds, while a value boxed by syscall/js costs as much each.
//
// Exports run straight through: one that waits would return garbage. While one
// runs it calls report, which the worker passes on to the page.
package door

//lint:file-ignore U1000 JavaScript calls what go:wasmexport exports

import (
	"errors"
	"unsafe"

	"unrolled/engine"
	"unrolled/engine/experiments"
	"unrolled/wasm/wire"
)

// held is what JavaScript looks at between two calls, so that the collector
// leaves it where it is.
var held struct {
	question []byte
	text     []byte
	data     []byte
}

var list experiments.List

// Open lets the experiments be asked for; it never returns.
func Open(l experiments.List) {
	list = l
	experiments.Report(func(work string, done, of int) { report(work, int32(done), int32(of)) })
	select {}
}

// report tells the worker of a piece of work and how many of its parts are done.
//
//go:wasmimport unrolled report
func report(work string, done, of int32)

//go:wasmexport input
func input(n int32) unsafe.Pointer {
	held.question = make([]byte, max(1, n))
	return unsafe.Pointer(&held.question[0])
}

//go:wasmexport text
func text() unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(held.text)) }

//go:wasmexport textLen
func textLen() int32 { return int32(len(held.text)) }

//go:wasmexport data
func data() unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(held.data)) }

//go:wasmexport dataLen
func dataLen() int32 { return int32(len(held.data)) }

// words takes the file of the word list.
//
//go:wasmexport words
func words(n int32) int32 {
	if err := experiments.LoadWords(held.question[:n]); err != nil {
		return Refuse(err)
	}
	return Answer(nil, nil)
}

// ask runs an experiment. It is not called run, which is an export of Go's own.
//
//go:wasmexport ask
func ask(n int32) int32 {
	name, values, err := wire.Question(string(held.question[:n]))
	if err != nil {
		return Refuse(err)
	}
	found, err := list.Run(name, values)
	if err != nil {
		return Refuse(err)
	}
	text, numbers := wire.Answer(found)
	return Answer(text, wire.Bytes(numbers))
}

// Config reads a question of n bytes as the engine's run.
func Config(n int32) (engine.Config, error) {
	name, values, err := wire.Question(string(held.question[:n]))
	if err != nil {
		return engine.Config{}, err
	}
	config, _, err := list.ConfigOf(name, values)
	return config, err
}

// Answer holds a result ready and returns what an export then returns.
func Answer(text, data []byte) int32 {
	held.text, held.data = text, data
	return 0
}

// Refuse does the same with an error.
func Refuse(err error) int32 {
	held.text, held.data = []byte(wire.Sentence(err)), nil
	if errors.Is(err, experiments.ErrNoWords) {
		return 2
	}
	return 1
}
