package scene

import "strconv"

// A List is one picture, ready to be painted: marks in painting order over a
// sheet of paper, and the labels that HTML sets above it. Lengths are CSS
// pixels; a painter multiplies by its device scale.
type List struct {
	Width, Height float32
	Paper         Color
	Marks         []Mark
	Grids         []Grid
	Pixels        []Color // of all grids
	Labels        []Label
}

// A Mark is a filled rectangle; its fractional edges are anti-aliased. With a
// grid it shows the grid's pixels instead, each enlarged to a sharp block: the
// painter rounds its edges to device pixels, and only the colour's opacity
// counts.
type Mark struct {
	X, Y, W, H float32
	Color      Color
	Grid       int // index into Grids, or NoGrid
}

// NoGrid is the Grid of a plain rectangle.
const NoGrid = -1

// A Grid is a small picture, row-major in Pixels from At on.
type Grid struct{ Cols, Rows, At int }

// Anchor says which part of a label stands at its X.
type Anchor string

// The anchors.
const (
	Start  Anchor = "start"
	Middle Anchor = "middle"
	End    Anchor = "end"
)

// Face is the way a run of text is set.
type Face string

// The faces: running text, the name of a thing, a formula's letter.
const (
	Plain  Face = "plain"
	Strong Face = "strong"
	Symbol Face = "symbol"
)

// Role is the meaning that colours a text, as in web/messages.ts.
type Role string

// The roles.
const (
	Ink          Role = "ink"
	Muted        Role = "muted"
	KeyRole      Role = "key"
	ValueRole    Role = "value"
	QueryRole    Role = "query"
	WrittenRole  Role = "effective"
	StateRole    Role = "state"
	DistanceRole Role = "gap"
)

// A Run is a piece of a label in one face and colour.
type Run struct {
	Text string
	Role Role
	Face Face
}

// A Label is one line of text. Y is the middle of the line.
type Label struct {
	X, Y   float32
	Anchor Anchor
	Small  bool
	Runs   []Run
}

// Color returns the theme's colour for a role.
func (t *Theme) Color(r Role) Color {
	switch r {
	case Muted:
		return t.Muted
	case KeyRole:
		return t.Key
	case ValueRole:
		return t.Value
	case QueryRole:
		return t.Query
	case WrittenRole:
		return t.Effective
	case DistanceRole:
		return t.Gap
	}
	return t.Ink
}

// AppendLabels appends the labels as JSON text in the form of Label in
// web/messages.ts, the one form in which worker and stage hand them over.
func AppendLabels(b []byte, labels []Label) []byte {
	b = append(b, '[')
	for i, l := range labels {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, `{"x":`...)
		b = strconv.AppendFloat(b, round(float64(l.X), 10), 'f', -1, 64)
		b = append(b, `,"y":`...)
		b = strconv.AppendFloat(b, round(float64(l.Y), 10), 'f', -1, 64)
		b = append(b, `,"anchor":"`+string(l.Anchor)+`","small":`...)
		b = strconv.AppendBool(b, l.Small)
		b = append(b, `,"runs":[`...)
		for j, r := range l.Runs {
			if j > 0 {
				b = append(b, ',')
			}
			b = append(b, `{"text":`...)
			b = appendText(b, r.Text)
			b = append(b, `,"role":"`+string(r.Role)+`","face":"`+string(r.Face)+`"}`...)
		}
		b = append(b, "]}"...)
	}
	return append(b, ']')
}

// appendText quotes s for JSON. The scene's own texts and the words of a list hold
// no control characters, and a film's task name never becomes a label.
func appendText(b []byte, s string) []byte {
	b = append(b, '"')
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			b = append(b, '\\', c)
		case c < ' ':
			b = append(b, ' ')
		default:
			b = append(b, c)
		}
	}
	return append(b, '"')
}
