// Package wire is the form in which the engine's answers cross into
// JavaScript: a JSON text for what is named and one block of float64 for what
// is measured. An array in the text is {"at": i, "n": k}, the k numbers of the
// block from index i, so that no number is printed and parsed again.
//
// The text is written by hand because encoding/json would add half a megabyte
// to the worker's binary. A test reads it back with encoding/json. The names
// are those of web/messages.ts.
package wire

import (
	"math"
	"strings"

	"unrolled/engine/experiments"
	"unrolled/engine/say"
)

// Question reads a run's text: "name=value" fields, one of them experiment,
// with a NUL between two. (No percent escapes: net/url alone would add 65 KB.)
func Question(text string) (experiment string, values experiments.Values, err error) {
	values = experiments.Values{}
	for _, field := range strings.Split(text, "\x00") {
		name, value, found := strings.Cut(field, "=")
		if !found {
			return "", nil, say.Errorf("the question has a field without a value: %.40q", field)
		}
		if name == "experiment" {
			experiment = value
			continue
		}
		values[name] = value
	}
	return experiment, values, nil
}

// Answer writes an answer as text and numbers.
func Answer(a experiments.Answer) (text []byte, numbers []float64) {
	w := &writer{}
	w.object(func() {
		w.field("experiment").text(a.Experiment)
		w.field("sentence").text(a.Sentence)
		w.field("emphasis").text(a.Emphasis)
		w.field("formula").text(a.Formula)
		list(w.field("warnings"), a.Warnings, w.text)
		list(w.field("scalars"), a.Scalars, w.scalar)
		list(w.field("series"), a.Series, w.series)
		list(w.field("matrices"), a.Matrices, w.matrix)
		w.field("table").object(func() {
			list(w.field("head"), a.Table.Head, w.text)
			list(w.field("rows"), a.Table.Rows, w.row)
		})
		w.field("cost").object(func() {
			w.field("multiplyAdds").number(a.Cost.MultiplyAdds)
			w.field("stateBytes").number(a.Cost.StateBytes)
			w.field("cacheBytes").number(a.Cost.CacheBytes)
		})
		if a.Words != nil {
			list(w.field("words"), a.Words, w.text)
		}
	})
	return w.out, w.numbers
}

func (w *writer) row(r experiments.Row) {
	w.object(func() {
		list(w.field("cells"), r.Cells, w.text)
		w.field("link").text(r.Link)
	})
}

func (w *writer) scalar(s experiments.Scalar) {
	w.object(func() {
		w.field("name").text(s.Name)
		w.field("value").number(s.Value)
		w.field("unit").text(s.Unit)
		w.field("meaning").text(s.Meaning)
		w.field("how").text(s.How)
	})
}

func (w *writer) series(s experiments.Series) {
	w.object(func() {
		w.field("chart").text(s.Chart)
		w.field("name").text(s.Name)
		w.field("label").text(s.Label)
		w.field("role").text(s.Role)
		w.field("style").text(s.Style)
		w.field("x").array(s.X)
		w.field("y").array(s.Y)
		w.field("y2").array(s.Y2)
		list(w.field("names"), s.Names, w.text)
		w.field("xAxis").axis(s.XAxis)
		w.field("yAxis").axis(s.YAxis)
	})
}

func (w *writer) matrix(m experiments.Matrix) {
	w.object(func() {
		w.field("name").text(m.Name)
		w.field("label").text(m.Label)
		w.field("rows").number(float64(m.Rows))
		w.field("cols").number(float64(m.Cols))
		w.field("stride").number(float64(m.Stride))
		w.field("rowAxis").axis(m.RowAxis)
		w.field("colAxis").axis(m.ColAxis)
		w.field("diverging").boolean(m.Diverging)
		w.field("values").array(m.Values)
		list(w.field("cells"), m.Cells, w.text)
	})
}

func (w *writer) axis(a experiments.Axis) {
	w.object(func() {
		w.field("label").text(a.Label)
		w.field("unit").text(a.Unit)
		w.field("log").boolean(a.Log)
	})
}

// Bytes lays numbers out as little-endian float64, the block beside a text.
func Bytes(numbers []float64) []byte {
	out := make([]byte, 0, 8*len(numbers))
	for _, x := range numbers {
		bits := math.Float64bits(x)
		for shift := 0; shift < 64; shift += 8 {
			out = append(out, byte(bits>>shift))
		}
	}
	return out
}

// Sentence makes the one clear line of an error.
func Sentence(err error) string {
	return strings.Join(strings.Fields(err.Error()), " ")
}
