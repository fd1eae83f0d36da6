// What the article and the embed share: the engine, its banner, the live region.

import { Engine, startWorker, type WorkerLike } from "./engine";
import type { Stills } from "./filmstrip";
import { address, files, Host } from "./host";
import type { EngineFiles } from "./messages";
import type { Readouts } from "./readout";
import type { SequenceEditor } from "./strip";
import type { TextField } from "./textfield";

/** Makes the page's engine and host; the banner and the live region must be in the page. */
export function startHost(): Host {
  const banner = document.getElementById("banner")!;
  const said = document.getElementById("said")!;
  const start = (): WorkerLike => startWorker(address(files.worker));
  const from = ({ fast, plain, script }: (typeof files)["engine"]): EngineFiles => ({
    runtime: address(files.runtime),
    fast: address(fast),
    plain: address(plain),
    script: address(script),
    words: address(files.words),
    wordsScript: address(files.wordsScript),
  });
  // Each starts, and loads its program, with the first question.
  const engine = new Engine(start, from(files.engine));
  const pictures = new Engine(start, from(files.engine), engine);
  const lab = new Engine(start, from(files.lab));
  const host = new Host(engine, lab, pictures, (text) => {
    said.textContent = text;
  });
  const dead = new Map<Engine, string>();
  const tell = (): void => {
    const [sentence] = dead.values();
    banner.replaceChildren();
    banner.hidden = sentence === undefined;
    if (sentence !== undefined) banner.append(`${sentence.replace(/[^.]$/, "$&.")} The figures show the last good run. `, restartButton([...dead.keys()]));
  };
  for (const one of [engine, lab, pictures]) {
    one.onDeath = (sentence) => {
      if (sentence === null) dead.delete(one);
      else dead.set(one, sentence);
      tell();
    };
  }
  return host;
}

function restartButton(engines: readonly Engine[]): HTMLButtonElement {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "plain";
  button.textContent = "restart";
  button.addEventListener("click", () => {
    for (const one of engines) one.restart();
    refreshFigures();
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

/** What aids.ts offers. */
export interface Aids {
  start(host: Host): void;
  figures: typeof import("./figures/index").figures;
  filmStrip(box: HTMLElement, stills: Stills): Promise<boolean>;
  Readouts: typeof Readouts;
  SequenceEditor: typeof SequenceEditor;
  TextField: typeof TextField;
  panel: typeof import("./panel");
  share: typeof import("./share");
  tables: typeof import("./table");
  togglePin: typeof import("./pin").togglePin;
}

let aids: Promise<Aids> | undefined;

/** Fetches the reading aids, once. A classic script, as in a frame of opaque origin no module loads. */
export function loadAids(): Promise<Aids> {
  aids ??= new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = address(files.aids);
    script.onload = () => resolve((globalThis as unknown as { unrolledAids: Aids }).unrolledAids);
    script.onerror = () => {
      // The next who asks tries again.
      aids = undefined;
      script.remove();
      reject(new Error("the reading aids could not be loaded"));
    };
    document.head.append(script);
  });
  return aids;
}

/** Milliseconds after which a reader who has not moved gets the aids all the same. */
const longest = 10_000;

let moved: Promise<void> | undefined;

/** The reading aids, once the reader moves: the first view does without them. */
export function aidsInTime(): Promise<Aids> {
  moved ??= new Promise((resolve) => {
    for (const sign of ["scroll", "pointerdown", "keydown", "hashchange"]) addEventListener(sign, () => resolve(), { once: true, passive: true, capture: true });
    setTimeout(resolve, longest);
  });
  return moved.then(loadAids);
}
