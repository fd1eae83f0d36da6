import type { Mark } from "../chart/line";
import type { Answer } from "../messages";
import { scalar, valueAt, type Figure } from "./figure";

/** How a token's weight grows with its age under momentum; the page's hero. */
export const momentumAge: Figure = {
  name: "momentum-age",
  stage: true,
  lead: "alpha",
  embedHeight: 2080,
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
      kind: "pictures",
      name: "two",
      matrices: ["state", "step"],
      signs: [""],
      title: "Two matrices",
      note: "a row for each feature, a column for each output",
    },
    {
      kind: "line",
      chart: "matrices",
      title: "How large they are",
      note: "the state, and the step that each update adds",
      cursor: "reading",
      place: "reading",
    },
    {
      kind: "line",
      chart: "directions",
      title: "In how many directions they are written",
      note: "a write has one; the step is all of Δ",
      cursor: "reading",
      place: "reading",
    },
    {
      kind: "line",
      chart: "kept",
      title: "What has to be kept",
      note: "two matrices, or the key and value of every write",
      cursor: "reading",
      place: "reading",
    },
    {
      kind: "line",
      chart: "holding",
      title: "What holding the weight changes",
      note: "the size of a write, and not its half-life",
      cursor: "reading",
      place: "reading",
      marks: (answer) => ["raw", "held"].flatMap((name) => halfOn(answer, "holding", name)),
    },
    {
      kind: "line",
      chart: "halves",
      title: "How long half takes",
      note: "of the eventual weight, whatever the rate",
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

/** Where a curve has half of its last value. */
function halfOn(answer: Answer, chart: string, name: string): Mark[] {
  const x = (scalar(answer, "token") ?? 0) + (scalar(answer, "half-life.own") ?? NaN);
  const series = answer.series.find((s) => s.chart === chart && s.name === name);
  const y = valueAt(series, x);
  return y === null ? [] : [{ x, y, label: "half", role: series?.style === "line" ? "effective" : "muted" }];
}

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
