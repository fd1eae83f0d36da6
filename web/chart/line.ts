// The line chart: series that share axes → SVG text.
//
// Pure: the same call draws in the browser, in the build and in tests. Colours
// come from classes, all geometry from attributes; there is no style attribute,
// so the strictest content policy can show it.

import type { Axis, Role, Series } from "../messages";
import { firstOf, powers, px } from "../numbers";
import { apart } from "./apart";
import { extent, linear, logarithmic, logarithmicWithin, type Scale } from "./axes";
import { escape, textWidth } from "./text";

/** A point that the sentence speaks of, with its label and a drop line to the x axis. */
export interface Mark {
  x: number;
  y: number;
  label: string;
  role: Role;
  /** in a scatter, where x is no place to go: no drop line */
  bare?: boolean;
  /** where the curve falls: the label stands above it */
  falls?: boolean;
}

export interface LineChart {
  /** unique in the document; makes the ids of title and description */
  id: string;
  title: string;
  description: string;
  series: readonly Series[];
  width: number;
  height: number;
  marks?: readonly Mark[];
  /** where the cursor stands on x; null: nowhere */
  cursor?: number | null;
  /** what stands beside the cursor */
  cursorLabel?: string;
  /** one unit is as long along x as along y, as on a map */
  equal?: boolean;
}

/** Where the plot lies in the chart and how x and y map to it. */
export interface Frame {
  left: number;
  right: number;
  top: number;
  bottom: number;
  x: Scale;
  y: Scale;
}

const labelSize = 12;
const labelGap = 15;
const noAxis: Axis = { label: "", unit: "", log: false };

/** The chart's frame; the page uses it to turn a pointer into a value. */
export function lineFrame(chart: LineChart): Frame {
  const { series, width, height } = chart;
  const xAxis = series[0]?.xAxis ?? noAxis;
  const yAxis = series[0]?.yAxis ?? noAxis;
  const labels = endLabels(series).map((s) => textWidth(s.label, labelSize) + (s.style === "points" ? 13 : 0));
  const top = 26;
  const bottom = height - 24;
  const y = yScale(series, yAxis, [bottom, top]);
  const left = Math.max(22, ...y.ticks.map((t) => textWidth(t.text, labelSize) + 8));
  const right = Math.max(left + 40, width - Math.max(12, ...labels.map((w) => w + 10)));
  if (chart.equal) return { left, right, top, bottom, ...mapScales(series, left, right, top, bottom) };
  return { left, right, top, bottom, x: xScale(series, xAxis, [left, right]), y };
}

/** Both scales with pixels of one size, around the middle of the points. */
function mapScales(series: readonly Series[], left: number, right: number, top: number, bottom: number): Pick<Frame, "x" | "y"> {
  const [x0, x1] = extent(series.map((s) => s.x)) ?? [0, 1];
  const [y0, y1] = extent(series.map((s) => s.y)) ?? [0, 1];
  const unit = 1.06 * Math.max((x1 - x0) / (right - left), (y1 - y0) / (bottom - top)) || 1 / (right - left);
  const around = (low: number, high: number, pixels: number): [number, number] => [
    (low + high - unit * pixels) / 2,
    (low + high + unit * pixels) / 2,
  ];
  return {
    x: linear(around(x0, x1, right - left), [left, right], Math.max(2, Math.floor((right - left) / 70)), false),
    y: linear(around(y0, y1, bottom - top), [bottom, top], Math.max(2, Math.floor((bottom - top) / 55)), false),
  };
}

function xScale(series: readonly Series[], axis: Axis, range: [number, number]): Scale {
  const count = Math.max(2, Math.min(8, Math.floor((range[1] - range[0]) / 70)));
  if (axis.log) {
    return logarithmicWithin(extent(series.map((s) => s.x), true) ?? [1, 10], range, count);
  }
  let [low, high] = extent(series.map((s) => s.x)) ?? [0, 1];
  if (series.some((s) => s.style === "bars")) [low, high] = [low - 0.5, high + 0.5];
  else if (series.some((s) => s.style === "points")) [low, high] = [low - (high - low) / 50, high + (high - low) / 50];
  return linear([low, high], range, count, false, firstOf(axis.unit));
}

function yScale(series: readonly Series[], axis: Axis, range: [number, number]): Scale {
  const edges = series.flatMap((s) => [s.y, s.y2]);
  if (axis.log) return logarithmic(extent(edges, true) ?? [1e-16, 1], range, 4);
  // Rounded, or a curve that ends at 1 + 1e-16 would get an axis up to 1.5.
  let [low, high] = (extent(edges) ?? [0, 1]).map((v) => Number(v.toPrecision(9))) as [number, number];
  // Weights and bars are read from zero; so is anything that comes near it.
  if (low > 0 && (low < high / 2 || series.some((s) => s.style === "bars"))) low = 0;
  if (high < 0) high = 0;
  return linear([low, high], range, Math.max(2, Math.floor(Math.abs(range[0] - range[1]) / 55)), true);
}

/** Draws the chart. */
export function lineChart(chart: LineChart): string {
  const frame = lineFrame(chart);
  const { id, width, height, series } = chart;
  const body = [
    axes(frame, series[0]?.xAxis ?? noAxis, series[0]?.yAxis ?? noAxis),
    ...series.map((s) => drawSeries(s, frame)),
    cursorLine(chart, frame),
    ...(chart.marks ?? []).map((m) => drawMark(m, frame)),
    directLabels(series, frame),
  ];
  return (
    `<svg class="chart" role="img" aria-labelledby="${escape(id)}-t ${escape(id)}-d" ` +
    `viewBox="0 0 ${px(width)} ${px(height)}" xmlns="http://www.w3.org/2000/svg">` +
    `<title id="${escape(id)}-t">${escape(chart.title)}</title>` +
    `<desc id="${escape(id)}-d">${escape(chart.description)}</desc>` +
    `${body.join("")}</svg>`
  );
}

function axes(f: Frame, xAxis: Axis, yAxis: Axis): string {
  let out = "";
  for (const t of f.y.ticks) {
    const at = px(f.y(t.value));
    out += `<line class="grid" x1="${px(f.left)}" x2="${px(f.right)}" y1="${at}" y2="${at}"/>`;
    out += `<text class="tick" x="${px(f.left - 8)}" y="${at}" dy=".32em" text-anchor="end">${escape(t.text)}</text>`;
  }
  const name = axisName(xAxis);
  const nameStart = f.right - textWidth(name, labelSize);
  for (const t of f.x.ticks) {
    const at = f.x(t.value);
    if (at + textWidth(t.text, labelSize) / 2 + 8 > nameStart) continue;
    out += `<text class="tick" x="${px(at)}" y="${px(f.bottom + 17)}" text-anchor="middle">${escape(t.text)}</text>`;
  }
  out += `<text class="axis" x="${px(f.right)}" y="${px(f.bottom + 17)}" text-anchor="end">${escape(name)}</text>`;
  out += `<text class="axis" x="0" y="10">${escape(axisName(yAxis))}</text>`;
  return out;
}

function axisName(axis: Axis): string {
  return powers(axis.unit && !firstOf(axis.unit) ? `${axis.label}, ${axis.unit}` : axis.label);
}

function drawSeries(s: Series, f: Frame): string {
  const points = finitePoints(s);
  if (points.length === 0) return "";
  const role = `role-${s.role}`;
  if (s.style === "bars") return bars(points, f, role);
  if (s.style === "dots") return dots(points, f, role);
  if (s.style === "points") return scatter(points, f, s.role);
  if (s.style === "band") return band(s, f, role);
  return `<path class="series ${s.style} ${role}" d="${polyline(s, f)}" fill="none"/>`;
}

/** Straight from point to point; a missing value breaks the line. */
function polyline(s: Series, f: Frame): string {
  let d = "";
  let pen = "M";
  for (const [x, y] of gapped(s)) {
    if (!Number.isFinite(x) || !Number.isFinite(y)) {
      pen = "M";
      continue;
    }
    d += `${pen}${px(f.x(x))} ${px(f.y(y))}`;
    pen = "L";
  }
  return d;
}

function bars(points: [number, number][], f: Frame, role: string): string {
  const wide = Math.abs(f.x(1) - f.x(0));
  const bar = Math.max(0.5, wide > 4 ? wide * 0.78 : wide);
  const zero = f.y(f.y.log ? f.y.low : Math.max(0, f.y.low));
  let d = "";
  for (const [x, y] of points) {
    d += `M${px(f.x(x) - bar / 2)} ${px(zero)}V${px(f.y(y))}h${px(bar)}V${px(zero)}z`;
  }
  return `<path class="series bars ${role}" d="${d}"/>`;
}

/** Dots are thinned so that each stays a dot. */
function dots(points: [number, number][], f: Frame, role: string): string {
  const every = Math.max(1, Math.ceil(points.length / Math.max(1, (f.right - f.left) / 5)));
  let d = "";
  points.forEach(([x, y], i) => {
    if (i % every === 0 || i === points.length - 1) d += `M${px(f.x(x))} ${px(f.y(y))}h0`;
  });
  // Rings, so that what lies under a dot stays visible.
  return (
    `<path class="series dots ${role}" d="${d}" fill="none" stroke-linecap="round"/>` +
    `<path class="hole" d="${d}" fill="none" stroke-linecap="round"/>`
  );
}

/** Every point, in its role's shape, so that clouds differ without their colours. */
function scatter(points: readonly [number, number][], f: Frame, role: Role): string {
  const d = points.map(([x, y]) => glyph(role, f.x(x), f.y(y))).join("");
  return `<path class="series points role-${role}" d="${d}"/>`;
}

/** The outline of one point: a disc, and for some roles a ring, a square or a diamond. */
function glyph(role: Role, x: number, y: number): string {
  const circle = (r: number, sweep: number): string =>
    `M${px(x - r)} ${px(y)}a${r} ${r} 0 1 ${sweep} ${2 * r} 0a${r} ${r} 0 1 ${sweep} ${-2 * r} 0z`;
  switch (role) {
    case "query":
      return circle(3.5, 1) + circle(2, 0);
    case "value":
      return `M${px(x - 2.75)} ${px(y - 2.75)}h5.5v5.5h-5.5z`;
    case "effective":
      return `M${px(x)} ${px(y - 4)}l4 4l-4 4l-4 -4z`;
    default:
      return circle(3, 1);
  }
}

/** What lies between two edges. */
function band(s: Series, f: Frame, role: string): string {
  const there: string[] = [];
  const back: string[] = [];
  for (let i = 0; i < Math.min(s.x.length, s.y.length, s.y2.length); i++) {
    const [x, low, high] = [s.x[i]!, s.y[i]!, s.y2[i]!];
    if (![x, low, high].every(Number.isFinite)) continue;
    there.push(`${px(f.x(x))} ${px(f.y(low))}`);
    back.unshift(`${px(f.x(x))} ${px(f.y(high))}`);
  }
  return there.length === 0 ? "" : `<path class="series band ${role}" d="M${[...there, ...back].join("L")}z"/>`;
}

function finitePoints(s: Series): [number, number][] {
  return gapped(s).filter((p) => Number.isFinite(p[0]) && Number.isFinite(p[1]));
}

function gapped(s: Series): [number, number][] {
  const n = Math.min(s.x.length, s.y.length);
  return Array.from({ length: n }, (_, i): [number, number] => [s.x[i]!, s.y[i]!]);
}

function cursorLine(chart: LineChart, f: Frame): string {
  const { cursor, cursorLabel } = chart;
  if (cursor === undefined || cursor === null || !(cursor >= f.x.low && cursor <= f.x.high)) return "";
  const at = f.x(cursor);
  let out = `<line class="cursor" x1="${px(at)}" x2="${px(at)}" y1="${px(f.top)}" y2="${px(f.bottom)}"/>`;
  if (cursorLabel) out += headLabel(cursorLabel, at, chart, f, "cursor-label");
  return out;
}

/**
 * A label over a place: on a line with the name of the y axis, if need be
 * without what stands before its colon; else a step below.
 */
export function headLabel(full: string, at: number, chart: LineChart, f: Frame, name: string): string {
  const least = textWidth(axisName(chart.series[0]?.yAxis ?? noAxis), labelSize) + 12;
  const found = [full, full.slice(full.indexOf(": ") + 1).trim()].find((t) => least + textWidth(t, labelSize) <= chart.width);
  const text = found ?? full;
  const fits = found !== undefined;
  const wide = textWidth(text, labelSize) / 2;
  const most = chart.width - wide;
  const x = Math.max(fits ? Math.max(f.left, least) + wide : f.left + wide, Math.min(most, f.right - wide, at));
  return `<text class="${name}" x="${px(x)}" y="${fits ? 10 : px(f.top + 12)}" text-anchor="middle">${escape(text)}</text>`;
}

function drawMark(m: Mark, f: Frame): string {
  if (!Number.isFinite(m.x) || !Number.isFinite(m.y)) return "";
  if (m.x < f.x.low || m.x > f.x.high) return "";
  const [x, y] = [f.x(m.x), f.y(m.y)];
  const fits = x + 10 + textWidth(m.label, 13) < f.right;
  const label = fits
    ? `x="${px(x + 10)}" y="${px(m.falls ? Math.max(y - 8, f.top + 10) : Math.min(y + 17, f.bottom - 6))}"`
    : `x="${px(x - 10)}" y="${px(Math.max(y - 8, f.top + 10))}" text-anchor="end"`;
  return (
    `<g class="mark role-${m.role}">` +
    (m.bare ? "" : `<line x1="${px(x)}" x2="${px(x)}" y1="${px(y)}" y2="${px(f.bottom)}"/>`) +
    `<circle cx="${px(x)}" cy="${px(y)}" r="4.5"/>` +
    `<text ${label}>${escape(m.label)}</text></g>`
  );
}

/** Series that carry a label at their end; a series that stands alone is named by the title. */
function endLabels(series: readonly Series[]): Series[] {
  if (series.length < 2) return [];
  return series.filter((s) => s.label !== "" && finitePoints(s).length > 0);
}

function directLabels(series: readonly Series[], f: Frame): string {
  const labelled = endLabels(series);
  const placed = apart(labelled.map((s) => f.y(labelHeight(s))), labelGap, f.top, f.bottom);
  return labelled
    .map((s, i) => {
      const strong = s.style === "line" || s.style === "bars" ? " strong" : "";
      const cloud = s.style === "points";
      const shape = cloud ? `<path class="series points role-${s.role}" d="${glyph(s.role, f.right + 12, placed[i]!)}"/>` : "";
      return `${shape}<text class="direct${strong} role-${s.role}" x="${px(f.right + (cloud ? 20 : 7))}" y="${px(placed[i]!)}" dy=".32em">${escape(s.label)}</text>`;
    })
    .join("");
}

/** Where a label would like to stand: at a line's end, at a cloud's middle. */
function labelHeight(s: Series): number {
  const ys = finitePoints(s).map((p) => p[1]);
  if (s.style === "points") return ys.reduce((sum, y) => sum + y, 0) / ys.length;
  return ys.at(-1)!;
}
