import assert from "node:assert/strict";
import { test } from "node:test";
import { apart } from "../../chart/apart";
import { extent, linear, logarithmic } from "../../chart/axes";
import { greyImage } from "../../chart/bitmap";
import { lineChart, lineFrame, type LineChart } from "../../chart/line";
import { matrixChart } from "../../chart/matrix";
import { picturesChart, picturesFrame } from "../../chart/pictures";
import type { Matrix, Series } from "../../messages";

const axis = (label: string, log = false): Series["xAxis"] => ({ label, unit: "", log });

function series(part: Partial<Series>): Series {
  return { chart: "c", name: "n", label: "", role: "ink", style: "line", x: [0, 1, 2], y: [0, 0.5, 1], y2: [], xAxis: axis("t"), yAxis: axis("w"), ...part };
}

function chart(part: Partial<LineChart>): LineChart {
  return { id: "id", title: "Title", description: "Words", series: [series({})], width: 400, height: 200, ...part };
}

function matrix(part: Partial<Matrix>): Matrix {
  return { name: "m", label: "", rows: 2, cols: 2, stride: 1, rowAxis: axis("t"), colAxis: axis("i"), diverging: true, values: [1, -1, 0, 0.25], ...part };
}

/** What every drawing promises. */
function clean(svg: string): void {
  assert.doesNotMatch(svg, /NaN|Infinity|undefined|null/);
  assert.doesNotMatch(svg, /\sstyle=/);
  assert.match(svg, /^<svg [^>]*role="img"[^>]*aria-labelledby="id-t id-d"/);
  assert.match(svg, /<title id="id-t">/);
  assert.match(svg, /<desc id="id-d">/);
}

test("a small matrix has its cells' texts where they fit, and powers of two on a logarithmic axis", () => {
  const log = { label: "K", unit: "", log: true };
  const m = matrix({ rows: 3, cols: 3, rowAxis: log, colAxis: log, values: [0, 1, NaN, -1, 0, 1, 0, 0, 0], cells: ["0.1", "0.2", "<none>", "a text too long for its cell at this width", "", "1", "2", "3", "4"] });
  const svg = matrixChart({ id: "id", title: "Title", description: "Words", matrix: m, width: 300 });
  clean(svg.replaceAll("none", ""));
  assert.deepEqual([...svg.matchAll(/class="cell-text(?: over)?"[^>]*>([^<]*)</g)].map((x) => x[1]), ["0.1", "0.2", "&lt;none&gt;", "1", "2", "3", "4"]);
  assert.deepEqual([...svg.matchAll(/class="tick"[^>]*text-anchor="end">([^<]*)</g)].map((x) => x[1]), ["1", "2", "4"]);
});

test("a line goes through its points", () => {
  const c = chart({});
  const f = lineFrame(c);
  const svg = lineChart(c);
  clean(svg);
  const d = /class="series line role-ink" d="([^"]*)"/.exec(svg)![1]!;
  assert.equal(d, `M${f.left} ${f.bottom}L${Math.round(50 * (f.left + f.right)) / 100} ${Math.round(50 * (f.bottom + f.top)) / 100}L${f.right} ${f.top}`);
});

test("missing values break the line and never reach the drawing", () => {
  const svg = lineChart(chart({ series: [series({ x: [0, 1, 2, 3, 4], y: [1, NaN, 2, Infinity, 3] })] }));
  clean(svg);
  assert.equal(/class="series line[^"]*" d="([^"]*)"/.exec(svg)![1]!.split("M").length - 1, 3);
});

test("empty, flat, single and impossible data are drawn without a complaint", () => {
  for (const [x, y] of [[[], []], [[0, 1], [0, 0]], [[3], [7]], [[0, 1], [NaN, NaN]], [[0], [-1e300]]]) {
    for (const style of ["line", "dashed", "dots", "bars"] as const) {
      for (const log of [false, true]) {
        clean(lineChart(chart({ series: [series({ x: x!, y: y!, style, yAxis: axis("w", log) })] })));
      }
    }
  }
});

test("an axis of places is named from 1 and stands where the places are", () => {
  const place = { label: "token i", unit: "index", log: false };
  const c = chart({ series: [series({ x: Array.from({ length: 64 }, (_, i) => i), y: new Array(64).fill(1), xAxis: place })] });
  const f = lineFrame(c);
  assert.deepEqual(f.x.ticks.slice(0, 2), [{ value: 0, text: "1" }, { value: 9, text: "10" }]);
  assert.ok(f.x.ticks.every((t) => Number(t.text) === t.value + 1 && f.x(t.value) >= f.left && f.x(t.value) <= f.right));
  const svg = lineChart(c);
  clean(svg);
  assert.match(svg, />token i</, "the unit is not for people");
  // A thinned matrix has no place 0 either.
  const thin = matrix({ rows: 4, cols: 4, stride: 8, rowAxis: place, colAxis: place, values: new Array(16).fill(1) });
  assert.doesNotMatch(matrixChart({ id: "id", title: "T", description: "D", matrix: thin, width: 300 }), /class="tick"[^>]*>0</);
});

test("on a log axis zero stands at the floor and ticks are powers of ten", () => {
  const c = chart({ series: [series({ y: [0, 1e-16, 1e-12], yAxis: axis("gap", true), style: "dots" })] });
  const svg = lineChart(c);
  clean(svg);
  assert.match(svg, />10⁻¹²</);
  assert.match(svg, new RegExp(`M${lineFrame(c).left} ${lineFrame(c).bottom}h0`));
});

test("a curve that overshoots by a rounding error keeps its axis", () => {
  assert.equal(lineFrame(chart({ series: [series({ y: [0, 0.5, 1 + 2e-16] })] })).y.high, 1);
});

test("a mark stands on its point with its label inside the plot", () => {
  const c = chart({ marks: [{ x: 1, y: 0.5, label: "half after 6 later updates", role: "effective" }] });
  const svg = lineChart(c);
  clean(svg);
  assert.match(svg, /class="mark role-effective"/);
  assert.match(svg, />half after 6 later updates</);
});

test("where the curve falls a mark's label stands above it", () => {
  const label = (falls: boolean): number => {
    const svg = lineChart(chart({ marks: [{ x: 1, y: 0.5, label: "full", role: "ink", falls }] }));
    return Number(/<circle[^>]*cy="([\d.]+)"[^>]*\/><text[^>]* y="([\d.]+)"/.exec(svg)!.slice(1).map(Number).reduce((cy, y) => y - cy));
  };
  assert.ok(label(true) < 0 && label(false) > 0);
});

test("a mark outside the data, or at no number, is left out", () => {
  for (const x of [NaN, -5, 99]) {
    assert.doesNotMatch(lineChart(chart({ marks: [{ x, y: 0.5, label: "m", role: "ink" }] })), /class="mark/);
  }
});

test("the cursor is drawn where it stands and nowhere else", () => {
  const c = chart({ cursor: 1, cursorLabel: "reading 1" });
  const at = lineFrame(c).x(1);
  assert.match(lineChart(c), new RegExp(`class="cursor" x1="${at}"`));
  assert.doesNotMatch(lineChart(chart({ cursor: 50 })), /class="cursor"/);
  assert.doesNotMatch(lineChart(chart({ cursor: null })), /class="cursor"/);
});

test("text from data is escaped", () => {
  const svg = lineChart(chart({ title: `<b>&"`, series: [series({ label: "<script>" }), series({ label: "b" })] }));
  assert.doesNotMatch(svg, /<script>|<b>/);
  assert.match(svg, /&lt;script&gt;/);
});

test("direct labels that end together are placed apart", () => {
  const ends = [series({ label: "α 0" }), series({ label: "α 0.6" }), series({ label: "α 0.9" })];
  const ys = [...lineChart(chart({ series: ends })).matchAll(/class="direct[^"]*" x="[^"]*" y="([^"]*)"/g)].map((m) => Number(m[1]));
  assert.equal(ys.length, 3);
  ys.sort((a, b) => a - b);
  for (let i = 1; i < 3; i++) assert.ok(ys[i]! - ys[i - 1]! >= 14.9, ys.join());
});

test("apart keeps order, gap and limits", () => {
  const placed = apart([50, 51, 10, 52, 95], 15, 0, 100);
  const order = [2, 0, 1, 3, 4].map((i) => placed[i]!);
  for (let i = 1; i < order.length; i++) assert.ok(order[i]! - order[i - 1]! >= 15 - 1e-9, order.join());
  assert.ok(Math.min(...placed) >= 0 && Math.max(...placed) <= 100);
});

test("apart leaves alone what does not touch", () => {
  assert.deepEqual(apart([10, 80], 15, 0, 100), [10, 80]);
  assert.deepEqual(apart([], 15, 0, 100), []);
});

test("apart spreads evenly what cannot fit", () => {
  assert.deepEqual(apart([5, 5, 5, 5, 5], 15, 0, 20), [0, 5, 10, 15, 20]);
});

test("scales turn back what they turned", () => {
  for (const s of [linear([0, 63], [20, 400], 5, false), logarithmic([1e-16, 1e-3], [200, 10], 4)]) {
    for (const v of [s.low, (s.low + s.high) / 3, s.high]) {
      assert.ok(Math.abs(s.invert(s(v)) - v) <= 1e-9 * Math.max(1, v));
    }
  }
});

test("the extent skips what is not finite, and what is not positive if asked", () => {
  assert.deepEqual(extent([[NaN, 3, -1], [Infinity, 2]]), [-1, 3]);
  assert.deepEqual(extent([[0, -2, 5, 1e-3]], true), [1e-3, 5]);
  assert.equal(extent([[NaN]]), null);
});

test("a small matrix is a rect a cell, coloured by sign", () => {
  const svg = matrixChart({ id: "id", title: "T", description: "D", matrix: matrix({}), width: 300 });
  clean(svg);
  assert.match(svg, /class="map-positive" x="[\d.]+" y="26"/);
  assert.match(svg, /class="map-negative-end"/);
  assert.doesNotMatch(svg, /<image/);
});

test("a large matrix is an image, not a rect a cell", () => {
  const values = Array.from({ length: 64 * 64 }, (_, i) => Math.sin(i));
  const svg = matrixChart({ id: "id", title: "T", description: "D", matrix: matrix({ rows: 64, cols: 64, values }), width: 300 });
  clean(svg);
  assert.equal(svg.match(/<image/g)!.length, 4);
  assert.ok(svg.match(/<rect/g)!.length < 40);
});

test("a matrix of zeros, of NaN, or of nothing is drawn without a complaint", () => {
  for (const m of [matrix({ values: [0, 0, 0, 0] }), matrix({ values: [NaN, Infinity, NaN, NaN] }), matrix({ rows: 0, cols: 0, values: [] }), matrix({ diverging: false, values: [0, 1, -1, 2] })]) {
    clean(matrixChart({ id: "id", title: "T", description: "D", matrix: m, width: 300, cursor: { row: 1, col: null } }));
  }
});

test("a grey image is a well-formed BMP with its top row first", () => {
  const url = greyImage(new Uint8Array([0, 255, 10, 20]), 2, 2, (level) => level);
  const bytes = Buffer.from(url.split(",")[1]!, "base64");
  assert.equal(bytes.toString("latin1", 0, 2), "BM");
  assert.equal(bytes.readUInt32LE(2), bytes.length);
  const at = bytes.readUInt32LE(10);
  assert.equal(bytes.readInt32LE(22), -2);
  assert.deepEqual([...bytes.subarray(at, at + 2)], [0, 255]);
  assert.deepEqual([...bytes.subarray(at + 4, at + 6)], [10, 20]);
  assert.equal(bytes.readUInt32LE(54 + 4 * 20), 0x141414);
});

test("a scatter draws every point, in a shape that tells its role without its colour", () => {
  const x = Array.from({ length: 500 }, (_, i) => (i * 37) % 101);
  const shapes = new Set<string>();
  for (const role of ["key", "value", "query", "effective"] as const) {
    const svg = lineChart(chart({ series: [series({ x, y: x.map((v) => v / 2), style: "points", role })] }));
    clean(svg);
    const d = new RegExp(`class="series points role-${role}" d="([^"]*)"`).exec(svg)![1]!;
    assert.equal(d.split("z").length - 1, role === "query" ? 1000 : 500, role); // a ring has two outlines
    shapes.add(d.replace(/M[-\d.]+ [-\d.]+/g, "M"));
  }
  assert.equal(shapes.size, 4);
});

test("a cloud is named at its middle height, beside its own shape", () => {
  const svg = lineChart(chart({ series: [series({ y: [0, 0, 1], style: "points", label: "keys" }), series({ y: [1, 1, 1], label: "line" })] }));
  clean(svg);
  assert.equal(svg.match(/class="series points/g)!.length, 2);
  assert.match(svg, />keys</);
});

test("a band lies between its two edges, which the axis holds both", () => {
  const c = chart({ series: [series({ x: [0, 1], y: [1, 2], y2: [3, 9], style: "band" })] });
  const f = lineFrame(c);
  assert.ok(f.y.high >= 9);
  const svg = lineChart(c);
  clean(svg);
  const at = (x: number, y: number): string => `${Math.round(f.x(x) * 100) / 100} ${Math.round(f.y(y) * 100) / 100}`;
  assert.equal(/class="series band[^"]*" d="([^"]*)"/.exec(svg)![1], `M${[at(0, 1), at(1, 2), at(1, 9), at(0, 3)].join("L")}z`);
});

test("a band with a missing edge leaves that place out", () => {
  clean(lineChart(chart({ series: [series({ x: [0, 1, 2], y: [1, NaN, 1], y2: [2, 2, 2], style: "band" })] })));
  clean(lineChart(chart({ series: [series({ x: [0], y: [NaN], y2: [NaN], style: "band" })] })));
});

test("equal scales measure x and y with one ruler", () => {
  const f = lineFrame(chart({ equal: true, series: [series({ x: [-1, 5], y: [0, 1], style: "points" })] }));
  assert.ok(Math.abs((f.x(1) - f.x(0)) / (f.y(0) - f.y(1)) - 1) < 1e-9);
  assert.ok(f.x.low <= -1 && f.x.high >= 5 && f.y.low <= 0 && f.y.high >= 1);
});

test("a log axis along x ends where its data end", () => {
  const f = lineFrame(chart({ width: 700, series: [series({ x: [1, 8, 64], xAxis: axis("K", true) })] }));
  assert.deepEqual([f.x.low, f.x.high], [1, 64]);
  assert.deepEqual(f.x.ticks.map((t) => t.text), ["1", "2", "5", "10", "20", "50"]);
});

test("a mark in a scatter has no drop line", () => {
  const mark = { x: 1, y: 0.5, label: "token 7", role: "ink" as const };
  const drop = /class="mark role-ink"><line/;
  assert.match(lineChart(chart({ marks: [mark] })), drop);
  assert.doesNotMatch(lineChart(chart({ marks: [{ ...mark, bare: true }] })), drop);
});

test("pictures stand side by side on one colour scale, with their signs between", () => {
  const weak = matrix({ label: "weak", values: [0.1, 0, 0, 0] });
  const strong = matrix({ label: "strong, with a name too long for one line", values: [1, 0, 0, 0] });
  const svg = picturesChart({ id: "id", title: "T", description: "D", matrices: [strong, weak], signs: ["−"], width: 200 });
  clean(svg);
  const opacity = [...svg.matchAll(/class="map-positive" [^>]*fill-opacity="([\d.]+)"/g)].map((m) => Number(m[1]));
  assert.deepEqual(opacity.slice(0, 2), [1, 0.2]);
  assert.match(svg, /class="sign"[^>]*>−</);
  assert.match(svg, />strong, with a</);
});

test("pictures keep inside their width, however many there are", () => {
  for (const n of [0, 1, 3, 5]) {
    const matrices = Array.from({ length: n }, () => matrix({}));
    const { side, step } = picturesFrame({ matrices, width: 320 });
    assert.ok(n === 0 || (n - 1) * step + side <= 320.001, `${n}`);
    clean(picturesChart({ id: "id", title: "T", description: "D", matrices, signs: [], width: 320 }));
  }
});

test("large pictures are images, each with masks of its own", () => {
  const values = Array.from({ length: 48 * 48 }, (_, i) => Math.sin(i));
  const one = matrix({ rows: 48, cols: 48, values });
  const svg = picturesChart({ id: "id", title: "T", description: "D", matrices: [one, one], signs: ["→"], width: 460 });
  clean(svg);
  assert.equal(svg.match(/<image/g)!.length, 8);
  const ids = [...svg.matchAll(/\sid="([^"]*)"/g)].map((m) => m[1]!);
  assert.equal(new Set(ids).size, ids.length);
});
