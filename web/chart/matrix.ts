// The matrix chart: rows×cols values → SVG text.
//
// A small matrix is a rect a cell; a larger one is an image. Either way its
// colours come from the style sheet: a cell is one or two layers of a map
// colour, and how much of each layer shows is given by an opacity or by a grey
// image used as a mask. So a figure drawn in the build follows the reader's
// theme without a script.

import type { Matrix } from "../messages";
import { firstOf, formatNumber, px } from "../numbers";
import { linear, type Scale } from "./axes";
import { greyImage } from "./bitmap";
import { escape, textWidth } from "./text";

export interface MatrixChart {
  /** unique in the document */
  id: string;
  title: string;
  description: string;
  matrix: Matrix;
  width: number;
  /** row and column under the cursor, in tokens (not cells); null: none */
  cursor?: { row: number | null; col: number | null };
}

export interface MatrixFrame {
  left: number;
  top: number;
  right: number;
  bottom: number;
  width: number;
  height: number;
  x: Scale;
  y: Scale;
}

/** Above this many rows or columns the cells are an image. */
export const mostRects = 32;

const size = 12;

/** Shades of a map are multiples of this: 51 steps look the same as 255 and compress better. */
const quantum = 5;

/** Where the cells lie. Cells are square unless that would make the plot taller than wide. */
export function matrixFrame(chart: Pick<MatrixChart, "matrix" | "width">): MatrixFrame {
  const { matrix, width } = chart;
  const rows = Math.max(1, matrix.rows);
  const cols = Math.max(1, matrix.cols);
  const left = 12 + textWidth(String(matrix.rowAxis.log ? 2 ** (rows - 1) : rows * matrix.stride), size);
  const right = width - 4;
  const top = 26;
  const tall = Math.min(right - left, ((right - left) * rows) / cols);
  const bottom = top + tall;
  const count = Math.max(2, Math.floor((right - left) / 80));
  return {
    left, top, right, bottom, width,
    height: bottom + 58,
    x: linear([-0.5 * matrix.stride, (cols - 0.5) * matrix.stride], [left, right], count, false, firstOf(matrix.colAxis.unit)),
    y: linear([-0.5 * matrix.stride, (rows - 0.5) * matrix.stride], [top, bottom], count, false, firstOf(matrix.rowAxis.unit)),
  };
}

/** The largest finite size of the matrix's values, at least a hair above zero. */
export function matrixPeak(matrix: Matrix): number {
  let peak = 0;
  for (let i = 0; i < matrix.values.length; i++) {
    const size = Math.abs(matrix.values[i]!);
    if (Number.isFinite(size) && size > peak) peak = size;
  }
  return peak > 0 ? peak : 1;
}

/** Draws the matrix with axes and a key to its colours. */
export function matrixChart(chart: MatrixChart): string {
  const f = matrixFrame(chart);
  const { id, matrix } = chart;
  const peak = matrixPeak(matrix);
  const small = matrix.rows <= mostRects && matrix.cols <= mostRects;
  return (
    `<svg class="chart matrix" role="img" aria-labelledby="${escape(id)}-t ${escape(id)}-d" ` +
    `viewBox="0 0 ${px(f.width)} ${px(f.height)}" xmlns="http://www.w3.org/2000/svg">` +
    `<title id="${escape(id)}-t">${escape(chart.title)}</title>` +
    `<desc id="${escape(id)}-d">${escape(chart.description)}</desc>` +
    (small ? cells(matrix, f, peak) : image(id, matrix, f, peak)) +
    frameAndTicks(matrix, f) +
    cursor(chart, f) +
    colourKey(matrix.diverging, f.left, f.bottom + 36, peak) +
    `</svg>`
  );
}

/** One sign's layers: the map goes paper → mid (first half), then mid → end. */
function layers(share: number): { mid: number; end: number } {
  return { mid: Math.min(1, 2 * share), end: Math.max(0, 2 * share - 1) };
}

function signs(matrix: Matrix): ("positive" | "negative" | "ink")[] {
  return matrix.diverging ? ["positive", "negative"] : ["ink"];
}

function cells(matrix: Matrix, f: MatrixFrame, peak: number): string {
  const w = (f.right - f.left) / Math.max(1, matrix.cols);
  const h = (f.bottom - f.top) / Math.max(1, matrix.rows);
  let out = "";
  let written = "";
  for (let r = 0; r < matrix.rows; r++) {
    for (let c = 0; c < matrix.cols; c++) {
      const value = matrix.values[r * matrix.cols + c]!;
      const text = matrix.cells?.[r * matrix.cols + c] ?? "";
      if (text && textWidth(text, size) + 6 < w) {
        const over = Math.abs(value) > 0.6 * peak ? " over" : ""; // the map is nearer to ink there
        written += `<text class="cell-text${over}" x="${px(f.left + (c + 0.5) * w)}" y="${px(f.top + (r + 0.5) * h)}" dy=".32em" text-anchor="middle">${escape(text)}</text>`;
      }
      if (!Number.isFinite(value) || value === 0) continue;
      const box = `x="${px(f.left + c * w)}" y="${px(f.top + r * h)}" width="${px(w)}" height="${px(h)}"`;
      out += cell(box, value, peak, matrix.diverging);
    }
  }
  return `<g class="cells">${out}</g>${written}`;
}

/** The ticks of a scale; every cell's, where cell i stands for 2ⁱ. */
function ticksOf(scale: Scale, log: boolean, n: number): Scale["ticks"] {
  return log ? Array.from({ length: n }, (_, i) => ({ value: i, text: String(2 ** i) })) : scale.ticks;
}

/** One cell of a matrix, of one or two layers. */
export function cell(box: string, value: number, peak: number, diverging: boolean): string {
  const share = Math.min(1, Math.abs(value) / peak);
  if (!diverging) return value > 0 ? `<rect class="map-ink" ${box} fill-opacity="${px(share)}"/>` : "";
  const sign = value > 0 ? "positive" : "negative";
  const { mid, end } = layers(share);
  const first = `<rect class="map-${sign}" ${box} fill-opacity="${px(mid)}"/>`;
  return end > 0 ? first + `<rect class="map-${sign}-end" ${box} fill-opacity="${px(end)}"/>` : first;
}

/** One masked rect a layer; the masks are grey images of one byte a cell. */
export function image(id: string, matrix: Matrix, f: Pick<MatrixFrame, "left" | "top" | "right" | "bottom">, peak: number): string {
  const { rows, cols } = matrix;
  const box = `x="${px(f.left)}" y="${px(f.top)}" width="${px(f.right - f.left)}" height="${px(f.bottom - f.top)}"`;
  let out = "";
  for (const sign of signs(matrix)) {
    const levels = new Uint8Array(rows * cols);
    for (let i = 0; i < levels.length; i++) {
      const value = sign === "negative" ? -matrix.values[i]! : matrix.values[i]!;
      levels[i] = value > 0 ? quantum * Math.round((255 / quantum) * Math.min(1, value / peak)) : 0;
    }
    const layer = (name: string, curve: (level: number) => number): string => {
      const mask = `${escape(id)}-${name}`;
      return (
        `<mask id="${mask}" maskUnits="userSpaceOnUse" ${box}>` +
        `<image ${box} preserveAspectRatio="none" image-rendering="pixelated" ` +
        `href="${greyImage(levels, rows, cols, curve)}"/></mask>` +
        `<rect class="map-${name}" ${box} mask="url(#${mask})"/>`
      );
    };
    if (sign === "ink") {
      out += layer("ink", (level) => level);
    } else {
      out += layer(sign, (level) => 2 * level);
      out += layer(`${sign}-end`, (level) => 2 * level - 255);
    }
  }
  return out;
}

function frameAndTicks(matrix: Matrix, f: MatrixFrame): string {
  let out = `<rect class="frame" x="${px(f.left)}" y="${px(f.top)}" width="${px(f.right - f.left)}" height="${px(f.bottom - f.top)}" fill="none"/>`;
  const name = matrix.colAxis.label;
  const nameStart = f.right - textWidth(name, size);
  for (const t of ticksOf(f.x, matrix.colAxis.log, matrix.cols)) {
    const at = f.x(t.value);
    if (at + textWidth(t.text, size) / 2 + 8 > nameStart) continue;
    out += `<text class="tick" x="${px(at)}" y="${px(f.bottom + 17)}" text-anchor="middle">${escape(t.text)}</text>`;
  }
  for (const t of ticksOf(f.y, matrix.rowAxis.log, matrix.rows)) {
    out += `<text class="tick" x="${px(f.left - 6)}" y="${px(f.y(t.value))}" dy=".32em" text-anchor="end">${escape(t.text)}</text>`;
  }
  out += `<text class="axis" x="${px(f.right)}" y="${px(f.bottom + 17)}" text-anchor="end">${escape(name)}</text>`;
  out += `<text class="axis" x="0" y="10">${escape(matrix.rowAxis.label)}</text>`;
  return out;
}

function cursor(chart: MatrixChart, f: MatrixFrame): string {
  const { row = null, col = null } = chart.cursor ?? {};
  let out = "";
  if (row !== null && row >= f.y.low && row <= f.y.high) {
    out += `<line class="cursor" x1="${px(f.left)}" x2="${px(f.right)}" y1="${px(f.y(row))}" y2="${px(f.y(row))}"/>`;
  }
  if (col !== null && col >= f.x.low && col <= f.x.high) {
    out += `<line class="cursor" x1="${px(f.x(col))}" x2="${px(f.x(col))}" y1="${px(f.top)}" y2="${px(f.bottom)}"/>`;
  }
  return out;
}

/** Five swatches from the smallest to the largest value, with both named. */
export function colourKey(diverging: boolean, left: number, y: number, peak: number): string {
  const steps = diverging ? [-1, -0.5, 0, 0.5, 1] : [0, 0.25, 0.5, 0.75, 1];
  const low = formatNumber(diverging ? -peak : 0);
  const high = formatNumber(peak);
  const start = left + textWidth(low, size) + 8;
  let out = `<text class="tick" x="${px(left)}" y="${px(y + 10)}">${escape(low)}</text>`;
  steps.forEach((step, i) => {
    const box = `x="${px(start + i * 18)}" y="${px(y)}" width="18" height="12"`;
    out += `<rect class="frame" ${box} fill="none"/>`;
    if (step !== 0) out += cell(box, step, 1, diverging);
  });
  return out + `<text class="tick" x="${px(start + 98)}" y="${px(y + 10)}">${escape(high)}</text>`;
}
