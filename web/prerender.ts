// What the build needs of the page's own code: the first view as text.

import { figures } from "./figures/index";
import { figureOf, know } from "./figures/known";
import { fill } from "./fill";
import { escape } from "./chart/text";
import { costText } from "./cost";
import { plotsOf } from "./figures/figure";
import { figureHtml, findingHtml, plotHtml, questionHtml } from "./markup";
import type { Answer, Experiment } from "./messages";
import { drawPlot } from "./plots";
import { scalarText } from "./prose";
import { scalarTable } from "./table";

/** The width that plots are drawn for before a browser has measured them. */
const firstWidth = 460;

know(figures);

/** An Answer as the headless command prints it. */
export function parseAnswer(json: string): Answer {
  return fill(JSON.parse(json), new Float64Array(0));
}

/** The figure as it stands in the page before any script runs: whole, or further down a sketch. */
export function firstView(experiment: Experiment, answer: Answer, whole: boolean): string {
  return whole ? wholeHtml(experiment, answer) : sketchHtml(experiment, answer);
}

/** The figure with its default run in it. */
export function wholeHtml(experiment: Experiment, answer: Answer): string {
  const plots = plotsOf(figureOf(experiment.name), answer).map((plot) => plotHtml(plot, drawPlot(experiment.name, plot, answer, {}, firstWidth).svg));
  return figureHtml(experiment, {}, false, {
    finding: findingHtml(answer, experiment),
    plots: plots.join(""),
    cost: costText(answer, null),
    scalars: scalarTable(answer),
  });
}

/**
 * What stands in the page for a figure further down: question and sentence,
 * which a reader without scripts gets too. The page puts the whole figure in
 * its place soon after it has opened, and draws it when it comes near.
 */
function sketchHtml(experiment: Experiment, answer: Answer): string {
  return (
    `<figure class="figure sketch" aria-labelledby="${escape(experiment.name)}-title">` +
    `${questionHtml(experiment)}<div class="finding" data-part="finding">${findingHtml(answer)}</div></figure>`
  );
}

/** One sentence for each thing that index.html and the catalog do not agree on. */
export function disagreements(shown: readonly string[], catalog: readonly Experiment[]): string[] {
  const known = new Set(catalog.map((e) => e.name));
  return [
    ...shown.filter((name) => !known.has(name)).map((name) => `index.html shows <ttt-figure name="${name}">, but the engine has no experiment of that name.`),
    ...catalog
      .filter((e) => !shown.includes(e.name))
      .map((e) => `The engine has the experiment "${e.name}", but index.html has no <ttt-figure name="${e.name}">.`),
    ...catalog
      .filter((e) => new Set(e.knobs.map((k) => k.key)).size !== e.knobs.length)
      .map((e) => `The experiment "${e.name}" gives two knobs the same key; a link could not tell them apart.`),
    ...shown.filter((name, i) => shown.indexOf(name) !== i).map((name) => `index.html shows <ttt-figure name="${name}"> twice.`),
  ];
}

export { figureOf, scalarText };
