import assert from "node:assert/strict";
import { test } from "node:test";
import { checksHtml, overall, readLive, tableHtml } from "../../panel";
import type { Answer } from "../../messages";
import { catalog, knob } from "./catalog";

const answer = {
  table: { head: ["claim", "here"], rows: [{ cells: ["a <b>", "1"], link: "duel?steps=4" }, { cells: ["c", "2"], link: "" }, { cells: ["d", "3"], link: "poem?x=1" }] },
} as Answer;

test("a row links to its setting, and to none where there is none", () => {
  const html = tableHtml(answer, catalog);
  assert.match(html, /<a href="index.html#v=1&amp;d.K=4" data-live="duel\?steps=4">Both ways<\/a>/);
  assert.match(html, /a &lt;b&gt;/);
  assert.equal(html.split("<a ").length, 2);
  assert.deepEqual(readLive("duel?steps=4", catalog)?.values, { steps: "4" });
  assert.equal(readLive("poem", catalog), null);
});

test("the sentence over all checks names what fails, and what was not run", () => {
  assert.equal(overall({ run: 3, held: 3, failed: [], milliseconds: 12.3 }, 3), "All 3 checks hold in this browser, in 12 ms.");
  assert.equal(overall({ run: 2, held: 2, failed: [], milliseconds: 1 }, 3), "Stopped: 2 of the first 2 checks hold; 1 not run.");
  assert.match(overall({ run: 3, held: 2, failed: ["“It is so”"], milliseconds: 1 }, 3), /2 of 3 .* “It is so” fails/);
});

test("every check has a row before it is run", () => {
  const html = checksHtml(knob({ name: "check", key: "c", kind: "choice", choices: [{ value: "a", label: "A." }, { value: "b", label: "B." }] }));
  assert.equal(html.split("data-check=").length, 3);
  assert.match(html, /run all 2 checks/);
});
