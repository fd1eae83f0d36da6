import assert from "node:assert/strict";
import { test } from "node:test";
import { fromPosition, knobText, snap, stepped, toPosition } from "../../scale";
import { alpha, length, rate } from "./catalog";

test("a linear slider is half way at the middle of its range", () => {
  assert.equal(toPosition(alpha, 0.495), 0.5);
  assert.equal(fromPosition(alpha, 0), 0);
  assert.equal(fromPosition(alpha, 1), 0.99);
});

test("a log slider is half way at the geometric mean", () => {
  assert.ok(Math.abs(toPosition(length, Math.sqrt(8 * 1024)) - 0.5) < 1e-12);
  assert.equal(fromPosition(length, 0.5), 91);
});

test("places beyond the ends give the ends", () => {
  assert.equal(fromPosition(length, -3), 8);
  assert.equal(fromPosition(length, 3), 1024);
  assert.equal(toPosition(alpha, 7), 1);
});

test("values are multiples of the step, without binary tails", () => {
  assert.equal(snap(alpha, 0.1 + 0.2), 0.3);
  assert.equal(snap(alpha, 0.987), 0.99);
});

test("a step on a log scale is a ratio, and always moves", () => {
  assert.equal(stepped(length, 8, 1), 9);
  assert.equal(stepped(length, 500, 1), 551);
  assert.equal(stepped(length, 1024, 1), 1024);
  assert.ok(stepped(rate, 0.001, 1) > 0.001);
  assert.ok(stepped(rate, 0.001, -1) === 0.001);
});

test("where a ratio is less than the smallest step, the smallest step is taken", () => {
  const steps = { min: 1, max: 16, step: 1, log: true, integer: true };
  assert.equal(stepped(steps, 1, 1), 2);
  assert.equal(stepped(steps, 3, -1), 2);
});

test("every step up can be undone within a step", () => {
  for (let v = 8; v < 1000; v = stepped(length, v, 1)) {
    const back = stepped(length, stepped(length, v, 1), -1);
    assert.ok(Math.abs(back - v) <= Math.max(1, 0.02 * v), `${v} → ${back}`);
  }
});

test("a value shows as many decimals as its step", () => {
  assert.equal(knobText(alpha, 0.9), "0.90");
  assert.equal(knobText(alpha, 0.905), "0.905");
  assert.equal(knobText(length, 64), "64");
});
