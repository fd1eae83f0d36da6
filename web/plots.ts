// From an Answer to its drawn plots. Pure: the build and the browser share it.

import { extent } from "./chart/axes";
import { lineChart, lineFrame, type LineChart } from "./chart/line";
import { matrixChart, matrixFrame } from "./chart/matrix";
import { namedBars, namedHeight } from "./chart/named";
import type { Readable } from "./chart/readout";
import { picturesChart, picturesFrame } from "./chart/pictures";
import { plotName, scalar, valueAt, type LinePlot, type MatrixPlot, type PicturesPlot, type Plot } from "./figures/figure";
import type { Answer, Matrix, Series, Values } from "./messages";
import { firstOf, formatNumber, place } from "./numbers";

/** A plot drawn at a width, with what the page needs to put a cursor on it. */
export interface Drawn {
  svg: string;
  /** viewBox size, in the same units as the fields below */
  width: number;
  height: number;
  left: number;
  right: number;
  top: number;
  bottom: number;
  /** pixel → token along x */
  at(pixel: number): number;
  /** pixel → token along y, for a matrix */
  rowAt(pixel: number): number;
  cursor: number | null;
  /** the other cursor of a matrix, along x */
  col?: number | null;
  least: number;
  most: number;
  /** the cursor's place and value in words; "" without a cursor */
  says: string;
  /** what a pointer or the keys can read; null where the numbers stand in the drawing */
  readable: Readable | null;
}

/** Where a cursor knob stands: its value, else what the engine chose. */
export function cursorOf(knob: string, values: Values, answer: Answer): number | null {
  if (knob === "") return null;
  const text = values[knob];
  if (text !== undefined && text !== "" && text !== "-1") return Number(text);
  return scalar(answer, knob);
}

/** A token's place, with its word where tokens have names. */
function placed(label: string, at: number, answer: Answer): string {
  const word = answer.words?.[at];
  return `${label} ${place(at)}${word === undefined ? "" : `, “${word}”`}`;
}

/** Draws one plot of an Answer. */
export function drawPlot(experiment: string, plot: Plot, answer: Answer, values: Values, width: number): Drawn {
  const id = `${experiment}-${plotName(plot)}`;
  switch (plot.kind) {
    case "line":
      return drawLine(id, plot, answer, values, width);
    case "matrix":
      return drawMatrix(id, plot, answer, values, width);
    case "pictures":
      return drawPictures(id, plot, answer, width);
  }
}

/** The cursor knob that a plot moves along its first axis; "" for none. */
export function cursorKnob(plot: Plot): string {
  return plot.kind === "line" ? plot.cursor : plot.kind === "matrix" ? plot.rowCursor : "";
}

function drawPictures(id: string, plot: PicturesPlot, answer: Answer, width: number): Drawn {
  const matrices = plot.matrices.flatMap((name) => answer.matrices.filter((m) => m.name === name));
  const names = matrices.map((m) => m.label).join("; ");
  const svg = picturesChart({ id, title: plot.title, description: `Pictures side by side: ${names}. ${plot.note}`, matrices, signs: plot.signs, width });
  const { height } = picturesFrame({ matrices, width });
  return { svg, width, height, left: 0, right: width, top: 0, bottom: height, at: () => 0, rowAt: () => 0, cursor: null, least: 0, most: 0, says: "", readable: null };
}

function drawNamed(id: string, plot: LinePlot, series: readonly Series[], width: number): Drawn {
  const told = series.filter((s) => s.names?.length).map((s) => {
    const pairs = Array.from(s.y, (y, i) => `${s.names?.[i] ?? ""} ${formatNumber(y)}`);
    return `${series.length > 1 ? s.label : s.yAxis.label}: ${pairs.join("; ")}.`;
  });
  const svg = namedBars({ id, title: plot.title, description: told.join(" "), series, width });
  return { svg, width, height: namedHeight(series), left: 0, right: width, top: 0, bottom: 0, at: () => 0, rowAt: () => 0, cursor: null, least: 0, most: 0, says: "", readable: null };
}

function drawLine(id: string, plot: LinePlot, answer: Answer, values: Values, width: number): Drawn {
  const series = answer.series
    .filter((s) => s.chart === plot.chart)
    .map((s) => (plot.unlabelled?.includes(s.name) ? { ...s, label: "" } : s));
  if (series[0]?.names?.length) return drawNamed(id, plot, series, width);
  const cursor = cursorOf(plot.cursor, values, answer);
  const y = cursor === null ? null : readAt(series, cursor);
  const chart: LineChart = {
    id,
    title: plot.title,
    description: describe(plot, series),
    series,
    width,
    height: plot.equal ? Math.round(0.75 * width) : lineHeight(width),
    marks: plot.marks?.(answer) ?? [],
    cursor,
    equal: plot.equal ?? false,
    cursorLabel: cursor === null ? "" : `${placed(plot.place, cursor, answer)}${y === null ? "" : `: ${formatNumber(y)}`}`,
  };
  const frame = lineFrame(chart);
  const [first, last] = extent(series.map((s) => s.x)) ?? [0, 0];
  return {
    svg: lineChart(chart),
    width,
    height: chart.height,
    left: frame.left,
    right: frame.right,
    top: frame.top,
    bottom: frame.bottom,
    at: (pixel) => Math.round(frame.x.invert(pixel)),
    rowAt: () => 0,
    cursor,
    least: Math.ceil(first),
    most: Math.floor(last),
    readable: { kind: "line", chart, series: answer.series.filter((s) => s.chart === plot.chart) },
    says: cursor === null ? "" : `${placed(plot.place, cursor, answer)}: ${y === null ? "not written yet" : formatNumber(y)}`,
  };
}

/** What a cursor at x reads: the line or the bars, or a point that stands just there. */
function readAt(series: readonly Series[], x: number): number | null {
  const lead = series.find((s) => s.style === "line" || s.style === "bars") ?? series.find((s) => s.style !== "points");
  if (lead) return valueAt(lead, x);
  for (const s of series) {
    const i = Array.prototype.indexOf.call(s.x, x);
    if (i >= 0) return s.y[i]!;
  }
  return null;
}

/** One proportion at every width, so that a redraw never moves the page. */
export function lineHeight(width: number): number {
  return Math.round(width * 0.5);
}

function drawMatrix(id: string, plot: MatrixPlot, answer: Answer, values: Values, width: number): Drawn {
  const matrix = answer.matrices.find((m) => m.name === plot.matrix)!;
  const row = cursorOf(plot.rowCursor, values, answer);
  const col = cursorOf(plot.colCursor, values, answer);
  const frame = matrixFrame({ matrix, width });
  const value = row === null ? null : cellAt(matrix, row, col ?? row);
  const svg = matrixChart({
    id,
    title: plot.title,
    description: `${matrix.label || plot.title}: ${matrix.rows} rows (${matrix.rowAxis.label}) by ${matrix.cols} columns (${matrix.colAxis.label})${matrix.stride > 1 ? `, every ${matrix.stride}th` : ""}. ${plot.note}`,
    matrix,
    width,
    cursor: { row, col },
  });
  const last = (n: number): number => Math.max(0, (n - 1) * matrix.stride);
  const clamped = (v: number, n: number): number => Math.max(0, Math.min(last(n), Math.round(v)));
  return {
    svg,
    width,
    height: frame.height,
    left: frame.left,
    right: frame.right,
    top: frame.top,
    bottom: frame.bottom,
    at: (pixel) => clamped(frame.x.invert(pixel), matrix.cols),
    rowAt: (pixel) => clamped(frame.y.invert(pixel), matrix.rows),
    cursor: row,
    col,
    least: 0,
    most: last(matrix.rows),
    readable: { kind: "matrix", matrix, width },
    says:
      row === null
        ? ""
        : `${placed(matrix.rowAxis.label, row, answer)}${col === null ? "" : `, ${placed(matrix.colAxis.label, col, answer)}`}${value === null ? "" : `: ${formatNumber(value)}`}`,
  };
}

function cellAt(matrix: Matrix, row: number, col: number): number | null {
  const r = Math.round(row / matrix.stride);
  const c = Math.round(col / matrix.stride);
  if (r < 0 || r >= matrix.rows || c < 0 || c >= matrix.cols) return null;
  const value = matrix.values[r * matrix.cols + c]!;
  return Number.isFinite(value) ? value : null;
}

/** A chart in words: what is drawn, from where to where. */
function describe(plot: LinePlot, series: readonly Series[]): string {
  const parts = series.map((s) => {
    const n = Math.min(s.x.length, s.y.length);
    const x = (i: number): string => formatNumber(s.x[i]! + firstOf(s.xAxis.unit));
    if (n > 0 && s.style === "points") return `${s.label || s.name}: ${n} points around ${formatNumber(mean(s.x, n))}, ${formatNumber(mean(s.y, n))}`;
    if (n === 0) return `${s.label || s.name}: no points`;
    return `${s.label || s.name}: from ${formatNumber(s.y[0]!)} at ${x(0)} to ${formatNumber(s.y[n - 1]!)} at ${x(n - 1)}`;
  });
  const first = series[0];
  const axes = first ? `${first.yAxis.label} against ${first.xAxis.label}. ` : "";
  return `${plot.note ? `${plot.note}; ` : ""}${axes}${parts.join("; ")}.`;
}

function mean(xs: ArrayLike<number>, n: number): number {
  let sum = 0;
  for (let i = 0; i < n; i++) sum += xs[i]!;
  return sum / n;
}
