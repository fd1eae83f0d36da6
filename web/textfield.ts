// A text that the reader types: read as it is typed, or by a button where it is
// long; never overwritten while it is being worked on.

import { longestText } from "./link";
import type { Knob } from "./messages";

/** Milliseconds without a key before a text is read. */
const rest = 400;
/** Words above which a text is read by the button only. */
export const readAtOnce = 1024;

export interface TextFieldOptions {
  knob: Knob;
  text(): string;
  changed(text: string): void;
}

/** The words and marks of a text, as the engine counts them before it looks them up. */
export function countWords(text: string): number {
  return text.match(/[\p{L}\p{M}\p{N}]+|[.,;:!?'’‘\-‐‑‒–—]/gu)?.length ?? 0;
}

export class TextField {
  readonly knob: Knob;
  private readonly field: HTMLInputElement | HTMLTextAreaElement;
  private readonly button: HTMLButtonElement | null;
  private timer = 0;
  /** typed and not read yet */
  private pending = false;

  constructor(
    private readonly box: HTMLElement,
    private readonly options: TextFieldOptions,
  ) {
    this.knob = options.knob;
    this.field = box.querySelector<HTMLInputElement | HTMLTextAreaElement>("input, textarea")!;
    this.button = box.querySelector("[data-read]");
    this.field.addEventListener("input", () => this.typed());
    this.field.addEventListener("change", () => this.settle());
    this.button?.addEventListener("click", () => {
      this.read();
      this.field.focus({ preventScroll: true });
    });
    if (this.field instanceof HTMLInputElement) {
      this.field.addEventListener("keydown", (e) => {
        if ((e as KeyboardEvent).key === "Enter") this.settle();
      });
    }
    this.show(false);
  }

  /** Puts the present value into the field, unless the reader is at work on it. */
  show(force: boolean): void {
    if (force) this.drop();
    const text = this.options.text();
    const busy = !force && (this.pending || document.activeElement === this.field);
    if (!busy && this.field.value !== text) this.field.value = text;
    this.showCount();
  }

  private typed(): void {
    this.pending = true;
    window.clearTimeout(this.timer);
    this.showCount();
    if (!this.isLong()) this.timer = window.setTimeout(() => this.read(), rest);
  }

  /** The reader has left the field: what is short is read now. */
  private settle(): void {
    if (this.pending && !this.isLong()) this.read();
  }

  private read(): void {
    this.drop();
    this.options.changed(this.field.value);
    this.showCount();
  }

  private drop(): void {
    window.clearTimeout(this.timer);
    this.pending = false;
  }

  private isLong(): boolean {
    return this.toRead() > readAtOnce;
  }

  /** The words that would be read. */
  private toRead(): number {
    return Math.min(countWords(this.field.value), this.knob.max);
  }

  private showCount(): void {
    const { field, box, button } = this;
    const count = box.querySelector<HTMLElement>("[data-count]");
    if (!count || !button) return;
    const words = countWords(field.value);
    count.textContent = `${words.toLocaleString("en")} ${words === 1 ? "word" : "words"}`;
    box.querySelector<HTMLElement>("[data-long]")!.hidden = field.value.length <= longestText;
    button.hidden = !(this.pending && this.isLong());
    button.textContent = `read the ${this.toRead().toLocaleString("en")} words`;
  }
}
