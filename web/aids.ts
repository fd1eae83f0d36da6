// What helps a reader along and is not needed for the first view: a script of
// its own, fetched once the reader has begun.

import { figures } from "./figures/index";
import { filmStrip } from "./filmstrip";
import type { Host } from "./host";
import type { Aids } from "./live";
import * as panel from "./panel";
import { togglePin } from "./pin";
import { startPredictions } from "./predict";
import { Readouts } from "./readout";
import * as share from "./share";
import { SequenceEditor } from "./strip";
import * as tables from "./table";
import { TextField } from "./textfield";
import { startTour } from "./tour";

const aids: Aids = {
  start(host: Host): void {
    startTour();
    foldContents();
    startPredictions(host);
    void takeInQuestions();
  },
  figures,
  filmStrip,
  Readouts,
  SequenceEditor,
  TextField,
  panel,
  share,
  tables,
  togglePin,
};
(globalThis as { unrolledAids?: Aids }).unrolledAids = aids;

/** The table of contents folds once it has been used, or is left. */
function foldContents(): void {
  const contents = document.querySelector<HTMLDetailsElement>(".contents");
  if (!contents) return;
  document.addEventListener("click", ({ target }) => {
    const within = target instanceof Element && contents.contains(target) && !target.closest("a");
    if (!within) contents.open = false;
  });
  contents.addEventListener("keydown", ({ key }) => {
    if (key !== "Escape" || !contents.open) return;
    contents.open = false;
    contents.querySelector("summary")!.focus();
  });
}

/** The questions are a page of their own; here they join the article. */
async function takeInQuestions(): Promise<void> {
  const place = document.querySelector<HTMLElement>("[data-questions]");
  const link = place?.querySelector<HTMLAnchorElement>("a");
  if (!place || !link) return;
  // Where the page cannot be fetched, the link to it stays.
  const text = await fetch(link.href).then((r) => (r.ok ? r.text() : ""), () => "");
  const found = new DOMParser().parseFromString(text, "text/html").querySelector("[data-questions]");
  if (!found) return;
  for (const a of found.querySelectorAll("a")) a.setAttribute("href", a.getAttribute("href")!.replace(/^index\.html(?=#)/, ""));
  place.replaceChildren(...Array.from(found.childNodes, (n) => document.importNode(n, true)));
}
