package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"unrolled/engine/runfile"
)

// errDiffers says that a run file ran, and its expectations were not met.
var errDiffers = errors.New("expected arrays differ by more than the tolerance")

// isRunFile reports whether -run names a file, not an experiment.
func isRunFile(name string) bool {
	if strings.ContainsAny(name, "./\\") {
		return true
	}
	info, err := os.Stat(name)
	return err == nil && !info.IsDir()
}

// runRunFile runs a file of tensors both ways and prints what came out.
func runRunFile(name string, asJSON bool, values settings, out io.Writer) error {
	if len(values) > 0 {
		return errors.New("-set turns the knobs of an experiment; a run file has none")
	}
	file, err := os.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	f, err := runfile.Read(file)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	answer, err := f.Run()
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	write := answer.WriteText
	if asJSON {
		write = answer.WriteJSON
	}
	if err := write(out); err != nil {
		return err
	}
	if missed := answer.Missed(); len(missed) > 0 {
		return fmt.Errorf("%s: %w %.0g: %s", name, errDiffers, answer.Tolerance, strings.Join(missed, ", "))
	}
	return nil
}
