package experiments

import (
	"net/url"
	"strings"
	"testing"
)

// Every claim of the default draw holds, and every link is a setting that runs.
func TestLedgerHoldsAndItsLinksRun(t *testing.T) {
	a := answer(t, "ledger", nil)
	if n := scalar(t, a, "claims"); n != scalar(t, a, "holds") || n < 10 {
		t.Errorf("%q: %+v", a.Sentence, a.Table.Rows)
	}
	for _, row := range a.Table.Rows {
		if len(row.Cells) != len(a.Table.Head) || strings.Contains(strings.Join(row.Cells, " "), "none") || strings.Contains(strings.Join(row.Cells, " "), "NaN") {
			t.Errorf("%q", row.Cells)
		}
		if row.Link == "" {
			continue
		}
		name, query, _ := strings.Cut(row.Link, "?")
		fields, err := url.ParseQuery(query)
		if err != nil {
			t.Fatal(err)
		}
		values := Values{}
		for knob := range fields {
			values[knob] = fields.Get(knob)
		}
		if linked := answer(t, name, values); len(linked.Warnings) > 0 {
			t.Errorf("%s warns: %q", row.Link, linked.Warnings)
		}
	}
}

// A claim whose number leaves its bound is counted as one that fails.
func TestLedgerCountsWhatFails(t *testing.T) {
	v := ledgerView{seed: "1"}
	v.enter("a", "b", "c", true, v.end("d", true), "duel")
	v.enter("a", "b", "c", false, v.end("d", false), "duel")
	a := v.answer()
	if a.Emphasis != "1 of 2 claims" || v.rows[1].Cells[2] != "✗ c" || v.rows[0].Cells[2] != "✓ c" || v.rows[0].Cells[3] != "d" || v.rows[1].Cells[3] != "On this draw its end does not show." || v.ends != 1 {
		t.Errorf("%q, %q", a.Sentence, v.rows)
	}
}

// The paradox lab's links run too.
func TestLabLinksRun(t *testing.T) {
	for _, loss := range []string{"squared", "dot"} {
		for _, row := range answer(t, "paradox-lab", Values{"loss": loss}).Table.Rows {
			if name, query, _ := strings.Cut(row.Link, "?"); name != "" {
				fields, _ := url.ParseQuery(query)
				values := Values{}
				for knob := range fields {
					values[knob] = fields.Get(knob)
				}
				answer(t, name, values)
			}
		}
	}
}
