// Where a knob's value stands on its slider, and what a step of it is.

import type { Knob } from "./messages";
import { decimals, minus } from "./numbers";

type Range = Pick<Knob, "min" | "max" | "step" | "log" | "integer">;

/** A value's place on the slider, 0…1. */
export function toPosition(knob: Range, value: number): number {
  const v = Math.max(knob.min, Math.min(knob.max, value));
  if (knob.max <= knob.min) return 0;
  if (!knob.log) return (v - knob.min) / (knob.max - knob.min);
  return Math.log(v / knob.min) / Math.log(knob.max / knob.min);
}

/** The value at a place on the slider, snapped to what the knob can hold. */
export function fromPosition(knob: Range, position: number): number {
  const p = Math.max(0, Math.min(1, position));
  if (!knob.log) return snap(knob, knob.min + p * (knob.max - knob.min));
  return snap(knob, knob.min * (knob.max / knob.min) ** p);
}

/** `count` steps up (or down, if negative); on a log scale a step is a ratio. */
export function stepped(knob: Range, value: number, count: number): number {
  if (!knob.log) return snap(knob, value + count * knob.step);
  const moved = snap(knob, fromPosition(knob, toPosition(knob, value) + count / 50));
  if (moved !== value) return moved;
  // Where a ratio is less than the smallest step, take that step.
  return snap(knob, value + Math.sign(count) * smallest(knob));
}

/** The nearest value that the knob can hold: a multiple of its step, or three digits on a log scale. */
export function snap(knob: Range, value: number): number {
  const v = Math.max(knob.min, Math.min(knob.max, value));
  if (knob.integer) return Math.round(v);
  if (knob.log) return Number(v.toPrecision(2));
  const steps = Math.round((v - knob.min) / knob.step);
  return Math.min(knob.max, Number((knob.min + steps * knob.step).toFixed(decimals(knob.step))));
}

function smallest(knob: Range): number {
  return knob.integer ? 1 : knob.step > 0 ? knob.step : knob.min / 10;
}

/** The value as it is written beside the slider: 0.9 with step 0.01 → "0.90". */
export function knobText(knob: Range, value: number): string {
  if (knob.integer || knob.log) return minus(String(value));
  const d = decimals(knob.step);
  return minus(d >= decimals(Math.abs(value)) ? value.toFixed(d) : String(value));
}
