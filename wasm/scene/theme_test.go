package scene

import (
	"fmt"
	"math"
	"os"
	"regexp"
	"strings"
	"testing"
)

var themes = map[string]*Theme{"light": &light, "dark": &dark}

// web/styles/palette.css is the only CSS with colours of meaning, theme.go the
// only Go file: what the one says, the other must say.
func TestThePaletteIsTheStyleSheets(t *testing.T) {
	css, err := os.ReadFile("../../web/styles/palette.css")
	if err != nil {
		t.Fatal(err)
	}
	for name, theme := range themes {
		for _, c := range []struct {
			name  string
			color Color
		}{
			{"paper", theme.Paper}, {"ink", theme.Ink}, {"muted", theme.Muted}, {"rule", theme.Rule},
			{"key", theme.Key}, {"value", theme.Value}, {"query", theme.Query},
			{"effective", theme.Effective}, {"state", theme.State}, {"gap", theme.Gap},
			{"map-minus-end", theme.Diverge(-1)}, {"map-minus-half", theme.Diverge(-0.5)},
			{"map-plus-half", theme.Diverge(0.5)}, {"map-plus-end", theme.Diverge(1)},
		} {
			found := regexp.MustCompile(`--` + c.name + `:\s*light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)`).FindStringSubmatch(string(css))
			if found == nil {
				t.Errorf("palette.css has no --%s: light-dark(…)", c.name)
				continue
			}
			css := found[1]
			if theme.Dark {
				css = found[2]
			}
			if goes := fmt.Sprintf("#%02x%02x%02x", c.color.R, c.color.G, c.color.B); goes != css {
				t.Errorf("%s %s: %s in theme.go, %s in palette.css", name, c.name, goes, css)
			}
		}
	}
}

// WCAG 1.4.3: text needs a contrast of 4.5 to 1.
func TestEveryTextColourIsReadable(t *testing.T) {
	for name, theme := range themes {
		for _, role := range []Role{Ink, Muted, KeyRole, ValueRole, QueryRole, WrittenRole, StateRole, DistanceRole} {
			a, b := luminance(theme.Color(role)), luminance(theme.Paper)
			contrast := (math.Max(a, b) + 0.05) / (math.Min(a, b) + 0.05)
			if !(contrast >= 4.5) {
				t.Errorf("%s %s: contrast %.2f", name, role, contrast)
			}
		}
	}
}

func luminance(c Color) float64 {
	return 0.2126*decodeSRGB(c.R) + 0.7152*decodeSRGB(c.G) + 0.0722*decodeSRGB(c.B)
}

func TestTheDivergingMapIsPaperAtZeroAndNaN(t *testing.T) {
	for name, theme := range themes {
		for _, x := range []float32{0, float32(math.NaN())} {
			if c := theme.Diverge(x); c != theme.Paper {
				t.Errorf("%s: %v is drawn as %v", name, x, c)
			}
		}
	}
}

func TestMinusIsBlueAndPlusIsOrange(t *testing.T) {
	for name, theme := range themes {
		for _, x := range []float32{0.2, 0.5, 1} {
			if minus, plus := theme.Diverge(-x), theme.Diverge(x); !(minus.B > minus.R+20 && plus.R > plus.B+20) {
				t.Errorf("%s: −%v is %v, +%v is %v", name, x, minus, x, plus)
			}
		}
	}
}

func TestValuesOutOfRangeTakeTheEndColours(t *testing.T) {
	for name, theme := range themes {
		for _, x := range []float32{1, 1.01, 7, 1e30, float32(math.Inf(1))} {
			if theme.Diverge(x) != theme.Diverge(1) || theme.Diverge(-x) != theme.Diverge(-1) {
				t.Errorf("%s: ±%v does not take an end colour", name, x)
			}
		}
	}
}

// Lightness alone must tell how large a value is: it only falls on light
// paper, only rises on dark, on each side.
func TestTheDivergingMapsLightnessIsMonotone(t *testing.T) {
	for name, theme := range themes {
		for _, sign := range []float32{-1, 1} {
			for i := 8; i <= mapSteps; i += 8 { // 8-bit colours round: compare over eight steps
				near := labOf(theme.Diverge(sign * float32(i-8) / mapSteps)).l
				far := labOf(theme.Diverge(sign * float32(i) / mapSteps)).l
				if (far > near) != theme.Dark {
					t.Errorf("%s: lightness goes from %.3f to %.3f at %v", name, near, far, sign*float32(i)/mapSteps)
				}
			}
		}
	}
}

// Equal steps look about equally large: each stretch of 1/16 has the same
// length in OKLab, to 8-bit rounding and the corners' chords.
func TestTheDivergingMapIsPerceptuallyEven(t *testing.T) {
	for name, theme := range themes {
		for _, sign := range []float32{-1, 1} {
			var steps [16]float64
			mean := 0.0
			for i := range steps {
				a := labOf(theme.Diverge(sign * float32(i) / 16))
				b := labOf(theme.Diverge(sign * float32(i+1) / 16))
				steps[i] = a.distance(b)
				mean += steps[i] / 16
			}
			for i, d := range steps {
				if !(math.Abs(d-mean) < 0.12*mean) {
					t.Errorf("%s, side %v: step %d is %.4f long, the mean %.4f", name, sign, i, d, mean)
				}
			}
		}
	}
}

// Blue and orange stay apart for people with each kind of colour blindness
// (matrices of Machado, Oliveira, Fernandes 2009 at full strength).
func TestTheTwoSidesStayApartForTheColourBlind(t *testing.T) {
	for kind, m := range map[string][9]float64{
		"protanopia":   {0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998},
		"deuteranopia": {0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.011820, 0.042940, 0.968881},
		"tritanopia":   {1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.303900},
	} {
		seen := func(c Color) lab {
			r, g, b := decodeSRGB(c.R), decodeSRGB(c.G), decodeSRGB(c.B)
			return labOf(Color{
				encodeSRGB(m[0]*r + m[1]*g + m[2]*b), encodeSRGB(m[3]*r + m[4]*g + m[5]*b),
				encodeSRGB(m[6]*r + m[7]*g + m[8]*b), 255,
			})
		}
		for name, theme := range themes {
			for _, x := range []float32{0.25, 0.5, 0.75, 1} {
				if d := seen(theme.Diverge(x)).distance(seen(theme.Diverge(-x))); !(d > 0.08) {
					t.Errorf("%s, %s: ±%v look %.3f apart", kind, name, x, d)
				}
			}
		}
	}
}

// The corners must be colours that a screen has; clipping would bend the map.
func TestTheDivergingMapStaysInsideSRGB(t *testing.T) {
	for _, path := range [][]oklch{lightMinus, lightPlus, darkMinus, darkPlus} {
		for _, corner := range path {
			r, g, b := corner.lab().linear()
			for _, x := range []float64{r, g, b} {
				if x < -0.004 || x > 1.004 {
					t.Errorf("corner %+v is outside sRGB: %.3f %.3f %.3f", corner, r, g, b)
				}
			}
		}
	}
}

func TestAPictureIsGrayInItsRangeAndColouredOutside(t *testing.T) {
	for name, theme := range themes {
		if theme.Picture(0) != theme.Paper || theme.Picture(1) != theme.Ink {
			t.Errorf("%s: a picture goes from %v to %v", name, theme.Picture(0), theme.Picture(1))
		}
		if theme.Picture(-0.5) != theme.Diverge(-0.5) {
			t.Errorf("%s: −0.5 is %v", name, theme.Picture(-0.5))
		}
		if c := theme.Picture(2); !(c.R > c.B+60) {
			t.Errorf("%s: 2 is %v, which is not orange", name, c)
		}
	}
}

// The host reserves the stage's height in CSS before anything has run.
func TestTheHeightsAreTheStyleSheets(t *testing.T) {
	css, err := os.ReadFile("../../web/styles/stage.css")
	if err != nil {
		t.Fatal(err)
	}
	for i, step := range heights {
		want := fmt.Sprintf("@container (min-width: %vpx) {\n  .stage-host::before {\n    height: %vpx;\n  }\n}", step.from, step.height)
		if i == 0 {
			want = fmt.Sprintf(".stage-host::before {\n  content: \"\";\n  display: block;\n  height: %vpx;", step.height)
		}
		if !strings.Contains(string(css), want) {
			t.Errorf("stage.css has not:\n%s", want)
		}
		if h := Height("digits", step.from); h != step.height {
			t.Errorf("Height at %v is %v, not %v", step.from, h, step.height)
		}
	}
}
