// Predict first: the reader draws or chooses, then the engine answers.
// Nobody must: "show" works without a guess, and the text goes on below.

import { escape } from "./chart/text";
import { scalar } from "./figures/figure";
import { bridged, choiceVerdict, drawnTo, score, verdict, type Outcome } from "./guess";
import type { Host } from "./host";
import type { Answer } from "./messages";
import { formatNumber, place, px } from "./numbers";

/** Puts the page's predictions into their places. */
export function startPredictions(host: Host): void {
  for (const box of document.querySelectorAll<HTMLElement>("[data-guess]")) {
    if (box.dataset["guess"] === "age") new AgeGuess(box, host);
    if (box.dataset["guess"] === "q-to-k") taskGuess(box, host);
  }
}

/** The run that the drawing is about. */
const alpha = "0.98";
const tokens = 64;
/** A point is drawn at every third token: 1, 4, … 64. */
const every = 3;
const points = tokens / every + 1;
const height = 240;
const [left, top] = [36, 22];

class AgeGuess {
  private drawn = new Array<number | null>(Math.floor(points)).fill(null);
  private truth: number[] | null = null;
  private at = 0;
  private last: [number, number] | null = null;
  private width = 480;
  private readonly pad: HTMLElement;

  constructor(
    private readonly box: HTMLElement,
    private readonly host: Host,
  ) {
    box.innerHTML =
      `<h3>First a guess, if you like</h3>` +
      `<p>Take α = ${alpha}, ${tokens} tokens, and one reading at the end. How much does each token count, beside the one that counts most? ` +
      `Draw across the field, or use the arrow keys; or just look.</p>` +
      `<div class="pad" tabindex="0" role="slider" aria-label="Your guess: how much a token counts" aria-valuemin="0" aria-valuemax="1"></div>` +
      `<p class="from"><button type="button" class="plain" data-show>show the run</button> <button type="button" class="plain" data-clear hidden>start again</button></p>` +
      `<p class="verdict"></p>`;
    this.pad = box.querySelector<HTMLElement>(".pad")!;
    this.wirePointer();
    this.pad.addEventListener("keydown", (e) => this.key(e));
    box.querySelector("[data-show]")!.addEventListener("click", () => void this.reveal());
    box.querySelector("[data-clear]")!.addEventListener("click", () => this.clear());
    new ResizeObserver(() => {
      if (this.pad.clientWidth === this.width) return;
      this.width = this.pad.clientWidth;
      this.show();
    }).observe(this.pad);
    this.show();
  }

  private part(name: string): HTMLElement {
    return this.box.querySelector<HTMLElement>(`[data-${name}]`)!;
  }

  private clear(): void {
    this.drawn.fill(null);
    this.at = 0;
    this.truth = null;
    this.say("");
    this.show();
    this.pad.focus({ preventScroll: true });
  }

  private say(sentence: string): void {
    this.box.querySelector(".verdict")!.textContent = sentence;
    if (sentence) this.host.say(sentence);
  }

  private async reveal(): Promise<void> {
    const reply = await this.host.engine.run("guess age", "momentum-age", { alpha }).catch(() => null);
    const weights = reply?.answer.series.find((s) => s.chart === "reading" && s.name === "weights");
    if (!weights) {
      this.say("The engine has no answer now.");
      return;
    }
    const most = Math.max(...Array.from(weights.y));
    this.truth = this.drawn.map((_, i) => weights.y[i * every]! / most);
    const guess = bridged(this.drawn);
    const found = guess && score(guess, this.truth);
    const newest = this.truth.at(-1)!;
    this.say(
      found
        ? verdict(found, `token ${place(found.at * every)}`)
        : `The newest token counts ${formatNumber(newest)} of the oldest: it has been added once, the oldest at every step since.`,
    );
    this.show();
  }

  // ---- drawing

  private get right(): number {
    return this.width - 8;
  }

  private get bottom(): number {
    return height - 24;
  }

  private x(i: number): number {
    return left + ((this.right - left) * i) / (this.drawn.length - 1);
  }

  private y(value: number): number {
    return this.bottom - (this.bottom - top) * value;
  }

  private show(): void {
    const path = (ys: readonly (number | null)[]): string =>
      ys.map((y, i) => (y === null ? "" : `${i > 0 && ys[i - 1] !== null ? "L" : "M"}${px(this.x(i))} ${px(this.y(y))}`)).join("");
    const grid = [0, 0.5, 1].map(
      (v) =>
        `<line class="grid" x1="${left}" x2="${px(this.right)}" y1="${px(this.y(v))}" y2="${px(this.y(v))}"/>` +
        `<text class="tick" x="${left - 8}" y="${px(this.y(v))}" dy=".32em" text-anchor="end">${v}</text>`,
    );
    const here = this.drawn[this.at];
    this.pad.innerHTML =
      `<svg class="chart" aria-hidden="true" viewBox="0 0 ${px(this.width)} ${height}" xmlns="http://www.w3.org/2000/svg">${grid.join("")}` +
      `<text class="axis" x="0" y="10">weight, the largest = 1</text>` +
      `<text class="axis" x="${left}" y="${height - 6}">token 1, oldest</text><text class="axis" x="${px(this.right)}" y="${height - 6}" text-anchor="end">token ${tokens}, newest</text>` +
      (this.truth ? `<path class="series line role-effective" d="${path(this.truth)}" fill="none"/>` : "") +
      `<path class="series line role-ink" d="${path(this.drawn)}" fill="none" stroke-dasharray="5 3"/>` +
      (this.truth ? this.label(this.truth, "the run", "effective") + this.label(this.drawn, "your guess", "ink") : "") +
      `<circle class="here" cx="${px(this.x(this.at))}" cy="${px(this.y(here ?? 0))}" r="5"/>` +
      (this.drawn.every((y) => y === null) && !this.truth
        ? `<text class="axis" x="${px((left + this.right) / 2)}" y="${px((top + this.bottom) / 2)}" text-anchor="middle">draw here</text>`
        : "") +
      `</svg>`;
    this.pad.setAttribute("aria-valuenow", String(here ?? 0));
    const truth = this.truth ? `, the run says ${formatNumber(this.truth[this.at]!)}` : "";
    this.pad.setAttribute("aria-valuetext", `token ${place(this.at * every)}: ${here == null ? "no guess" : formatNumber(here)}${truth}`);
    this.part("clear").hidden = this.drawn.every((y) => y === null) && !this.truth;
  }

  /** A curve's name where it ends, on the side where the other curve is not. */
  private label(ys: readonly (number | null)[], name: string, role: string): string {
    const end = ys.findLastIndex((y) => y !== null);
    const y = ys[end];
    if (y == null) return "";
    const other = (ys === this.truth ? this.drawn : this.truth)?.[end] ?? 0;
    const at = this.y(y) + (y < other ? 14 : -12);
    return `<text class="direct role-${role}" x="${px(this.x(end) - 8)}" y="${px(Math.max(top + 10, Math.min(this.bottom - 6, at)))}" text-anchor="end">${name}</text>`;
  }

  private put(to: [number, number]): void {
    this.drawn = drawnTo(this.drawn, this.last ?? to, to);
    [this.last, this.at] = [to, to[0]];
    this.show();
  }

  private wirePointer(): void {
    const place = (e: PointerEvent): [number, number] => {
      const box = this.pad.getBoundingClientRect();
      const scale = this.width / box.width;
      const i = Math.round((((e.clientX - box.left) * scale - left) / (this.right - left)) * (this.drawn.length - 1));
      const y = (this.bottom - (e.clientY - box.top) * scale) / (this.bottom - top);
      return [Math.max(0, Math.min(this.drawn.length - 1, i)), Math.max(0, Math.min(1, y))];
    };
    this.pad.addEventListener("pointerdown", (e) => {
      if (e.button !== 0) return;
      this.pad.setPointerCapture(e.pointerId);
      this.last = null;
      this.put(place(e));
    });
    this.pad.addEventListener("pointermove", (e) => {
      if (this.last && this.pad.hasPointerCapture(e.pointerId)) this.put(place(e));
    });
    for (const end of ["pointerup", "pointercancel"]) this.pad.addEventListener(end, () => (this.last = null));
  }

  private key(e: KeyboardEvent): void {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    const end = this.drawn.length - 1;
    const go = (at: number) => (): void => {
      this.at = Math.max(0, Math.min(end, at));
    };
    const raise = (by: number) => (): void => {
      const from = this.drawn[this.at] ?? this.drawn.slice(0, this.at).findLast((y) => y !== null) ?? 0.5;
      this.drawn[this.at] = Math.max(0, Math.min(1, Math.round((from + by) * 100) / 100));
    };
    const keys: Record<string, () => void> = {
      ArrowLeft: go(this.at - 1),
      ArrowRight: go(this.at + 1),
      Home: go(0),
      End: go(end),
      ArrowUp: raise(0.05),
      ArrowDown: raise(-0.05),
      PageUp: raise(0.25),
      PageDown: raise(-0.25),
      Enter: () => void this.reveal(),
    };
    const act = keys[e.key];
    if (!act) return;
    e.preventDefault();
    act();
    this.show();
  }
}

// ---- which task survives?

const tasks: Record<string, string> = {
  recall: "recall: the value of an earlier token",
  smoothing: "smoothing: a running mean of the values",
  gaussian: "random vectors: the token’s own value",
  digits: "digits: the token’s own picture",
};

function taskGuess(box: HTMLElement, host: Host): void {
  const options = Object.entries(tasks).map(
    ([name, label]) => `<label class="check"><input type="checkbox" value="${name}"> <span>${escape(label)}</span></label>`,
  );
  box.innerHTML =
    `<h3 id="survivors">First a guess, if you like: which tasks survive?</h3><div role="group" aria-labelledby="survivors">${options.join("")}</div>` +
    `<p class="from"><button type="button" class="plain">show the run</button></p><p class="verdict"></p>`;
  box.querySelector("button")!.addEventListener("click", async () => {
    const reply = await host.engine.run("guess tasks", "q-to-k", {}).catch(() => null);
    const chosen = [...box.querySelectorAll<HTMLInputElement>("input:checked")].map((input) => shortName(input.value));
    const sentence = reply ? choiceVerdict(outcomes(reply.answer), chosen.length > 0 ? new Set(chosen) : null) : "The engine has no answer now.";
    box.querySelector(".verdict")!.textContent = sentence;
    host.say(sentence);
  });
}

function shortName(task: string): string {
  return tasks[task]!.split(":")[0]!;
}

function outcomes(answer: Answer): Outcome[] {
  return Object.keys(tasks).flatMap((task) => {
    const [before, after] = [scalar(answer, `${task}.before`), scalar(answer, `${task}.after`)];
    return before === null || after === null ? [] : [{ name: shortName(task), before, after }];
  });
}
