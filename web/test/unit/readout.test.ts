import assert from "node:assert/strict";
import { test } from "node:test";
import { lineFrame, type LineChart } from "../../chart/line";
import { matrixFrame } from "../../chart/matrix";
import { nearest, readout, spots, type Readable } from "../../chart/readout";
import type { Matrix, Series } from "../../messages";

const place = { label: "token i", unit: "index", log: false };
const axis = { label: "w", unit: "", log: false };

function series(part: Partial<Series>): Series {
  return { chart: "c", name: "n", label: "", role: "ink", style: "line", x: [0, 1, 2], y: [0, 0.5, 1], y2: [], xAxis: place, yAxis: axis, ...part };
}

function line(all: Series[], part: Partial<LineChart> = {}): Readable {
  return { kind: "line", chart: { id: "id", title: "T", description: "D", series: all, width: 400, height: 200, ...part }, series: all };
}

const says = (of: Readable, i: number): string => readout(of, spots(of)[i]!).says;

test("a place says every series with its name and value, and counts from 1", () => {
  const of = line([series({ label: "one" }), series({ label: "two", style: "dashed", y: [1.3e-15, -2, 4], yAxis: { ...axis, unit: "steps" } })]);
  assert.equal(says(of, 0), "token 1: one: 0; two: 1.3×10⁻¹⁵ steps");
  assert.equal(says(of, 1), "token 2: one: 0.5; two: −2 steps");
});

test("one series alone is named by the chart's title", () => {
  assert.equal(says(line([series({ label: "weight" })]), 1), "token 2: 0.5");
  assert.equal(says(line([series({ xAxis: { label: "age", unit: "updates", log: false } })]), 1), "age 1 updates: 0.5");
});

test("a line is read where it is drawn, between its points too; dots and bars only at their points", () => {
  const coarse = series({ label: "coarse", x: [0, 2], y: [0, 1] });
  const fine = series({ label: "fine", style: "bars", x: [1], y: [7] });
  const band = series({ label: "band", style: "band", x: [0, 2], y: [0, 1], y2: [1, 3] });
  const of = line([coarse, fine, band]);
  assert.equal(says(of, 1), "token 2: coarse: 0.5; fine: 7; band: 0.5 to 2");
  assert.equal(says(of, 0), "token 1: coarse: 0; band: 0 to 1");
});

test("a level that tells its number says it once", () => {
  const of = line([series({ label: "share" }), series({ label: "published 0.3573", style: "dashed", y: [0.3573, 0.3573, 0.3573] })]);
  assert.equal(says(of, 2), "token 3: share: 1; published 0.3573");
});

test("missing values are left out, and nothing but numbers is drawn", () => {
  const of = line([series({ label: "a", y: [NaN, 1, Infinity] }), series({ label: "b", y: [1, NaN, NaN] }), series({ label: "none", x: [], y: [] })]);
  assert.deepEqual(spots(of).map((s) => s.x), [0, 1]);
  assert.equal(says(of, 0), "token 1: 1");
  for (const spot of spots(of)) assert.doesNotMatch(readout(of, spot).svg, /NaN|Infinity|undefined|\sstyle=/);
  assert.deepEqual(spots(line([series({ x: [], y: [] })])), []);
});

test("the nearest place is the one under the pointer", () => {
  const of = line([series({})]);
  const f = lineFrame((of as Extract<Readable, { kind: "line" }>).chart);
  assert.equal(nearest(of, spots(of), f.x(1) + 3, f.top), 1);
  assert.equal(nearest(of, spots(of), f.right + 500, 0), 2);
  assert.equal(nearest(line([series({ x: [], y: [] })]), [], 10, 10), -1);
});

test("in a scatter the nearest point is read, not the nearest x", () => {
  const cloud = series({ label: "keys", style: "points", x: [0, 0.1], y: [0, 1], xAxis: axis });
  const of = line([cloud, series({ style: "dashed", xAxis: axis })], { equal: true });
  const f = lineFrame((of as Extract<Readable, { kind: "line" }>).chart);
  const all = spots(of);
  assert.equal(all.length, 2, "the dashed line is no point");
  assert.equal(readout(of, all[nearest(of, all, f.x(0), f.y(1))]!).says, "keys: 0.1, 1");
});

test("labels stay inside the chart, on the side that has room", () => {
  const of = line([series({ label: "a label of some length" }), series({ label: "another of the same length", y: [0, 0.5, 0.99] })]);
  for (const spot of spots(of)) {
    for (const [, x, end] of readout(of, spot).svg.matchAll(/<text class="role-ink" x="([\d.]+)"[^>]*?( text-anchor="end")?>/g)) {
      assert.ok(end ? Number(x) > 130 : Number(x) < 270, `${spot.x}: ${x}${end}`);
    }
  }
});

test("a thinned matrix is read in tokens, at the cell under the pointer", () => {
  const matrix: Matrix = {
    name: "m", label: "", rows: 2, cols: 2, stride: 4, rowAxis: { label: "reading t", unit: "index", log: false }, colAxis: place, diverging: true, values: [1, 2, 3, NaN],
  };
  const of: Readable = { kind: "matrix", matrix, width: 300 };
  const f = matrixFrame(of);
  const all = spots(of);
  const at = (row: number, col: number): string => readout(of, all[nearest(of, all, f.x(col), f.y(row))]!).says;
  assert.equal(at(0, 4), "reading 1, token 5: 2");
  assert.equal(at(4, 0.4), "reading 5, token 1: 3");
  assert.equal(at(4, 4), "reading 5, token 5: —");
});
