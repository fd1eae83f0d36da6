// Copying links, the snippet for a blog, and files, with ways out where a
// sandbox forbids the clipboard or a download.

import { escape } from "./chart/text";
import type { Host } from "./host";
import type { Experiment } from "./messages";

/** Where a frame's height comes from: the page that embeds may listen. */
export const heightMessage = "unrolled:height";

/** The snippet that shows a figure in somebody's page. */
export function embedSnippet(address: string, title: string, height: number): string {
  return (
    `<iframe src="${escape(address)}" title="${escape(title)}"\n` +
    `  width="100%" height="${height}" style="width:100%;height:${height}px;border:0"\n` +
    `  loading="lazy" allow="fullscreen; clipboard-write"></iframe>`
  );
}

/** For hosts that allow a script: lets the frame be as high as its figure. */
export const heightScript =
  `<script>addEventListener("message", function (e) {\n` +
  `  if (!e.data || e.data.type !== "${heightMessage}") return;\n` +
  `  document.querySelectorAll("iframe").forEach(function (f) {\n` +
  `    if (f.contentWindow === e.source) f.style.height = Math.min(4000, +e.data.height || 0) + "px";\n` +
  `  });\n` +
  `});</script>`;

/** Copies text; where that is forbidden, shows it selected. */
export async function copyText(text: string, button: HTMLElement, title: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    flash(button, "copied");
  } catch {
    showTexts(title, [{ label: title, text }]);
  }
}

/** Saves a file; where a sandbox forbids it, the text can still be selected. */
export function saveFile(name: string, type: string, text: string): void {
  if (window.origin === "null") {
    showTexts(name, [{ label: name, text }]);
    return;
  }
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** A dialog with texts to copy. */
export function showTexts(title: string, texts: { label: string; text: string }[]): void {
  const dialog = document.createElement("dialog");
  dialog.className = "texts";
  dialog.setAttribute("aria-label", title);
  dialog.innerHTML =
    `<h2>${escape(title)}</h2>` +
    texts
      .map(
        (t, i) =>
          `<label for="copy-${i}">${escape(t.label)}</label>` +
          `<textarea id="copy-${i}" readonly rows="${Math.min(8, t.text.split("\n").length + 1)}" spellcheck="false">${escape(t.text)}</textarea>` +
          `<button type="button" class="plain" data-copy="${i}">copy</button>`,
      )
      .join("") +
    `<button type="button" class="plain" data-close>close</button>`;
  const before = document.activeElement;
  document.body.append(dialog);
  dialog.addEventListener("click", (e) => {
    const button = e.target as HTMLElement;
    if (button.dataset["close"] !== undefined) dialog.close();
    const index = button.dataset["copy"];
    if (index === undefined) return;
    const area = dialog.querySelector<HTMLTextAreaElement>(`#copy-${index}`)!;
    area.select();
    navigator.clipboard?.writeText(area.value).then(
      () => flash(button, "copied"),
      () => flash(button, "selected: press Ctrl C"),
    );
  });
  dialog.addEventListener("close", () => {
    dialog.remove();
    if (before instanceof HTMLElement) before.focus({ preventScroll: true });
  });
  dialog.showModal();
}

function flash(button: HTMLElement, text: string): void {
  const was = button.dataset["was"] ?? button.textContent ?? "";
  button.dataset["was"] = was;
  button.textContent = text;
  setTimeout(() => (button.textContent = was), 1600);
}

/** The article's address with a fragment; an embed's own is beside it. */
export function pageAddress(fragment: string): string {
  const here = new URL(location.pathname.endsWith("embed.html") ? "index.html" : "", location.href);
  here.search = "";
  here.hash = "";
  return here.href + fragment;
}

/** Shows what to paste to embed a figure as it stands. */
export function showSnippet(experiment: Experiment, height: number, host: Host): void {
  const page = new URL("embed.html", pageAddress(""));
  page.searchParams.set("figure", experiment.name);
  if (host.theme !== "auto") page.searchParams.set("theme", host.theme);
  showTexts("Embed this figure", [
    { label: "In your page, as it stands now:", text: embedSnippet(page.href + host.fragment(experiment.name), experiment.title, height) },
    { label: "If your page may run a script, the height can follow:", text: heightScript },
  ]);
}
