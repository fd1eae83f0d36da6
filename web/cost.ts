// What a run took, in a sentence. Pure.

import type { Answer } from "./messages";
import { formatNumber } from "./numbers";

/** Counted work, time on this device if known, memory of the state and of a cache of keys and values. */
export function costText(answer: Answer, milliseconds: number | null): string {
  const { multiplyAdds, stateBytes, cacheBytes } = answer.cost;
  // A table of many runs has no state of its own.
  if (!(multiplyAdds > 0 && stateBytes > 0)) return "";
  const time = milliseconds === null ? "" : `${formatNumber(Number(milliseconds.toPrecision(2)))} ms, `;
  const cache = cacheBytes ? ` Softmax attention would keep ${bytes(cacheBytes)} of keys and values by the last token.` : "";
  return `This run: ${time}${large(multiplyAdds)} multiply-adds. The state takes ${bytes(stateBytes)}, however long the sequence.${cache}`;
}

function large(n: number): string {
  if (n >= 1e6) return `${formatNumber(n / 1e6)} million`;
  return n >= 1e3 ? `${formatNumber(Math.round(n / 1e3))} thousand` : formatNumber(n);
}

function bytes(n: number): string {
  if (n >= 1e6) return `${formatNumber(n / 1e6)} MB`;
  return n >= 1e3 ? `${formatNumber(Number((n / 1e3).toPrecision(2)))} KB` : `${formatNumber(n)} bytes`;
}
