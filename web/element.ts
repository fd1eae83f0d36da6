// <ttt-figure name="…">: one experiment with its knobs, plots, sentence and,
// where its figure says so, stage and player.

import { costText } from "./cost";
import { Refused } from "./engine";
import { figureOf, know } from "./figures/known";
import { scalar, type Figure } from "./figures/figure";
import { catalog, files, type Host } from "./host";
import { Knobs } from "./knobs";
import { aidsInTime, loadAids, type Aids } from "./live";
import { figureHtml, findingHtml, sourceHtml } from "./markup";
import type { Answer, Experiment, Knob, Values } from "./messages";
import { powers } from "./numbers";
import { PlotArea } from "./plotarea";
import { cursorOf } from "./plots";
import { Staged } from "./staged";

/** From this width on a figure has two columns, as in figure.css; pixels. */
const sideBySide = 864;
/** Milliseconds without a change before a sentence is spoken. */
const speechRest = 500;
/** Letters of a sentence that fits beside the controls. */
const longest = 280;
/** A run that takes longer says so and can be stopped. */
const patience = 400;

/** Defines <ttt-figure> for a page. */
export function defineFigure(host: Host): void {
  customElements.define(
    "ttt-figure",
    class extends HTMLElement {
      private view: FigureView | null = null;

      connectedCallback(): void {
        const name = this.getAttribute("name") ?? "";
        const experiment = catalog.find((e) => e.name === name);
        if (!experiment) {
          this.textContent = `There is no figure “${name}” here. Known are: ${catalog.map((e) => e.name).join(", ")}.`;
          return;
        }
        const sketched = this.querySelector(".sketch") !== null;
        if (this.view) return;
        if (sketched) later(() => this.show(experiment));
        else this.show(experiment);
      }

      private show(experiment: Experiment): void {
        this.view ??= new FigureView(this, experiment, host);
      }

      /** Reads the values again after the link changed. */
      refresh(): void {
        this.view?.refresh();
      }
    },
  );
}

/** Figures further down whose controls are still to be made, in the order of the page. */
const waiting: (() => void)[] = [];

/**
 * Makes a figure once the reader moves and the page has nothing better to do,
 * one at a time; at once for a reader who moves by keyboard, so that no control
 * is passed over. Where the aids cannot be had each gets the default drawing.
 */
function later(make: () => void): void {
  waiting.push(make);
  if (waiting.length > 1) return;
  const next = (): void => {
    waiting.shift()?.();
    if (waiting.length > 0) whenIdle(next);
  };
  let keyed = false;
  addEventListener("keydown", () => (keyed = true), { capture: true, once: true });
  void aidsInTime()
    .then(({ figures }) => know(figures), () => undefined)
    .then(() => {
      if (keyed) return makeAll();
      addEventListener("keydown", makeAll, { capture: true, once: true });
      whenIdle(next);
    });
}

function makeAll(): void {
  for (const make of waiting.splice(0)) make();
}

/** Safari has no requestIdleCallback. */
function whenIdle(act: () => void): void {
  if ("requestIdleCallback" in window) requestIdleCallback(act, { timeout: 2000 });
  else setTimeout(act, 200);
}

class FigureView {
  private readonly figure: Figure;
  private readonly knobs: Knobs;
  private readonly plots: PlotArea;
  private staged: Staged | null = null;
  private answer: Answer | null = null;
  private speechTimer = 0;
  private busyTimer = 0;
  private touched = false;
  private turn = 0;

  constructor(
    private readonly root: HTMLElement,
    private readonly experiment: Experiment,
    private readonly host: Host,
  ) {
    this.figure = figureOf(experiment.name);
    if (!root.querySelector("figure:not(.sketch)")) this.write();
    this.knobs = new Knobs(root, {
      experiment,
      values: () => this.values,
      changed: (values, done) => this.change(values, done),
      length: () => this.tokens(),
      meaning: (knob) => this.meaning(knob),
      say: (sentence) => host.say(sentence),
    });
    this.plots = new PlotArea(this.part("plots"), {
      experiment,
      figure: this.figure,
      cursor: (knob) => this.cursor(knob),
      moved: (cursors, done) => this.moveCursors(cursors, done),
    });
    if (this.figure.stage) this.staged = this.makeStaged();
    this.wireTools();
    for (const sign of ["pointerdown", "keydown", "input"]) {
      root.addEventListener(sign, () => (this.touched = true), { capture: true, once: true });
    }
    this.whenNear(() => {
      if (this.figure.panel) void loadAids().then((aids) => this.wirePanel(aids.panel), () => undefined);
      this.run();
      this.staged?.addStage();
    });
  }

  /** Puts the figure's markup in place; what a sketch says stays until the engine answers. */
  private write(): void {
    const sketch = this.root.querySelector(".sketch [data-part=finding]");
    this.root.innerHTML = figureHtml(this.experiment, this.values, sketch === null);
    if (sketch) this.part("finding").replaceWith(sketch);
    // Beside the plots there is room for the settings, and nothing to gain by folding them.
    this.root.querySelector(".folded")?.toggleAttribute("open", this.root.clientWidth >= sideBySide);
  }

  refresh(): void {
    this.knobs.show();
    this.staged?.followLink();
    this.run();
  }

  private get values(): Values {
    return this.host.values(this.experiment.name);
  }

  private part(name: string): HTMLElement {
    return this.root.querySelector<HTMLElement>(`[data-part="${name}"]`)!;
  }

  private whenNear(act: () => void): void {
    const watch = new IntersectionObserver(
      (entries) => {
        if (!entries.some((e) => e.isIntersecting)) return;
        watch.disconnect();
        act();
      },
      { rootMargin: "600px" },
    );
    watch.observe(this.root);
  }

  // ---- values

  private change(values: Values, done: boolean): void {
    this.host.change(this.experiment.name, values, done);
    this.root.querySelector<HTMLElement>("[data-reset-all]")!.hidden = Object.keys(values).length === 0;
    this.run();
  }

  private numberOf(name: string): number {
    const knob = this.experiment.knobs.find((k) => k.name === name);
    return Number(this.values[name] ?? knob?.default ?? NaN);
  }

  /** Where a cursor knob stands; without a value the last reading, or the engine's choice. */
  private cursor(knob: string): number | null {
    if (knob === "reading" && this.values[knob] === undefined) return null;
    return this.answer ? cursorOf(knob, this.values, this.answer) : null;
  }

  private moveCursors(cursors: Record<string, number | null>, done: boolean): void {
    const values = { ...this.values };
    const reading = cursors["reading"];
    for (const [knob, at] of Object.entries(cursors)) {
      if (knob === "reading" && this.staged) continue;
      if (at === null) delete values[knob];
      else values[knob] = String(at);
    }
    if (JSON.stringify(values) !== JSON.stringify(this.values) || done) this.change(values, done);
    // The stage's time and the chart's reading are one; the player owns it.
    if (reading !== undefined) this.staged?.seek(reading);
  }

  // ---- runs

  private run(): void {
    const asked = this.values;
    const turn = ++this.turn;
    const engine = this.host.engineOf(this.experiment);
    window.clearTimeout(this.busyTimer);
    // The first run waits for the download, which is nobody's doing.
    if (this.answer) this.busyTimer = window.setTimeout(() => this.showBusy(true), patience);
    engine
      .run(this.experiment.name, this.experiment.name, asked, (progress) => {
        const shown = this.root.querySelector(".busy span");
        if (shown) shown.textContent = progress;
      })
      .then((reply) => {
        if (reply) this.show(reply.answer, asked, reply.milliseconds);
      })
      .catch((error: unknown) => {
        if (error instanceof Refused) this.showRefusal(error.message.replace(/^./u, (c) => c.toUpperCase()).replace(/[^.]$/, "$&."));
        else throw error;
      })
      .finally(() => {
        if (turn === this.turn) this.showBusy(false);
      });
  }

  private show(answer: Answer, values: Values, milliseconds: number): void {
    this.answer = answer;
    this.part("finding").classList.remove("stale");
    // A long sentence would cover the stage, so it does not stay in view with the controls.
    this.part("finding").classList.toggle("long", answer.sentence.length > longest);
    this.part("finding").innerHTML = findingHtml(answer, this.experiment, values);
    const source = sourceHtml(this.experiment, values);
    // Writing it again would cost a layout.
    if (this.part("source").innerHTML !== source) this.part("source").innerHTML = source;
    this.part("cost").textContent = costText(answer, milliseconds);
    this.plots.show(answer, values);
    if (this.figure.panel) void loadAids().then(({ panel }) => panel.show(this.part("panel"), answer, catalog), () => undefined);
    if (this.root.querySelector<HTMLDetailsElement>(".numbers")!.open) void loadAids().then((aids) => this.showNumbers(aids), () => undefined);
    else this.part("scalars").replaceChildren();
    this.knobs.show();
    this.knobs.noteText(answer.warnings.join(" "));
    this.showPin();
    this.root.toggleAttribute("data-answered", true);
    this.root.dispatchEvent(new CustomEvent("answer", { bubbles: true, detail: answer }));
    this.staged?.follow();
    this.speak(answer);
  }

  private makeStaged(): Staged {
    return new Staged(this.root, {
      experiment: this.experiment,
      host: this.host,
      values: () => this.values,
      change: (values, done) => this.change(values, done),
      answered: () => this.answer !== null,
      tokens: () => this.playedTokens(),
      asked: () => this.tokens(),
      touched: () => this.touched,
    });
  }

  /** How many tokens the run has: the slider's number, or those of the text that was read. */
  private tokens(): number {
    const words = this.values["task"] === "words" && this.answer?.words;
    return words ? words.length - 1 : Math.max(1, this.numberOf("length"));
  }

  /** How many tokens there are to play: a diverged run ends early. */
  private playedTokens(): number {
    const known = this.answer && (scalar(this.answer, "diverged") ?? scalar(this.answer, "length"));
    return Math.max(1, known ?? this.numberOf("length"));
  }

  private showRefusal(reason: string): void {
    const shown = this.answer ? "the run before" : this.root.querySelector(".sentence") ? "the default run" : "";
    const sentence = shown ? `${reason} The figure still shows ${shown}.` : reason;
    const finding = this.part("finding");
    finding.querySelector(".refusal")?.remove();
    finding.insertAdjacentHTML("beforeend", `<p class="refusal"></p>`);
    finding.querySelector(".refusal")!.textContent = powers(sentence);
    finding.classList.add("stale");
    this.knobs.noteText(reason);
    this.host.say(sentence);
  }

  private showBusy(busy: boolean): void {
    window.clearTimeout(this.busyTimer);
    this.root.querySelector(".busy")?.remove();
    if (!busy) return;
    this.part("finding").classList.add("stale");
    this.part("finding").insertAdjacentHTML("afterend", `<p class="busy"><span>computing…</span> <button type="button" class="plain">stop</button></p>`);
    this.root.querySelector(".busy button")!.addEventListener("click", () => {
      this.showBusy(false);
      this.host.engineOf(this.experiment).cancel(this.experiment.name);
      this.showRefusal("Stopped.");
    });
  }

  /** The sentence goes to screen readers once the reader's hand has rested. */
  private speak(answer: Answer): void {
    window.clearTimeout(this.speechTimer);
    if (!this.touched || this.staged?.playing) return;
    this.speechTimer = window.setTimeout(() => this.host.say(powers([answer.sentence, ...answer.warnings].join(" "))), speechRest);
  }

  private meaning(knob: Knob): string {
    if (knob.name !== "alpha" || !this.answer) return "";
    const half = scalar(this.answer, "half-life.own");
    return half === null ? "" : `half after ${half} updates`;
  }

  // ---- tables

  private wirePanel({ Checks, checksHtml, followLive }: Aids["panel"]): void {
    const { host, experiment } = this;
    const panel = this.part("panel");
    if (this.figure.panel === "checks") {
      panel.innerHTML = checksHtml(experiment.knobs[0]!);
      new Checks(panel, experiment.knobs[0]!, {
        measure: (check) => host.engineOf(experiment).run("checks", experiment.name, { check }),
        cancel: () => host.engineOf(experiment).cancel("checks"),
        say: (sentence) => host.say(sentence),
      });
      return;
    }
    followLive(panel, host, catalog);
  }

  // ---- tools

  private wireTools(): void {
    const { root, experiment, host } = this;
    const button = (name: string): HTMLButtonElement => root.querySelector<HTMLButtonElement>(`[data-${name}]`)!;
    const withAids = (act: (aids: Aids) => void) => (): void => void loadAids().then(act, () => host.say("This part of the page could not be loaded."));
    button("link").addEventListener("click", withAids(({ share }) => void share.copyText(share.pageAddress(host.fragment()), button("link"), "Link to this state")));
    button("embed").addEventListener("click", withAids(({ share }) => share.showSnippet(experiment, this.figure.embedHeight, host)));
    button("reset-all").addEventListener("click", () => {
      this.change({}, true);
      this.knobs.show(true);
      this.staged?.followLink();
      root.querySelector<HTMLElement>('input[type="range"]')?.focus({ preventScroll: true });
    });
    if (this.figure.pin) button("pin").addEventListener("click", withAids(({ togglePin }) => this.change(togglePin(this.values, this.numberOf("alpha")), true)));
    button("reset-all").hidden = Object.keys(this.values).length === 0;
    button("csv").addEventListener("click", withAids(({ share, tables }) => {
      if (this.answer) share.saveFile(`${experiment.name}.csv`, "text/csv", tables.csv(this.answer, share.pageAddress(host.fragment()), files.version));
    }));
    root.querySelector<HTMLDetailsElement>(".numbers")!.addEventListener("toggle", withAids((aids) => this.showNumbers(aids)));
  }

  /** The run's numbers and the charts' points as tables, while they are unfolded. */
  private showNumbers({ tables }: Aids): void {
    const { open } = this.root.querySelector<HTMLDetailsElement>(".numbers")!;
    if (!this.answer) return;
    this.part("scalars").innerHTML = open ? tables.scalarTable(this.answer) : "";
    this.part("points").innerHTML = open ? tables.chartTables(this.answer) : "";
  }

  private showPin(): void {
    const button = this.root.querySelector<HTMLButtonElement>("[data-pin]");
    if (button) button.textContent = this.values["pin"] === undefined ? "pin the curve" : "unpin the curve";
  }
}
