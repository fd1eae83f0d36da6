// Every message that crosses a thread or a frame, in one place.

/** What an experiment found; mirrors engine/experiments.Answer. NaN crosses as null. */
export interface Answer {
  experiment: string;
  sentence: string;
  emphasis: string;
  formula: string;
  warnings: string[];
  scalars: Scalar[];
  series: Series[];
  matrices: Matrix[];
  table: Table;
  /** counted; bytes of the state, and of the keys and values that softmax attention would keep */
  cost: { multiplyAdds: number; stateBytes: number; cacheBytes?: number };
  /** what the tokens are called, and behind them the last one's value; absent where they have no name */
  words?: string[];
}

/** Rows of text under a head; most answers have none. */
export interface Table {
  head: string[];
  rows: Row[];
}

/** A link is "experiment?knob=value&…", where a reader sees the row live, or "". */
export interface Row {
  cells: string[];
  link: string;
}

export interface Scalar {
  name: string;
  value: number | null;
  unit: string;
  meaning: string;
  how: string;
}

export interface Axis {
  label: string;
  unit: string;
  log: boolean;
}

export type Role = "key" | "value" | "query" | "effective" | "state" | "gap" | "ink" | "muted";

export interface Series {
  chart: string;
  name: string;
  label: string;
  role: Role;
  /** dots lie on a line and may be thinned; points are a scatter; a band lies between y and y2 */
  style: "line" | "dashed" | "dots" | "bars" | "points" | "band";
  x: ArrayLike<number>;
  y: ArrayLike<number>;
  /** the other edge of a band; else empty */
  y2: ArrayLike<number>;
  /** what the points are called, where they have names: each then has a row of its own */
  names?: readonly string[];
  xAxis: Axis;
  yAxis: Axis;
}

/** On a logarithmic axis cell i stands for 2ⁱ. */
export interface Matrix {
  name: string;
  label: string;
  rows: number;
  cols: number;
  stride: number;
  rowAxis: Axis;
  colAxis: Axis;
  diverging: boolean;
  values: ArrayLike<number>;
  /** what is written in each cell of a small matrix */
  cells?: readonly string[];
}

/** One control; mirrors engine/experiments.Knob. */
export interface Knob {
  name: string;
  key: string;
  kind: "number" | "choice" | "switch" | "seed" | "sequence" | "cursor" | "text" | "pinned";
  label: string;
  symbol: string;
  unit: string;
  min: number;
  max: number;
  step: number;
  log: boolean;
  integer: boolean;
  choices: { value: string; label: string }[];
  default: string;
  help: string;
  /** the task with which alone the knob means something; with a minus, the one with which it does not */
  task?: string;
}

export interface Experiment {
  name: string;
  key: string;
  title: string;
  question: string;
  knobs: Knob[];
  /** whether the lab's program answers it, and not the engine's */
  lab: boolean;
}

/** Knob values by name, as text; a missing name means the default. */
export type Values = Record<string, string>;

/** page → worker, once and first: where the engine's files lie. */
export interface Boot {
  kind: "boot";
  files: EngineFiles;
  /** compiled by an earlier worker; saves the download and the compiler */
  module?: WebAssembly.Module;
}

/** Absolute addresses of what a worker loads. */
export interface EngineFiles {
  /** wasm_exec.js of the Go release that built the program */
  runtime: string;
  /** the program: with wasm SIMD, and without */
  fast: string;
  plain: string;
  /** a classic script that holds the plain one as text, for hosts where fetch is refused */
  script: string;
  /** the word list, and the same as a script; fetched once a run asks for words */
  words: string;
  wordsScript: string;
}

/** page → worker */
export type Ask =
  | { kind: "run"; id: number; experiment: string; values: Values }
  | { kind: "film"; id: number; experiment: string; values: Values }
  | {
      kind: "paint";
      id: number;
      /** whose film: the worker keeps the last one and makes another anew */
      experiment: string;
      values: Values;
      /** token time, fractional while a write is being added */
      time: number;
      width: number;
      height: number;
      scale: number;
      dark: boolean;
    };

/** worker → page; `id` is the Ask's. */
export type Reply =
  | { kind: "ready"; simd: boolean }
  /** sent apart: where it may not be cloned, only a restart gets slower */
  | { kind: "module"; module: WebAssembly.Module }
  | { kind: "answer"; id: number; answer: Answer; milliseconds: number }
  /** while a run goes on: how many parts of a piece of work are done */
  | { kind: "progress"; id: number; work: string; done: number; of: number }
  | { kind: "film"; id: number; film: ArrayBuffer }
  | { kind: "frame"; id: number; width: number; height: number; pixels: ArrayBuffer; labels: Label[] }
  | { kind: "refused"; id: number; sentence: string }
  | { kind: "dead"; sentence: string };

/** One line of text over the stage, in CSS pixels of the stage; y is the line's middle. */
export interface Label {
  x: number;
  y: number;
  /** start, middle or end of the text stands at x */
  anchor: "start" | "middle" | "end";
  small: boolean;
  runs: Run[];
}

/** A piece of a label in one face and colour. */
export interface Run {
  text: string;
  role: Role;
  /** running text, the name of a thing, a formula's letter */
  face: "plain" | "strong" | "symbol";
}

/** page → stage frame */
export type StageOrder =
  | { kind: "film"; film: ArrayBuffer }
  /** draw the film at this time, once */
  | { kind: "time"; time: number }
  | { kind: "theme"; dark: boolean };

/** stage frame → page */
export type StageReport =
  | { kind: "booted" }
  /** the first frame of a film has been drawn */
  | { kind: "drawn"; time: number }
  | { kind: "lost"; sentence: string };
