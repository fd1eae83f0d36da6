package experiments

import "unrolled/engine"

// answering completes an experiment: config reads a run from the knobs, answer
// says what is found for it and may read further knobs.
func answering(e Experiment, config func(f *form) engine.Config, answer func(f *form, c engine.Config) (Answer, error)) Experiment {
	e.Run = func(values Values) (Answer, error) {
		f := read(e.Name, e.Knobs, values)
		c := config(f)
		if f.err != nil {
			return Answer{}, f.err
		}
		a, err := answer(f, c)
		if f.err != nil {
			return Answer{}, f.err
		}
		if err != nil {
			return Answer{}, err
		}
		a.Experiment, a.Warnings, a.Words = e.Name, f.warnings, f.names
		return a, nil
	}
	e.Config = func(values Values) (engine.Config, []string, error) {
		f := read(e.Name, e.Knobs, values)
		c := config(f)
		return c, f.warnings, f.err
	}
	return e
}

// oneRun completes an experiment that looks at one run.
func oneRun(e Experiment, config func(f *form) engine.Config, answer func(f *form, r *engine.Result) Answer) Experiment {
	return answering(e, config, func(f *form, c engine.Config) (Answer, error) {
		r, err := engine.Run(c)
		if err != nil {
			return Answer{}, err
		}
		return answer(f, r), nil
	})
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
