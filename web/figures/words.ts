import type { Figure } from "./figure";

/** A text that the reader types, read by the layer and asked for a word. */
export const words: Figure = {
  name: "words",
  stage: false,
  lead: "text",
  beside: ["ask"],
  embedHeight: 1500,
  ends: {},
  across: true,
  plots: [
    {
      kind: "line",
      chart: "writes",
      title: "Which words made the answer",
      note: "place, word and next word: the eight writes that count most",
      cursor: "",
      place: "",
      named: true,
    },
    {
      kind: "line",
      chart: "nearest",
      title: "Words nearest to the answer",
      note: "of the 5,996 that the list knows",
      cursor: "",
      place: "",
      named: true,
    },
    {
      kind: "line",
      chart: "course",
      title: "The same question, asked after every word",
      note: "drag to choose how far the text is read",
      cursor: "reading",
      place: "reading",
    },
    {
      kind: "matrix",
      matrix: "attention",
      title: "Who attends to whom",
      note: "q̂ · k̂ of every word with every earlier one",
      rowCursor: "reading",
      colCursor: "",
    },
  ],
  hidden: [],
};
