import assert from "node:assert/strict";
import { test } from "node:test";
import { costText } from "../../cost";
import { inSymbols } from "../../formula";
import { readLink } from "../../link";
import type { Answer, Experiment } from "../../messages";
import { alpha, catalog, knob, rate } from "./catalog";

const eta = { ...rate, symbol: "η" };
const experiment: Experiment = { ...catalog[0]!, knobs: [alpha, eta, knob({ name: "steps", key: "K", kind: "number", symbol: "K", max: 64, default: "1", integer: true })] };

test("the rule in symbols: numbers give way to their knobs, what only works them out is left out", () => {
  const held = "Δₜ = ∇ₜ + 0.90 Δₜ₋₁,  W ← W − η(1−α) Δₜ,  η(1−α) = 0.06 · 0.10 = 0.006";
  assert.equal(inSymbols(held, experiment, {}), "Δₜ = ∇ₜ + α Δₜ₋₁,  W ← W − η(1−α) Δₜ");
  assert.equal(inSymbols("W ← W − 0.2 ∇ₜ", experiment, { rate: "0.2" }), "W ← W − η ∇ₜ");
  assert.equal(inSymbols("η(K) = (1 − (1 − ηn)ᴷ) / n,  n = ‖φ(k)‖²,  K = 8,  η = 0.06", experiment, { steps: "8" }), "η(K) = (1 − (1 − ηn)ᴷ) / n,  n = ‖φ(k)‖²");
});

test("a number that two knobs share keeps standing as a number", () => {
  assert.equal(inSymbols("W ← W − 0.06 ∇ₜ", experiment, { alpha: "0.06" }), "W ← W − 0.06 ∇ₜ");
});

test("a run's cost says time, work, state and what a cache would take", () => {
  const answer = { cost: { multiplyAdds: 917504, stateBytes: 32768, cacheBytes: 1048576 } } as Answer;
  assert.equal(
    costText(answer, 3.14159),
    "This run: 3.1 ms, 918 thousand multiply-adds. The state takes 33 KB, however long the sequence. Softmax attention would keep 1.05 MB of keys and values by the last token.",
  );
  assert.match(costText({ cost: { multiplyAdds: 2.5e7, stateBytes: 512 } } as Answer, null), /^This run: 25 million multiply-adds\. The state takes 512 bytes, however long the sequence\.$/);
});

test("a link may lead to a figure or a part of the text, which is no state", () => {
  assert.equal(readLink("#v=1&m.a=0.5&at=duel", catalog).at, "duel");
  const place = readLink("#sources", catalog);
  assert.deepEqual([place.at, place.rest, place.messages], ["sources", [], []]);
});
