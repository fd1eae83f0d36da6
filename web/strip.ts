// The editor for one value a token: a strip of bars that a thumb can draw on.

import type { Knob } from "./messages";
import { formatNumber, place, px } from "./numbers";
import { pack, stroke, unpack } from "./sequence";

export interface SequenceOptions {
  knob: Knob;
  /** the packed values; "" when one value serves all tokens */
  text(): string;
  length(): number;
  /** the one value that serves all tokens otherwise */
  flat(): number;
  changed(text: string, done: boolean): void;
}

const height = 96;

export class SequenceEditor {
  private readonly strip: HTMLElement;
  private readonly output: HTMLElement;
  private token = 0;
  private last: { token: number; value: number } | null = null;

  constructor(
    box: HTMLElement,
    private readonly options: SequenceOptions,
  ) {
    this.strip = box.querySelector<HTMLElement>(".strip")!;
    this.output = box.querySelector<HTMLElement>("[data-token-value]")!;
    this.wirePointer();
    this.strip.addEventListener("keydown", (e) => this.key(e));
    for (const button of box.querySelectorAll<HTMLElement>("button[data-token]")) {
      button.addEventListener("click", () => this.choose(this.token + Number(button.dataset["token"])));
    }
    for (const button of box.querySelectorAll<HTMLElement>("button[data-step]")) {
      button.addEventListener("click", () => this.raise(Number(button.dataset["step"]) * 5));
    }
    box.querySelector("[data-flat]")!.addEventListener("click", () => this.options.changed(pack([this.options.flat()]), true));
    box.querySelector("[data-clear]")!.addEventListener("click", () => this.options.changed("", true));
    this.show();
  }

  /** Draws the bars for the present values. */
  show(): void {
    const values = this.values();
    const n = values.length;
    this.token = Math.max(0, Math.min(n - 1, this.token));
    const top = this.top();
    let d = "";
    values.forEach((v, i) => {
      d += `M${px(i + 0.1)} ${height}V${px(height - (height * Math.min(v, top)) / top)}h.8V${height}z`;
    });
    const used = this.options.text() !== "";
    this.strip.classList.toggle("unused", !used);
    this.strip.innerHTML =
      `<svg viewBox="0 0 ${n} ${height}" preserveAspectRatio="none" aria-hidden="true" focusable="false">` +
      `<line class="one" x1="0" x2="${n}" y1="${px(height - height / top)}" y2="${px(height - height / top)}"/>` +
      `<rect class="chosen" x="${this.token}" y="0" width="1" height="${height}"/><path class="bars" d="${d}"/></svg><span class="one-label" aria-hidden="true">1</span>`;
    this.strip.querySelector<HTMLElement>(".one-label")!.style.top = `${100 * (1 - 1 / top)}%`;
    const value = values[this.token] ?? 0;
    this.output.textContent = used ? `token ${place(this.token)}: ${formatNumber(value)}` : `one α for all: ${formatNumber(value)}`;
    this.strip.setAttribute("aria-valuemax", String(top));
    this.strip.setAttribute("aria-valuenow", String(value));
    this.strip.setAttribute("aria-valuetext", `token ${place(this.token)} of ${n}: ${formatNumber(value)}`);
  }

  private top(): number {
    return this.options.knob.max > 0 ? this.options.knob.max : 1;
  }

  private values(): number[] {
    const n = Math.max(1, this.options.length());
    return unpack(this.options.text(), n) ?? new Array<number>(n).fill(this.options.flat());
  }

  private choose(token: number): void {
    this.token = Math.max(0, Math.min(this.values().length - 1, token));
    this.show();
  }

  /** Changes the chosen token's value by steps of 0.01. */
  private raise(steps: number): void {
    const values = this.values();
    const value = Math.max(0, Math.min(this.top(), Math.round((values[this.token]! + steps * 0.01) * 200) / 200));
    this.write(stroke(values, { token: this.token, value }, { token: this.token, value }), true);
  }

  private write(values: number[], done: boolean): void {
    this.options.changed(pack(values), done);
  }

  private key(e: KeyboardEvent): void {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    const n = this.values().length;
    const moves: Record<string, () => void> = {
      ArrowLeft: () => this.choose(this.token - 1),
      ArrowRight: () => this.choose(this.token + 1),
      Home: () => this.choose(0),
      End: () => this.choose(n - 1),
      ArrowUp: () => this.raise(1),
      ArrowDown: () => this.raise(-1),
      PageUp: () => this.raise(10),
      PageDown: () => this.raise(-10),
    };
    const move = moves[e.key];
    if (!move) return;
    e.preventDefault();
    move();
  }

  private wirePointer(): void {
    const at = (e: PointerEvent): { token: number; value: number } => {
      const box = this.strip.getBoundingClientRect();
      const n = this.values().length;
      const token = Math.max(0, Math.min(n - 1, Math.floor(((e.clientX - box.left) / box.width) * n)));
      const share = Math.max(0, Math.min(1, 1 - (e.clientY - box.top) / box.height));
      return { token, value: Math.round(share * this.top() * 200) / 200 };
    };
    const draw = (e: PointerEvent, done: boolean): void => {
      const to = at(e);
      this.token = to.token;
      this.write(stroke(this.values(), this.last ?? to, to), done);
      this.last = to;
    };
    this.strip.addEventListener("pointerdown", (e) => {
      if (e.button !== 0) return;
      this.strip.setPointerCapture(e.pointerId);
      this.last = null;
      draw(e, false);
    });
    this.strip.addEventListener("pointermove", (e) => {
      if (this.last && this.strip.hasPointerCapture(e.pointerId)) draw(e, false);
    });
    const end = (e: PointerEvent): void => {
      if (this.last) draw(e, true);
      this.last = null;
    };
    this.strip.addEventListener("pointerup", end);
    // The browser took the gesture to scroll: keep what was drawn so far.
    this.strip.addEventListener("pointercancel", () => {
      if (this.last) this.write(this.values(), true);
      this.last = null;
    });
  }
}
