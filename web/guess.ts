// Scoring a reader's guess. Pure.

import { formatNumber } from "./numbers";

/** A drawn curve with its gaps bridged by straight lines and its ends carried on; null if nothing was drawn. */
export function bridged(drawn: readonly (number | null)[]): number[] | null {
  const known = drawn.flatMap((y, i) => (y === null ? [] : [[i, y] as const]));
  if (known.length === 0) return null;
  return drawn.map((_, i) => {
    const before = known.findLast(([at]) => at <= i);
    const after = known.find(([at]) => at >= i);
    if (!before || !after) return (before ?? after)![1];
    if (after[0] === before[0]) return before[1];
    return before[1] + ((after[1] - before[1]) * (i - before[0])) / (after[0] - before[0]);
  });
}

/** A stroke from one place to another, added to what was drawn. */
export function drawnTo(drawn: readonly (number | null)[], from: [number, number], to: [number, number]): (number | null)[] {
  const [low, high] = from[0] <= to[0] ? [from, to] : [to, from];
  return drawn.map((y, i) => {
    if (i < low[0] || i > high[0]) return y;
    return i === to[0] ? to[1] : low[1] + ((high[1] - low[1]) * (i - low[0])) / (high[0] - low[0]);
  });
}

export interface Score {
  /** where guess and truth are furthest apart */
  at: number;
  guess: number;
  truth: number;
  /** the mean of all distances */
  mean: number;
}

/** How far a curve is from the true one, place by place; null where they cannot be compared. */
export function score(guess: readonly number[], truth: readonly number[]): Score | null {
  const n = Math.min(guess.length, truth.length);
  let worst: Score | null = null;
  let sum = 0;
  for (let i = 0; i < n; i++) {
    const apart = Math.abs(guess[i]! - truth[i]!);
    if (!Number.isFinite(apart)) return null;
    sum += apart;
    if (!worst || apart > Math.abs(worst.guess - worst.truth)) worst = { at: i, guess: guess[i]!, truth: truth[i]!, mean: 0 };
  }
  return worst && { ...worst, mean: sum / n };
}

/** The largest difference in words; `place` names where it is. */
export function verdict(s: Score, place: string): string {
  const apart = Math.abs(s.guess - s.truth);
  const where = `at ${place} you drew ${formatNumber(Number(s.guess.toFixed(2)))}, and it is ${formatNumber(Number(s.truth.toFixed(2)))}`;
  if (apart < 0.1) return `Well seen: nowhere were you further off than ${formatNumber(Number(apart.toFixed(2)))}; ${where}.`;
  return `The largest difference: ${where}. On average you were off by ${formatNumber(Number(s.mean.toFixed(2)))}.`;
}

export interface Outcome {
  name: string;
  before: number;
  after: number;
}

/** A task survives if it loses less than this. */
const loss = 0.05;

/** Which tasks survived, beside those that the reader chose; null chose none and was not asked. */
export function choiceVerdict(outcomes: readonly Outcome[], chosen: ReadonlySet<string> | null): string {
  const survived = (o: Outcome): boolean => o.after > o.before - loss;
  const list = (os: readonly Outcome[]): string => os.map((o) => `${o.name} (${o.before.toFixed(2)} → ${o.after.toFixed(2)})`).join(", ");
  const kept = outcomes.filter(survived);
  const lost = outcomes.filter((o) => !survived(o));
  const parts = [kept.length > 0 ? `These survive: ${list(kept)}.` : "None survives.", lost.length > 0 ? `Lost: ${list(lost)}.` : "None is lost."];
  if (chosen) {
    const right = outcomes.filter((o) => survived(o) === chosen.has(o.name)).length;
    parts.unshift(`You were right about ${right} of ${outcomes.length}.`);
  }
  return parts.join(" ");
}
