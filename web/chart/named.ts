// Bars with a name each, one below the other: words, and what they count. Of
// several series every name is a heading, with a bar for each series under it. A
// dashed series is a level to compare with.
//
// There is no axis: each bar carries its number, and all start at zero.

import type { Role, Series } from "../messages";
import { formatNumber, px } from "../numbers";
import { escape, textWidth } from "./text";

export interface NamedChart {
  /** unique in the document; makes the ids of title and description */
  id: string;
  title: string;
  description: string;
  series: readonly Series[];
  width: number;
}

const rowHeight = 28;
const barHeight = 18;
const top = 22;
/** the tables' text size, a little larger than an axis' */
const nameSize = 13;
/** room for the number at a bar's end */
const numberRoom = 52;

interface Row {
  name: string;
  /** null for a heading */
  value: number | null;
  role: Role;
}

/** The rows from the top: a bar a name, or a heading a name and a bar a series. */
function rowsOf(series: readonly Series[]): Row[] {
  const names = new Map(series.flatMap((s) => Array.from(s.x, (x, i): [number, string] => [x, s.names?.[i] ?? formatNumber(x)])));
  return [...names].flatMap(([x, name]) => {
    const bars = series.flatMap((s): Row[] => {
      const i = Array.prototype.indexOf.call(s.x, x);
      return i < 0 ? [] : [{ name: series.length > 1 ? s.label : name, value: s.y[i]!, role: s.role }];
    });
    return series.length > 1 ? [{ name, value: null, role: "ink" as const }, ...bars] : bars;
  });
}

/** The chart's height: its rows, below the name of what is measured. */
export function namedHeight(series: readonly Series[]): number {
  return top + rowHeight * Math.max(1, rowsOf(series.filter((s) => s.style === "bars")).length);
}

/** Draws the chart. */
export function namedBars({ id, title, description, series, width }: NamedChart): string {
  const rows = rowsOf(series.filter((s) => s.style === "bars"));
  const levels = series.flatMap((s) => (s.style === "dashed" && s.y.length > 0 ? s.y[0]! : []));
  const values = [...levels, ...rows.flatMap((row) => row.value ?? [])];
  const least = Math.min(0, ...values);
  const most = Math.max(0, ...values);
  const left = Math.min(width * 0.5, Math.max(0, ...rows.map((row) => textWidth(row.name, nameSize))) + 10) + (least < 0 ? numberRoom : 0);
  const unit = Math.max(10, width - numberRoom - left) / (most - least || 1);
  const zero = left - least * unit;
  const height = namedHeight(series);
  const body = rows.map(({ name, value, role }, i) => {
    const middle = top + rowHeight * (i + 0.5);
    const text = `<text class="bar-name${value === null ? " heading" : ""}" x="0" y="${px(middle)}" dy=".34em">${escape(name)}</text>`;
    if (value === null) return text;
    const end = zero + value * unit;
    const [from, to] = value < 0 ? [end, zero] : [zero, end];
    return (
      `${text}<path class="series bars role-${role}" d="M${px(from)} ${px(middle - barHeight / 2)}H${px(to)}v${barHeight}H${px(from)}z"/>` +
      `<text class="bar-number" x="${px(value < 0 ? from - 6 : to + 6)}" y="${px(middle)}" dy=".34em"${value < 0 ? ' text-anchor="end"' : ""}>${escape(short(value))}</text>`
    );
  });
  const lines = levels.map((y) => `<line class="series dashed role-muted" x1="${px(zero + y * unit)}" x2="${px(zero + y * unit)}" y1="${top}" y2="${px(height)}"/>`);
  return (
    `<svg class="chart" role="img" aria-labelledby="${escape(id)}-t ${escape(id)}-d" ` +
    `viewBox="0 0 ${px(width)} ${px(height)}" xmlns="http://www.w3.org/2000/svg">` +
    `<title id="${escape(id)}-t">${escape(title)}</title><desc id="${escape(id)}-d">${escape(description)}</desc>` +
    `<text class="axis" x="0" y="10">${escape(series[0]?.yAxis.label ?? "")}</text>${lines.join("")}${body.join("")}` +
    `<line class="grid" x1="${px(zero)}" x2="${px(zero)}" y1="${top}" y2="${px(height)}"/></svg>`
  );
}

/** Two decimals: the tables have the rest. */
function short(value: number): string {
  return value.toFixed(2).replace("-", "−").replace(/^−(0\.00)$/, "$1");
}
