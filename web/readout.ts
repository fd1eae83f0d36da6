// Numbers under the pointer: what a chart shows where a mouse hovers, a thumb
// rests or the keys stand.
//
// A chart with a cursor is read where the pointer is, else at its cursor while
// that has the focus. A chart without one gets a slider of its own, that moves
// nothing but the readout.

import { nearest, readout, spots, type Readable, type Spot } from "./chart/readout";
import { layReach, type Place } from "./reach";

/** One plot, and where it is being read. */
interface Read {
  place: Place;
  of: Readable;
  spots: Spot[];
  /** the slider of its own, where the plot has no cursor */
  own: HTMLElement | null;
  /** where that stands */
  at: number;
}

export class Readouts {
  private readonly reads = new Map<Place, Read>();
  /** the plot under a hovering pointer, and the place there */
  private hover: { place: Place; at: number } | null = null;

  constructor(
    root: HTMLElement,
    private readonly placeOf: (canvas: Element) => Place | undefined,
  ) {
    root.addEventListener("pointermove", (e) => this.point(e));
    root.addEventListener("pointerleave", () => this.leave());
    root.addEventListener("focusin", () => this.showAll());
    root.addEventListener("focusout", () => this.showAll());
  }

  /** Reads a plot anew after it was drawn. */
  drawn(place: Place): void {
    const of = place.drawn?.readable;
    if (!of) return;
    const before = this.reads.get(place);
    const read: Read = { place, of, spots: spots(of), own: before?.own ?? null, at: before?.at ?? -1 };
    if (read.at < 0 || read.at >= read.spots.length) read.at = read.spots.length - 1;
    this.reads.set(place, read);
    if (!place.reach && !read.own) read.own = this.makeReach(place);
    if (read.own) {
      layReach(read.own, place.drawn!);
      read.own.setAttribute("aria-valuemin", "0");
      read.own.setAttribute("aria-valuemax", String(Math.max(0, read.spots.length - 1)));
      read.own.setAttribute("aria-valuenow", String(Math.max(0, read.at)));
      read.own.setAttribute("aria-valuetext", read.spots[read.at] ? readout(of, read.spots[read.at]!).says : "no points");
    }
    this.show(read);
  }

  // ---- where

  private point(e: PointerEvent): void {
    if (e.pointerType === "touch") return; // a thumb drags a slider
    const canvas = (e.target as Element).closest(".canvas");
    const place = canvas && this.placeOf(canvas);
    const read = place && this.reads.get(place);
    const before = this.hover;
    this.hover = null;
    if (read) {
      const at = this.nearestTo(read, e);
      if (at >= 0) this.hover = { place: read.place, at };
    }
    if (before && before.place !== this.hover?.place) this.showPlace(before.place);
    if (this.hover) this.showPlace(this.hover.place);
  }

  private leave(): void {
    const before = this.hover;
    this.hover = null;
    if (before) this.showPlace(before.place);
  }

  private nearestTo({ place, of, spots }: Read, e: PointerEvent): number {
    const svg = place.canvas.querySelector("svg");
    const drawn = place.drawn;
    if (!svg || !drawn) return -1;
    const box = svg.getBoundingClientRect();
    const x = ((e.clientX - box.left) / box.width) * drawn.width;
    const y = ((e.clientY - box.top) / box.height) * drawn.height;
    const margin = 8;
    if (x < drawn.left - margin || x > drawn.right + margin || y < drawn.top - margin || y > drawn.bottom + margin) return -1;
    return nearest(of, spots, x, y);
  }

  /** Where a plot is read now; −1 for nowhere. */
  private atOf(read: Read): number {
    const { place, of, spots, own } = read;
    if (this.hover?.place === place) return Math.min(this.hover.at, spots.length - 1);
    if (own && document.activeElement === own) return read.at;
    if (!place.reach || document.activeElement !== place.reach || !place.drawn) return -1;
    const { cursor, most, col } = place.drawn;
    const [row, x] = [cursor ?? most, col ?? cursor ?? most];
    if (of.kind === "matrix") return Math.round(row / of.matrix.stride) * of.matrix.cols + Math.round(x / of.matrix.stride);
    return spots.findIndex((s) => s.x === row);
  }

  // ---- showing

  private showAll(): void {
    for (const read of this.reads.values()) this.show(read);
  }

  private showPlace(place: Place): void {
    const read = this.reads.get(place);
    if (read) this.show(read);
  }

  private show(read: Read): void {
    const svg = read.place.canvas.querySelector("svg");
    if (!svg) return;
    svg.querySelector(".readout")?.remove();
    const spot = read.spots[this.atOf(read)];
    svg.classList.toggle("read", spot !== undefined);
    if (!spot) return;
    const { svg: drawing, says } = readout(read.of, spot);
    svg.insertAdjacentHTML("beforeend", drawing);
    for (const slider of [read.own, read.place.reach]) {
      if (slider === document.activeElement) slider?.setAttribute("aria-valuetext", says);
    }
  }

  // ---- a slider of one's own

  private makeReach(place: Place): HTMLElement {
    const reach = document.createElement("div");
    reach.className = "reach";
    reach.tabIndex = 0;
    reach.setAttribute("role", "slider");
    reach.setAttribute("aria-label", `${place.plot.title}: values`);
    place.canvas.append(reach);
    const follow = (e: PointerEvent): void => {
      const read = this.reads.get(place);
      const at = read ? this.nearestTo(read, e) : -1;
      if (at >= 0) this.move(place, at);
    };
    reach.addEventListener("pointerdown", (e) => {
      if (e.button !== 0) return;
      reach.setPointerCapture(e.pointerId);
      reach.focus({ preventScroll: true });
      follow(e);
    });
    reach.addEventListener("pointermove", (e) => {
      if (reach.hasPointerCapture(e.pointerId)) follow(e);
    });
    reach.addEventListener("keydown", (e) => this.key(e, place));
    return reach;
  }

  private move(place: Place, at: number): void {
    const read = this.reads.get(place);
    if (!read) return;
    read.at = Math.max(0, Math.min(read.spots.length - 1, at));
    read.own?.setAttribute("aria-valuenow", String(read.at));
    this.show(read);
  }

  private key(e: KeyboardEvent, place: Place): void {
    const read = this.reads.get(place);
    if (!read || e.ctrlKey || e.metaKey || e.altKey) return;
    const { at, of } = read;
    const row = of.kind === "matrix" ? of.matrix.cols : 1;
    const to: Record<string, number> = {
      ArrowRight: at + 1,
      ArrowLeft: at - 1,
      ArrowUp: at + (row > 1 ? -row : 1),
      ArrowDown: at + (row > 1 ? row : -1),
      PageUp: at + 10 * row,
      PageDown: at - 10 * row,
      Home: 0,
      End: read.spots.length - 1,
    };
    const target = to[e.key];
    if (target === undefined) return;
    e.preventDefault();
    this.move(place, target);
  }
}
