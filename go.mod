module unrolled

go 1.26

require (
	github.com/hajimehoshi/ebiten/v2 v2.8.8
	gonum.org/v1/gonum v0.17.0
)
