package scene_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"unrolled/wasm/scene"
	"unrolled/wasm/scene/scenetest"
)

var update = flag.Bool("update", false, "write the golden scenes anew")

func lay(f *scene.Film, time float64, width float32) scene.List {
	return scene.Lay(f, time, scene.Canvas(f.Task, width), scene.ThemeOf(false))
}

// A scene as text: marks rounded to a tenth of a pixel, grids by the sum of
// their colours, so that a change is seen where it is.
func TestScenesAreAsTheyWere(t *testing.T) {
	for _, c := range []struct {
		name  string
		film  *scene.Film
		time  float64
		width float32
	}{
		{"digits-wide", scenetest.Digits(12, 0.9), 7.5, 1080},
		{"digits-wide-start", scenetest.Digits(12, 0.9), 0, 720},
		{"digits-narrow", scenetest.Digits(12, 0.9), 12, 358},
		{"digits-loupe", scenetest.Digits(100, 0.9), 60.25, 358},
		{"gaussian-wide", scenetest.Gaussian(12, 0.9), 7.25, 1080},
		{"gaussian-narrow", scenetest.Gaussian(12, 0.9), 12, 358},
		{"words-wide", scenetest.Words(0.9), 7.25, 1080},
		{"words-narrow", scenetest.Words(0), 11, 358},
		{"gaussian-profile", scenetest.Gaussian(500, 0.98), 350.5, 800},
	} {
		list := lay(c.film, c.time, c.width)
		checkList(t, &list)
		compare(t, filepath.Join("testdata", c.name+".txt"), describe(&list))
	}
}

func compare(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if string(want) == got {
		return
	}
	wants, gots := strings.Split(string(want), "\n"), strings.Split(got, "\n")
	for i := range gots {
		if i >= len(wants) || wants[i] != gots[i] {
			t.Errorf("%s, line %d:\nis  %s\nwas %s\n(-update writes it anew; look at the picture first: go run ./wasm/film)", file, i+1, gots[i], slices.Concat(wants, make([]string, len(gots)))[i])
			return
		}
	}
	t.Errorf("%s: the scene ends early", file)
}

func describe(l *scene.List) string {
	var b strings.Builder
	fmt.Fprintf(&b, "size %g × %g on %s\n", l.Width, l.Height, colour(l.Paper))
	for _, m := range l.Marks {
		fmt.Fprintf(&b, "%6.1f %6.1f %6.1f %6.1f", m.X, m.Y, m.W, m.H)
		if m.Grid == scene.NoGrid {
			fmt.Fprintf(&b, " %s\n", colour(m.Color))
			continue
		}
		g := l.Grids[m.Grid]
		var r, gr, bl int
		for _, c := range l.Pixels[g.At : g.At+g.Cols*g.Rows] {
			r, gr, bl = r+int(c.R), gr+int(c.G), bl+int(c.B)
		}
		n := 4 * g.Cols * g.Rows // means in steps of four: a last bit may differ between machines
		fmt.Fprintf(&b, " grid %d×%d mean %d %d %d opacity %d\n", g.Cols, g.Rows, r/n, gr/n, bl/n, (m.Color.A+2)/4)
	}
	for _, label := range l.Labels {
		fmt.Fprintf(&b, "%6.1f %6.1f %s", label.X, label.Y, label.Anchor)
		if label.Small {
			b.WriteString(" small")
		}
		for _, run := range label.Runs {
			fmt.Fprintf(&b, " [%s %s %q]", run.Role, run.Face, run.Text)
		}
		b.WriteString("\n")
	}
	return b.String()
}

// colour rounds opacity, which follows from sines that may differ in a last bit.
func colour(c scene.Color) string {
	return fmt.Sprintf("#%02x%02x%02x/%d", c.R, c.G, c.B, (int(c.A)+2)/4)
}

// The canvas's binary carries this package: an engine or a JSON library in it
// would cost the reader a megabyte.
func TestTheSceneIsALeaf(t *testing.T) {
	if runtime.GOOS == "js" {
		t.Skip("needs the go command")
	}
	out, err := exec.Command("go", "list", "-deps", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range strings.Fields(string(out)) {
		if path == "unrolled/wasm/scene" {
			continue
		}
		if strings.HasPrefix(path, "unrolled/") || strings.Contains(path, ".") || path == "fmt" || path == "encoding/json" {
			t.Errorf("scene imports %s", path)
		}
	}
}

// Sane films with every kind of bad number in every array, at every kind of
// time and size.
func TestNoNumberBreaksAScene(t *testing.T) {
	bad := []float32{float32(math.NaN()), float32(math.Inf(1)), float32(math.Inf(-1)), math.MaxFloat32, -math.MaxFloat32, 0}
	for _, make := range []func(int, float64) *scene.Film{scenetest.Digits, scenetest.Gaussian} {
		for _, x := range bad {
			f := make(6, 0.9)
			for _, array := range [][]float32{f.Value, f.Key, f.Effective, f.Output, f.Multiplier, f.Mean, f.State, f.Readout, f.Spectrum} {
				for i := 0; i < len(array); i += 3 {
					array[i] = x
				}
			}
			f.Measure()
			for _, measured := range []bool{true, false} {
				if !measured {
					f.Scale = x
					f.Scales = scene.Scales{State: x, Effective: x, Key: x, Multiplier: x, Spectrum: x, Output: x}
				}
				for _, time := range []float64{-1, 0, 0.5, 3, 5.999, 6, 7, 1e300, math.NaN(), math.Inf(1)} {
					for _, width := range []float32{1, 100, 320, 719, 720, 1080, 3000} {
						list := lay(f, time, width)
						checkList(t, &list)
						for _, label := range list.Labels {
							for _, run := range label.Runs {
								if strings.Contains(run.Text, "NaN") || strings.Contains(run.Text, "Inf") {
									t.Fatalf("%v at %v says %q", x, time, run.Text)
								}
							}
						}
					}
				}
			}
		}
	}
}

func TestABrokenFilmIsBlankPaper(t *testing.T) {
	f := scenetest.Digits(3, 0.9)
	f.Key = f.Key[1:]
	for _, f := range []*scene.Film{nil, {}, f} {
		list := scene.Lay(f, 1, scene.Size{Width: 800, Height: 400}, scene.ThemeOf(true))
		if len(list.Marks) != 0 || list.Paper != scene.ThemeOf(true).Paper {
			t.Errorf("%d marks", len(list.Marks))
		}
	}
}

// After token t the clock reads t+1, and the state drawn is S_t, exactly.
func TestAtAFullTokenTheStateIsTheFilms(t *testing.T) {
	f := scenetest.Gaussian(5, 0.9)
	theme := scene.ThemeOf(false)
	for clock := 1; clock <= 5; clock++ {
		list := lay(f, float64(clock), 1080)
		g := stateGrid(t, f, &list)
		for i, c := range list.Pixels[g.At : g.At+len(f.State)/5] {
			want := theme.Diverge(f.State[(clock-1)*16*8+i] / f.Scales.State)
			if c != want {
				t.Fatalf("clock %d, cell %d: %v, not %v", clock, i, c, want)
			}
		}
	}
}

// stateGrid is the largest grid of the state's shape.
func stateGrid(t *testing.T, f *scene.Film, l *scene.List) scene.Grid {
	t.Helper()
	best, width := -1, float32(0)
	for _, m := range l.Marks {
		if m.Grid == scene.NoGrid || m.Color.A != 255 {
			continue
		}
		if g := l.Grids[m.Grid]; g.Cols == f.ValueDim && g.Rows == f.KeyDim && m.W > width {
			best, width = m.Grid, m.W
		}
	}
	if best < 0 {
		t.Fatal("no state is drawn")
	}
	return l.Grids[best]
}

// In the middle of a write the state is halfway between its neighbours.
func TestWhileATokenIsWrittenTheStateIsBetween(t *testing.T) {
	f := scenetest.Gaussian(5, 0)
	list := lay(f, 2.5, 1080)
	g := stateGrid(t, f, &list)
	theme := scene.ThemeOf(false)
	for i, c := range list.Pixels[g.At : g.At+128] {
		want := theme.Diverge((f.State[128+i]/2 + f.State[256+i]/2) / f.Scales.State)
		if c != want {
			t.Fatalf("cell %d: %v, not %v", i, c, want)
		}
	}
}

// A film that keeps every third state shows the same at those tokens.
func TestAThinnedFilmShowsItsKeptStates(t *testing.T) {
	full := scenetest.Gaussian(8, 0.9)
	thin := *full
	thin.Stride = 3 // after tokens 2, 5 and 7
	thin.State, thin.Spectrum = nil, nil
	for _, token := range []int{2, 5, 7} {
		thin.State = append(thin.State, full.State[token*128:(token+1)*128]...)
		thin.Spectrum = append(thin.Spectrum, full.Spectrum[token*8:(token+1)*8]...)
	}
	if thin.Kept() != 3 || thin.KeptToken(2) != 7 {
		t.Fatalf("%d kept, the last after token %d", thin.Kept(), thin.KeptToken(2))
	}
	for _, clock := range []float64{0, 3, 6, 8} {
		a, b := lay(full, clock, 1080), lay(&thin, clock, 1080)
		if describe(&a) != describe(&b) {
			t.Errorf("at %v the thinned film differs", clock)
		}
	}
	list := lay(&thin, 4.5, 1080)
	g := stateGrid(t, &thin, &list)
	if c, want := list.Pixels[g.At], scene.ThemeOf(false).Diverge((thin.State[0]+thin.State[128])/2/thin.Scales.State); c != want {
		t.Errorf("halfway between two kept states: %v, not %v", c, want)
	}
}

// The bars' heights are the multipliers: token i at the present reading.
func TestTheBarsAreTheMultipliers(t *testing.T) {
	f := scenetest.Digits(10, 0.8)
	list := lay(f, 6, 1080)
	bars := map[int]float32{}
	base := list.Height - 32 - scene.Bleed
	for _, m := range list.Marks {
		if m.Grid == scene.NoGrid && m.Y+m.H == base && m.W > 20 && m.W < 40 {
			bars[int((m.X-scene.Bleed+m.W/2)/40)] = m.H
		}
	}
	if len(bars) != 6 {
		t.Fatalf("%d bars at the clock 6", len(bars))
	}
	for i, h := range bars {
		want := f.Multiplier[5*6/2+i] * f.Scale / f.Scales.Multiplier * 64
		if !(math.Abs(float64(h-want)) < 1e-3) {
			t.Errorf("bar %d is %v high, not %v", i, h, want)
		}
	}
}

// Nothing leaves the canvas but a token that scrolls out, and that is faint.
func TestAllMarksStayOnTheStage(t *testing.T) {
	for _, tokens := range []int{1, 8, 64, 200} {
		for _, f := range []*scene.Film{scenetest.Digits(tokens, 0.9), scenetest.Gaussian(tokens, 0.9), scenetest.Words(0.9)} {
			for _, width := range []float32{288, 320, 358, 399, 400, 479, 480, 719, 720, 800, 959, 960, 1080, 1400} {
				for _, time := range []float64{0, 0.5, float64(tokens) / 2, float64(tokens)} {
					list := lay(f, time, width)
					for _, m := range list.Marks {
						if m.Color.A > 128 && (m.X < 0 || m.Y < 0 || m.X+m.W > list.Width || m.Y+m.H > list.Height) {
							t.Fatalf("%s, %d tokens, %v wide, at %v: %+v", f.Task, tokens, width, time, m)
						}
					}
				}
			}
		}
	}
}

// The blocks of the narrow layout never run into one another.
func TestTheNarrowBlocksKeepApart(t *testing.T) {
	for _, f := range []*scene.Film{scenetest.Digits(8, 0.9), scenetest.Gaussian(8, 0.9), scenetest.Words(0.9)} {
		for width := float32(288); width < 720; width++ {
			list := lay(f, 8, width)
			weights := list.Height - 122 - scene.Bleed
			for _, label := range list.Labels {
				if d := label.Y - (weights + 9); d > -18 && d < 18 && d != 0 {
					t.Fatalf("%s, %v wide: %v stands in the last title's line", f.Task, width, label)
				}
			}
		}
	}
}

// said is a list's labels as text, one a line.
func said(l *scene.List) []string {
	var lines []string
	for _, label := range l.Labels {
		line := ""
		for _, run := range label.Runs {
			line += run.Text
		}
		lines = append(lines, line)
	}
	return lines
}

// A text plays in words: the word and the next, the words asked and what each is
// answered, and the text itself.
func TestATextPlaysInWords(t *testing.T) {
	f := scenetest.Words(0.9)
	for _, width := range []float32{358, 1080} {
		for time, want := range map[float64][]string{
			0:   {"nothing is read yet", "king", "prince", "the king sang in the garden , and the queen "},
			0.7: {"the → king", "king  the"},
			2.2: {"sang → in", "sang  king"}, // the answer is still that after token 1
			3:   {"sang → in", "in  sang"},
			11:  {"read → .", "“.”  read", "read . "},
		} {
			list := lay(f, time, width)
			all := strings.Join(said(&list), "\n")
			for _, one := range want {
				if !strings.Contains(all, one) {
					t.Errorf("%v wide, at %v: no %q in\n%s", width, time, one, all)
				}
			}
		}
	}
}

// A word that was not read yet is grey, the present one strong.
func TestWordsAskedAreGreyUntilTheyAreRead(t *testing.T) {
	f := scenetest.Words(0.9)
	for time, want := range map[float64]scene.Run{
		1: {Text: "king", Role: scene.Muted, Face: scene.Plain},
		2: {Text: "king", Role: scene.QueryRole, Face: scene.Strong},
		3: {Text: "king", Role: scene.QueryRole, Face: scene.Plain},
	} {
		list := lay(f, time, 1080)
		found := false
		for _, label := range list.Labels {
			found = found || label.Anchor == scene.End && label.Runs[0] == want
		}
		if !found {
			t.Errorf("at %v no label is %+v", time, want)
		}
	}
}

// A long text runs in lines: the present word is always in the one shown.
func TestTheRunningTextFollowsThePresentWord(t *testing.T) {
	f := scenetest.Words(0)
	for at := 1; at <= f.Tokens; at++ {
		list := lay(f, float64(at), 288)
		found := false
		for _, label := range list.Labels {
			for _, run := range label.Runs {
				found = found || run.Role == scene.WrittenRole && run.Face == scene.Strong && strings.TrimSpace(run.Text) == f.Names.Vocabulary[f.Names.Read[at-1]]
			}
		}
		if !found {
			t.Errorf("after token %d its word is not in the line: %q", at-1, said(&list))
		}
	}
}

func TestLabelsAreJSON(t *testing.T) {
	labels := []scene.Label{{X: 1.26, Y: -2, Anchor: scene.End, Small: true, Runs: []scene.Run{
		{Text: "a \"quoted\\\n k\u0302", Role: scene.KeyRole, Face: scene.Symbol}, {Text: "b", Role: scene.Ink, Face: scene.Plain},
	}}, {Anchor: scene.Start}}
	var back []struct {
		X, Y   float64
		Anchor string
		Small  bool
		Runs   []struct{ Text, Role, Face string }
	}
	text := scene.AppendLabels(nil, labels)
	if err := json.Unmarshal(text, &back); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	if len(back) != 2 || back[0].X != 1.3 || back[0].Y != -2 || back[0].Anchor != "end" || !back[0].Small ||
		back[0].Runs[0].Text != "a \"quoted\\  k\u0302" || back[0].Runs[0].Role != "key" || back[0].Runs[1].Face != "plain" {
		t.Errorf("%s came back as %+v", text, back)
	}
}

func BenchmarkLay(b *testing.B) {
	f := scenetest.Digits(64, 0.9)
	var list scene.List
	for i := 0; b.Loop(); i++ {
		list.Lay(f, float64(i%640)/10, scene.Canvas("digits", 1080), scene.ThemeOf(false))
	}
}
