// Knobs as HTML text, from the catalog. Pure: the build and the browser share it.

import { escape } from "./chart/text";
import { icons } from "./icons";
import type { Experiment, Knob, Values } from "./messages";
import { px } from "./numbers";
import { knobText, toPosition } from "./scale";

/** The greek and hatted letters that have a colour of their own. */
const symbolRoles: Record<string, string> = { k: "key", v: "value", q: "query", W: "state", S: "state" };

/** The id of a knob's main control. */
export function knobId(experiment: Pick<Experiment, "name">, knob: Pick<Knob, "name">): string {
  return `${experiment.name}-${knob.name}`;
}

/** The knob's present value as text. */
export function valueOf(knob: Knob, values: Values): string {
  return values[knob.name] ?? knob.default;
}

/** Whether a knob means something with the present task. */
export function applies(experiment: Experiment, knob: Knob, values: Values): boolean {
  const task = experiment.knobs.find((k) => k.name === "task");
  if (!knob.task || !task) return true;
  return (valueOf(task, values) === knob.task.replace("-", "")) !== knob.task.startsWith("-");
}

/** One knob, or "" for what charts, the player and the pin button move; hidden while it does not apply. */
export function knobHtml(experiment: Experiment, knob: Knob, values: Values, ends?: [string, string]): string {
  const html = controlHtml(experiment, knob, values, ends);
  return applies(experiment, knob, values) ? html : html.replace(/^<\w+/, "$& hidden");
}

function controlHtml(experiment: Experiment, knob: Knob, values: Values, ends?: [string, string]): string {
  switch (knob.kind) {
    case "number":
      return numberHtml(experiment, knob, values, ends);
    case "choice":
      return choiceHtml(experiment, knob, values);
    case "switch":
      return switchHtml(experiment, knob, values);
    case "seed":
      return seedHtml(experiment, knob, values);
    case "sequence":
      return sequenceHtml(experiment, knob);
    case "text":
      return textHtml(experiment, knob, values);
    case "cursor":
    case "pinned":
      return "";
  }
}

function open(knob: Knob, tag: string, extra = ""): string {
  return `<${tag} class="knob ${knob.kind}" data-knob="${escape(knob.name)}"${extra}>`;
}

/** The knob's letter, in its colour. */
export function symbolHtml(knob: Knob): string {
  if (!knob.symbol) return "";
  const role = symbolRoles[knob.symbol.charAt(0)];
  return ` <i class="symbol${role ? ` role-${role}` : ""}">${escape(knob.symbol)}</i>`;
}

/** Words for a screen reader: "momentum α". */
export function spokenName(knob: Knob): string {
  return knob.symbol ? `${knob.label} ${knob.symbol}` : knob.label;
}

function help(id: string, knob: Knob): string {
  return knob.help ? `<p class="help" id="${id}-help">${escape(knob.help)}</p>` : "";
}

function describedBy(id: string, knob: Knob): string {
  return knob.help ? ` aria-describedby="${id}-help"` : "";
}

function resetHtml(knob: Knob): string {
  return `<button type="button" class="reset" data-reset hidden aria-label="reset ${escape(spokenName(knob))}">reset</button>`;
}

function numberHtml(experiment: Experiment, knob: Knob, values: Values, ends?: [string, string]): string {
  const id = escape(knobId(experiment, knob));
  const value = Number(valueOf(knob, values));
  const name = escape(spokenName(knob));
  const step = (direction: number, word: string, icon: string): string =>
    `<button type="button" class="step" data-step="${direction}" aria-label="${name} ${word}">${icon}</button>`;
  return (
    open(knob, "div") +
    `<div class="knob-head"><label for="${id}">${escape(knob.label)}${symbolHtml(knob)}</label>` +
    resetHtml(knob) +
    `<input class="knob-value" type="text" inputmode="decimal" autocomplete="off" spellcheck="false" ` +
    `value="${escape(knobText(knob, value))}" size="5" aria-label="${name}, as a number">` +
    (knob.unit ? `<span class="unit">${escape(knob.unit)}</span>` : "") +
    `</div><div class="knob-row">` +
    step(-1, "down", icons.fewer) +
    sliderHtml(id, knob, value, describedBy(id, knob)) +
    step(1, "up", icons.more) +
    `</div>` +
    (ends ? `<div class="ends"><span>${escape(ends[0])}</span><span>${escape(ends[1])}</span></div>` : "") +
    (overruler(experiment, knob)
      ? `<p class="overruled" hidden>Set token by token now. <button type="button" class="plain" data-overrule>use one value</button></p>`
      : "") +
    help(id, knob) +
    `</div>`
  );
}

/** The sequence that, once drawn, takes the place of a number: "alphas" that of "alpha". */
export function overruler(experiment: Experiment, knob: Knob): Knob | undefined {
  return experiment.knobs.find((k) => k.kind === "sequence" && k.name === `${knob.name}s`);
}

type Slider = Pick<Knob, "min" | "max" | "step" | "log" | "integer">;

/**
 * A native range under a drawn track. The range carries the knob's own value
 * on a log scale too; only the drawing and the pointer follow the logarithm.
 */
export function sliderHtml(id: string, knob: Slider, value: number, attributes = ""): string {
  const place = px(100 * toPosition(knob, value));
  return (
    `<div class="slide${knob.log ? " log" : ""}">` +
    `<svg class="track" width="100%" height="24" aria-hidden="true" focusable="false">` +
    `<line class="rail" x1="0" x2="100%" y1="12" y2="12"/>` +
    `<line class="run" x1="0" x2="${place}%" y1="12" y2="12"/>` +
    `<circle class="thumb" cx="${place}%" cy="12" r="9"/></svg>` +
    `<input type="range" id="${id}" min="${knob.min}" max="${knob.max}" step="${knob.log && !knob.integer ? "any" : knob.step}" value="${value}"${attributes}></div>`
  );
}

function choiceHtml(experiment: Experiment, knob: Knob, values: Values): string {
  const id = escape(knobId(experiment, knob));
  const value = valueOf(knob, values);
  const options = knob.choices.map(
    (c) =>
      `<label><input type="radio" name="${id}" value="${escape(c.value)}"${c.value === value ? " checked" : ""}>` +
      `<span>${escape(c.label)}</span></label>`,
  );
  return (
    open(knob, "div", ` role="radiogroup" aria-labelledby="${id}-name"${describedBy(id, knob)}`) +
    `<div class="knob-head"><span id="${id}-name">${escape(knob.label)}${symbolHtml(knob)}</span>${resetHtml(knob)}</div>` +
    `<div class="segments">${options.join("")}</div>${help(id, knob)}</div>`
  );
}

function switchHtml(experiment: Experiment, knob: Knob, values: Values): string {
  const id = escape(knobId(experiment, knob));
  const on = valueOf(knob, values) === "on";
  return (
    open(knob, "div") +
    `<label class="check"><input type="checkbox" id="${id}"${on ? " checked" : ""}${describedBy(id, knob)}>` +
    `<span>${escape(knob.label)}${symbolHtml(knob)}</span></label>${resetHtml(knob)}${help(id, knob)}</div>`
  );
}

function seedHtml(experiment: Experiment, knob: Knob, values: Values): string {
  const id = escape(knobId(experiment, knob));
  return (
    open(knob, "div") +
    `<div class="knob-head"><label for="${id}">${escape(knob.label)}${symbolHtml(knob)}</label>${resetHtml(knob)}</div>` +
    `<div class="knob-row"><input class="knob-value" type="text" inputmode="numeric" autocomplete="off" id="${id}" ` +
    `value="${escape(valueOf(knob, values))}" size="8"${describedBy(id, knob)}>` +
    `<button type="button" class="plain" data-new-seed>new ${escape(knob.label)}</button></div>${help(id, knob)}</div>`
  );
}

/** A line for one word, a field for many; many have a count, and a button where they are very many. */
function textHtml(experiment: Experiment, knob: Knob, values: Values): string {
  const id = escape(knobId(experiment, knob));
  const text = applies(experiment, knob, values) ? escape(valueOf(knob, values)) : ""; // what is hidden is filled in later
  const plain = `id="${id}" autocomplete="off" spellcheck="false"`;
  const head = `<div class="knob-head"><label for="${id}">${escape(knob.label)}${symbolHtml(knob)}</label>${resetHtml(knob)}`;
  if (knob.max === 1) {
    return `${open(knob, "div")}${head}</div><input type="text" ${plain} autocapitalize="none" maxlength="100" value="${text}"${describedBy(id, knob)}>${help(id, knob)}</div>`;
  }
  return (
    `${open(knob, "div")}${head}<output class="knob-value" data-count for="${id}"></output></div>` +
    // A line feed right after the tag is not part of the text.
    `<textarea ${plain} rows="5"${describedBy(id, knob)}>\n${text}</textarea>` +
    `<p class="help" data-long hidden>Longer than a link can hold: copied links leave this text out.</p>` +
    `<button type="button" class="plain" data-read hidden></button>${help(id, knob)}</div>`
  );
}

/** The editor's bars are drawn by the browser, so without scripts it is left out. */
function sequenceHtml(experiment: Experiment, knob: Knob): string {
  const id = escape(knobId(experiment, knob));
  const name = escape(spokenName(knob));
  return (
    open(knob, "div") +
    `<div class="knob-head">${resetHtml(knob)}<output class="knob-value" data-token-value></output></div>` +
    `<div class="strip" id="${id}" role="slider" tabindex="0" aria-labelledby="${id}-name" aria-valuemin="${knob.min}" ` +
    `aria-valuemax="${knob.max}" aria-valuenow="0"${describedBy(id, knob)}></div>` +
    `<div class="knob-row"><button type="button" class="step" data-token="-1" aria-label="${name}: earlier token">${icons.back}</button>` +
    `<button type="button" class="step" data-token="1" aria-label="${name}: later token">${icons.forward}</button>` +
    `<button type="button" class="step" data-step="-1" aria-label="${name} down">${icons.fewer}</button>` +
    `<button type="button" class="step" data-step="1" aria-label="${name} up">${icons.more}</button>` +
    `<button type="button" class="plain" data-flat>flat</button>` +
    `<button type="button" class="plain" data-clear>clear</button></div>${help(id, knob)}</div>`
  );
}
