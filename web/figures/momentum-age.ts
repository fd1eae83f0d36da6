import type { Mark } from "../chart/line";
import type { Answer } from "../messages";
import { scalar, valueAt, type Figure } from "./figure";

/** How a token's weight grows with its age under momentum; the page's hero. */
export const momentumAge: Figure = {
  name: "momentum-age",
  stage: true,
  lead: "alpha",
  embedHeight: 1900,
  ends: { alpha: ["0: every token counts the same", "0.99: old tokens rule"] },
  plots: [
    {
      kind: "line",
      chart: "growth",
      title: "One token, read later and later",
      note: "a column of the matrix; dots: the closed form",
      unlabelled: ["closed"],
      cursor: "reading",
      place: "reading",
      marks: halfLives,
    },
    {
      kind: "line",
      chart: "reading",
      title: "One reading, every token",
      note: "a row of the matrix",
      cursor: "token",
      place: "token",
    },
    {
      kind: "matrix",
      matrix: "multipliers",
      title: "All multipliers",
      note: "every reading, every token",
      rowCursor: "reading",
      colCursor: "token",
    },
    {
      kind: "line",
      chart: "matrices",
      title: "Two matrices are kept",
      note: "the state, and the step that each update adds",
      cursor: "reading",
      place: "reading",
    },
    {
      kind: "line",
      chart: "halves",
      title: "How long half takes",
      note: "the same with the weight held or not",
      cursor: "",
      place: "",
    },
    {
      kind: "matrix",
      matrix: "sweep",
      title: "Every momentum, every age",
      note: "share of the eventual weight, less ½: white is the half-life",
      rowCursor: "",
      colCursor: "",
    },
  ],
  hidden: ["alphas"],
  pin: true,
};

/** The half-lives that the sentence names, as points on the curve. */
function halfLives(answer: Answer): Mark[] {
  const own = scalar(answer, "half-life.own");
  const limit = scalar(answer, "half-life.limit");
  const token = scalar(answer, "token") ?? 0;
  const profile = answer.series.find((s) => s.chart === "growth" && s.name === "profile");
  const mark = (later: number, label: string, role: Mark["role"]): Mark[] => {
    const y = valueAt(profile, token + later);
    return y === null ? [] : [{ x: token + later, y, label, role }];
  };
  const updates = (n: number): string => `${n} later ${n === 1 ? "update" : "updates"}`;
  if (own === null) return [];
  if (limit === null || limit === own) return mark(own, `half after ${updates(own)}`, "effective");
  return [
    ...mark(own, `half of its last weight: ${updates(own)}`, "effective"),
    ...mark(limit, `half of its eventual weight: ${limit}`, "ink"),
  ];
}
