// What some figures show beside plots: an Answer's table, or the engine's own
// checks with a button that runs them all.

import { escape } from "./chart/text";
import { scalar } from "./figures/figure";
import { writeLink } from "./link";
import type { Host } from "./host";
import type { Answer, Experiment, Knob, Row, Values } from "./messages";
import { formatNumber, powers } from "./numbers";

/** An Answer's table; its rows link to the settings where they can be seen live. */
export function tableHtml(answer: Answer, catalog: readonly Experiment[]): string {
  const { head, rows } = answer.table;
  const named = (i: number): string => ` data-head="${escape(head[i] ?? "")}"`;
  const body = rows.map((row) => {
    const link = linkOf(row, catalog);
    const cells = row.cells.map((cell, i) => (i === 0 ? `<th scope="row">${escape(powers(cell))}</th>` : `<td${named(i)}>${escape(powers(cell))}</td>`));
    return `<tr>${cells.join("")}<td class="live">${link ? `<a href="${escape(link.href)}" data-live="${escape(row.link)}">${escape(link.title)}</a>` : ""}</td></tr>`;
  });
  return (
    `<div class="scroll wide" tabindex="0" role="group" aria-label="Table"><table class="cards"><thead><tr>` +
    head.map((h) => `<th scope="col">${escape(h)}</th>`).join("") +
    `<th scope="col">see it live</th></tr></thead><tbody>${body.join("")}</tbody></table></div>`
  );
}

/** Shows an Answer's table, or in the table of checks what each of them says. */
export function show(panel: HTMLElement, answer: Answer, catalog: readonly Experiment[]): void {
  if (panel.querySelector("[data-check]")) sayChecks(panel, answer);
  else panel.innerHTML = tableHtml(answer, catalog);
}

/** "experiment?knob=value&…" as its experiment and values; null if unknown here. */
export function readLive(text: string, catalog: readonly Experiment[]): { experiment: Experiment; values: Values } | null {
  const [name = "", query = ""] = text.split("?");
  const experiment = catalog.find((e) => e.name === name);
  return experiment ? { experiment, values: Object.fromEntries(new URLSearchParams(query)) } : null;
}

function linkOf(row: Row, catalog: readonly Experiment[]): { href: string; title: string } | null {
  const live = readLive(row.link, catalog);
  if (!live) return null;
  const fragment = writeLink({ values: { [live.experiment.name]: live.values }, theme: "auto", rest: [] }, catalog);
  return { href: `index.html#${fragment || "v=1"}`, title: live.experiment.title };
}

/** The checks as a table that is still to be filled. */
export function checksHtml(knob: Knob): string {
  const rows = knob.choices.map(
    (c) => `<tr data-check="${escape(c.value)}"><td class="verdict">–</td><th scope="row">${escape(c.value.replaceAll("-", " "))}</th><td class="number"></td><td class="number"></td></tr>`,
  );
  return (
    `<p class="checks-bar"><button type="button" class="plain" data-check-all>run all ${knob.choices.length} checks</button>` +
    `<progress max="${knob.choices.length}" value="0" aria-label="checks run" hidden></progress>` +
    `<button type="button" class="plain" data-check-stop hidden>stop</button></p><p class="overall" data-overall></p>` +
    `<div class="scroll wide" tabindex="0" role="group" aria-label="Checks"><table><thead><tr><th scope="col">result</th><th scope="col">what must be true</th>` +
    `<th scope="col">measured</th><th scope="col">asked</th></tr></thead><tbody>${rows.join("")}</tbody></table></div>`
  );
}

/** Puts what each check says and asks into the table, from any answer of the self-test. */
function sayChecks(panel: HTMLElement, answer: Answer): void {
  for (const { cells } of answer.table.rows) {
    const [name = "", says = "", , relation, bound] = cells;
    const row = panel.querySelector(`[data-check="${CSS.escape(name)}"]`);
    if (!row) continue;
    row.children[1]!.textContent = says;
    row.children[3]!.textContent = `${relation === "at least" ? "≥" : "≤"} ${formatNumber(Number(bound))}`;
  }
}

export interface Tally {
  run: number;
  held: number;
  failed: string[];
  milliseconds: number;
}

/** One sentence about all that was run. */
export function overall(tally: Tally, of: number): string {
  const { run, held, failed, milliseconds } = tally;
  const time = `in ${formatNumber(Math.round(milliseconds))} ms`;
  if (failed.length > 0) return `${held} of ${run} checks hold in this browser; ${failed.join(", ")} ${failed.length === 1 ? "fails" : "fail"}.`;
  if (run < of) return `Stopped: ${held} of the first ${run} checks hold; ${of - run} not run.`;
  return `All ${of} checks hold in this browser, ${time}.`;
}

export interface ChecksOptions {
  /** measures one check; null where the engine gave up */
  measure(check: string): Promise<{ answer: Answer; milliseconds: number } | null>;
  cancel(): void;
  say(sentence: string): void;
}

/** Runs the checks one after the other, so that each is an answer of its own. */
export class Checks {
  private turn = 0;

  constructor(
    private readonly root: HTMLElement,
    private readonly knob: Knob,
    private readonly options: ChecksOptions,
  ) {
    this.find("[data-check-all]").addEventListener("click", () => void this.runAll());
    this.find("[data-check-stop]").addEventListener("click", () => {
      this.turn++;
      options.cancel();
    });
  }

  private find(selector: string): HTMLElement {
    return this.root.querySelector<HTMLElement>(selector)!;
  }

  private async runAll(): Promise<void> {
    const turn = ++this.turn;
    const tally: Tally = { run: 0, held: 0, failed: [], milliseconds: 0 };
    this.busy(true);
    this.find("[data-overall]").textContent = "";
    for (const row of this.root.querySelectorAll<HTMLElement>("[data-check]")) this.fill(row, "–", "");
    for (const { value } of this.knob.choices) {
      const row = this.find(`[data-check="${CSS.escape(value)}"]`);
      const reply = await this.options.measure(value).catch(() => "refused" as const);
      if (turn !== this.turn || reply === null) break;
      tally.run++;
      this.find("progress").setAttribute("value", String(tally.run));
      const answer = reply === "refused" ? null : reply.answer;
      const holds = answer !== null && scalar(answer, "passes") === 1;
      const number = answer ? scalar(answer, "measured") : null;
      if (answer && tally.run === 1) sayChecks(this.root, answer);
      this.fill(row, holds ? "✓ holds" : "✗ fails", formatNumber(number));
      row.classList.toggle("failed", !holds);
      if (reply !== "refused") tally.milliseconds += reply.milliseconds;
      if (holds) tally.held++;
      else tally.failed.push(`“${row.children[1]!.textContent!.replace(/\.$/, "")}”`);
    }
    const sentence = overall(tally, this.knob.choices.length);
    this.find("[data-overall]").textContent = sentence;
    this.options.say(sentence);
    this.busy(false);
  }

  private fill(row: HTMLElement, verdict: string, measured: string): void {
    row.children[0]!.textContent = verdict;
    row.children[2]!.textContent = measured;
  }

  private busy(busy: boolean): void {
    (this.find("[data-check-all]") as HTMLButtonElement).disabled = busy;
    this.find("progress").hidden = !busy;
    this.find("[data-check-stop]").hidden = !busy;
  }
}

/** Lets a table's links set their figure and go there; the other figures keep their settings. */
export function followLive(panel: HTMLElement, host: Host, catalog: readonly Experiment[]): void {
  panel.addEventListener("click", (e) => {
    const link = (e.target as Element).closest<HTMLElement>("[data-live]");
    const live = link && readLive(link.dataset["live"]!, catalog);
    const figure = live && document.querySelector<HTMLElement>(`ttt-figure[name="${CSS.escape(live.experiment.name)}"]`);
    if (!live || !figure || e.ctrlKey || e.metaKey || e.shiftKey) return;
    e.preventDefault();
    // A place to come back to: what changes next replaces the new entry.
    history.pushState(null, "");
    host.change(live.experiment.name, live.values, true);
    host.onLink();
    figure.scrollIntoView({ behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth" });
    figure.querySelector<HTMLElement>("input, select, button")?.focus({ preventScroll: true });
  });
}
