import type { Mark } from "../chart/line";
import type { Answer } from "../messages";
import { scalar, valueAt, type Figure } from "./figure";

/** How the state fills up, and what that leaves of the tokens in it. */
export const state: Figure = {
  name: "state",
  stage: true,
  lead: "width",
  embedHeight: 1700,
  ends: { width: ["4: crowded", "64: roomy"] },
  across: true,
  plots: [
    {
      kind: "line",
      chart: "load",
      title: "More tokens than dimensions",
      note: "how well a token’s own key finds its value",
      cursor: "",
      place: "",
      marks: (answer) => [...full(answer), ...present(answer)],
    },
    {
      kind: "line",
      chart: "recall",
      title: "Who is still there",
      note: "the tokens so far, each asked with its own key",
      cursor: "",
      place: "",
    },
    {
      kind: "line",
      chart: "share",
      title: "The share of the first direction",
      note: "band: mean ± deviation over the seeds",
      unlabelled: ["spread"],
      cursor: "reading",
      place: "reading",
    },
    {
      kind: "line",
      chart: "rank",
      title: "In how many directions it is written",
      note: "dashed: how many equal ones would be as spread out",
      unlabelled: ["rank", "effective"],
      cursor: "reading",
      place: "reading",
    },
    {
      kind: "line",
      chart: "spectrum",
      title: "The spectrum",
      note: "singular values, the largest first",
      cursor: "reading",
      place: "reading",
    },
  ],
  hidden: [],
};

/** The reading shown, on the curve over all readings. */
function present(answer: Answer): Mark[] {
  const [reading, width, y] = ["reading", "width", "recall.mean"].map((name) => scalar(answer, name));
  if (reading == null || !width || y == null) return [];
  return [{ x: (reading + 1) / width, y, label: "", role: "query" }];
}

/** Where there are as many tokens as dimensions. */
function full(answer: Answer): Mark[] {
  const y = valueAt(answer.series.find((s) => s.chart === "load"), 1);
  return y === null ? [] : [{ x: 1, y, label: "as many tokens as dimensions", role: "ink", falls: true }];
}
