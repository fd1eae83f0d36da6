// Knobs that work: events of the controls → new values, new values → controls.

import { clamp } from "./link";
import type { Experiment, Knob, Values } from "./messages";
import { applies, overruler, valueOf } from "./knobview";
import { fromPosition, knobText, stepped, toPosition } from "./scale";
import { aidsInTime, type Aids } from "./live";
import type { SequenceEditor } from "./strip";
import type { TextField } from "./textfield";

/** Called with the new values; `done` once the hand is off the control. */
export type Changed = (values: Values, done: boolean) => void;

export interface KnobsOptions {
  experiment: Experiment;
  values(): Values;
  changed: Changed;
  /** how many tokens the run has */
  length(): number;
  /** speaks to screen readers */
  say(sentence: string): void;
  /** what a value means, for a screen reader: "0.9, half after 6 updates" */
  meaning?(knob: Knob, text: string): string;
}

/** Wires every knob under `root`; the markup comes from knobview. */
export class Knobs {
  private readonly editors: SequenceEditor[] = [];
  private readonly texts: TextField[] = [];

  constructor(
    private readonly root: ParentNode,
    private readonly options: KnobsOptions,
  ) {
    for (const [box, knob] of this.boxes()) this.wire(box, knob);
    this.show();
  }

  /** Puts the present values into the controls; a text that is still being typed stays, unless asked. */
  show(force = false): void {
    const values = this.options.values();
    for (const [box, knob] of this.boxes()) {
      const text = valueOf(knob, values);
      box.classList.toggle("changed", text !== knob.default);
      box.hidden = !applies(this.options.experiment, knob, values);
      if (box.dataset["shown"] !== text) box.querySelector(".field-note")?.remove();
      box.dataset["shown"] = text;
      const reset = box.querySelector<HTMLButtonElement>("[data-reset]");
      if (reset) reset.hidden = text === knob.default;
      if (knob.kind === "number") {
        this.showNumber(box, knob, text);
        this.showOverruled(box, knob, values);
      }
      if (knob.kind === "choice") {
        for (const input of box.querySelectorAll<HTMLInputElement>("input")) input.checked = input.value === text;
      }
      if (knob.kind === "switch") box.querySelector<HTMLInputElement>("input")!.checked = text === "on";
      if (knob.kind === "seed") setUnlessTyping(box.querySelector<HTMLInputElement>("input")!, text);
    }
    for (const editor of this.editors) editor.show();
    for (const text of this.texts) text.show(force);
  }

  private *boxes(): Generator<[HTMLElement, Knob]> {
    for (const box of this.root.querySelectorAll<HTMLElement>("[data-knob]")) {
      const knob = this.options.experiment.knobs.find((k) => k.name === box.dataset["knob"]);
      if (knob) yield [box, knob];
    }
  }

  private set(knob: Knob, text: string, done: boolean): void {
    const values = { ...this.options.values() };
    const { value } = clamp(knob, text);
    if (value === knob.default) delete values[knob.name];
    else values[knob.name] = value;
    this.options.changed(values, done);
    this.show();
  }

  /** Takes what was typed; where that cannot be used as it stands, a sentence beside the field says so. */
  private take(box: HTMLElement, knob: Knob, field: HTMLInputElement): void {
    const { value, message = "" } = clamp(knob, field.value, valueOf(knob, this.options.values()));
    this.set(knob, value, true);
    this.note(box, message);
    field.value = this.shownText(knob);
  }

  private shownText(knob: Knob): string {
    const text = valueOf(knob, this.options.values());
    return knob.kind === "number" ? knobText(knob, Number(text)) : text;
  }

  /** Says beside the text that is read what the figure says of it, too far up to be seen from there. */
  noteText(sentence: string): void {
    for (const [box, knob] of this.boxes()) if (knob.task === "words" && !box.hidden) this.write(box, sentence);
  }

  private note(box: HTMLElement, sentence: string): void {
    this.write(box, sentence);
    if (sentence !== "") this.options.say(sentence);
  }

  private write(box: HTMLElement, sentence: string): void {
    box.querySelector(".field-note")?.remove();
    if (sentence === "") return;
    const note = document.createElement("p");
    note.className = "field-note";
    note.textContent = sentence;
    (box.querySelector(".help") ?? box.lastElementChild)!.before(note);
  }

  private wire(box: HTMLElement, knob: Knob): void {
    box.querySelector("[data-reset]")?.addEventListener("click", () => {
      this.set(knob, knob.default, true);
      for (const text of this.texts) text.show(text.knob === knob);
      // The button is gone now; the focus must not fall out of the figure.
      box.querySelector<HTMLElement>("input, textarea, [tabindex]")?.focus({ preventScroll: true });
    });
    if (knob.kind === "number") this.wireNumber(box, knob);
    if (knob.kind === "choice") {
      box.addEventListener("change", (e) => this.set(knob, (e.target as HTMLInputElement).value, true));
    }
    if (knob.kind === "switch") {
      box.addEventListener("change", (e) => this.set(knob, (e.target as HTMLInputElement).checked ? "on" : "off", true));
    }
    if (knob.kind === "seed") {
      const field = box.querySelector("input")!;
      field.addEventListener("change", () => this.take(box, knob, field));
      box.querySelector("[data-new-seed]")!.addEventListener("click", () => {
        this.set(knob, String(1 + Math.floor(Math.random() * 999_999)), true);
      });
    }
    if (knob.kind === "text") {
      this.later(({ TextField }) =>
        this.texts.push(
          new TextField(box, {
            knob,
            text: () => valueOf(knob, this.options.values()),
            changed: (text) => this.set(knob, text, true),
          }),
        ),
      );
    }
    if (knob.kind === "sequence") {
      this.later(({ SequenceEditor }) =>
        this.editors.push(
          new SequenceEditor(box, {
            knob,
            text: () => valueOf(knob, this.options.values()),
            length: this.options.length,
            flat: () => this.numberOf("alpha", 0),
            changed: (text, done) => this.set(knob, text, done),
          }),
        ),
      );
    }
  }

  /** Wires an editor that the first view does without. */
  private later(make: (aids: Aids) => void): void {
    void aidsInTime().then(make, () => undefined);
  }

  /** A number whose place a sequence has taken rests until it is given back. */
  private showOverruled(box: HTMLElement, knob: Knob, values: Values): void {
    const note = box.querySelector<HTMLElement>(".overruled");
    const sequence = overruler(this.options.experiment, knob);
    if (!note || !sequence) return;
    const resting = valueOf(sequence, values) !== "";
    note.hidden = !resting;
    for (const control of box.querySelectorAll<HTMLInputElement | HTMLButtonElement>("input, .step")) control.disabled = resting;
  }

  private numberOf(name: string, otherwise: number): number {
    const knob = this.options.experiment.knobs.find((k) => k.name === name);
    return knob ? Number(valueOf(knob, this.options.values())) : otherwise;
  }

  private wireNumber(box: HTMLElement, knob: Knob): void {
    const range = box.querySelector<HTMLInputElement>('input[type="range"]')!;
    const field = box.querySelector<HTMLInputElement>("input.knob-value")!;
    range.addEventListener("input", () => this.set(knob, range.value, false));
    range.addEventListener("change", () => this.set(knob, range.value, true));
    field.addEventListener("change", () => this.take(box, knob, field));
    field.addEventListener("keydown", (e) => {
      const by = e.key === "ArrowUp" ? 1 : e.key === "ArrowDown" ? -1 : 0;
      if (by === 0) return;
      e.preventDefault();
      this.set(knob, String(stepped(knob, Number(range.value), by)), true);
      this.showNumber(box, knob, valueOf(knob, this.options.values()), true);
    });
    for (const button of box.querySelectorAll<HTMLButtonElement>("[data-step]")) {
      button.addEventListener("click", () => {
        this.set(knob, String(stepped(knob, Number(range.value), Number(button.dataset["step"]))), true);
      });
    }
    box.querySelector("[data-overrule]")?.addEventListener("click", () => {
      this.set(overruler(this.options.experiment, knob)!, "", true);
      range.focus({ preventScroll: true });
    });
    if (knob.log) wireLog(range, knob);
  }

  private showNumber(box: HTMLElement, knob: Knob, text: string, force = false): void {
    const value = Number(text);
    const range = box.querySelector<HTMLInputElement>('input[type="range"]')!;
    const field = box.querySelector<HTMLInputElement>("input.knob-value")!;
    if (Number(range.value) !== value) range.value = text;
    if (force) field.value = knobText(knob, value);
    else setUnlessTyping(field, knobText(knob, value));
    placeThumb(box, toPosition(knob, value));
    const meaning = this.options.meaning?.(knob, text) ?? "";
    const unit = knob.unit ? ` ${knob.unit}` : "";
    range.setAttribute("aria-valuetext", `${knobText(knob, value)}${unit}${meaning ? `, ${meaning}` : ""}`);
  }
}

/** Moves the drawn thumb and the run of the track, 0…1. */
export function placeThumb(box: ParentNode, position: number): void {
  const place = `${(100 * position).toFixed(2)}%`;
  box.querySelector(".track .run")?.setAttribute("x2", place);
  box.querySelector(".track .thumb")?.setAttribute("cx", place);
}

function setUnlessTyping(field: HTMLInputElement, text: string): void {
  if (document.activeElement !== field && field.value !== text) field.value = text;
}

/**
 * On a log scale the range keeps the knob's own value, so its native pointer
 * handling, linear in the value, is replaced: the slide turns a place into a
 * value, and the keys move by ratios.
 */
function wireLog(range: HTMLInputElement, knob: Knob): void {
  const slide = range.closest<HTMLElement>(".slide")!;
  const emit = (value: number, type: "input" | "change"): void => {
    range.value = String(value);
    range.dispatchEvent(new Event(type, { bubbles: true }));
  };
  const follow = (e: PointerEvent): void => {
    const track = slide.querySelector(".track")!.getBoundingClientRect();
    emit(fromPosition(knob, (e.clientX - track.left) / track.width), "input");
  };
  slide.addEventListener("pointerdown", (e) => {
    if (e.button !== 0) return;
    e.preventDefault();
    range.focus({ preventScroll: true });
    slide.setPointerCapture(e.pointerId);
    follow(e);
  });
  slide.addEventListener("pointermove", (e) => {
    if (slide.hasPointerCapture(e.pointerId)) follow(e);
  });
  for (const end of ["pointerup", "pointercancel"] as const) {
    slide.addEventListener(end, () => emit(Number(range.value), "change"));
  }
  const steps: Record<string, number> = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 10, PageDown: -10 };
  range.addEventListener("keydown", (e) => {
    const by = steps[e.key];
    if (by === undefined || e.ctrlKey || e.metaKey || e.altKey) return;
    e.preventDefault();
    const value = stepped(knob, Number(range.value), by);
    emit(value, "input");
    emit(value, "change");
  });
}
