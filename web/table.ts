// The numbers of an Answer as tables and as CSV. Pure.

import { escape } from "./chart/text";
import type { Answer, Series } from "./messages";
import { formatNumber } from "./numbers";

/** The scalars with their meaning and how each was computed. */
export function scalarTable(answer: Answer): string {
  const rows = answer.scalars.map(
    (s) =>
      `<tr><th scope="row">${escape(s.name)}</th><td class="number">${formatNumber(s.value)}${s.unit ? ` ${escape(s.unit)}` : ""}</td>` +
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
      const head = [series[0]!.xAxis.label || "x", ...series.map((s) => s.label || s.name)];
      const body = rows(series).map(
        ([x, ...ys]) => `<tr><th scope="row">${formatNumber(x)}</th>${ys.map((y) => `<td class="number">${formatNumber(y)}</td>`).join("")}</tr>`,
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
    lines.push([], ["# chart", chart], [series[0]!.xAxis.label || "x", ...series.map((s) => s.name)]);
    for (const row of rows(series)) lines.push(row.map(exact));
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

/** Rows over the union of all x, sorted; a series without a point there leaves its cell empty. */
function rows(series: Series[]): (number | null)[][] {
  const at = series.map((s) => new Map(Array.from({ length: Math.min(s.x.length, s.y.length) }, (_, i) => [s.x[i]!, s.y[i]!])));
  const xs = [...new Set(at.flatMap((m) => [...m.keys()]))].filter(Number.isFinite).sort((a, b) => a - b);
  return xs.map((x) => [x, ...at.map((m) => m.get(x) ?? null)]);
}
