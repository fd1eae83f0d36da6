// Package runfile runs other people's tensors: it reads a run file (JSON with a
// model, inputs and, if known, expected outputs), runs it both ways, and says
// how far the results lie from what was expected.
//
//	{"model": {…}, "inputs": {…}, "expected": {…}, "tolerance": 1e-12}
//
// A model names a rule field by field; README.md lists the fields. The reader is
// strict: a field that it does not know, a wrong shape, a missing tensor, a
// number that is not finite or a text that stops in the middle is one sentence,
// and nothing is run. No part of a model is ever ignored.
//
// Start at Read, then File.Run.
package runfile
