package scene

import "math"

// mapSteps is the number of steps on one side of the diverging map.
const mapSteps = 256

// oklch is a colour in the cylinder of OKLab (Ottosson 2020), where equal
// distances look about equally different: lightness 0…1, chroma, hue in
// degrees.
type oklch struct{ l, c, h float64 }

// The diverging map goes from the paper through these corners, at equal
// perceived speed. Blue (−) and orange (+) stay apart under every common
// colour blindness; lightness falls (light) or rises (dark) all the way, so
// the size of a value can be read without the hue.
var (
	lightMinus = []oklch{{0.84, 0.070, 238}, {0.68, 0.108, 243}, {0.50, 0.122, 252}, {0.34, 0.105, 259}}
	lightPlus  = []oklch{{0.84, 0.090, 62}, {0.68, 0.145, 48}, {0.50, 0.146, 38}, {0.34, 0.112, 33}}
	darkMinus  = []oklch{{0.34, 0.080, 259}, {0.52, 0.130, 251}, {0.69, 0.122, 243}, {0.86, 0.072, 238}}
	darkPlus   = []oklch{{0.34, 0.090, 38}, {0.52, 0.148, 40}, {0.69, 0.155, 48}, {0.86, 0.090, 66}}
)

// Diverge colours a value between −1 (blue) and +1 (orange); 0 is the paper.
// Values beyond take the end colours, NaN the paper's.
func (t *Theme) Diverge(x float32) Color {
	x = max(-1, min(1, finite(x)))
	return t.diverging[mapSteps+int(math.Floor(float64(x)*mapSteps+0.5))]
}

// Picture colours a pixel of a picture: 0 is the paper and 1 the ink, whatever
// the scheme. What runs out of that range is not clipped to gray but shown:
// below 0 in the diverging map's blue, above 1 turning from ink to its orange.
func (t *Theme) Picture(p float32) Color {
	switch p = finite(p); {
	case p < 0:
		return t.Diverge(p)
	case p <= 1:
		return t.gray[int(p*mapSteps+0.5)]
	default:
		return t.over[int(min(1, p-1)*mapSteps+0.5)]
	}
}

func (t *Theme) fillMaps(minus, plus []oklch) {
	paper, ink := labOf(t.Paper), labOf(t.Ink)
	below, above := evenPath(paper, minus), evenPath(paper, plus)
	t.diverging[mapSteps] = t.Paper
	for i := 1; i <= mapSteps; i++ {
		t.diverging[mapSteps-i] = below(float64(i) / mapSteps).color()
		t.diverging[mapSteps+i] = above(float64(i) / mapSteps).color()
	}
	strong := labOf(t.Diverge(0.6))
	for i := range t.gray {
		s := float64(i) / mapSteps
		t.gray[i] = paper.mix(ink, s).color()
		t.over[i] = ink.mix(strong, s).color()
	}
	t.gray[0], t.gray[mapSteps] = t.Paper, t.Ink
}

// evenPath walks from start through the corners in OKLab, at constant speed:
// s = 0 … 1 is the share of the whole length that has been walked.
func evenPath(start lab, corners []oklch) func(s float64) lab {
	points := []lab{start}
	for _, c := range corners {
		points = append(points, c.lab())
	}
	walked := make([]float64, len(points))
	for i := 1; i < len(points); i++ {
		walked[i] = walked[i-1] + points[i-1].distance(points[i])
	}
	return func(s float64) lab {
		at, i := s*walked[len(walked)-1], 1
		for i < len(points)-1 && walked[i] < at {
			i++
		}
		return points[i-1].mix(points[i], (at-walked[i-1])/(walked[i]-walked[i-1]))
	}
}

// lab is a colour in OKLab.
type lab struct{ l, a, b float64 }

func (c oklch) lab() lab {
	sin, cos := math.Sincos(c.h * math.Pi / 180)
	return lab{c.l, c.c * cos, c.c * sin}
}

func (p lab) mix(q lab, s float64) lab {
	return lab{p.l + (q.l-p.l)*s, p.a + (q.a-p.a)*s, p.b + (q.b-p.b)*s}
}

func (p lab) distance(q lab) float64 {
	return math.Sqrt((p.l-q.l)*(p.l-q.l) + (p.a-q.a)*(p.a-q.a) + (p.b-q.b)*(p.b-q.b))
}

// linear is a colour in linear sRGB, 0 … 1 inside the gamut.
func (p lab) linear() (r, g, b float64) {
	l := cube(p.l + 0.3963377774*p.a + 0.2158037573*p.b)
	m := cube(p.l - 0.1055613458*p.a - 0.0638541728*p.b)
	s := cube(p.l - 0.0894841775*p.a - 1.2914855480*p.b)
	return 4.0767416621*l - 3.3077115913*m + 0.2309699292*s,
		-1.2684380046*l + 2.6097574011*m - 0.3413193965*s,
		-0.0041960863*l - 0.7034186147*m + 1.7076147010*s
}

func (p lab) color() Color {
	r, g, b := p.linear()
	return Color{encodeSRGB(r), encodeSRGB(g), encodeSRGB(b), 255}
}

func labOf(c Color) lab {
	r, g, b := decodeSRGB(c.R), decodeSRGB(c.G), decodeSRGB(c.B)
	l := math.Cbrt(0.4122214708*r + 0.5363325363*g + 0.0514459929*b)
	m := math.Cbrt(0.2119034982*r + 0.6806995451*g + 0.1073969566*b)
	s := math.Cbrt(0.0883024619*r + 0.2817188376*g + 0.6299787005*b)
	return lab{
		0.2104542553*l + 0.7936177850*m - 0.0040720468*s,
		1.9779984951*l - 2.4285922050*m + 0.4505937099*s,
		0.0259040371*l + 0.7827717662*m - 0.8086757660*s,
	}
}

func cube(x float64) float64 { return x * x * x }

func decodeSRGB(c uint8) float64 {
	x := float64(c) / 255
	if x <= 0.04045 {
		return x / 12.92
	}
	return math.Pow((x+0.055)/1.055, 2.4)
}

func encodeSRGB(x float64) uint8 {
	if x <= 0.0031308 {
		x *= 12.92
	} else {
		x = 1.055*math.Pow(x, 1/2.4) - 0.055
	}
	return uint8(math.Round(255 * math.Max(0, math.Min(1, x))))
}
