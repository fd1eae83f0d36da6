import type { Figure } from "./figure";

/** What each token really writes, beside its value. */
export const effectiveValue: Figure = {
  name: "effective-value",
  stage: false,
  lead: "loss",
  embedHeight: 1150,
  ends: {},
  plots: [
    {
      kind: "pictures",
      name: "write",
      matrices: ["value", "prediction", "effective"],
      signs: ["−", "="],
      title: "One write, in pictures",
      note: "blue is below the mean digit, orange above",
    },
    {
      kind: "pictures",
      name: "copied",
      matrices: ["value", "copy"],
      signs: ["="],
      title: "One write, in pictures",
      note: "blue is below the mean digit, orange above",
    },
    {
      kind: "line",
      chart: "cosine",
      title: "Direction",
      note: "1: what is written points along the value",
      cursor: "token",
      place: "token",
    },
    {
      kind: "line",
      chart: "length",
      title: "Length",
      note: "1: as long as under the dot loss",
      cursor: "token",
      place: "token",
    },
  ],
  hidden: [],
};
