// Command film draws a run as the stage shows it, without a browser: the
// state's evolution as an animated GIF, or one moment as a PNG.
//
//	go run ./wasm/film -o run.gif
//	go run ./wasm/film -o still.png -time 40 -theme dark -width 390 -set alpha=0.98
package main

import (
	"bufio"
	"flag"
	"fmt"
	"image/png"
	"os"
	"strings"

	"unrolled/engine"
	"unrolled/engine/experiments"
	"unrolled/engine/words"
	"unrolled/wasm/camera"
	"unrolled/wasm/scene"
)

// options are what the flags say.
type options struct {
	out        string
	experiment string
	values     experiments.Values
	time       float64
	theme      string
	width      float64
	scale      float64
	frames     int
	speed      float64
	labels     bool
}

func main() {
	o := options{values: experiments.Values{}}
	flag.StringVar(&o.out, "o", "", "file to write; .gif plays the run, .png shows one moment")
	flag.StringVar(&o.experiment, "experiment", "momentum-age", "experiment to film")
	flag.Float64Var(&o.time, "time", -1, "moment of a .png, in tokens; negative is the end")
	flag.StringVar(&o.theme, "theme", "light", "light or dark")
	flag.Float64Var(&o.width, "width", 1080, "width in CSS pixels")
	flag.Float64Var(&o.scale, "scale", 1, "device pixels in a CSS pixel")
	flag.IntVar(&o.frames, "frames", 4, "frames a token in a .gif")
	flag.Float64Var(&o.speed, "speed", 4, "tokens a second in a .gif")
	flag.BoolVar(&o.labels, "labels", true, "draw the labels")
	flag.Func("set", "knob=value, any number of times", func(s string) error {
		name, value, found := strings.Cut(s, "=")
		if !found {
			return fmt.Errorf("%q is not knob=value", s)
		}
		o.values[name] = value
		return nil
	})
	flag.Parse()
	if err := run(o); err != nil {
		fmt.Fprintln(os.Stderr, "film:", err)
		os.Exit(1)
	}
}

func run(o options) error {
	isGIF := strings.HasSuffix(o.out, ".gif")
	if !isGIF && !strings.HasSuffix(o.out, ".png") {
		return fmt.Errorf("-o is %q; it must end in .gif or .png", o.out)
	}
	if !(o.width >= 280 && o.width <= 2000 && o.scale > 0 && o.scale <= 4 && o.frames > 0 && o.frames <= 30 && o.speed > 0) {
		return fmt.Errorf("-width must be 280 to 2000, -scale up to 4, -frames 1 to 30, -speed above 0")
	}
	film, err := shoot(o)
	if err != nil {
		return err
	}
	p, err := newPrinter(film, o)
	if err != nil {
		return err
	}
	file, err := os.Create(o.out)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(file)
	if isGIF {
		err = p.animate(w, o)
	} else {
		err = png.Encode(w, p.print(o.time))
	}
	if err == nil {
		err = w.Flush()
	}
	if closed := file.Close(); err == nil {
		err = closed
	}
	return err
}

// shoot runs the experiment and films it.
func shoot(o options) (*scene.Film, error) {
	if err := experiments.LoadWords(words.Table); err != nil {
		return nil, err
	}
	config, warnings, err := experiments.ConfigOf(o.experiment, o.values)
	if err != nil {
		return nil, err
	}
	for _, w := range warnings {
		fmt.Fprintln(os.Stderr, "film:", w)
	}
	config.SequentialOnly = true // the film shows states, which only training has
	result, err := engine.Run(config)
	if err != nil {
		return nil, err
	}
	return camera.Film(result)
}
