import assert from "node:assert/strict";
import { test } from "node:test";
import { clamp, keepLeft, readLink, writeLink } from "../../link";
import { pack } from "../../sequence";
import { alpha, catalog, knob } from "./catalog";

test("a link holds only what differs from the defaults", () => {
  const values = { "momentum-age": { alpha: "0.98", loss: "squared", seed: "7" }, duel: { steps: "4" } };
  assert.equal(writeLink({ values, theme: "dark", rest: [] }, catalog), "v=1&m.a=0.98&m.s=7&d.K=4&theme=dark");
});

test("the page at its defaults has an empty link", () => {
  assert.equal(writeLink({ values: {}, theme: "auto", rest: [] }, catalog), "");
});

test("what is written is read back", () => {
  const values = { "momentum-age": { alpha: "0.5", alphas: "tLS-_w", length: "1024", loss: "dot", hold: "off", reading: "12" } };
  const link = writeLink({ values, theme: "light", rest: [] }, catalog);
  const state = readLink(`#${link}`, catalog);
  assert.deepEqual(state.values, values);
  assert.equal(state.theme, "light");
  assert.deepEqual(state.messages, []);
});

test("a default that stands in a link is not kept", () => {
  assert.deepEqual(readLink("#v=1&m.a=0.90", catalog).values, {});
});

test("a number out of range is clamped, and the message names knob, value and range", () => {
  const state = readLink("#v=1&m.a=5&m.T=1e9&m.e=-1", catalog);
  assert.deepEqual(state.values, { "momentum-age": { alpha: "0.99", length: "1024", rate: "0.001" } });
  assert.deepEqual(state.messages, [
    "momentum α = 5 is outside 0 to 0.99; 0.99 is used.",
    "length = 1e9 is outside 8 to 1024; 1024 is used.",
    "rate = -1 is outside 0.001 to 1; 0.001 is used.",
  ]);
});

test("a number beyond all numbers is clamped like any large one", () => {
  assert.equal(clamp(alpha, "1e999").value, "0.99");
});

test("what is not a number gives the default and a message", () => {
  for (const text of ["NaN", "", "  ", "abc", "0x", "0x10", "0b1", "Infinity", "1e", ".", "1 2", "1;2", "%"]) {
    const { value, message } = clamp(alpha, text);
    assert.equal(value, "0.9");
    assert.match(message ?? "", /momentum α/);
  }
});

test("a field keeps its value where it is given nonsense, and says so", () => {
  assert.deepEqual(clamp(alpha, "0x10", "0.3"), { value: "0.3", message: "momentum α = “0x10” is not a number from 0 to 0.99; 0.3 is used." });
});

test("a fraction of a whole number is rounded, and the message names the range", () => {
  const state = readLink("#v=1&m.T=64.4", catalog);
  assert.deepEqual(state.messages, ["length = 64.4 is not a whole number from 8 to 1024; 64 is used."]);
});

test("a key that stands twice is answered by one sentence, and the last is used", () => {
  const state = readLink("#v=1&m.a=0.5&m.a=0.7", catalog);
  assert.deepEqual(state.values, { "momentum-age": { alpha: "0.7" } });
  assert.deepEqual(state.messages, ["The link gives “m.a” more than once; the last is used."]);
  assert.deepEqual(readLink("#v=1&m.a=0.5&m.a=0.9", catalog).values, {}, "also where the last is the default");
});

test("a typed comma and a typographic minus are understood", () => {
  assert.equal(clamp(alpha, "0,5").value, "0.5");
  assert.equal(clamp(alpha, "−1").value, "0");
});

test("choices, switches, cursors and sequences refuse what they cannot hold", () => {
  const state = readLink("#v=1&m.l=cubic&m.h=maybe&m.t=-7&m.A=%C3%BC!", catalog);
  assert.deepEqual(state.values, {});
  assert.equal(state.messages.length, 4);
});

test("a pinned momentum travels in the link, packed, however long", () => {
  const pin = pack(Array.from({ length: 1024 }, (_, i) => (i % 100) / 100));
  const hash = writeLink({ values: { "momentum-age": { pin } }, theme: "auto", rest: [] }, catalog);
  assert.equal(hash, `v=1&m.P=${pin}`);
  assert.deepEqual(readLink(`#${hash}`, catalog).values, { "momentum-age": { pin } });
  assert.match(readLink("#v=1&m.P=!", catalog).messages[0]!, /is not a packed list/);
});

test("unknown experiments and settings are reported, kept, and passed on", () => {
  const state = readLink("#v=1&zz.a=3&m.zz=4&future=yes&m.a=0.5", catalog);
  assert.equal(state.messages.length, 3);
  assert.match(state.messages[2]!, /asks for “future”, which this page does not know/);
  assert.match(state.messages[0]!, /no experiment “zz”/);
  assert.match(state.messages[1]!, /Age has no setting “zz”/);
  assert.equal(writeLink(state, catalog), "v=1&m.a=0.5&zz.a=3&m.zz=4&future=yes");
});

test("broken percent escapes do not throw", () => {
  const state = readLink("#v=1&m.a=%E0%A4&%zz=1&=&&m.a", catalog);
  assert.deepEqual(state.values, {});
});

test("a link of a later version is read as far as it is understood, with a message", () => {
  const state = readLink("#v=2&m.a=0.5", catalog);
  assert.equal(state.values["momentum-age"]?.["alpha"], "0.5");
  assert.match(state.messages[0]!, /version “2”/);
});

test("a message does not repeat an endless value", () => {
  assert.ok(readLink(`#m.a=${"9".repeat(5000)}`, catalog).messages[0]!.length < 120);
});

test("prototype names are no experiments", () => {
  assert.deepEqual(readLink("#__proto__.a=1&constructor.name=2", catalog).values, {});
});

const text = knob({ name: "text", key: "x", kind: "text", label: "text", max: 10000, default: "The king sang." });
const ask = knob({ name: "ask", key: "q", kind: "text", label: "ask", max: 1, default: "prince" });
const withWords = [...catalog, { name: "words", key: "w", title: "Words", question: "", lab: false, knobs: [text, ask] }];

test("a text travels in the link as it was typed, and may be empty", () => {
  const values = { words: { text: "“A&B=c; d+e%” —\nnew line", ask: "" } };
  const link = writeLink({ values, theme: "auto", rest: [] }, withWords);
  assert.deepEqual(readLink(`#${link}`, withWords).values, values);
});

test("a text over 1,000 characters stays out of the link, and the link says so", () => {
  const values = { words: { text: "king ".repeat(300), ask: "queen" } };
  const link = writeLink({ values, theme: "auto", rest: [] }, withWords);
  assert.equal(link, "v=1&w.q=queen&long=w.x");
  const state = readLink(`#${link}`, withWords);
  assert.deepEqual(state.values, { words: { ask: "queen" } });
  assert.deepEqual(state.rest, []);
  assert.equal(state.messages.length, 1);
  assert.match(state.messages[0]!, /no room for the text of “Words”, which has more than 1,000 characters/);
});

test("a long text that the page holds outlives a link without it", () => {
  const long = "king ".repeat(300);
  const before = { ...readLink("", withWords), values: { words: { text: long } } };
  const state = readLink("#v=1&w.q=queen&long=w.x", withWords);
  keepLeft(state, before, withWords);
  assert.deepEqual(state.values, { words: { ask: "queen", text: long } });
  assert.deepEqual(state.messages, []);
  const fresh = readLink("#v=1&long=w.x,z.z,,", withWords);
  keepLeft(fresh, readLink("", withWords), withWords);
  assert.deepEqual(fresh.values, {});
  assert.equal(fresh.messages.length, 1);
});

test("a text holds no NUL, which parts the fields of a question", () => {
  assert.equal(clamp(text, "a\0b\r\nc\rd").value, "a b\nc\nd");
});
