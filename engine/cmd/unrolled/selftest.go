package main

import (
	"errors"
	"fmt"
	"io"

	"unrolled/engine/selftest"
)

// errFails is the error of a self-test with a check that fails.
var errFails = errors.New("a check fails")

// runSelfTest prints a line a check and one sentence about all of them.
func runSelfTest(checks []selftest.Check, out io.Writer) error {
	held := 0
	for _, c := range checks {
		number, err := c.Measure()
		verdict, relation := "FAILS", "≤"
		if err == nil && c.Passes(number) {
			verdict = "holds"
			held++
		}
		if c.Least {
			relation = "≥"
		}
		if _, err := fmt.Fprintf(out, "%s  %-16s %8.2g %s %-6.2g  %s\n", verdict, c.Name, number, relation, c.Bound, c.Says); err != nil {
			return err
		}
		if err != nil {
			fmt.Fprintf(out, "       %v\n", err)
		}
	}
	if _, err := fmt.Fprintf(out, "\n%d of %d checks hold.\n", held, len(checks)); err != nil {
		return err
	}
	if held < len(checks) {
		return fmt.Errorf("%d of %d: %w", len(checks)-held, len(checks), errFails)
	}
	return nil
}
