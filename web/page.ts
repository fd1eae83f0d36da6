// Entry of the article.

import { defineFigure } from "./element";
import { know } from "./figures/known";
import { momentumAge } from "./figures/momentum-age";
import { files } from "./host";
import { aidsInTime, loadAids, refreshFigures, showNotices, startHost } from "./live";
import type { Theme } from "./link";
import { fillScalars } from "./prose";
import { applyTheme } from "./theme";

know([momentumAge]);
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

// A link that leads somewhere is a move.
(host.place ? loadAids() : aidsInTime()).then((aids) => aids.start(host), () => undefined);

for (const span of document.querySelectorAll("[data-version]")) span.textContent = files.version;
