//go:build !js

package main

import (
	"flag"
	"fmt"
	"os"
	"time"
)

// main prints one line a case: its name, the best time in milliseconds and the
// sum of the outputs, by which the twins are held together.
func main() {
	list := flag.Bool("list", false, "print the names of the cases")
	cpu := flag.Bool("cpu", false, "measure processor time, of all threads: for a busy machine")
	flag.Parse()
	if *list {
		for _, c := range cases() {
			fmt.Println(c.name)
		}
		return
	}
	clock := func() time.Duration { return time.Duration(time.Now().UnixNano()) }
	if *cpu {
		clock = processorTime
	}
	for _, name := range flag.Args() {
		run, err := prepare(name)
		if err != nil {
			fmt.Fprintln(os.Stderr, "bench:", err)
			os.Exit(2)
		}
		sum := run() // warms up
		fmt.Printf("%s\t%.6g\t%.12g\n", name, best(run, clock), sum)
	}
}

// best returns the shortest time of a run, in milliseconds, over 60 ms or more.
func best(run func() float64, clock func() time.Duration) float64 {
	shortest, begun := time.Hour, clock()
	for round := 0; round < 2 || clock()-begun < 60*time.Millisecond; round++ {
		count, start := 0, clock()
		for count == 0 || clock()-start < 4*time.Millisecond {
			run()
			count++
		}
		shortest = min(shortest, (clock()-start)/time.Duration(count))
	}
	return shortest.Seconds() * 1000
}
