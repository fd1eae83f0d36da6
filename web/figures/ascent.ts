import type { Figure } from "./figure";

const outputs = { kind: "pictures", title: "One reading, in pictures", note: "blue is below the mean digit, orange above" } as const;

/** Gradient ascent beside descent: a negative, as long as nothing breaks the symmetry. */
export const ascent: Figure = {
  name: "ascent",
  stage: false,
  lead: "mirror",
  embedHeight: 1000,
  ends: {},
  plots: [
    { ...outputs, name: "opposite", matrices: ["negative", "descent", "sum"], signs: ["+", "="] },
    { ...outputs, name: "equal", matrices: ["same", "descent", "difference"], signs: ["−", "="] },
    {
      kind: "line",
      chart: "outputs",
      title: "One coordinate of the output",
      note: "dashed: what the two leave of each other",
      cursor: "reading",
      place: "reading",
    },
  ],
  hidden: [],
};
