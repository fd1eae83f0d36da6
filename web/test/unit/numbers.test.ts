import assert from "node:assert/strict";
import { test } from "node:test";
import { decimals, formatNumber, formatTick, px } from "../../numbers";

test("numbers are short, with a real minus and powers of ten", () => {
  for (const [value, text] of [
    [0.9, "0.9"], [64, "64"], [-0.25, "−0.25"], [0.0275651, "0.0276"], [8.88e-16, "8.9×10⁻¹⁶"], [1e-16, "1×10⁻¹⁶"],
    [1234567, "1234567"], [123456.7, "123000"], [1e9, "1×10⁹"], [0, "0"], [-0, "0"], [0.1 + 0.2, "0.3"], [999.96, "1000"],
  ] as const) {
    assert.equal(formatNumber(value), text);
  }
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
