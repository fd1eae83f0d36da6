// Entry of the article.

import { defineFigure } from "./element";
import { files } from "./host";
import { refreshFigures, showNotices, startHost } from "./live";
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
};

document.addEventListener("answer", (e) => fillScalars(document, (e as CustomEvent).detail));

showTheme();
showNotices(host.messages);
defineFigure(host);

for (const span of document.querySelectorAll("[data-version]")) span.textContent = files.version;
