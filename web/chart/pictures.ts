// Small matrices side by side, as one picture each, with a sign between two:
// value − prediction = what is written. They share one colour scale, so that
// what is weak in one looks weak beside the other.

import type { Matrix } from "../messages";
import { px } from "../numbers";
import { cell, colourKey, matrixPeak } from "./matrix";
import { escape, textWidth } from "./text";

export interface PicturesChart {
  /** unique in the document */
  id: string;
  title: string;
  description: string;
  matrices: readonly Matrix[];
  /** what stands between a picture and the next: "−", "=", or "" */
  signs: readonly string[];
  width: number;
}

const size = 12;
const between = 26;
const most = 132;

/** Where the pictures lie. */
export function picturesFrame(chart: Pick<PicturesChart, "matrices" | "width">): { side: number; step: number; height: number } {
  const n = Math.max(1, chart.matrices.length);
  const room = (chart.width - (n - 1) * between) / n;
  const side = Math.max(24, Math.min(most, room));
  return { side, step: side + between, height: side + 78 };
}

/** Draws the pictures with their names and one key to the colours. */
export function picturesChart(chart: PicturesChart): string {
  const { id, matrices, signs, width } = chart;
  const f = picturesFrame(chart);
  const peak = Math.max(...matrices.map(matrixPeak));
  const body = matrices.map((m, i) => {
    const left = i * f.step;
    const sign = signs[i] ?? "";
    return (
      onePicture(m, left, f.side, peak) +
      (sign && i + 1 < matrices.length
        ? `<text class="sign" x="${px(left + f.side + between / 2)}" y="${px(f.side / 2)}" dy=".35em" text-anchor="middle">${escape(sign)}</text>`
        : "")
    );
  });
  return (
    `<svg class="chart pictures" role="img" aria-labelledby="${escape(id)}-t ${escape(id)}-d" ` +
    `viewBox="0 0 ${px(width)} ${px(f.height)}" xmlns="http://www.w3.org/2000/svg">` +
    `<title id="${escape(id)}-t">${escape(chart.title)}</title>` +
    `<desc id="${escape(id)}-d">${escape(chart.description)}</desc>` +
    body.join("") +
    colourKey(matrices.some((m) => m.diverging), 0, f.side + 52, peak) +
    `</svg>`
  );
}

function onePicture(m: Matrix, left: number, side: number, peak: number): string {
  const w = side / Math.max(1, m.cols);
  const h = side / Math.max(1, m.rows);
  let cells = "";
  for (let r = 0; r < m.rows; r++) {
    for (let c = 0; c < m.cols; c++) {
      const value = m.values[r * m.cols + c]!;
      if (!Number.isFinite(value) || value === 0) continue;
      cells += cell(`x="${px(left + c * w)}" y="${px(r * h)}" width="${px(w)}" height="${px(h)}"`, value, peak, m.diverging);
    }
  }
  const lines = wrap(m.label, side + between - 6);
  const label = lines.map((line, i) => `<text class="direct role-ink" x="${px(left)}" y="${px(side + 17 + 15 * i)}">${escape(line)}</text>`).join("");
  return `<g class="cells">${cells}</g><rect class="frame" x="${px(left)}" y="0" width="${px(side)}" height="${px(side)}" fill="none"/>${label}`;
}

/** Breaks a label into at most two lines. */
function wrap(text: string, room: number): string[] {
  if (textWidth(text, size) <= room) return [text];
  const words = text.split(" ");
  let first = words[0] ?? "";
  let i = 1;
  while (i < words.length && textWidth(`${first} ${words[i]}`, size) <= room) first += ` ${words[i++]}`;
  return i < words.length ? [first, words.slice(i).join(" ")] : [first];
}
