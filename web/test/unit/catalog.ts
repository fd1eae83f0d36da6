// A small catalog for tests: one knob of each kind.

import type { Experiment, Knob } from "../../messages";

export function knob(part: Partial<Knob> & Pick<Knob, "name" | "key" | "kind">): Knob {
  return {
    label: part.name, symbol: "", unit: "", min: 0, max: 1, step: 1, log: false, integer: false, choices: [], default: "", help: "",
    ...part,
  };
}

export const alpha = knob({ name: "alpha", key: "a", kind: "number", label: "momentum", symbol: "α", max: 0.99, step: 0.01, default: "0.9" });
export const length = knob({ name: "length", key: "T", kind: "number", label: "length", min: 8, max: 1024, step: 1, log: true, integer: true, default: "64" });
export const rate = knob({ name: "rate", key: "e", kind: "number", label: "rate", min: 0.001, max: 1, step: 0.001, log: true, default: "0.06" });

export const catalog: Experiment[] = [
  {
    name: "momentum-age",
    key: "m",
    title: "Age",
    question: "",
    lab: false,
    knobs: [
      alpha,
      knob({ name: "alphas", key: "A", kind: "sequence" }),
      length,
      rate,
      knob({ name: "loss", key: "l", kind: "choice", choices: [{ value: "squared", label: "" }, { value: "dot", label: "" }], default: "squared" }),
      knob({ name: "hold", key: "h", kind: "switch", default: "on" }),
      knob({ name: "seed", key: "s", kind: "seed", max: 4294967295, default: "1" }),
      knob({ name: "reading", key: "t", kind: "cursor" }),
      knob({ name: "pin", key: "P", kind: "pinned" }),
    ],
  },
  { name: "duel", key: "d", title: "Both ways", question: "", lab: false, knobs: [knob({ name: "steps", key: "K", kind: "number", min: 1, max: 16, integer: true, default: "1" })] },
];
