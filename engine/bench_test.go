package engine

import (
	"fmt"
	"testing"
)

func BenchmarkWays(b *testing.B) {
	for _, task := range Tasks() {
		for _, length := range []int{64, 256, 1024} {
			c, _ := Default(task)
			c.Length, c.Alpha, c.Hold = length, 0.9, true
			tokens, loop, err := c.Build()
			if err != nil {
				b.Fatal(err)
			}
			b.Run(fmt.Sprintf("%s/T=%d/sequential", task, length), func(b *testing.B) {
				for b.Loop() {
					Sequential(tokens, loop)
				}
			})
			b.Run(fmt.Sprintf("%s/T=%d/unrolled", task, length), func(b *testing.B) {
				for b.Loop() {
					Unrolled(tokens, loop)
				}
			})
		}
	}
}
