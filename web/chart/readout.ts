// What a chart shows at one place, in numbers: a line there, and beside it each
// series' name and value. Pure, like the charts it is drawn over.

import { firstOf, formatIn, formatNumber, place, px } from "../numbers";
import type { Axis, Matrix, Series } from "../messages";
import { apart } from "./apart";
import { headLabel, lineFrame, type Frame, type LineChart } from "./line";
import { matrixFrame } from "./matrix";
import { escape, textWidth } from "./text";

/** A chart that can be read: as it was drawn, with every series under its own label. */
export type Readable = { kind: "line"; chart: LineChart; series: readonly Series[] } | { kind: "matrix"; matrix: Matrix; width: number };

/** One place of a chart: an x that all series share, a point of a scatter, or a cell. */
export interface Spot {
  x: number;
  /** the point's index in its series */
  point?: { series: Series; at: number };
  row?: number;
}

export interface Readout {
  /** to be added to the chart's drawing */
  svg: string;
  /** the same for those who hear it */
  says: string;
}

const size = 12;
const gap = 15;

/** The places at which a chart can be read, from left to right; a matrix' by rows. */
export function spots(of: Readable): Spot[] {
  if (of.kind === "matrix") {
    const { rows, cols, stride } = of.matrix;
    return Array.from({ length: rows * cols }, (_, i) => ({ row: Math.floor(i / cols) * stride, x: (i % cols) * stride }));
  }
  if (isScatter(of.series)) {
    const points = of.series.filter((s) => s.style === "points").flatMap((series) => finite(series).map((at): Spot => ({ x: series.x[at]!, point: { series, at } })));
    return points.sort((a, b) => a.x - b.x);
  }
  const xs = new Set(of.series.flatMap((s) => finite(s).map((i) => s.x[i]!)));
  return [...xs].sort((a, b) => a - b).map((x) => ({ x }));
}

/** The index of the place nearest to a point of the drawing; −1 if there is none. */
export function nearest(of: Readable, all: readonly Spot[], x: number, y: number): number {
  if (of.kind === "matrix") return nearestCell(of, x, y);
  const f = lineFrame(of.chart);
  const far = (s: Spot): number => (s.point ? Math.hypot(f.x(s.x) - x, f.y(s.point.series.y[s.point.at]!) - y) : Math.abs(f.x(s.x) - x));
  let best = -1;
  let least = Infinity;
  all.forEach((spot, i) => {
    const d = far(spot);
    if (d < least) [best, least] = [i, d];
  });
  return best;
}

function nearestCell(of: { matrix: Matrix; width: number }, x: number, y: number): number {
  const { rows, cols, stride } = of.matrix;
  const f = matrixFrame(of);
  const within = (at: number, n: number): number => Math.max(0, Math.min(n - 1, Math.round(at / stride)));
  return within(f.y.invert(y), rows) * cols + within(f.x.invert(x), cols);
}

/** The chart in numbers at one place. */
export function readout(of: Readable, spot: Spot): Readout {
  if (of.kind === "matrix") return cellReadout(of, spot);
  return spot.point ? pointReadout(of.chart, spot.point) : lineReadout(of.chart, of.series, spot.x);
}

interface Value {
  series: Series;
  value: string;
  /** with the series' name */
  text: string;
  /** where the value is drawn; a band has a middle */
  y: number;
}

function lineReadout(chart: LineChart, series: readonly Series[], x: number): Readout {
  const f = lineFrame(chart);
  const values = series.flatMap((s) => valuesAt(s, x));
  // One value alone is named by the chart's title.
  const text = (v: Value): string => (values.length > 1 ? v.text : v.value);
  const head = placeName(series[0]!.xAxis, x);
  const labels = besides(f, f.x(x), values.map((v) => ({ y: f.y(v.y), text: text(v), role: v.series.role })));
  const dots = values.map((v) => (v.series.style === "bars" || v.series.style === "band" ? "" : disc(f.x(x), f.y(v.y), v.series.role)));
  return {
    svg: `<g class="readout"><line x1="${px(f.x(x))}" x2="${px(f.x(x))}" y1="${px(f.top)}" y2="${px(f.bottom)}"/>${dots.join("")}${labels}${headLabel(head, f.x(x), chart, f, "readout-head")}</g>`,
    says: `${head}: ${values.map(text).join("; ") || "no value"}`,
  };
}

/** A series' value at x: on its line as drawn, or at its point just there. */
function valuesAt(s: Series, x: number): Value[] {
  const drawn = s.style === "line" || s.style === "dashed" || s.style === "band";
  const y = drawn ? between(s, s.y, x) : exactly(s, x);
  if (y === null) return [];
  const unit = s.yAxis.unit;
  const value = formatIn(unit, y);
  if (s.style !== "band") return [{ series: s, value, text: named(s, value), y }];
  const y2 = between(s, s.y2, x);
  if (y2 === null) return [];
  const both = `${formatNumber(y)} to ${formatIn(unit, y2)}`;
  return [{ series: s, value: both, text: named(s, both), y: (y + y2) / 2 }];
}

/** "training: 0.668"; a label that tells its number already, as of a level, says it once. */
function named(s: Series, value: string): string {
  return s.label === "" ? value : s.style === "dashed" && /\.\d+$/.test(s.label) && Math.min(...Array.from(s.y)) === Math.max(...Array.from(s.y)) ? s.label : `${s.label}: ${value}`;
}

function exactly(s: Series, x: number): number | null {
  const i = Array.prototype.indexOf.call(s.x, x);
  return i >= 0 && Number.isFinite(s.y[i]) ? s.y[i]! : null;
}

/** On the straight line between two points, as it is drawn; null beside the series. */
function between(s: Series, ys: ArrayLike<number>, x: number): number | null {
  const n = Math.min(s.x.length, ys.length);
  for (let i = 0; i < n; i++) {
    if (s.x[i] === x) return Number.isFinite(ys[i]) ? ys[i]! : null;
    if (s.x[i]! > x) {
      const part = (x - s.x[i - 1]!) / (s.x[i]! - s.x[i - 1]!);
      const y = ys[i - 1]! + part * (ys[i]! - ys[i - 1]!);
      return i > 0 && Number.isFinite(y) ? y : null;
    }
  }
  return null;
}

function pointReadout(chart: LineChart, { series, at }: { series: Series; at: number }): Readout {
  const f = lineFrame(chart);
  const [x, y] = [series.x[at]!, series.y[at]!];
  const value = formatIn(series.yAxis.unit, y);
  const map = chart.equal === true;
  const text = named(series, map ? `${formatIn(series.xAxis.unit, x)}, ${value}` : value);
  const head = map ? "" : placeName(series.xAxis, x);
  return {
    svg: `<g class="readout">${disc(f.x(x), f.y(y), series.role)}${besides(f, f.x(x), [{ y: f.y(y), text, role: series.role }])}${head && headLabel(head, f.x(x), chart, f, "readout-head")}</g>`,
    says: head ? `${head}: ${text}` : text,
  };
}

function cellReadout({ matrix, width }: { matrix: Matrix; width: number }, { x, row = 0 }: Spot): Readout {
  const f = matrixFrame({ matrix, width });
  const value = matrix.values[(row / matrix.stride) * matrix.cols + x / matrix.stride]!;
  const says = `${placeName(matrix.rowAxis, row)}, ${placeName(matrix.colAxis, x)}: ${formatNumber(value)}`;
  const cell = [f.x(x - matrix.stride / 2), f.y(row - matrix.stride / 2), (f.right - f.left) / matrix.cols, (f.bottom - f.top) / matrix.rows];
  // The text stands beside the name of the rows: no cell is covered.
  return {
    svg:
      `<g class="readout"><rect x="${px(cell[0]!)}" y="${px(cell[1]!)}" width="${px(cell[2]!)}" height="${px(cell[3]!)}"/>` +
      `<text x="${px(f.right)}" y="10" text-anchor="end">${escape(says)}</text></g>`,
    says,
  };
}

/** "token 10", "age 12 updates", "tokens / D 1.31". */
export function placeName(axis: Axis, x: number): string {
  if (firstOf(axis.unit)) return `${axis.label.split(" ")[0]} ${place(x)}`;
  return `${axis.label} ${formatIn(axis.unit, x)}`.trim();
}

interface Label {
  y: number;
  text: string;
  role: string;
}

/** Labels beside a line at x, on the side that has room, kept apart, each on a patch of paper. */
function besides(f: Frame, x: number, labels: readonly Label[]): string {
  const wide = Math.max(0, ...labels.map((l) => textWidth(l.text, size)));
  const right = x + 9 + wide <= f.right || x - 9 - wide < f.left;
  const placed = apart(labels.map((l) => l.y), gap, f.top + 4, f.bottom - 6);
  return labels
    .map(({ text, role }, i) => {
      const own = textWidth(text, size);
      const patch = `<rect class="patch" x="${px(right ? x + 6 : x - 12 - own)}" y="${px(placed[i]! - gap / 2)}" width="${px(own + 6)}" height="${gap}"/>`;
      return `${patch}<text class="role-${role}" x="${px(right ? x + 9 : x - 9)}" y="${px(placed[i]!)}" dy=".32em"${right ? "" : ` text-anchor="end"`}>${escape(text)}</text>`;
    })
    .join("");
}

function disc(x: number, y: number, role: string): string {
  return `<circle class="role-${role}" cx="${px(x)}" cy="${px(y)}" r="3.5"/>`;
}

function isScatter(series: readonly Series[]): boolean {
  return series.some((s) => s.style === "points");
}

/** The indices at which a series has a point. */
function finite(s: Series): number[] {
  const all = Array.from({ length: Math.min(s.x.length, s.y.length) }, (_, i) => i);
  return all.filter((i) => Number.isFinite(s.x[i]) && Number.isFinite(s.y[i]));
}
