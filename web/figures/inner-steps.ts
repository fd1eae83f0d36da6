import type { Mark } from "../chart/line";
import type { Answer } from "../messages";
import { scalar, valueAt, type Figure } from "./figure";

/** What more gradient steps a token do: a tighter pair, another operator. */
export const innerSteps: Figure = {
  name: "inner-steps",
  stage: false,
  lead: "steps",
  embedHeight: 1150,
  ends: {},
  plots: [
    {
      kind: "line",
      chart: "binding",
      title: "How tightly a pair is bound",
      note: "loss of each token’s own pair; lower is tighter",
      cursor: "",
      place: "",
      marks: (answer) => here(answer, "binding"),
    },
    {
      kind: "line",
      chart: "distance",
      title: "How far the outputs have moved",
      note: "relative to those of one step; dots: one step at the rate η(K)",
      unlabelled: ["steps", "closed"],
      cursor: "",
      place: "",
      marks: (answer) => here(answer, "distance"),
    },
    {
      kind: "line",
      chart: "cosine",
      title: "Whether they still point the same way",
      note: "1: only their size has changed",
      unlabelled: ["steps", "closed"],
      cursor: "",
      place: "",
      marks: (answer) => here(answer, "cosine"),
    },
  ],
  hidden: [],
};

/** The chosen number of steps on a curve. */
function here(answer: Answer, chart: string): Mark[] {
  const x = scalar(answer, "steps");
  const curve = answer.series.find((s) => s.chart === chart && s.name === "steps");
  const y = x === null ? null : valueAt(curve, x);
  return x === null || y === null ? [] : [{ x, y, label: `K = ${x}`, role: "ink" }];
}
