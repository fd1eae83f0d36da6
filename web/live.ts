// What the article and the embed share: the engine, its banner, the live region.

import { Engine, startWorker } from "./engine";
import { address, files, Host } from "./host";

/** Makes the page's engine and host; the banner and the live region must be in the page. */
export function startHost(): Host {
  const banner = document.getElementById("banner")!;
  const said = document.getElementById("said")!;
  const engine = new Engine(() => startWorker(address(files.worker)), {
    runtime: address(files.runtime),
    fast: address(files.fast),
    plain: address(files.plain),
    script: address(files.script),
    words: address(files.words),
    wordsScript: address(files.wordsScript),
  });
  const host = new Host(engine, (text) => {
    said.textContent = text;
  });
  engine.onDeath = (sentence) => {
    banner.replaceChildren();
    banner.hidden = sentence === null;
    if (sentence === null) return;
    banner.append(`${sentence} The figures show the last good run. `, restartButton(engine, host));
  };
  return host;
}

function restartButton(engine: Engine, host: Host): HTMLButtonElement {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "plain";
  button.textContent = "restart";
  button.addEventListener("click", () => {
    engine.cancel();
    host.onLink();
  });
  return button;
}

/** Lets every figure of the page read its values again. */
export function refreshFigures(): void {
  for (const figure of document.querySelectorAll("ttt-figure")) {
    (figure as HTMLElement & { refresh?: () => void }).refresh?.();
  }
}

/** Shows what a link asked for and could not have. */
export function showNotices(messages: readonly string[]): void {
  const notices = document.getElementById("notices")!;
  notices.replaceChildren(
    ...messages.map((text) => {
      const line = document.createElement("p");
      line.textContent = text;
      return line;
    }),
  );
  notices.hidden = messages.length === 0;
}
