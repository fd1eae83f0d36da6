// The plots of one figure in the page: drawn at their true width, with cursors
// that a mouse, a thumb and the keys can move.

import { plotName, plotsOf, type Figure, type Plot } from "./figures/figure";
import { aidsInTime } from "./live";
import { plotHtml } from "./markup";
import type { Answer, Experiment, Values } from "./messages";
import { cursorKnob, drawPlot, type Drawn } from "./plots";
import { layReach, type Place } from "./reach";
import type { Readouts } from "./readout";

export interface PlotAreaOptions {
  experiment: Experiment;
  figure: Figure;
  /** where a cursor knob stands now, which may be ahead of what is drawn */
  cursor(knob: string): number | null;
  /** a cursor knob was moved; null puts it back to its default */
  moved(cursors: Record<string, number | null>, done: boolean): void;
}

/** Milliseconds without a new Answer before plots that nobody can see follow. */
const rest = 150;

export class PlotArea {
  private places = new Map<string, Place>();
  private answer: Answer | null = null;
  private values: Values = {};
  private readouts: Readouts | null = null;
  private restTimer = 0;
  private readonly watch = new IntersectionObserver((entries) => this.see(entries), { rootMargin: "100px" });

  constructor(
    private readonly root: HTMLElement,
    private readonly options: PlotAreaOptions,
  ) {
    let width = 0;
    new ResizeObserver(() => {
      if (root.clientWidth === width) return;
      width = root.clientWidth;
      for (const place of this.places.values()) place.width = widthOf(place);
      this.draw();
    }).observe(root);
    void aidsInTime().then(({ Readouts }) => {
      this.readouts = new Readouts(root, (canvas) => [...this.places.values()].find((p) => p.canvas === canvas));
      for (const place of this.places.values()) this.readouts.drawn(place);
    }, () => undefined);
  }

  /** Shows an Answer; the last good one stays until then. */
  show(answer: Answer, values: Values): void {
    this.answer = answer;
    this.values = values;
    this.draw();
  }

  private draw(): void {
    if (!this.answer) return;
    const plots = plotsOf(this.options.figure, this.answer);
    const changed = this.keepOnly(plots);
    const places = plots.map((plot) => this.place(plot));
    // Measured only when something may have moved, and before anything is drawn:
    // a width asked for between two drawings costs a layout of the whole page.
    if (changed) for (const place of places) place.width = widthOf(place);
    for (const place of places) {
      place.stale = true;
      if (place.near) this.redraw(place);
    }
    window.clearTimeout(this.restTimer);
    this.restTimer = window.setTimeout(() => this.redrawStale(() => true), rest);
  }

  private see(entries: readonly IntersectionObserverEntry[]): void {
    for (const place of this.places.values()) {
      place.near = entries.findLast((e) => e.target === place.canvas)?.isIntersecting ?? place.near;
    }
    this.redrawStale((place) => place.near);
  }

  private redrawStale(wanted: (place: Place) => boolean): void {
    for (const place of this.places.values()) if (place.stale && wanted(place)) this.redraw(place);
  }

  private redraw(place: Place): void {
    const drawn = drawPlot(this.options.experiment.name, place.plot, this.answer!, this.values, place.width);
    place.canvas.querySelector("svg")?.remove();
    place.canvas.insertAdjacentHTML("afterbegin", drawn.svg);
    place.drawn = drawn;
    place.stale = false;
    if (place.reach) layReach(place.reach, drawn);
    this.readouts?.drawn(place);
  }

  /** Takes away what this Answer does not have, or no longer has; true if anything came or went. */
  private keepOnly(plots: readonly Plot[]): boolean {
    const names = new Set(plots.map(plotName));
    let changed = this.places.size === 0;
    for (const box of this.root.querySelectorAll<HTMLElement>("[data-plot]")) {
      const name = box.dataset["plot"]!;
      if (names.has(name)) continue;
      box.remove();
      const gone = this.places.get(name);
      if (gone) this.watch.unobserve(gone.canvas);
      this.places.delete(name);
      changed = true;
    }
    // The order is the figure's, also for a plot that comes back.
    plots.forEach((plot, i) => {
      const box = this.root.querySelector(`[data-plot="${CSS.escape(plotName(plot))}"]`);
      if (box) return;
      insertAt(this.root, i, plotHtml(plot, ""));
      changed = true;
    });
    return changed;
  }

  private place(plot: Plot): Place {
    const name = plotName(plot);
    const known = this.places.get(name);
    if (known) return known;
    const canvas = this.root.querySelector<HTMLElement>(`[data-plot="${CSS.escape(name)}"] .canvas`)!;
    const place: Place = { plot, canvas, width: 0, near: true, stale: false, reach: null, drawn: null };
    if (cursorKnob(plot)) place.reach = this.makeReach(place);
    this.places.set(name, place);
    this.watch.observe(canvas);
    return place;
  }

  /** The invisible slider over a plot. */
  private makeReach(place: Place): HTMLElement {
    const reach = document.createElement("div");
    reach.className = "reach";
    reach.tabIndex = 0;
    reach.setAttribute("role", "slider");
    reach.setAttribute("aria-label", `${place.plot.title}: ${place.plot.kind === "line" ? place.plot.place : "reading"}`);
    place.canvas.append(reach);
    const send = (e: PointerEvent, done: boolean): void => {
      const drawn = place.drawn;
      if (!drawn) return;
      const box = reach.getBoundingClientRect();
      const x = drawn.left + ((e.clientX - box.left) / box.width) * (drawn.right - drawn.left);
      const y = drawn.top + ((e.clientY - box.top) / box.height) * (drawn.bottom - drawn.top);
      this.options.moved(cursorsAt(place.plot, drawn, x, y), done);
    };
    let drawing = false;
    reach.addEventListener("pointerdown", (e) => {
      if (e.button !== 0) return;
      drawing = true;
      reach.setPointerCapture(e.pointerId);
      // A thumb's touch gives the focus only when it ends.
      reach.focus({ preventScroll: true });
      send(e, false);
    });
    reach.addEventListener("pointermove", (e) => {
      if (drawing) send(e, false);
    });
    for (const end of ["pointerup", "pointercancel"] as const) {
      reach.addEventListener(end, (e) => {
        if (drawing) send(e, true);
        drawing = false;
      });
    }
    reach.addEventListener("keydown", (e) => this.key(e, place));
    return reach;
  }

  private key(e: KeyboardEvent, place: Place): void {
    const { plot, drawn } = place;
    if (!drawn || e.ctrlKey || e.metaKey || e.altKey) return;
    const knob = cursorKnob(plot);
    const here = this.options.cursor(knob) ?? drawn.most;
    const to: Record<string, number | null> = {
      ArrowRight: here + 1,
      ArrowUp: here + 1,
      ArrowLeft: here - 1,
      ArrowDown: here - 1,
      PageUp: here + 10,
      PageDown: here - 10,
      Home: drawn.least,
      End: drawn.most,
      Escape: null,
    };
    if (!(e.key in to)) return;
    const target = to[e.key] ?? null;
    e.preventDefault();
    this.options.moved({ [knob]: target === null ? null : Math.max(drawn.least, Math.min(drawn.most, target)) }, true);
  }
}

function widthOf(place: Place): number {
  return Math.max(240, Math.round(place.canvas.clientWidth));
}

function cursorsAt(plot: Plot, drawn: Drawn, x: number, y: number): Record<string, number> {
  if (plot.kind === "line") {
    return { [plot.cursor]: Math.max(drawn.least, Math.min(drawn.most, drawn.at(x))) };
  }
  if (plot.kind === "pictures") return {};
  const cursors: Record<string, number> = { [plot.rowCursor]: drawn.rowAt(y) };
  if (plot.colCursor) cursors[plot.colCursor] = drawn.at(x);
  return cursors;
}

function insertAt(root: HTMLElement, index: number, html: string): void {
  const next = root.children[index];
  if (next) next.insertAdjacentHTML("beforebegin", html);
  else root.insertAdjacentHTML("beforeend", html);
}
