//go:build js && wasm

package main

import (
	"os"
	"syscall/js"
)

// main gives the page a function of the name that it was started with: from a
// case to [milliseconds, sum], or to a string that says what went wrong.
func main() {
	js.Global().Set(os.Args[1], js.FuncOf(func(_ js.Value, args []js.Value) any {
		ms, sum, err := measure(args[0].String())
		if err != nil {
			return err.Error()
		}
		return []any{ms, sum}
	}))
	select {}
}
