// Entry of the article.

import { defineFigure } from "./element";
import { know } from "./figures/known";
import { momentumAge } from "./figures/momentum-age";
import { files } from "./host";
import { aidsInTime, loadAids, refreshFigures, showNotices, startHost } from "./live";
import { shorten, type Theme } from "./link";
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
  tell();
  refreshFigures();
  target()?.scrollIntoView();
};

/** The figure or the part of the text that the link leads to. */
function target(): Element | null {
  return document.getElementById(host.place) ?? document.querySelector(`ttt-figure[name="${CSS.escape(host.place)}"]`);
}

function tell(): void {
  const lost = host.place === "" || target() ? [] : [`The link leads to “${shorten(host.place)}”, which is no part of this page.`];
  showNotices([...host.messages, ...lost]);
}

document.addEventListener("answer", (e) => fillScalars(document, (e as CustomEvent).detail));

showTheme();
tell();
defineFigure(host);

target()?.scrollIntoView();

// A link that leads somewhere is a move.
(host.place ? loadAids() : aidsInTime()).then((aids) => aids.start(host), () => undefined);

for (const span of document.querySelectorAll("[data-version]")) span.textContent = files.version;
