// The numbers of an Answer as tables and as CSV. Pure.

import { escape } from "./chart/text";
import type { Answer, Series } from "./messages";
import { firstOf, formatIn, formatNumber } from "./numbers";

/** The scalars with their meaning and how each was computed. */
export function scalarTable(answer: Answer): string {
  const rows = answer.scalars.map(
    (s) =>
      `<tr><th scope="row">${escape(s.name)}</th><td class="number">${escape(formatIn(s.unit, s.value))}</td>` +
      `<td>${escape(s.meaning)}</td><td>${escape(s.how)}</td></tr>`,
  );
  return (
    `<div class="scroll" tabindex="0" role="group" aria-label="Numbers of this run"><table><caption>Numbers of this run</caption>` +
    `<thead><tr><th scope="col">name</th><th scope="col">value</th><th scope="col">what it is</th><th scope="col">how it was computed</th></tr></thead>` +
    `<tbody>${rows.join("")}</tbody></table></div>`
  );
}

/** One table a chart: x, then a column a series. */
export function chartTables(answer: Answer): string {
  return groups(answer)
    .map(([chart, series]) => {
      const head = [series[0]!.xAxis.label || "x", ...columns(series, (s) => s.label || s.name)];
      const names = namesOf(series);
      const body = rows(series).map(
        ([x, ...ys]) => `<tr><th scope="row">${escape(names.get(x!) ?? formatNumber(x! + firstOf(series[0]!.xAxis.unit)))}</th>${ys.map((y) => `<td class="number">${formatNumber(y)}</td>`).join("")}</tr>`,
      );
      return (
        `<div class="scroll" tabindex="0" role="group" aria-label="Points of ${escape(chart)}"><table><caption>${escape(chart)}</caption>` +
        `<thead><tr>${head.map((h) => `<th scope="col">${escape(h)}</th>`).join("")}</tr></thead><tbody>${body.join("")}</tbody></table></div>`
      );
    })
    .join("");
}

/** Everything an Answer measured, with where it came from, for a spreadsheet. */
export function csv(answer: Answer, address: string, version: string): string {
  const lines = [
    ["# Unrolled", version],
    ["# experiment", answer.experiment],
    ["# address", address],
    ["# sentence", answer.sentence],
    ...answer.warnings.map((w) => ["# warning", w]),
    ["scalar", "value", "unit", "meaning"],
    ...answer.scalars.map((s) => [s.name, exact(s.value), s.unit, s.meaning]),
  ];
  for (const [chart, series] of groups(answer)) {
    lines.push([], ["# chart", chart], [series[0]!.xAxis.label || "x", ...columns(series, (s) => s.name)]);
    const names = namesOf(series);
    for (const [x, ...ys] of rows(series)) lines.push([names.get(x!) ?? exact(x), ...ys.map(exact)]);
  }
  for (const m of answer.matrices) {
    lines.push([], ["# matrix", m.name, `rows: ${m.rowAxis.label}`, `columns: ${m.colAxis.label}`, `every ${m.stride}`]);
    for (let r = 0; r < m.rows; r++) {
      lines.push(Array.from({ length: m.cols }, (_, c) => exact(m.values[r * m.cols + c])));
    }
  }
  return lines.map((line) => line.map(quote).join(",")).join("\r\n") + "\r\n";
}

function exact(value: number | null | undefined): string {
  return value === null || value === undefined || !Number.isFinite(value) ? "" : String(value);
}

function quote(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replace(/"/g, '""')}"` : cell;
}

function groups(answer: Answer): [string, Series[]][] {
  const found = new Map<string, Series[]>();
  for (const s of answer.series) found.set(s.chart, [...(found.get(s.chart) ?? []), s]);
  return [...found];
}

/** What stands for x in a table, where the points have names. */
function namesOf(series: Series[]): Map<number, string> {
  return new Map(series.flatMap((s) => (s.names ?? []).map((name, i): [number, string] => [s.x[i]!, name])));
}

/** The heads of a chart's columns; a band has one for each edge. */
function columns(series: Series[], name: (s: Series) => string): string[] {
  return series.flatMap((s) => (s.style === "band" ? [`${name(s)}, from`, `${name(s)}, to`] : [name(s)]));
}

/**
 * Rows over the union of all x, sorted; a series without a point there leaves
 * its cell empty. Each point of a scatter has a row of its own.
 */
function rows(series: Series[]): (number | null)[][] {
  const width = columns(series, (s) => s.name).length;
  const shared = new Map<number, (number | null)[]>();
  const own: (number | null)[][] = [];
  let column = 1;
  for (const s of series) {
    for (let i = 0; i < Math.min(s.x.length, s.y.length); i++) {
      const x = s.x[i]!;
      if (!Number.isFinite(x)) continue;
      const row = (s.style === "points" ? undefined : shared.get(x)) ?? [x, ...new Array<null>(width).fill(null)];
      row[column] = s.y[i]!;
      if (s.style === "band") row[column + 1] = s.y2[i]!;
      if (s.style === "points") own.push(row);
      else shared.set(x, row);
    }
    column += s.style === "band" ? 2 : 1;
  }
  return [...shared.values(), ...own].sort((a, b) => a[0]! - b[0]!);
}
