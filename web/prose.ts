// Numbers within the prose: <span data-scalar="momentum-age.half-life.own">.

import type { Answer } from "./messages";
import { formatNumber } from "./numbers";

/** A scalar as the prose shows it; null if the Answer has none of that name. */
export function scalarText(answer: Answer, name: string): string | null {
  const found = answer.scalars.find((s) => s.name === name);
  return found ? formatNumber(found.value) : null;
}

/** Puts an Answer's numbers into the prose, so that text and state agree. */
export function fillScalars(root: ParentNode, answer: Answer): void {
  for (const span of root.querySelectorAll<HTMLElement>(`[data-scalar^="${CSS.escape(answer.experiment)}."]`)) {
    const text = scalarText(answer, span.dataset["scalar"]!.slice(answer.experiment.length + 1));
    if (text !== null) span.textContent = text;
  }
}
