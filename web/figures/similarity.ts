import type { Mark } from "../chart/line";
import type { Answer } from "../messages";
import { place } from "../numbers";
import { scalar, type Figure } from "./figure";

/** Whether a query near its key reads its value: one run, and its spread over seeds. */
export const similarity: Figure = {
  name: "similarity",
  stage: false,
  lead: "noise",
  embedHeight: 1150,
  ends: { noise: ["0: the query is the key", "2: mostly noise"] },
  plots: [
    { kind: "line", chart: "scatter", title: "One run, token by token", note: "dashed: the line that fits best", cursor: "", place: "", marks: chosen },
    {
      kind: "line",
      chart: "seeds",
      title: "Near the value?",
      note: "a point is a run; bands: mean ± deviation",
      unlabelled: ["clean spread", "noisy spread"],
      cursor: "",
      place: "",
    },
    {
      kind: "line",
      chart: "correlations",
      title: "Does nearness carry over?",
      note: "the correlation r of each run",
      unlabelled: ["correlation spread"],
      cursor: "",
      place: "",
    },
  ],
  hidden: [],
};

/** The token under the cursor. */
function chosen(answer: Answer): Mark[] {
  const [token, x, y] = ["token", "token.near", "token.right"].map((name) => scalar(answer, name));
  if (token == null || x == null || y == null) return [];
  const word = answer.words?.[token];
  return [{ x, y, label: `token ${place(token)}${word ? `, “${word}”` : ""}`, role: "ink", bare: true }];
}
