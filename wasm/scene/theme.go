package scene

// Color is straight (not premultiplied) sRGB with alpha.
type Color struct{ R, G, B, A uint8 }

// Fade returns the colour at the given opacity, 0 to 1.
func (c Color) Fade(opacity float32) Color {
	c.A = uint8(float32(c.A)*max(0, min(1, finite(opacity))) + 0.5)
	return c
}

func hex(rgb uint32) Color { return Color{uint8(rgb >> 16), uint8(rgb >> 8), uint8(rgb), 255} }

// A Theme is the palette of one colour scheme: one colour for one meaning, the
// same as in web/styles/palette.css (a test holds the two equal).
type Theme struct {
	Dark                                     bool
	Paper, Ink, Muted, Rule                  Color
	Key, Value, Query, Effective, State, Gap Color
	diverging                                [2*mapSteps + 1]Color // −1 … +1
	gray                                     [mapSteps + 1]Color   // paper … ink
	over                                     [mapSteps + 1]Color   // ink … far above the range
}

var light = Theme{
	Paper: hex(0xfbfaf6), Ink: hex(0x22211c), Muted: hex(0x6b6860), Rule: hex(0xdedbd2),
	Key: hex(0xa06508), Value: hex(0x0f7a5a), Query: hex(0x5b4bb0),
	Effective: hex(0xbb480c), State: hex(0x22211c), Gap: hex(0xb3245f),
}

var dark = Theme{
	Dark:  true,
	Paper: hex(0x16160f), Ink: hex(0xece9df), Muted: hex(0xa09c90), Rule: hex(0x34332b),
	Key: hex(0xe5a136), Value: hex(0x3fbf8f), Query: hex(0xa596f0),
	Effective: hex(0xf98a50), State: hex(0xece9df), Gap: hex(0xf06a9b),
}

func init() {
	light.fillMaps(lightMinus, lightPlus)
	dark.fillMaps(darkMinus, darkPlus)
}

// ThemeOf returns the light or the dark theme. It is shared and read-only.
func ThemeOf(darkScheme bool) *Theme {
	if darkScheme {
		return &dark
	}
	return &light
}
