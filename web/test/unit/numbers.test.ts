import assert from "node:assert/strict";
import { test } from "node:test";
import { decimals, formatIn, formatNumber, formatTick, powers, px } from "../../numbers";

test("numbers are short, with a real minus and powers of ten", () => {
  for (const [value, text] of [
    [0.9, "0.9"], [64, "64"], [-0.25, "−0.25"], [0.0275651, "0.0276"], [8.88e-16, "8.9×10⁻¹⁶"], [1e-16, "10⁻¹⁶"],
    [1234567, "1234567"], [123456.7, "123000"], [1e9, "10⁹"], [-2.5e-7, "−2.5×10⁻⁷"], [0, "0"], [-0, "0"], [0.1 + 0.2, "0.3"], [999.96, "1000"],
  ] as const) {
    assert.equal(formatNumber(value), text);
  }
});

test("the engine's texts get the same powers of ten", () => {
  for (const [text, want] of [
    ["the largest difference is 1.3e-15.", "the largest difference is 1.3×10⁻¹⁵."], ["below 1e-12", "below 10⁻¹²"], ["−2e+05 at 1.25e+06,", "−2×10⁵ at 1.25×10⁶,"],
    ["token 12 of 64, e = 2.7", "token 12 of 64, e = 2.7"], ["1e", "1e"], ["v1.2e3 or x2e4b", "v1.2e3 or x2e4b"], ["0x1e5", "0x1e5"],
  ] as const) {
    assert.equal(powers(text), want);
  }
});

test("a place is counted from 1 where people read it, and other numbers are not", () => {
  assert.equal(formatIn("index", 0), "1");
  assert.equal(formatIn("index", null), "—");
  assert.equal(formatIn("tokens", 64), "64 tokens");
  assert.equal(formatIn("", 0), "0");
});

test("what is no number is a dash, never NaN", () => {
  for (const value of [NaN, null, undefined]) assert.equal(formatNumber(value), "—");
  assert.equal(formatNumber(-Infinity), "−∞");
});

test("ticks of a log axis are powers of ten where decimals would be long", () => {
  assert.equal(formatTick(1e-16, true), "10⁻¹⁶");
  assert.equal(formatTick(0.01, true), "0.01");
  assert.equal(formatTick(0.30000000000000004, false), "0.3");
});

test("a step of 0.01 needs two decimals", () => {
  assert.deepEqual([0.01, 1, 0.5, 0.005, 100, 0].map(decimals), [2, 0, 1, 3, 0, 0]);
});

test("attributes get two decimals and never NaN", () => {
  assert.equal(px(1 / 3), "0.33");
  assert.equal(px(NaN), "0");
  assert.equal(px(-0.001), "0");
});
