package experiments

import "unrolled/engine"

// oneRun completes an experiment that looks at one run: config reads the run
// from the knobs, answer says what it shows.
func oneRun(e Experiment, config func(f *form) engine.Config, answer func(f *form, r *engine.Result) Answer) Experiment {
	e.Run = func(values Values) (Answer, error) {
		f := read(e.Name, e.Knobs, values)
		c := config(f)
		if f.err != nil {
			return Answer{}, f.err
		}
		r, err := engine.Run(c)
		if err != nil {
			return Answer{}, err
		}
		a := answer(f, r)
		if f.err != nil {
			return Answer{}, f.err
		}
		a.Experiment, a.Warnings, a.Words = e.Name, f.warnings, f.names
		return a, nil
	}
	e.Config = configOf(e, config)
	return e
}

// configOf is the Config function of an experiment.
func configOf(e Experiment, config func(f *form) engine.Config) func(Values) (engine.Config, []string, error) {
	return func(values Values) (engine.Config, []string, error) {
		f := read(e.Name, e.Knobs, values)
		c := config(f)
		return c, f.warnings, f.err
	}
}

// sequentialOnly reads the knobs into a run without its attention form, for
// experiments whose question the two ways answer alike.
func sequentialOnly(f *form) engine.Config {
	c := f.config()
	c.SequentialOnly = true
	return c
}

// diverged is the scalar that names the token where a run diverged.
func diverged(r *engine.Result) Scalar {
	s := gapScalars(r)
	return s[len(s)-1]
}
