//go:build js && wasm

package main

import (
	"os"
	"syscall/js"
	"time"
)

// main gives the page a function of the name that it was started with. Called
// with a case and 0 it prepares it, runs it once and returns the sum; called
// with a case and n it runs it n times and returns the milliseconds.
func main() {
	var run func() float64
	js.Global().Set(os.Args[1], js.FuncOf(func(_ js.Value, args []js.Value) any {
		count := args[1].Int()
		if count == 0 {
			var err error
			if run, err = prepare(args[0].String()); err != nil {
				return err.Error()
			}
			return run()
		}
		start := time.Now()
		for range count {
			run()
		}
		return time.Since(start).Seconds() * 1000
	}))
	select {}
}
