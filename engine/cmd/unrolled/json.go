package main

import (
	"encoding/json"
	"io"
	"math"
	"strconv"

	"unrolled/engine/experiments"
)

// The JSON forms carry the field names of web/messages.ts, arrays inline.

// number is a float64 whose NaN and infinities are null.
type number float64

func (x number) MarshalJSON() ([]byte, error) {
	if f := float64(x); math.IsNaN(f) || math.IsInf(f, 0) {
		return []byte("null"), nil
	}
	return strconv.AppendFloat(nil, float64(x), 'g', -1, 64), nil
}

func numbers(xs []float64) []number {
	out := make([]number, len(xs)) // never nil: JSON has [] for none
	for i, x := range xs {
		out[i] = number(x)
	}
	return out
}

type axis struct {
	Label string `json:"label"`
	Unit  string `json:"unit"`
	Log   bool   `json:"log"`
}

type scalar struct {
	Name    string `json:"name"`
	Value   number `json:"value"`
	Unit    string `json:"unit"`
	Meaning string `json:"meaning"`
	How     string `json:"how"`
}

type series struct {
	Chart string   `json:"chart"`
	Name  string   `json:"name"`
	Label string   `json:"label"`
	Role  string   `json:"role"`
	Style string   `json:"style"`
	X     []number `json:"x"`
	Y     []number `json:"y"`
	Y2    []number `json:"y2"`
	Names []string `json:"names"`
	XAxis axis     `json:"xAxis"`
	YAxis axis     `json:"yAxis"`
}

type matrix struct {
	Name      string   `json:"name"`
	Label     string   `json:"label"`
	Rows      int      `json:"rows"`
	Cols      int      `json:"cols"`
	Stride    int      `json:"stride"`
	RowAxis   axis     `json:"rowAxis"`
	ColAxis   axis     `json:"colAxis"`
	Diverging bool     `json:"diverging"`
	Values    []number `json:"values"`
	Cells     []string `json:"cells"`
}

type row struct {
	Cells []string `json:"cells"`
	Link  string   `json:"link"`
}

type table struct {
	Head []string `json:"head"`
	Rows []row    `json:"rows"`
}

type cost struct {
	MultiplyAdds number `json:"multiplyAdds"`
	StateBytes   number `json:"stateBytes"`
	CacheBytes   number `json:"cacheBytes"`
}

type answer struct {
	Experiment string   `json:"experiment"`
	Sentence   string   `json:"sentence"`
	Emphasis   string   `json:"emphasis"`
	Formula    string   `json:"formula"`
	Warnings   []string `json:"warnings"`
	Scalars    []scalar `json:"scalars"`
	Series     []series `json:"series"`
	Matrices   []matrix `json:"matrices"`
	Table      table    `json:"table"`
	Cost       cost     `json:"cost"`
	Words      []string `json:"words,omitempty"`
}

func answerJSON(a experiments.Answer) answer {
	out := answer{
		Experiment: a.Experiment, Sentence: a.Sentence, Emphasis: a.Emphasis, Formula: a.Formula,
		Warnings: append([]string{}, a.Warnings...),
		Scalars:  []scalar{}, Series: []series{}, Matrices: []matrix{},
		Table: table{append([]string{}, a.Table.Head...), []row{}},
		Cost:  cost{number(a.Cost.MultiplyAdds), number(a.Cost.StateBytes), number(a.Cost.CacheBytes)},
		Words: a.Words,
	}
	for _, s := range a.Scalars {
		out.Scalars = append(out.Scalars, scalar{s.Name, number(s.Value), s.Unit, s.Meaning, s.How})
	}
	for _, s := range a.Series {
		out.Series = append(out.Series, series{
			s.Chart, s.Name, s.Label, s.Role, s.Style, numbers(s.X), numbers(s.Y), numbers(s.Y2), append([]string{}, s.Names...), axis(s.XAxis), axis(s.YAxis),
		})
	}
	for _, m := range a.Matrices {
		out.Matrices = append(out.Matrices, matrix{
			m.Name, m.Label, m.Rows, m.Cols, m.Stride, axis(m.RowAxis), axis(m.ColAxis), m.Diverging, numbers(m.Values), append([]string{}, m.Cells...),
		})
	}
	for _, r := range a.Table.Rows {
		out.Table.Rows = append(out.Table.Rows, row(r))
	}
	return out
}

type option struct {
	Value string `json:"value"`
	Label string `json:"label"`
}

type knob struct {
	Name    string   `json:"name"`
	Key     string   `json:"key"`
	Kind    string   `json:"kind"`
	Label   string   `json:"label"`
	Symbol  string   `json:"symbol"`
	Unit    string   `json:"unit"`
	Min     float64  `json:"min"`
	Max     float64  `json:"max"`
	Step    float64  `json:"step"`
	Log     bool     `json:"log"`
	Integer bool     `json:"integer"`
	Choices []option `json:"choices"`
	Default string   `json:"default"`
	Help    string   `json:"help"`
	Task    string   `json:"task,omitempty"`
}

type experiment struct {
	Name     string `json:"name"`
	Key      string `json:"key"`
	Title    string `json:"title"`
	Question string `json:"question"`
	Knobs    []knob `json:"knobs"`
	Lab      bool   `json:"lab"`
}

func catalogJSON(all []experiments.Experiment) []experiment {
	out := []experiment{}
	for _, e := range all {
		one := experiment{e.Name, e.Key, e.Title, e.Question, []knob{}, e.Lab}
		for _, k := range e.Knobs {
			choices := []option{}
			for _, c := range k.Choices {
				choices = append(choices, option(c))
			}
			one.Knobs = append(one.Knobs, knob{
				k.Name, k.Key, string(k.Kind), k.Label, k.Symbol, k.Unit, k.Min, k.Max, k.Step, k.Log, k.Integer,
				choices, k.Default, k.Help, k.Task,
			})
		}
		out = append(out, one)
	}
	return out
}

func writeJSON(out io.Writer, v any) error {
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(v)
}
