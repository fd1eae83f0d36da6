// The script of the stage's frame: tames Ebitengine, loads it, and passes the
// page's orders to it.
//
// A classic script that runs before everything else in the frame: Ebitengine
// reads requestAnimationFrame and devicePixelRatio once, when it starts. It
// talks to the page by messages only, since a frame inside a sandboxed embed
// has an origin of its own.

import { setLabels } from "./stage-labels";
import type { Label, StageOrder, StageReport } from "./messages";

/** What wasm_exec.js defines. */
interface GoRuntime {
  importObject: WebAssembly.Imports;
  run(instance: WebAssembly.Instance): Promise<void>;
}

interface Scope {
  Go: new () => GoRuntime;
  fs: { writeSync(fd: number, bytes: Uint8Array): number };
  stageFrame: {
    ready(film: (bytes: Uint8Array) => string, show: (time: number, dark: boolean, order: number) => void): void;
    drawn(order: number, labels: string | null): void;
    failed(sentence: string): void;
  };
}

const scope = globalThis as unknown as Scope;

/** A canvas of more pixels costs phones more than eyes can tell. */
const sharpest = 2;

const gate = closeGate();
capDensity();
hideGamepads();
keepDocument();
scope.stageFrame = { ready, drawn, failed: lost };
window.addEventListener("message", (event) => {
  if (event.source === window.parent) receive(event.data as StageOrder);
});
document.addEventListener("DOMContentLoaded", () => {
  followSize();
  boot().catch((error: unknown) => lost(`The stage could not be loaded: ${error instanceof Error ? error.message : String(error)}`));
});

// ---- Ebitengine, tamed

/**
 * Replaces requestAnimationFrame by a gate that is closed until a picture is
 * asked for: a paused stage draws no frames at all.
 */
function closeGate(): { open(): void; close(): void } {
  const real = window.requestAnimationFrame.bind(window);
  let isOpen = false;
  let held: FrameRequestCallback | null = null;
  window.requestAnimationFrame = (callback) => {
    if (isOpen) return real(callback);
    held = callback;
    return 0;
  };
  return {
    open() {
      isOpen = true;
      const callback = held;
      held = null;
      if (callback) real(callback);
    },
    close() {
      isOpen = false;
    },
  };
}

/** Ebitengine caches the density; the page loads the frame anew when it changes. */
function capDensity(): void {
  const density = Math.min(window.devicePixelRatio || 1, sharpest);
  Object.defineProperty(window, "devicePixelRatio", { value: density, configurable: true });
}

/** Ebitengine asks every frame, and dies where a policy forbids the question. */
function hideGamepads(): void {
  Object.defineProperty(navigator, "getGamepads", { value: () => [], configurable: true });
}

/** On a lost context Ebitengine reloads the document; the page decides instead. */
function keepDocument(): void {
  window.addEventListener(
    "webglcontextlost",
    (event) => {
      event.stopImmediatePropagation();
      lost("The browser took the graphics context away.");
    },
    true,
  );
}

/** Ebitengine sizes its canvas on the window's resize event only. */
function followSize(): void {
  let first = true;
  new ResizeObserver(() => {
    if (!first) window.dispatchEvent(new Event("resize"));
    first = false;
  }).observe(document.documentElement);
}

// ---- loading

async function boot(): Promise<void> {
  const address = new URL(document.documentElement.dataset["wasm"]!, document.baseURI);
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${response.status} ${response.statusText}`);
  let words = "";
  scope.fs.writeSync = (_fd, bytes) => {
    words = (words + new TextDecoder().decode(bytes)).slice(-4000).trimStart();
    return bytes.length;
  };
  const go = new scope.Go();
  const instance = await instantiate(response, go.importObject);
  await go.run(instance);
  lost(`The stage stopped: ${words.split("\n")[0] || "it left without a word"}`);
}

/** Streaming needs the right content type, which not every host sends. */
async function instantiate(response: Response, imports: WebAssembly.Imports): Promise<WebAssembly.Instance> {
  if (response.headers.get("content-type")?.startsWith("application/wasm")) {
    return (await WebAssembly.instantiateStreaming(response, imports)).instance;
  }
  return (await WebAssembly.instantiate(await response.arrayBuffer(), imports)).instance;
}

// ---- orders and pictures

interface Stage {
  film(bytes: Uint8Array): string;
  show(time: number, dark: boolean, order: number): void;
}

let stage: Stage | null = null;
let film: ArrayBuffer | null = null;
let hasFilm = false;
let time = 0;
let dark = false;
/** the latest picture asked for */
let order = 0;
/** whether the film has been drawn and the page told so */
let told = true;
let over = false;

function receive(message: StageOrder): void {
  if (message.kind === "theme") {
    dark = message.dark;
    document.documentElement.dataset["theme"] = dark ? "dark" : "light";
  }
  if (message.kind === "time") time = message.time;
  if (message.kind === "film") {
    film = message.film;
    told = false;
    loadFilm();
  }
  draw();
}

function ready(takeFilm: Stage["film"], show: Stage["show"]): void {
  stage = { film: takeFilm, show };
  report({ kind: "booted" });
  loadFilm();
  draw();
}

function loadFilm(): void {
  if (!stage || !film) return;
  // The message's own copy is of this realm, which Go insists on.
  const refusal = stage.film(new Uint8Array(film));
  film = null;
  hasFilm = refusal === "";
  if (!hasFilm) lost(refusal);
}

function draw(): void {
  if (!stage || !hasFilm || over) return;
  stage.show(time, dark, ++order);
  gate.open();
}

/** Called by Go in the frame that paints the picture, so labels and picture change together. */
function drawn(which: number, labels: string | null): void {
  if (labels !== null) setLabels(document.querySelector<HTMLElement>(".stage-labels")!, JSON.parse(labels) as Label[]);
  if (which === order) gate.close();
  document.documentElement.dataset["drawn"] = String(which);
  if (told) return;
  told = true;
  document.documentElement.dataset["ready"] = "";
  report({ kind: "drawn", time });
}

function lost(sentence: string): void {
  if (over) return;
  over = true;
  gate.close();
  report({ kind: "lost", sentence });
}

function report(message: StageReport): void {
  // The parent's origin may be opaque, which no target but "*" matches.
  window.parent.postMessage(message, "*");
}
