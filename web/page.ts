// Entry of the article.

import { defineFigure } from "./element";
import { files } from "./host";
import { loadAids, refreshFigures, showNotices, startHost } from "./live";
import type { Theme } from "./link";
import { fillScalars } from "./prose";
import { applyTheme } from "./theme";

const host = startHost();

function showTheme(): void {
  applyTheme(host.theme);
  for (const input of document.querySelectorAll<HTMLInputElement>('input[name="theme"]')) {
    input.checked = input.value === host.theme;
  }
}

document.addEventListener("change", (e) => {
  const input = e.target;
  if (!(input instanceof HTMLInputElement) || input.name !== "theme") return;
  host.theme = input.value as Theme;
  showTheme();
});

host.onLink = () => {
  showTheme();
  showNotices(host.messages);
  refreshFigures();
  goTo(host.place);
};

/** Scrolls to the figure or the part of the text that the link leads to. */
function goTo(place: string): void {
  if (place === "") return;
  (document.getElementById(place) ?? document.querySelector(`ttt-figure[name="${CSS.escape(place)}"]`))?.scrollIntoView();
}

document.addEventListener("answer", (e) => fillScalars(document, (e as CustomEvent).detail));

showTheme();
showNotices(host.messages);
defineFigure(host);

goTo(host.place);

/** The reading aids come once the reader moves; a link that leads somewhere is a move. */
let aided = false;
const aid = (): void => {
  if (aided) return;
  aided = true;
  loadAids().then((aids) => aids.start(host), () => undefined);
};
if (host.place) aid();
for (const sign of ["scroll", "pointerdown", "keydown", "hashchange"]) addEventListener(sign, aid, { once: true, passive: true });

for (const span of document.querySelectorAll("[data-version]")) span.textContent = files.version;
