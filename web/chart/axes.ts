// Domains, scales and ticks: from data to pixels.
//
// The two scales are a few lines here, since d3-scale brings colour
// interpolation and number formats that weigh more than all other code of the
// charts.

import { formatTick } from "../numbers";
import { nice as niceDomain, ticks } from "./ticks";

/** A scale with its ticks, ready to be drawn. */
export interface Scale {
  (value: number): number;
  /** pixels → value */
  invert(pixel: number): number;
  low: number;
  high: number;
  log: boolean;
  ticks: { value: number; text: string }[];
}

/** The finite smallest and largest of some numbers, only positive ones if asked; null if there are none. */
export function extent(lists: readonly ArrayLike<number>[], positive = false): [number, number] | null {
  let low = Infinity;
  let high = -Infinity;
  for (const list of lists) {
    for (let i = 0; i < list.length; i++) {
      const v = list[i]!;
      if (!Number.isFinite(v) || (positive && v <= 0)) continue;
      if (v < low) low = v;
      if (v > high) high = v;
    }
  }
  return low <= high ? [low, high] : null;
}

/**
 * A linear scale whose domain ends at round numbers if asked. Its ticks are
 * named as many higher as the first number is above 0: a place counts from 1.
 */
export function linear(domain: [number, number], range: [number, number], count: number, nice: boolean, first = 0): Scale {
  let [low, high] = domain;
  if (low === high) [low, high] = low === 0 ? [0, 1] : [low - Math.abs(low) / 2, high + Math.abs(high) / 2];
  if (nice) [low, high] = niceDomain(low, high, count);
  const named = ticks(low + first, high + first, count).filter((value) => first === 0 || value >= first);
  // The first place is worth a tick where there is room before the next.
  if (first > 0 && low <= 0 && named[0]! > first && named[0]! - first > (high - low) / 16) named.unshift(first);
  const marks = named.map((value) => ({ value: value - first, text: formatTick(value, false) }));
  return between(low, high, range, marks, false);
}

/** A log scale from the first number to the last, for an axis that ends where its data end; ticks at 1, 2, 5 or at decades. */
export function logarithmicWithin([low, high]: [number, number], range: [number, number], count: number): Scale {
  if (!(low < high)) return logarithmic([low, high], range, count);
  const decades = Math.log10(high / low);
  const within: number[] = [];
  for (let e = Math.floor(Math.log10(low)); e <= Math.log10(high); e++) {
    for (const m of decades < count / 3 ? [1, 2, 5] : [1]) within.push(Number(`${m}e${e}`));
  }
  const marks = within.filter((v) => v >= low && v <= high).map((value) => ({ value, text: formatTick(value, true) }));
  return between(low, high, range, marks, true);
}

/** A log scale over positive numbers; whole decades, thinned to about `count` ticks. */
export function logarithmic(domain: [number, number], range: [number, number], count: number): Scale {
  let low = Math.floor(Math.log10(domain[0]) + 1e-9);
  let high = Math.ceil(Math.log10(domain[1]) - 1e-9);
  if (low >= high) [low, high] = [low - 1, low + 1];
  const every = Math.max(1, Math.ceil((high - low) / count));
  const marks: Scale["ticks"] = [];
  for (let e = low; e <= high; e += every) {
    const value = Number(`1e${e}`);
    marks.push({ value, text: formatTick(value, true) });
  }
  return between(Number(`1e${low}`), Number(`1e${high}`), range, marks, true);
}

function between(low: number, high: number, [from, to]: [number, number], marks: Scale["ticks"], log: boolean): Scale {
  const bend = log ? Math.log : (x: number) => x;
  const unbend = log ? Math.exp : (x: number) => x;
  const [a, b] = [bend(low), bend(high)];
  // A log scale has no place for zero or less: it is drawn at the floor.
  const at = (value: number): number => from + ((bend(log ? Math.max(value, low) : value) - a) / (b - a)) * (to - from);
  const invert = (pixel: number): number => unbend(a + ((pixel - from) / (to - from)) * (b - a));
  return Object.assign(at, { invert, low, high, log, ticks: marks });
}
