import type { Mark } from "../chart/line";
import type { Answer } from "../messages";
import { scalar, type Figure } from "./figure";

const tasks = ["recall", "smoothing", "gaussian", "digits", "words"];
const names: Record<string, string> = { gaussian: "random vectors" };

/** Every query replaced by its key: harmless for some tasks, ruinous for others. */
export const qToK: Figure = {
  name: "q-to-k",
  stage: false,
  lead: "task",
  embedHeight: 1750,
  ends: {},
  across: true,
  plots: [
    {
      kind: "line",
      chart: "tasks",
      title: "All tasks, twelve draws each",
      note: "cosine of the output with what was wanted; on the dashed line nothing has changed",
      unlabelled: ["same", ...tasks],
      equal: true,
      cursor: "",
      place: "",
      marks: means,
    },
    {
      kind: "line",
      chart: "retrained",
      title: "With a readout trained on the outputs",
      note: "dashed: no better than always answering 0",
      cursor: "",
      place: "",
      named: true,
    },
    { kind: "pictures", name: "attention", matrices: ["queries", "keys"], signs: ["→"], title: "Who looks at whom", note: "a row for each reading, a column for each write" },
    { kind: "line", chart: "wanted", title: "How near to what was wanted", note: "this draw, token by token", cursor: "reading", place: "reading" },
    { kind: "line", chart: "own", title: "How much of an output is its own token", note: "the share of the diagonal", cursor: "reading", place: "reading" },
  ],
  hidden: [],
};

/** Each task's name at the mean of its draws. */
function means(answer: Answer): Mark[] {
  return tasks.flatMap((task): Mark[] => {
    const [x, y] = [scalar(answer, `${task}.before`), scalar(answer, `${task}.after`)];
    const role = answer.series.find((s) => s.chart === "tasks" && s.name === task)?.role === "gap" ? "gap" : "ink";
    return x === null || y === null ? [] : [{ x, y, label: names[task] ?? task, role, bare: true }];
  });
}
