// The page's state as a link: "#v=1&m.a=0.98&d.K=4&theme=dark".
//
// A key is an experiment's short key, a dot, a knob's short key. Defaults are
// left out, so that a link says what its sender changed. Keys that this
// version does not know are kept as they came: an old page must not break a
// newer link by passing it on.

import type { Experiment, Knob, Values } from "./messages";

export type Theme = "auto" | "light" | "dark";

export interface PageState {
  /** experiment name → knob name → text; only what differs from the default */
  values: Record<string, Values>;
  theme: Theme;
  /** pairs that are kept but not understood, exactly as they stood in the link */
  rest: string[];
  /** what had to be changed or ignored, each one sentence for the reader */
  messages: string[];
  /** the texts that the link had no room for, as "w.x" */
  left: string[];
  /** the id or the figure that the link leads to, as in "#duel" and "#v=1&d.K=4&at=duel"; not kept */
  at: string;
}

const version = "1";
export const longestText = 1000;

/** Reads a link's fragment, with or without "#". Never throws. */
export function readLink(fragment: string, catalog: readonly Experiment[]): PageState {
  const state: PageState = { values: {}, theme: "auto", rest: [], messages: [], left: [], at: "" };
  const seen = new Set<string>();
  for (const pair of fragment.replace(/^#/, "").split("&")) {
    if (pair === "") continue;
    if (/^[\w-]+$/.test(pair)) {
      state.at = pair;
      continue;
    }
    const cut = pair.indexOf("=");
    const key = decode(cut < 0 ? pair : pair.slice(0, cut));
    const text = decode(cut < 0 ? "" : pair.slice(cut + 1));
    if (seen.has(key) && key !== "") state.messages.push(`The link gives “${shorten(key)}” more than once; the last is used.`);
    seen.add(key);
    readPair(state, catalog, key, text, pair);
  }
  return state;
}

function readPair(state: PageState, catalog: readonly Experiment[], key: string, text: string, pair: string): void {
  if (key === "v") {
    if (text !== version) state.messages.push(`The link is of version “${shorten(text)}”; this page reads version ${version} and shows what it understands.`);
    return;
  }
  if (key === "theme") {
    if (text === "light" || text === "dark" || text === "auto") state.theme = text;
    return;
  }
  if (key === "at") {
    state.at = text;
    return;
  }
  if (key === "long") {
    readLeft(state, catalog, text);
    return;
  }
  const dot = key.indexOf(".");
  if (dot <= 0) {
    state.rest.push(pair);
    if (key !== "") state.messages.push(`The link asks for “${shorten(key)}”, which this page does not know; it is ignored.`);
    return;
  }
  const experiment = catalog.find((e) => e.key === key.slice(0, dot));
  const knob = experiment?.knobs.find((k) => k.key === key.slice(dot + 1));
  if (!experiment || !knob) {
    state.rest.push(pair);
    const what = experiment ? `${experiment.title} has no setting “${shorten(key.slice(dot + 1))}”` : `there is no experiment “${shorten(key.slice(0, dot))}”`;
    state.messages.push(`The link asks for “${shorten(key)}”, but ${what}; it is ignored.`);
    return;
  }
  const { value, message } = clamp(knob, text);
  if (message) state.messages.push(message);
  const values = (state.values[experiment.name] ??= {});
  if (value === knob.default) delete values[knob.name];
  else values[knob.name] = value;
  if (Object.keys(values).length === 0) delete state.values[experiment.name];
}

/** The keys of texts that the link's sender had and the link had no room for. */
function readLeft(state: PageState, catalog: readonly Experiment[], text: string): void {
  for (const key of text.split(",")) {
    const found = find(catalog, key);
    if (!found) continue;
    const [experiment, knob] = found;
    state.left.push(key);
    state.messages.push(leftOut(experiment, knob));
  }
}

function leftOut(experiment: Experiment, knob: Knob): string {
  return `The link had no room for the ${knob.label} of “${experiment.title}”, which has more than ${longestText.toLocaleString("en")} characters; the default stands there.`;
}

function find(catalog: readonly Experiment[], key: string): [Experiment, Knob] | null {
  const [one, other] = key.split(".");
  const experiment = catalog.find((e) => e.key === one);
  const knob = experiment?.knobs.find((k) => k.key === other);
  return experiment && knob ? [experiment, knob] : null;
}

/**
 * Takes from the page what the link had no room for: a reader who goes back
 * keeps the long text that is there.
 */
export function keepLeft(state: PageState, before: PageState, catalog: readonly Experiment[]): void {
  for (const key of state.left) {
    const found = find(catalog, key);
    const text = found && before.values[found[0].name]?.[found[1].name];
    if (!text) continue;
    const [experiment, knob] = found;
    (state.values[experiment.name] ??= {})[knob.name] = text;
    state.messages = state.messages.filter((m) => m !== leftOut(experiment, knob));
  }
}

/** Writes the fragment without "#"; "" when everything is at its default. */
export function writeLink(state: Pick<PageState, "values" | "theme" | "rest">, catalog: readonly Experiment[]): string {
  const pairs: string[] = [];
  const left: string[] = [];
  for (const experiment of catalog) {
    const values = state.values[experiment.name] ?? {};
    for (const knob of experiment.knobs) {
      const text = values[knob.name];
      if (text === undefined || text === knob.default) continue;
      if (text.length > longestText && knob.kind !== "sequence" && knob.kind !== "pinned") {
        left.push(`${encode(experiment.key)}.${encode(knob.key)}`);
        continue;
      }
      pairs.push(`${encode(experiment.key)}.${encode(knob.key)}=${encode(text)}`);
    }
  }
  if (left.length > 0) pairs.push(`long=${left.join(",")}`);
  if (state.theme !== "auto") pairs.push(`theme=${state.theme}`);
  pairs.push(...state.rest);
  return pairs.length === 0 ? "" : [`v=${version}`, ...pairs].join("&");
}

/** A knob's value made fit to use, or what stands there instead, and one sentence if it had to change. */
export function clamp(knob: Knob, text: string, instead = knob.default): { value: string; message?: string } {
  switch (knob.kind) {
    case "number":
      return clampNumber(knob, text, instead);
    case "seed":
      return clampNumber({ ...knob, integer: true }, text, instead);
    case "choice":
      if (knob.choices.some((c) => c.value === text)) return { value: text };
      return refuse(knob, text, `one of ${knob.choices.map((c) => c.value).join(", ")}`);
    case "switch":
      if (text === "on" || text === "off") return { value: text };
      return refuse(knob, text, "on or off");
    case "text":
      return { value: fitText(text) };
    case "cursor":
      if (text === "" || text === "-1") return { value: knob.default };
      if (/^\d{1,7}$/.test(text)) return { value: String(Number(text)) };
      return refuse(knob, text, "a token's number");
    case "sequence":
    case "pinned":
      if (/^[A-Za-z0-9_-]*$/.test(text) && text.length % 4 !== 1 && text.length <= 8 * longestText) return { value: text };
      return refuse(knob, text, "a packed list of values");
  }
}

/** At most what the engine reads; one kind of line end, and no NUL, which parts the fields of a question. */
function fitText(text: string): string {
  return text.slice(0, 1 << 20).replace(/\r\n?/g, "\n").replace(/\0/g, " ");
}

/** As people write numbers: Number would also read 0x10 and 0b1. */
const decimal = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

function clampNumber(knob: Knob, text: string, instead: string): { value: string; message?: string } {
  const plain = text.trim().replace("−", "-");
  const written = knob.integer ? plain.replace(/,(?=\d{3}\b)/g, "") : plain.replace(",", ".");
  const asked = decimal.test(written) ? Number(written) : NaN;
  const range = `${knob.min} to ${knob.max}`;
  if (Number.isNaN(asked)) return refuse(knob, text, `a number from ${range}`, instead);
  const whole = knob.integer ? Math.round(asked) : asked;
  const value = Math.max(knob.min, Math.min(knob.max, whole));
  if (value === asked) return { value: String(value) };
  if (value === whole) return { value: String(value), message: `${nameOf(knob)} = ${shorten(text)} is not a whole number from ${range}; ${value} is used.` };
  return { value: String(value), message: `${nameOf(knob)} = ${shorten(text)} is outside ${range}; ${value} is used.` };
}

function refuse(knob: Knob, text: string, wanted: string, instead = knob.default): { value: string; message: string } {
  const used = instead === "" ? "it is left out" : `${instead} is used`;
  return { value: instead, message: `${nameOf(knob)} = “${shorten(text)}” is not ${wanted}; ${used}.` };
}

function nameOf(knob: Knob): string {
  return knob.symbol ? `${knob.label} ${knob.symbol}` : knob.label;
}

/** A stranger's text, cut to what a sentence can hold. */
export function shorten(text: string): string {
  return text.length > 24 ? `${text.slice(0, 24)}…` : text;
}

/** Percent-decoding that leaves a broken escape as it stands. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text.replace(/\+/g, " "));
  } catch {
    return text;
  }
}

function encode(text: string): string {
  return encodeURIComponent(text).replace(/%2C/g, ",");
}
