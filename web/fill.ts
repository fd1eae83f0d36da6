// From the engine's text and numbers to an Answer.

import type { Answer } from "./messages";

interface Slice {
  at: number;
  n: number;
}

function isSlice(value: unknown): value is Slice {
  return typeof value === "object" && value !== null && typeof (value as Slice).at === "number" && typeof (value as Slice).n === "number";
}

/**
 * Puts the numbers into the text: an array stands there as {"at": i, "n": k},
 * the k numbers from index i. Plain arrays (as the headless command prints
 * them) pass through, with null read as NaN.
 */
export function fill(text: unknown, numbers: Float64Array): Answer {
  const answer = text as Answer;
  const take = (value: unknown): ArrayLike<number> => {
    if (isSlice(value)) return numbers.subarray(value.at, value.at + value.n);
    if (Array.isArray(value)) return (value as (number | null)[]).map((v) => v ?? NaN);
    return [];
  };
  return {
    ...answer,
    warnings: answer.warnings ?? [],
    scalars: answer.scalars ?? [],
    table: answer.table ?? { head: [], rows: [] },
    series: (answer.series ?? []).map((s) => ({ ...s, x: take(s.x), y: take(s.y), y2: take(s.y2) })),
    matrices: (answer.matrices ?? []).map((m) => ({ ...m, values: take(m.values) })),
  };
}
