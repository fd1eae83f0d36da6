//go:build js && wasm

// Command lab is the program of the worker that a page starts when the reader
// comes near an experiment of experiments.Lab.
package main

import (
	"unrolled/engine/experiments"
	"unrolled/wasm/door"
)

func main() { door.Open(experiments.Lab()) }
