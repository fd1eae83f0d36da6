import assert from "node:assert/strict";
import { test } from "node:test";
import { namedBars, namedHeight } from "../../chart/named";
import { duel } from "../../figures/duel";
import { plotsOf } from "../../figures/figure";
import { knobHtml } from "../../knobview";
import { sourceHtml } from "../../markup";
import type { Answer, Experiment, Series } from "../../messages";
import { drawPlot } from "../../plots";
import { chartTables, csv } from "../../table";
import { countWords } from "../../textfield";
import { knob } from "./catalog";

const axis = { label: "part", unit: "", log: false };
const series: Series = {
  chart: "writes", name: "writes", label: "part", role: "effective", style: "bars",
  x: [9, 2, 4], y: [0.5, -0.25, 0], y2: [], names: ["9 king → sang", "2 <the> → king", "4 a"], xAxis: axis, yAxis: axis,
};

test("each named bar has its name, its number and a length from zero", () => {
  const svg = namedBars({ id: "w", title: "t", description: "d", series: [series], width: 400 });
  assert.match(svg, />9 king → sang</);
  assert.match(svg, />2 &lt;the&gt; → king</);
  assert.match(svg, />0\.50</);
  assert.match(svg, />−0\.25</);
  assert.match(svg, />0\.00</);
  const bars = [...svg.matchAll(/class="series bars[^>]*d="M([\d.]+) [\d.]+H([\d.]+)/g)].map((m) => Number(m[2]) - Number(m[1]));
  assert.equal(bars.length, 3);
  assert.ok(Math.abs(bars[0]! / bars[1]! - 2) < 0.05, `lengths ${bars}`);
  assert.equal(bars[2], 0);
  assert.ok(!/NaN|style=/.test(svg));
  assert.equal(namedHeight([series]), 22 + 3 * 28);
});

test("bars and numbers stay inside the chart, at every width and sign", () => {
  for (const width of [240, 340, 700]) {
    for (const y of [[1, 0.5, 0.2], [-1, -0.5, -3], [1, -1, 0], [0, 0, 0]]) {
      const svg = namedBars({ id: "w", title: "t", description: "d", series: [{ ...series, y }], width });
      for (const [, from, to] of svg.matchAll(/class="series bars[^>]*d="M([\d.-]+) [\d.]+H([\d.-]+)/g)) {
        assert.ok(Number(from) >= 0 && Number(to) <= width - 40, `${from} to ${to} of ${width}`);
      }
    }
  }
});

test("of several series every name is a heading with a bar for each series that has it", () => {
  const q: Series = { ...series, label: "asked with q", role: "query", x: [0, 1], y: [0.5, 1], names: ["recall", "smoothing"] };
  const k: Series = { ...series, label: "asked with k", role: "key", x: [1], y: [0.75], names: ["smoothing"] };
  const level: Series = { ...series, label: "zero", role: "muted", style: "dashed", x: [0, 1], y: [1, 1], names: [] };
  const svg = namedBars({ id: "g", title: "t", description: "d", series: [q, k, level], width: 400 });
  assert.match(svg, /class="series dashed role-muted" x1="([\d.]+)" x2="\1"/);
  const texts = [...svg.matchAll(/class="bar-(?:name|name heading|number)"[^>]*>([^<]*)</g)].map((m) => m[1]);
  assert.deepEqual(texts, ["recall", "asked with q", "0.50", "smoothing", "asked with q", "1.00", "asked with k", "0.75"]);
  const roles = [...svg.matchAll(/class="series bars role-(\w+)"/g)].map((m) => m[1]);
  assert.deepEqual(roles, ["query", "query", "key"]);
  assert.equal(namedHeight([q, k, level]), 22 + 5 * 28);
});

test("the tables show names in the place of x", () => {
  const answer: Answer = {
    experiment: "words", sentence: "", emphasis: "", formula: "", warnings: [], scalars: [], series: [series], matrices: [], table: { head: [], rows: [] },
    cost: { multiplyAdds: 0, stateBytes: 0 },
  };
  assert.match(chartTables(answer), /<th scope="row">9 king → sang<\/th><td class="number">0.5<\/td>/);
  assert.match(csv(answer, "", "0"), /9 king → sang,0\.5/);
});

test("words and marks are counted as the engine cuts them", () => {
  assert.equal(countWords("The King's sister—she sang."), 9);
  assert.equal(countWords("  “quoted” (text)\n1984 Été "), 4);
  assert.equal(countWords(""), 0);
});

const experiment = (name: string, ...knobs: Experiment["knobs"]): Experiment => ({ name, key: "w", title: "", question: "", lab: false, knobs });

test("a text knob is a labelled field: an area for many words, a line for one", () => {
  const text = knob({ name: "text", key: "x", kind: "text", max: 10000, default: "a <b>\n& c" });
  const ask = knob({ name: "ask", key: "q", kind: "text", max: 1, default: "x\"y" });
  const area = knobHtml(experiment("words", text), text, {});
  assert.match(area, /<label for="words-text">/);
  assert.match(area, /<textarea id="words-text"[^>]*>\na &lt;b&gt;\n&amp; c<\/textarea>/);
  assert.match(knobHtml(experiment("words", ask), ask, {}), /<input type="text" id="words-ask"[^>]* value="x&quot;y"/);
  assert.match(knobHtml(experiment("words", text), text, { text: "" }), /<textarea[^>]*>\n<\/textarea>/);
});

test("a text and the number of tokens are shown with the task that they belong to", () => {
  const task = knob({ name: "task", key: "k", kind: "choice", default: "digits", choices: [{ value: "digits", label: "" }, { value: "words", label: "" }] });
  const text = knob({ name: "text", key: "X", kind: "text", max: 256, default: "The king sang.", task: "words" });
  const tokens = knob({ name: "length", key: "T", kind: "number", min: 8, max: 64, default: "8", task: "-words" });
  const one = experiment("state", task, text, tokens);
  assert.match(knobHtml(one, text, {}), /^<div hidden [^>]*>/);
  assert.ok(!knobHtml(one, text, {}).includes("king"), "what is hidden weighs nothing");
  assert.ok(!knobHtml(one, tokens, {}).startsWith("<div hidden"));
  assert.match(knobHtml(one, text, { task: "words" }), /^<div class=.*The king sang/s);
  assert.match(knobHtml(one, tokens, { task: "words" }), /^<div hidden /);
  assert.ok(!knobHtml(experiment("words", text), text, {}).includes("hidden class"), "without other tasks it always applies");
});

test("cursors say the word of their token, and an answer in words is drawn by any figure", () => {
  const line: Series = { ...series, chart: "outputs", style: "line", x: [0, 1, 2], y: [1, 2, 3], names: [] };
  const answer: Answer = {
    experiment: "duel", sentence: "", emphasis: "", formula: "", warnings: [], scalars: [], matrices: [], table: { head: [], rows: [] },
    series: [line, { ...series, chart: "nearest" }], cost: { multiplyAdds: 0, stateBytes: 0 }, words: ["the", "king", "sang", "."],
  };
  const plots = plotsOf(duel, answer);
  assert.deepEqual(plots.map((p) => p.title), ["What each way answers", "Nearest words"]);
  const drawn = drawPlot("duel", plots[0]!, answer, { reading: "1" }, 400);
  assert.match(drawn.says, /^\w+ 2, “king”: 2$/);
  assert.match(drawn.svg, /“king”: 2/);
  assert.match(drawPlot("duel", plots[1]!, answer, {}, 400).svg, />9 king → sang</);
});

test("source and licence stand beside what shows digits or words", () => {
  const task = knob({ name: "task", key: "k", kind: "choice", default: "gaussian" });
  assert.match(sourceHtml(experiment("words"), {}), /GloVe.*Public Domain Dedication/);
  assert.match(sourceHtml(experiment("duel", task), { task: "words" }), /GloVe/);
  assert.match(sourceHtml(experiment("duel", task), { task: "digits" }), /CC BY 4\.0/);
  assert.equal(sourceHtml(experiment("duel", task), {}), "");
});
