import assert from "node:assert/strict";
import { test } from "node:test";
import { fill } from "../../fill";
import { plainFigure, plotName, plotsOf, scalar, valueAt, type Figure } from "../../figures/figure";
import { momentumAge } from "../../figures/momentum-age";
import { findingHtml } from "../../markup";
import { disagreements, wholeHtml } from "../../prerender";
import type { Answer, Matrix, Series } from "../../messages";
import { scalarText } from "../../prose";
import { csv, chartTables } from "../../table";
import { catalog } from "./catalog";

const axis = { label: "t", unit: "", log: false };

function line(chart: string, name: string, y: number[]): Series {
  return { chart, name, label: name, role: "ink", style: "line", x: y.map((_, i) => i), y, y2: [], xAxis: axis, yAxis: axis };
}

const answer: Answer = {
  experiment: "momentum-age",
  sentence: "A token <i> reaches half after 6 updates.",
  emphasis: "half after 6 updates",
  formula: "",
  warnings: ["careful & slow"],
  scalars: [
    { name: "half-life.own", value: 6, unit: "updates", meaning: "m", how: "h" },
    { name: "half-life.limit", value: null, unit: "", meaning: 'says "none"', how: "" },
  ],
  series: [line("growth", "profile", [0, 1, 2, 4]), line("new", "surprise", [1, 2])],
  matrices: [],
  table: { head: [], rows: [] },
  cost: { multiplyAdds: 0, stateBytes: 0 },
};

test("arrays come from the block of numbers, and plain arrays pass", () => {
  const text = { series: [{ x: { at: 1, n: 2 }, y: [1, null] }], matrices: [] };
  const filled = fill(text, new Float64Array([9, 5, 6, 7]));
  assert.deepEqual([...(filled.series[0]!.x as Float64Array)], [5, 6]);
  assert.deepEqual(filled.series[0]!.y, [1, NaN]);
  assert.deepEqual(filled.warnings, []);
});

test("every Answer has a drawing: charts that no figure names are drawn too", () => {
  const names = plotsOf(momentumAge, answer).map(plotName);
  assert.deepEqual(names, ["growth", "new"]);
  assert.equal(plotsOf(plainFigure("x"), answer).length, 2);
});

test("a scalar that does not exist is null, never NaN", () => {
  assert.equal(scalar(answer, "half-life.own"), 6);
  assert.equal(scalar(answer, "half-life.limit"), null);
  assert.equal(scalar(answer, "nothing"), null);
});

test("a series is read between its points", () => {
  const s = answer.series[0];
  assert.deepEqual([valueAt(s, 1), valueAt(s, 2.5), valueAt(s, -1), valueAt(s, 9)], [1, 3, null, null]);
});

test("the sentence keeps its emphasis and is escaped", () => {
  const html = findingHtml(answer, catalog[0]!, {});
  assert.match(html, /A token &lt;i&gt; reaches <em>half after 6 updates<\/em>\./);
  assert.match(html, /careful &amp; slow/);
});

test("prose shows a scalar by its name", () => {
  assert.equal(scalarText(answer, "half-life.own"), "6");
  assert.equal(scalarText(answer, "half-life.limit"), "—");
  assert.equal(scalarText(answer, "typo"), null);
});

test("prose shows a point of a series and a cell of a matrix, to the digits it asks for", () => {
  assert.equal(scalarText(answer, "growth/profile@last"), "4");
  assert.equal(scalarText(answer, "growth/profile@2:4"), "2.000");
  assert.equal(scalarText(answer, "growth/profile@99"), "—");
  assert.equal(scalarText(answer, "growth/typo@1"), null);
  const axis = { label: "", unit: "", log: false };
  const matrix = { name: "m", label: "", rows: 2, cols: 2, stride: 4, rowAxis: axis, colAxis: axis, diverging: false, values: [1, 2, 3, NaN] };
  const drawn: Answer = { ...answer, matrices: [matrix] };
  assert.deepEqual(["m@4,0", "m@0,last", "m@last,last:9", "m@8,0", "n@0,0"].map((name) => scalarText(drawn, name)), ["3", "2", "—", "—", null]);
});

test("the CSV quotes what needs quoting and leaves missing numbers empty", () => {
  const text = csv(answer, "https://example.org/#v=1", "1.0");
  assert.match(text, /half-life\.limit,,,"says ""none"""\r\n/);
  assert.match(text, /# chart,growth\r\nt,profile\r\n0,0\r\n1,1\r\n/);
  assert.doesNotMatch(text, /NaN/);
});

test("a chart's table has a row for each x", () => {
  assert.equal(chartTables(answer).match(/<th scope="row">/g)!.length, 6);
});

test("a figure's text has every knob, no style attribute, and no repeated id", () => {
  const html = wholeHtml(catalog[0]!, answer);
  for (const knob of catalog[0]!.knobs) {
    if (knob.kind !== "cursor" && knob.kind !== "pinned") assert.match(html, new RegExp(`data-knob="${knob.name}"`));
  }
  assert.doesNotMatch(html, /\sstyle=|NaN|undefined/);
  const ids = [...html.matchAll(/\sid="([^"]*)"/g)].map((m) => m[1]!);
  assert.equal(new Set(ids).size, ids.length);
});

test("the build is told of an experiment without a figure and of a figure without an experiment", () => {
  assert.deepEqual(disagreements(["momentum-age", "duel"], catalog), []);
  assert.match(disagreements(["momentum-age"], catalog).join(), /"duel", but index\.html has no/);
  assert.match(disagreements(["momentum-age", "duel", "x"], catalog).join(), /no experiment of that name/);
});

test("a scatter keeps every point in its table, and a band both its edges", () => {
  const cloud: Series = { ...line("cloud", "points", [5, 6, 7]), style: "points", x: [1, 1, 1] };
  const spread: Series = { ...line("cloud", "spread", [2]), style: "band", x: [1], y2: [3] };
  const text = csv({ ...answer, series: [cloud, spread] }, "", "1.0");
  assert.match(text, /# chart,cloud\r\nt,points,"spread, from","spread, to"\r\n/);
  for (const row of ["1,5,,", "1,6,,", "1,7,,", "1,,2,3"]) assert.ok(text.includes(`${row}\r\n`), row);
});

test("pictures are drawn while the Answer has all of them, and no matrix is drawn twice", () => {
  const matrix = (name: string): Matrix => ({ name, label: name, rows: 1, cols: 1, stride: 1, rowAxis: axis, colAxis: axis, diverging: true, values: [1] });
  const figure: Figure = {
    ...plainFigure("x"),
    plots: [{ kind: "pictures", name: "pair", matrices: ["a", "b"], signs: ["−"], title: "", note: "" }],
  };
  const names = (matrices: Matrix[]): string[] => plotsOf(figure, { ...answer, series: [], matrices }).map(plotName);
  assert.deepEqual(names([matrix("a"), matrix("b"), matrix("c")]), ["pair", "c"]);
  assert.deepEqual(names([]), []);
});
