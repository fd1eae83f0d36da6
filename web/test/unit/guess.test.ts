import assert from "node:assert/strict";
import { test } from "node:test";
import { bridged, choiceVerdict, drawnTo, score, verdict } from "../../guess";

test("gaps in a drawing are bridged, its ends carried on", () => {
  assert.deepEqual(bridged([null, 1, null, null, 0.4, null]), [1, 1, 0.8, 0.6000000000000001, 0.4, 0.4]);
  assert.equal(bridged([null, null]), null);
});

test("a stroke fills every place it passes, either way", () => {
  assert.deepEqual(drawnTo([null, null, null, null], [0, 0], [2, 1]), [0, 0.5, 1, null]);
  assert.deepEqual(drawnTo([null, null, null, null], [3, 0], [1, 1]), [null, 1, 0.5, 0]);
  assert.deepEqual(drawnTo([0.2, null], [1, 0.7], [1, 0.7]), [0.2, 0.7]);
});

test("the score is the largest difference and where it is, and the mean of all", () => {
  assert.deepEqual(score([1, 0.5, 0], [1, 0.25, 1]), { at: 2, guess: 0, truth: 1, mean: 1.25 / 3 });
  assert.deepEqual(score([0.5], [0.5]), { at: 0, guess: 0.5, truth: 0.5, mean: 0 });
});

test("what cannot be compared has no score", () => {
  assert.equal(score([], [1]), null);
  assert.equal(score([1, 1], [1, NaN]), null);
});

test("the verdict names the place and both numbers, and is kind to a near miss", () => {
  assert.equal(verdict({ at: 3, guess: 0.9, truth: 0.0276, mean: 0.41 }, "token 63"), "The largest difference: at token 63 you drew 0.9, and it is 0.03. On average you were off by 0.41.");
  assert.match(verdict({ at: 3, guess: 0.5, truth: 0.45, mean: 0.01 }, "token 9"), /^Well seen: nowhere were you further off than 0\.05/);
});

test("a choice is told what survived, what was lost, and how many it had right", () => {
  const outcomes = [{ name: "recall", before: 0.58, after: 0.08 }, { name: "smoothing", before: 0.54, after: 0.53 }];
  assert.equal(choiceVerdict(outcomes, new Set(["recall", "smoothing"])), "You were right about 1 of 2. These survive: smoothing (0.54 → 0.53). Lost: recall (0.58 → 0.08).");
  assert.equal(choiceVerdict(outcomes.slice(1), null), "These survive: smoothing (0.54 → 0.53). None is lost.");
});
