package main

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"unrolled/engine/selftest"
)

func TestSelfTestHolds(t *testing.T) {
	text := output(t, "-self-test")
	if n := len(selftest.All()); strings.Count(text, "holds  ") != n || strings.Contains(text, "FAILS") || !strings.Contains(text, " checks hold.\n") {
		t.Error(text)
	}
}

// A check whose bound cannot be met is named, and is an error.
func TestSelfTestFails(t *testing.T) {
	c, _ := selftest.Find("textbook")
	c.Bound = -1
	var out bytes.Buffer
	err := runSelfTest([]selftest.Check{c}, &out)
	if !errors.Is(err, errFails) || !strings.Contains(out.String(), "FAILS  textbook") || !strings.Contains(out.String(), "0 of 1") {
		t.Errorf("%v, %q", err, out.String())
	}
}
