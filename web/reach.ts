// The invisible slider over a plot, by which a mouse, a thumb and the keys reach it.

import type { Plot } from "./figures/figure";
import type { Drawn } from "./plots";

/** One plot on the page. */
export interface Place {
  plot: Plot;
  canvas: HTMLElement;
  /** the canvas's width as it was measured last */
  width: number;
  /** whether it is on the screen, or nearly */
  near: boolean;
  /** whether it shows an Answer from before */
  stale: boolean;
  reach: HTMLElement | null;
  drawn: Drawn | null;
}

/** Lays the slider over the plot's field, in parts of the drawing's size. */
export function layReach(reach: HTMLElement, d: Drawn): void {
  const part = (value: number, of: number): string => `${(100 * value) / of}%`;
  reach.style.left = part(d.left, d.width);
  reach.style.width = part(d.right - d.left, d.width);
  reach.style.top = part(d.top, d.height);
  reach.style.height = part(d.bottom - d.top, d.height);
  reach.setAttribute("aria-valuemin", String(d.least));
  reach.setAttribute("aria-valuemax", String(d.most));
  reach.setAttribute("aria-valuenow", String(d.cursor ?? d.most));
  reach.setAttribute("aria-valuetext", d.says);
}
