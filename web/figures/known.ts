// The figures that the page knows by now. The article's script brings the first
// one; those further down come with the reading aids, once the reader moves.

import { plainFigure, type Figure } from "./figure";

const known = new Map<string, Figure>();

/** Makes figures known. */
export function know(figures: readonly Figure[]): void {
  for (const figure of figures) known.set(figure.name, figure);
}

/** The figure of an experiment; one that is not known gets the default drawing. */
export function figureOf(experiment: string): Figure {
  return known.get(experiment) ?? plainFigure(experiment);
}
