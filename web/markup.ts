// A whole figure as HTML text: what the build writes into the page and what an
// embed starts from. Pure.

import { escape } from "./chart/text";
import { inSymbols } from "./formula";
import { figureOf } from "./figures/known";
import { plotName, type Figure, type LinePlot, type Plot } from "./figures/figure";
import { icons } from "./icons";
import { knobHtml, knobId, sliderHtml, symbolHtml } from "./knobview";
import type { Answer, Experiment, Knob, Values } from "./messages";
import { powers } from "./numbers";

const digitsSource =
  `Digits: E. Alpaydin and C. Kaynak, <a href="https://doi.org/10.24432/C50P49">Optical Recognition of Handwritten Digits</a>, ` +
  `UCI Machine Learning Repository, 1998, <a href="https://creativecommons.org/licenses/by/4.0/">CC BY 4.0</a>; scaled and centred.`;

const wordsSource =
  `Words: J. Pennington, R. Socher, C. D. Manning, <a href="https://nlp.stanford.edu/projects/glove/">GloVe</a>, 2014, ` +
  `<a href="https://opendatacommons.org/licenses/pddl/1-0/">Public Domain Dedication and License 1.0</a>; 5,996 frequent words, ` +
  `32 principal components, 8 bits a number.`;

/** What a run fills in. */
export interface Filled {
  finding: string;
  plots: string;
  cost: string;
  scalars: string;
}

/**
 * The figure of an experiment, with room for a run or, in the build, filled by
 * one. A compact figure, for an embed, keeps its further settings folded.
 */
export function figureHtml(experiment: Experiment, values: Values, compact = false, filled?: Filled): string {
  const figure = figureOf(experiment.name);
  const name = escape(experiment.name);
  const leads = [figure.lead, ...(figure.beside ?? [])].flatMap((lead) => experiment.knobs.filter((k) => k.name === lead));
  const others = experiment.knobs.filter((k) => !leads.includes(k) && k.kind !== "sequence");
  const editors = experiment.knobs.filter((k) => k.kind === "sequence");
  const knob = (k: Knob): string => knobHtml(experiment, k, values, figure.ends[k.name]);
  // The checks stand in the table; a radio button for each would be too many.
  const settings =
    figure.panel === "checks" ? "" : `<div class="knobs" role="group" aria-label="Settings">${others.map(knob).join("")}</div>` +
    editors.map((k) => editorHtml(experiment, k, knob(k), figure.stage && !compact)).join("");
  return (
    `<figure class="figure${figure.stage ? " staged" : ""}${figure.panel ? " tabled" : ""}${figure.across || figure.stage || compact ? " across" : ""}" aria-labelledby="${name}-title">` +
    questionHtml(experiment) +
    (figure.stage ? `<div class="stage-host" data-part="stage"></div><div class="stills" role="group" aria-label="Stills" data-part="stills"></div>` : "") +
    `<div class="dock">${figure.stage ? playerHtml(experiment) : ""}${leads.length > 0 ? `<div class="lead">${leads.map(knob).join("")}</div>` : ""}</div>` +
    `<div class="finding" data-part="finding">${filled?.finding ?? ""}</div>` +
    `<div class="plots" data-part="plots">${filled?.plots ?? emptyPlots(figure)}</div>` +
    (figure.panel ? `<div class="panel" data-part="panel"></div>` : "") +
    (compact && settings ? `<details class="folded"><summary>more settings</summary>${settings}</details>` : settings) +
    `<figcaption class="source" data-part="source">${sourceHtml(experiment, values)}</figcaption>` +
    `<p class="cost" data-part="cost">${filled?.cost ?? ""}</p>` +
    `<div class="tools"><details class="numbers"><summary>Numbers as a table</summary>` +
    `<div data-part="scalars">${filled?.scalars ?? ""}</div><div data-part="points"></div>` +
    `<button type="button" class="plain" data-csv>download CSV</button></details>` +
    `<span class="share">${figure.pin ? `<button type="button" class="plain" data-pin>pin the curve</button>` : ""}<button type="button" class="plain" data-link>copy link</button>` +
    `<button type="button" class="plain" data-embed>embed</button>` +
    `<button type="button" class="plain" data-reset-all hidden>reset all</button></span></div>` +
    `</figure>`
  );
}

export function questionHtml(experiment: Experiment): string {
  return `<h2 class="question" id="${escape(experiment.name)}-title"><b>${escape(experiment.title)}</b> <span>${escape(experiment.question)}</span></h2>`;
}

/** Room for the plots that are to come. */
function emptyPlots(figure: Figure): string {
  return figure.plots.map((plot) => plotHtml(plot, "")).join("");
}

/** The editor of one value a token, named by its fold. */
function editorHtml(experiment: Experiment, knob: Knob, body: string, open: boolean): string {
  const name = `${escape(knobId(experiment, knob))}-name`;
  return `<details class="editor"${open ? " open" : ""}><summary id="${name}">${escape(knob.label)}${symbolHtml(knob)}</summary>${body}</details>`;
}

/** Whoever shows real digits or words names their source and licence; "" where a run shows neither. */
export function sourceHtml(experiment: Experiment, values: Values): string {
  const task = experiment.name === "words" ? "words" : (values["task"] ?? experiment.knobs.find((k) => k.name === "task")?.default);
  return task === "digits" ? digitsSource : task === "words" ? wordsSource : "";
}

/** The sentence with its emphasis, the rule (of an experiment, in symbols too), what a reader must know. */
export function findingHtml(answer: Answer, experiment?: Experiment, values: Values = {}): string {
  const warnings = answer.warnings.map((w) => `<li>${escape(powers(w))}</li>`).join("");
  return (
    `<p class="sentence">${emphasised(powers(answer.sentence), powers(answer.emphasis))}</p>` +
    formulaHtml(powers(answer.formula), powers(experiment ? inSymbols(answer.formula, experiment, values) : answer.formula)) +
    (warnings ? `<ul class="warnings">${warnings}</ul>` : "")
  );
}

/** The rule in symbols; its numbers take their place under a pointer or the focus. */
function formulaHtml(numbers: string, symbols: string): string {
  if (numbers === symbols) return numbers ? `<p class="formula">${escape(numbers)}</p>` : "";
  return `<p class="formula both" tabindex="0" role="group" aria-label="rule"><span>${escape(symbols)}</span><span class="numbers-in">${escape(numbers)}</span></p>`;
}

function emphasised(sentence: string, emphasis: string): string {
  const at = emphasis ? sentence.indexOf(emphasis) : -1;
  if (at < 0) return escape(sentence);
  return `${escape(sentence.slice(0, at))}<em>${escape(emphasis)}</em>${escape(sentence.slice(at + emphasis.length))}`;
}

/** A plot with its heading; the browser puts a cursor over it. */
export function plotHtml(plot: Plot, svg: string): string {
  return (
    `<div class="plot ${plot.kind === "line" ? lineClass(plot) : plot.kind}" data-plot="${escape(plotName(plot))}">` +
    `<h3>${escape(plot.title)}${plot.note ? ` <span>${escape(plot.note)}</span>` : ""}</h3>` +
    `<div class="canvas">${svg}</div></div>`
  );
}

function lineClass(plot: LinePlot): string {
  return plot.named ? "named" : plot.equal ? "line equal" : "line";
}

/** Play, step both ways, scrub, count, speed. */
function playerHtml(experiment: Experiment): string {
  const length = Number(experiment.knobs.find((k) => k.name === "length")?.default ?? 64);
  const scrub = { min: 0, max: length, step: 1, log: false, integer: false };
  const speeds = [["0.5", "½×"], ["1", "1×"], ["2", "2×"], ["4", "4×"], ["16", "16×"]];
  return (
    `<div class="player" role="group" aria-label="Player" data-part="player">` +
    `<button type="button" class="play" aria-label="play">${icons.play}</button>` +
    `<button type="button" class="round" data-move="-1" aria-label="step back">${icons.back}</button>` +
    `<button type="button" class="round" data-move="1" aria-label="step forward">${icons.forward}</button>` +
    sliderHtml(`${escape(experiment.name)}-time`, scrub, length, ` aria-label="tokens read"`).replace('step="1"', 'step="any"') +
    `<output class="count" for="${escape(experiment.name)}-time"><span>token </span><span>${length} of ${length}</span></output>` +
    `<select class="speed" aria-label="speed">${speeds.map(([v, t]) => `<option value="${v}"${v === "1" ? " selected" : ""}>${t}</option>`).join("")}</select>` +
    `</div>`
  );
}
