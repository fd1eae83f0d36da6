// Auto, light or dark: one attribute on the root element; CSS does the rest.

import type { Theme } from "./link";

const prefersDark = matchMedia("(prefers-color-scheme: dark)");

/** Sets the theme of the document. */
export function applyTheme(theme: Theme): void {
  const root = document.documentElement;
  if (theme === "auto") delete root.dataset["theme"];
  else root.dataset["theme"] = theme;
}

/** Whether the document is dark now. */
export function isDark(): boolean {
  const theme = document.documentElement.dataset["theme"];
  return theme === "dark" || (theme !== "light" && prefersDark.matches);
}

/** Calls back whenever the document turns light or dark. */
export function onDarkness(changed: (dark: boolean) => void): void {
  let last = isDark();
  const look = (): void => {
    const dark = isDark();
    if (dark !== last) changed((last = dark));
  };
  prefersDark.addEventListener("change", look);
  new MutationObserver(look).observe(document.documentElement, { attributeFilter: ["data-theme"] });
}
