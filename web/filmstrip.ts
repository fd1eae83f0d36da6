// Stills of the stage at a few times, for readers who asked for less motion.

import type { Frame, Moment } from "./engine";

export interface Stills {
  /** token times, at most as many as fit a row */
  times: readonly number[];
  paint(moment: Moment): Promise<Frame | null>;
  dark: boolean;
  /** goes to a time */
  seek(time: number): void;
}

/** A still is the wide stage, made small; the software painter scales it. */
const [width, height, scale] = [960, 508, 0.36];

/** Fills `box` with stills; a click on one goes to its time. False if a picture could not be had. */
export async function filmStrip(box: HTMLElement, { times, paint, dark, seek }: Stills): Promise<boolean> {
  const buttons = times.map((time) => {
    const button = document.createElement("button");
    button.type = "button";
    const canvas = document.createElement("canvas");
    canvas.setAttribute("aria-hidden", "true");
    button.append(canvas, `after token ${time}`);
    button.addEventListener("click", () => seek(time));
    return { button, canvas, time };
  });
  for (const { canvas, time } of buttons) {
    const frame = await paint({ time, width, height, scale, dark });
    if (!frame) return false;
    canvas.width = frame.width;
    canvas.height = frame.height;
    canvas.getContext("2d")?.putImageData(new ImageData(new Uint8ClampedArray(frame.pixels), frame.width, frame.height), 0, 0);
  }
  box.replaceChildren(...buttons.map((b) => b.button));
  return true;
}
