// The engine's rule with its numbers, and the same with the knobs' symbols. Pure.

import type { Experiment, Values } from "./messages";

/**
 * The rule in symbols. A number that is the value of exactly one knob gives way
 * to the knob's symbol; what only works a symbol out ("η(1−α) = 0.06 · 0.10 =
 * 0.006", "K = 8") is left out.
 */
export function inSymbols(formula: string, experiment: Experiment, values: Values): string {
  const knobs = experiment.knobs.filter((k) => k.kind === "number" && k.symbol !== "");
  const valueOf = (name: string, otherwise: string): number => Number(values[name] ?? otherwise);
  return formula
    .split(",  ")
    .filter((clause, i) => i === 0 || !(clause.split(" = ").length > 2 || knobs.some((k) => clause.startsWith(`${k.symbol} = `))))
    .map((clause) =>
      clause.replace(/(?<![\d.⁻])\d+\.\d+/g, (number) => {
        const meant = knobs.filter((k) => valueOf(k.name, k.default) === Number(number) && !clause.includes(k.symbol));
        return meant.length === 1 ? meant[0]!.symbol : number;
      }),
    )
    .join(",  ");
}
