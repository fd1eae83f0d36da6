// The stage's labels: HTML over the picture, sharper than text on a canvas and
// a megabyte lighter. The page and the stage's frame set them with this one
// function.

import type { Label, Run } from "./messages";

/** Sets the labels into a layer, touching only what is different. */
export function setLabels(layer: HTMLElement, labels: Label[]): void {
  while (layer.children.length > labels.length) layer.lastElementChild!.remove();
  labels.forEach((label, i) => {
    const line = (layer.children[i] as HTMLElement | undefined) ?? layer.appendChild(document.createElement("div"));
    setLabel(line, label);
  });
}

/** what each line shows, so that a frame touches only the labels that changed */
const shown = new WeakMap<HTMLElement, string>();

function setLabel(line: HTMLElement, label: Label): void {
  const text = JSON.stringify(label);
  if (shown.get(line) === text) return;
  shown.set(line, text);
  line.className = "stage-label";
  line.dataset["anchor"] = label.anchor;
  line.toggleAttribute("data-small", label.small);
  line.style.left = `${label.x}px`;
  line.style.top = `${label.y}px`;
  while (line.children.length > label.runs.length) line.lastElementChild!.remove();
  label.runs.forEach((run, i) => {
    const piece = (line.children[i] as HTMLElement | undefined) ?? line.appendChild(document.createElement("span"));
    setRun(piece, run);
  });
}

function setRun(piece: HTMLElement, run: Run): void {
  piece.dataset["role"] = run.role;
  piece.dataset["face"] = run.face;
  if (piece.textContent !== run.text) piece.textContent = run.text;
}
