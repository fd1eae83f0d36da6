package scene

// The words composition: the matrix composition, for the state of a text is no
// picture either, with the word and the next in the place of the token's number,
// what the state answers to some words in the place of the bars of the answer,
// and the text itself under the weights.

func (p *pen) wordsWide() {
	c := p.columns()
	bottom := p.height - weightsHeight - 26
	side := floor(c.left.w * 1.2)
	keys := box{x: side + 16, w: floor(c.left.w * 0.62)}
	state := box{x: keys.right() + 8}
	state.w = c.middle.x + c.middle.w - state.x
	p.product(box{0, 0, side, 0}, keys, state, 0, bottom)

	rows := float32(p.m.Probes)
	pitch := min(26, floor((bottom-headerHeight-76)/max(1, rows)))
	p.askedTitle(c.right.x, titleMiddle, c.right.w)
	p.asked(box{c.right.x, headerHeight - 2, c.right.w, pitch * rows}, pitch)
	y := headerHeight + pitch*rows + 8
	p.spectrumTitle(c.right.x, y+titleMiddle, true)
	p.spectrum(box{c.right.x, y + headerHeight, c.right.w, bottom - 16 - y - headerHeight})
	p.weights(p.height-weightsHeight, 64)
}

func (p *pen) wordsNarrow() {
	side := floor(p.width * 0.24)
	keys := box{x: side + 8, w: floor(p.width * 0.15)}
	state := box{x: keys.right() + 6}
	state.w = p.width - state.x
	y := p.height - weightsHeight - 28 - 190
	p.product(box{0, 0, side, 0}, keys, state, 0, y-20)

	list := floor(p.width * 0.66)
	p.askedTitle(0, y+titleMiddle, list)
	p.asked(box{0, y + headerHeight - 2, list, 168}, 21)
	x := list + 12
	p.label(x, y+titleMiddle, Start, strong("spectrum"))
	p.spectrum(box{x, y + headerHeight, p.width - x, 130})
	p.topShare(x, y+headerHeight+144, p.width-x)
	p.weights(p.height-weightsHeight, 64)
}

// wordAt is the word that token i is asked with; the last token's value is
// wordAt(T).
func (m moment) wordAt(i int) string { return m.Names.word(m.Names.Read[i]) }

// letter is about how wide a letter of a label is; what is cut to fit is cut by it.
const letter = 7.4

// cut shortens a word to so many letters.
func cut(word string, most int) string {
	if len(word) <= most {
		return word
	}
	return word[:most-1] + "…"
}

// pairTitle names the present token by its word and the next, and by its number
// where there is room.
func (p *pen) pairTitle(x, y, width float32) {
	if p.m.present < 0 {
		p.label(x, y, Start, muted("nothing is read yet"))
		return
	}
	most := int(width/(letter+1)-3) / 2 // strong letters are wider
	word, next := p.m.wordAt(p.m.present), p.m.wordAt(p.m.present+1)
	if len(word) < most { // what the one leaves, the other may take
		most += most - len(word)
	}
	word, next = cut(word, most), cut(next, most)
	runs := []Run{{word, KeyRole, Strong}, muted(" → "), {next, ValueRole, Strong}}
	if number := "   token " + integer(p.m.present+1); float32(len(word)+len(next)+len(number)+2)*letter < width {
		runs = append(runs, muted(number))
	}
	p.label(x, y, Start, runs...)
}

func (p *pen) askedTitle(x, y, width float32) {
	tail := "grey: not read yet"
	if width >= 300 {
		tail = "bar: cosine, " + tail
	}
	p.label(x, y, Start, strong("asked a word "), symbol(queryHat+" ", QueryRole), muted(tail))
}

// asked lists the words that are asked, each with the cosine of its answer and the
// words nearest to that. Those that were not read yet are grey.
func (p *pen) asked(b box, pitch float32) {
	m := p.m
	names := &m.Names
	left := floor(min(96, b.w*0.3))
	bar := box{b.x + left + 12, 0, floor(min(56, b.w*0.16)), 6}
	words := bar.right() + 10
	at := m.kept
	if m.keptBy < 0.5 {
		at--
	}
	for k, asked := range names.Asked {
		y := floor(b.y + (float32(k)+0.5)*pitch)
		run := Run{cut(names.word(asked), int(left/letter)), QueryRole, Plain}
		switch {
		case m.present >= 0 && names.Read[m.present] == asked:
			run.Face = Strong
		case !m.wasRead(asked):
			run.Role = Muted
		}
		p.label(b.x+left, y, End, run)
		bar.y = y - 3
		p.line(bar.x, y, bar.w)
		if at < 0 {
			continue
		}
		cosine := names.Cosines[m.kept*m.Probes+k]
		if m.kept > 0 {
			cosine = mix(names.Cosines[(m.kept-1)*m.Probes+k], cosine, m.keptBy)
		}
		p.fill(box{bar.x, bar.y, bar.w * max(0, min(1, finite(cosine))), bar.h}, p.t.Value)
		p.answers(words, y, b.right()-words, names.Answers[(at*m.Probes+k)*AnswersKept:][:AnswersKept])
	}
}

// answers sets the nearest word, and the next nearest as far as there is room.
func (p *pen) answers(x, y, width float32, places []uint16) {
	room := int(width / letter)
	var runs []Run
	for rank, place := range places {
		word := p.m.Names.word(place)
		if isMark(word) {
			word = "“" + word + "”"
		}
		if rank == 0 {
			word = cut(word, room)
			runs = append(runs, plain(word))
		} else if room < len(word)+2 {
			break
		} else {
			word = "  " + word
			runs = append(runs, muted(word))
		}
		room -= len(word)
	}
	p.label(x, y, Start, runs...)
}

// wasRead reports whether a word was the key of a token up to now.
func (m moment) wasRead(word uint16) bool {
	for i := 0; i <= m.present; i++ {
		if m.Names.Read[i] == word {
			return true
		}
	}
	return false
}

// running is the text under the weights: the line that the present word stands in,
// with a bracket under the bars of its words.
func (p *pen) running(b box, pitch float32) {
	m := p.m
	first, last := m.line(int(b.w / letter))
	length := 0
	var runs []Run
	for i := first; i < last; i++ {
		word := m.wordAt(i) + " "
		length += len(word)
		switch {
		case i == m.present:
			runs = append(runs, Run{word, WrittenRole, Strong})
		case i < m.present:
			runs = append(runs, plain(word))
		default:
			runs = append(runs, muted(word))
		}
	}
	if last == m.Tokens { // the value of the last token
		word := m.wordAt(last) + " "
		length += len(word)
		runs = append(runs, muted(word))
	}
	x := max(0, min(float32(first)*pitch, b.w-float32(length)*letter)) // under its bars, as far as it fits
	p.label(b.x+x, b.y+b.h/2+3, Start, joined(runs)...)
	p.fill(box{b.x + float32(first)*pitch, b.y - 3, float32(last-first) * pitch, 2}, p.t.Muted)
	if m.present >= 0 {
		p.fill(box{b.x + float32(m.present)*pitch, b.y - 3, max(2, pitch), 2}, p.t.Effective)
	}
}

// line is the words, first ≤ i < last, of the line that the present one stands in,
// where a line holds so many letters.
func (m moment) line(room int) (first, last int) {
	used := 0
	for i := range m.Tokens {
		if used += len(m.wordAt(i)) + 1; used > room && i > first && !isMark(m.wordAt(i)) {
			if m.present < i {
				return first, i
			}
			first, used = i, len(m.wordAt(i))+1
		}
	}
	// The last line would often hold a word or two: it begins earlier, as far as it fits.
	for first > 0 && used+len(m.wordAt(first-1))+1 <= room {
		first--
		used += len(m.wordAt(first)) + 1
	}
	return first, m.Tokens
}

// isMark reports whether a word is a punctuation mark, which begins no line.
func isMark(word string) bool { return len(word) == 1 && (word[0] < 'a' || word[0] > 'z') }

// joined makes one run of neighbours that look alike.
func joined(runs []Run) []Run {
	var out []Run
	for _, r := range runs {
		if n := len(out); n > 0 && out[n-1].Role == r.Role && out[n-1].Face == r.Face {
			out[n-1].Text += r.Text
			continue
		}
		out = append(out, r)
	}
	return out
}
