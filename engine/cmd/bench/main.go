//go:build !js

package main

import (
	"fmt"
	"os"
	"strings"
)

// main takes the names of cases, none for all, or -list. It prints one line a case: its name, the best time in milliseconds and the
// sum of the outputs, by which the twins are held together.
func main() {
	names := os.Args[1:]
	if len(names) == 0 || names[0] == "-list" {
		var all []string
		for _, c := range cases() {
			all = append(all, c.name)
		}
		if len(names) > 0 {
			fmt.Println(strings.Join(all, "\n"))
			return
		}
		names = all
	}
	for _, name := range names {
		ms, sum, err := measure(name)
		if err != nil {
			fmt.Fprintln(os.Stderr, "bench:", err)
			os.Exit(2)
		}
		fmt.Printf("%s\t%.6g\t%.12g\n", name, ms, sum)
	}
}
