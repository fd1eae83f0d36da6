import assert from "node:assert/strict";
import { test } from "node:test";
import { nice, ticks } from "../../chart/ticks";

// What d3-array 3.2.5 gives for the same domains.
test("ticks stand at 1, 2 or 5 times a power of ten, as those of other libraries", () => {
  for (const [low, high, count, want] of [
    [0, 1, 5, [0, 0.2, 0.4, 0.6, 0.8, 1]],
    [0, 0.3, 3, [0, 0.1, 0.2, 0.3]],
    [1, 64, 8, [10, 20, 30, 40, 50, 60]],
    [-7, 7, 4, [-5, 0, 5]],
    [1e-16, 3e-16, 4, [1e-16, 1.5e-16, 2e-16, 2.5e-16, 3e-16]],
    [0, 1024, 5, [0, 200, 400, 600, 800, 1000]],
  ] as const) {
    assert.deepEqual(ticks(low, high, count), want);
  }
});

test("a domain is widened to round ends, and one that has them stays", () => {
  assert.deepEqual(nice(0.13, 0.87, 4), [0, 1]);
  assert.deepEqual(nice(8e-13, 1.4e-12, 3), [8e-13, 1.4e-12]);
  assert.deepEqual(nice(-3.2, 17, 5), [-5, 20]);
  assert.deepEqual(nice(0, 100, 5), [0, 100]);
});

test("what is no domain has no ticks and stays as it is", () => {
  for (const [low, high] of [[1, 1], [2, 1], [NaN, 1], [0, Infinity]] as const) {
    assert.deepEqual(ticks(low, high, 4), []);
    assert.deepEqual(nice(low, high, 4), [low, high]);
  }
});
