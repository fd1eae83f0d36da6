import type { Figure } from "./figure";

/** The same run as training and as attention, and how far apart they come out. */
export const duel: Figure = {
  name: "duel",
  stage: false,
  lead: "rate",
  embedHeight: 920,
  ends: {},
  across: true,
  plots: [
    {
      kind: "line",
      chart: "outputs",
      title: "What each way answers",
      note: "line: trained; dots: attention",
      cursor: "reading",
      place: "token",
    },
    {
      kind: "line",
      chart: "gap",
      title: "How far apart they are",
      note: "dots: the two ways; lines: mistakes that are switched on",
      cursor: "reading",
      place: "token",
    },
    {
      kind: "matrix",
      matrix: "attention",
      title: "Who attends to whom",
      note: "q̂ · k̂ for every reading and every earlier token",
      rowCursor: "reading",
      colCursor: "",
    },
  ],
  hidden: ["alphas"],
};
