// Numbers within the prose: <span data-scalar="momentum-age.half-life.own">.

import type { Answer } from "./messages";
import { valueAt } from "./figures/figure";
import { formatNumber, minus } from "./numbers";

/**
 * A number as the prose shows it: a scalar by its name, a point of a series as
 * "chart/series@x", a cell of a matrix as "matrix@row,column". A place may be
 * "last"; ":12" at the end asks for twelve digits. Null if there is no such thing.
 */
export function scalarText(answer: Answer, name: string): string | null {
  const found = answer.scalars.find((s) => s.name === name);
  if (found) return formatNumber(found.value);
  const [, what = "", place = "", digits] = /^(.+)@([^:]+)(?::(\d+))?$/.exec(name) ?? [];
  const value = place.includes(",") ? cell(answer, what, place.split(",")) : point(answer, what, place);
  if (value === undefined) return null;
  return digits && Number.isFinite(value) ? minus(value.toPrecision(Number(digits))) : formatNumber(value);
}

function point(answer: Answer, name: string, place: string): number | undefined {
  const series = answer.series.find((s) => `${s.chart}/${s.name}` === name);
  if (!series) return undefined;
  return (place === "last" ? series.y[series.y.length - 1] : valueAt(series, Number(place))) ?? NaN;
}

function cell(answer: Answer, name: string, [row = "", col = ""]: string[]): number | undefined {
  const matrix = answer.matrices.find((m) => m.name === name);
  if (!matrix) return undefined;
  const at = (place: string, n: number): number => (place === "last" ? n - 1 : Math.round(Number(place) / matrix.stride));
  const [r, c] = [at(row, matrix.rows), at(col, matrix.cols)];
  return r < matrix.rows && c < matrix.cols ? matrix.values[r * matrix.cols + c] : NaN;
}

/** Puts an Answer's numbers into the prose, so that text and state agree. */
export function fillScalars(root: ParentNode, answer: Answer): void {
  for (const span of root.querySelectorAll<HTMLElement>(`[data-scalar^="${CSS.escape(answer.experiment)}."]`)) {
    // A run that has no such number must not keep the last one's.
    const text = scalarText(answer, span.dataset["scalar"]!.slice(answer.experiment.length + 1)) ?? "—";
    // The same text again would lay the paragraph out again.
    if (span.textContent !== text) span.textContent = text;
  }
}
