//go:build js && wasm

package main

import (
	"errors"
	"image"
	"strconv"

	"unrolled/wasm/scene"
)

var errNoFilm = errors.New("there is no film to paint yet")

// frame writes the size and the labels of a painted picture as JSON text.
func frame(picture *image.RGBA, labels []scene.Label) []byte {
	out := []byte(`{"width":`)
	out = strconv.AppendInt(out, int64(picture.Rect.Dx()), 10)
	out = append(out, `,"height":`...)
	out = strconv.AppendInt(out, int64(picture.Rect.Dy()), 10)
	out = append(out, `,"labels":`...)
	out = scene.AppendLabels(out, labels)
	return append(out, '}')
}
