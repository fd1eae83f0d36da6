// What a figure is: which plots an experiment's Answer is shown as, in which order.

import type { Mark } from "../chart/line";
import type { Answer, Series } from "../messages";

/** Series that share a chart. */
export interface LinePlot {
  kind: "line";
  /** Series.chart */
  chart: string;
  title: string;
  /** one muted line beside the title: how to read it */
  note: string;
  /** the cursor knob that moves along x; "" for none */
  cursor: string;
  /** what the cursor's place is called: "reading", "token" */
  place: string;
  /** series that the note explains, so that they need no label at their end */
  unlabelled?: string[];
  /** points that the sentence speaks of */
  marks?(answer: Answer): Mark[];
  /** a row with a name for each point, in place of axes */
  named?: boolean;
  /** one unit is as long along x as along y */
  equal?: boolean;
}

/** A matrix with a cursor knob for its rows and one for its columns. */
export interface MatrixPlot {
  kind: "matrix";
  /** Matrix.name */
  matrix: string;
  title: string;
  note: string;
  rowCursor: string;
  colCursor: string;
}

/** Small matrices side by side on one colour scale, drawn while the Answer has all of them. */
export interface PicturesPlot {
  kind: "pictures";
  name: string;
  /** Matrix.name of each, and what stands between one and the next */
  matrices: string[];
  signs: string[];
  title: string;
  note: string;
}

export type Plot = LinePlot | MatrixPlot | PicturesPlot;

/** A plot's name, unique within its figure. */
export function plotName(plot: Plot): string {
  return plot.kind === "line" ? plot.chart : plot.kind === "matrix" ? plot.matrix : plot.name;
}

/** The matrices that a plot draws. */
function matricesOf(plot: Plot): string[] {
  return plot.kind === "line" ? [] : plot.kind === "matrix" ? [plot.matrix] : plot.matrices;
}

export interface Figure {
  /** Experiment.name */
  name: string;
  /** whether the run is also played on the stage, with a player */
  stage: boolean;
  /** the knob that stands beside the sentence */
  lead: string;
  /** further knobs beside it */
  beside?: string[];
  /** a good height for an embed before it tells its own, in pixels at a blog's width */
  embedHeight: number;
  /** words at both ends of a slider, by knob name */
  ends: Record<string, [string, string]>;
  plots: Plot[];
  /** whether the plots stand side by side below the sentence; else in one column beside the controls */
  across?: boolean;
  /** a table in place of plots: the Answer's, or the engine's checks */
  panel?: "table" | "checks";
  /** whether the present momentum can be pinned as a curve to compare with */
  pin?: boolean;
  /** charts that are shown elsewhere (in an editor), not drawn by default */
  hidden: string[];
}

/** The plots to draw: the figure's own, then whatever else the Answer holds. */
export function plotsOf(figure: Figure, answer: Answer): Plot[] {
  const charts = new Set(answer.series.map((s) => s.chart));
  const matrices = new Set(answer.matrices.map((m) => m.name));
  const own = figure.plots.filter((p) => (p.kind === "line" ? charts.has(p.chart) : matricesOf(p).every((name) => matrices.has(name))));
  for (const p of figure.plots) {
    if (p.kind === "line") charts.delete(p.chart);
    for (const name of matricesOf(p)) matrices.delete(name);
  }
  for (const name of figure.hidden) charts.delete(name);
  return [...own, ...[...charts].map((chart) => (chart === nearest.chart ? nearest : plainLine(chart))), ...[...matrices].map((name) => plainMatrix(name, answer))];
}

/** What any figure answers in words, where the tokens are words. */
const nearest: LinePlot = {
  kind: "line",
  chart: "nearest",
  title: "Nearest words",
  note: "the three of the list that each vector is nearest to",
  cursor: "",
  place: "",
  named: true,
};

function plainLine(chart: string): LinePlot {
  return { kind: "line", chart, title: chart, note: "", cursor: "", place: "" };
}

function plainMatrix(name: string, answer: Answer): MatrixPlot {
  const label = answer.matrices.find((m) => m.name === name)?.label;
  return { kind: "matrix", matrix: name, title: label || name, note: "", rowCursor: "", colCursor: "" };
}

/** A figure for an experiment that brings none: every Answer has a drawing. */
export function plainFigure(name: string): Figure {
  return { name, stage: false, lead: "", embedHeight: 900, ends: {}, plots: [], hidden: [] };
}

/** A scalar's value; null when it is missing or does not exist for these knobs. */
export function scalar(answer: Answer, name: string): number | null {
  const value = answer.scalars.find((s) => s.name === name)?.value;
  return value === undefined || value === null || !Number.isFinite(value) ? null : value;
}

/** A series' y at x, on the straight line between its points; null outside. */
export function valueAt(series: Series | undefined, x: number): number | null {
  if (!series) return null;
  for (let i = 0; i < series.x.length; i++) {
    const [x1, y1] = [series.x[i]!, series.y[i]!];
    if (x1 === x) return Number.isFinite(y1) ? y1 : null;
    if (x1 > x) {
      if (i === 0) return null;
      const [x0, y0] = [series.x[i - 1]!, series.y[i - 1]!];
      const y = y0 + ((y1 - y0) * (x - x0)) / (x1 - x0);
      return Number.isFinite(y) ? y : null;
    }
  }
  return null;
}
