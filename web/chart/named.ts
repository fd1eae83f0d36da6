// Bars with a name each, one below the other: words, and what they count.
//
// There is no axis: each bar carries its number, and all start at zero.

import type { Series } from "../messages";
import { formatNumber, px } from "../numbers";
import { escape, textWidth } from "./text";

export interface NamedChart {
  /** unique in the document; makes the ids of title and description */
  id: string;
  title: string;
  description: string;
  series: Series;
  width: number;
}

const rowHeight = 28;
const barHeight = 18;
const top = 22;
/** the tables' text size, a little larger than an axis' */
const nameSize = 13;
/** room for the number at a bar's end */
const numberRoom = 52;

/** The chart's height: a row a name, below the name of what is measured. */
export function namedHeight(series: Series): number {
  return top + rowHeight * Math.max(1, series.x.length);
}

/** Draws the chart. */
export function namedBars({ id, title, description, series, width }: NamedChart): string {
  const names = series.names ?? [];
  const values = Array.from(series.y);
  const least = Math.min(0, ...values);
  const most = Math.max(0, ...values);
  const left = Math.min(width * 0.5, Math.max(0, ...names.map((name) => textWidth(name, nameSize))) + 10) + (least < 0 ? numberRoom : 0);
  const unit = Math.max(10, width - numberRoom - left) / (most - least || 1);
  const zero = left - least * unit;
  const rows = values.map((value, i) => {
    const middle = top + rowHeight * (i + 0.5);
    const end = zero + value * unit;
    const [from, to] = value < 0 ? [end, zero] : [zero, end];
    const number = `<text class="bar-number" x="${px(value < 0 ? from - 6 : to + 6)}" y="${px(middle)}" dy=".34em"${value < 0 ? ' text-anchor="end"' : ""}>${escape(short(value))}</text>`;
    return (
      `<text class="bar-name" x="0" y="${px(middle)}" dy=".34em">${escape(names[i] ?? formatNumber(series.x[i]!))}</text>` +
      `<path class="series bars role-${series.role}" d="M${px(from)} ${px(middle - barHeight / 2)}H${px(to)}v${barHeight}H${px(from)}z"/>${number}`
    );
  });
  return (
    `<svg class="chart" role="img" aria-labelledby="${escape(id)}-t ${escape(id)}-d" ` +
    `viewBox="0 0 ${px(width)} ${px(namedHeight(series))}" xmlns="http://www.w3.org/2000/svg">` +
    `<title id="${escape(id)}-t">${escape(title)}</title><desc id="${escape(id)}-d">${escape(description)}</desc>` +
    `<text class="axis" x="0" y="10">${escape(series.yAxis.label)}</text>${rows.join("")}` +
    `<line class="grid" x1="${px(zero)}" x2="${px(zero)}" y1="${top}" y2="${px(namedHeight(series))}"/></svg>`
  );
}

/** Two decimals: the tables have the rest. */
function short(value: number): string {
  return value.toFixed(2).replace("-", "−").replace(/^−(0\.00)$/, "$1");
}
