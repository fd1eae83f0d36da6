import type { Figure } from "./figure";

/** What a readout trained on the outputs can absorb, and what it cannot. */
export const paradoxLab: Figure = {
  name: "paradox-lab",
  stage: false,
  lead: "rate",
  embedHeight: 1500,
  ends: {},
  across: true,
  plots: [
    {
      kind: "line",
      chart: "error",
      title: "The error that matters",
      note: "a readout kept, or trained again at each K",
      cursor: "",
      place: "",
    },
    { kind: "line", chart: "inner", title: "The loss that the inner loop sees", note: "on each token’s own pair", cursor: "", place: "" },
    {
      kind: "matrix",
      matrix: "mismatch",
      title: "Trained at one K, tested at another",
      note: "the error; colour 1 is twice that of a readout trained there",
      rowCursor: "",
      colCursor: "",
    },
  ],
  panel: "table",
  hidden: [],
};
