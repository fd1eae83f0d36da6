import type { Figure } from "./figure";

/** Queries and keys moved apart by a change of coordinates that no output sees. */
export const qVersusK: Figure = {
  name: "q-vs-k",
  stage: false,
  lead: "stretch",
  embedHeight: 1250,
  ends: { stretch: ["1: a turn at most", "8: far apart"] },
  plots: [
    {
      kind: "line",
      chart: "clouds",
      title: "Queries, keys, values, outputs",
      note: "on the two axes along which the unmoved ones vary most",
      cursor: "",
      place: "",
      equal: true,
    },
    {
      kind: "line",
      chart: "similarity",
      title: "How alike a query and its key are",
      note: "dashed: before the move",
      unlabelled: ["before", "after"],
      cursor: "reading",
      place: "token",
    },
    {
      kind: "line",
      chart: "outputs",
      title: "What comes out",
      note: "line: before the move; dots: after",
      unlabelled: ["before", "after"],
      cursor: "reading",
      place: "token",
    },
  ],
  hidden: [],
};
