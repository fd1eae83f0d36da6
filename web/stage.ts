// The only door to the stage.
//
// The stage shows one film at one time. Its pictures come from Ebitengine in a
// frame of its own, once that is loaded and has drawn; before that, and where
// there is no WebGL2, from the engine's software painter. Both paint the same
// display list into the same box, so nothing jumps when one takes over.
//
// It has no clock: whoever calls seek owns the time.
//
// A page may have several stages. Ebitengine with its binary takes 65 MB and more,
// so there is one frame, at the stage that is near the reader; it goes to
// another when that one comes near and this one is not.

import { setLabels } from "./stage-labels";
import type { Frame, Moment } from "./engine";
import type { StageOrder, StageReport } from "./messages";

export interface StageOptions {
  /** the address of stage.html */
  address: string;
  /** paints the film with the software painter; null if there is no picture to be had now */
  paint(moment: Moment): Promise<Frame | null>;
}

/** Pictures of more device pixels cost more than eyes can tell. */
const sharpest = 2;
/** The frame is not worth a reader's first seconds: it loads at the first touch, or after this time. */
const patience = 10_000;
/** Lost so often, the graphics are given up. */
const mostLosses = 2;

/** Every stage of the page, and the one that has the frame. */
const stages = new Set<Stage>();
let holder: Stage | null = null;

export class Stage {
  private readonly picture = document.createElement("canvas");
  private readonly labels = document.createElement("div");
  private frame: HTMLIFrameElement | null = null;
  private booted = false;
  private losses = 0;
  private live = false;

  private filmBytes: ArrayBuffer | null = null;
  private time = 0;
  private dark = false;
  private near = false;
  private roused = false;
  /** what the frame was told last */
  private shown = NaN;
  private painting = false;
  private stale = false;
  private density = window.devicePixelRatio || 1;
  private disposed = false;
  private readonly end = new AbortController();
  private readonly observers: { disconnect(): void }[] = [];

  constructor(
    private readonly host: HTMLElement,
    private readonly options: StageOptions,
  ) {
    this.picture.className = "stage-picture";
    this.labels.className = "stage-labels";
    host.setAttribute("aria-hidden", "true");
    host.append(this.picture, this.labels);
    stages.add(this);
    const signal = this.end.signal;
    window.addEventListener("message", (event) => this.receive(event), { signal });
    document.addEventListener("visibilitychange", () => this.show(), { signal });
    this.watchNearness();
    this.watchSize();
    this.watchDensity();
    this.waitForReader();
  }

  /** Takes the bytes of a new film; the time stays. */
  film(bytes: ArrayBuffer): void {
    this.filmBytes = bytes;
    this.shown = NaN;
    if (this.booted) this.order({ kind: "film", film: bytes });
    this.load();
    this.show();
  }

  /** Shows the film at a token time; the fraction is the next token's write going in. */
  seek(time: number): void {
    this.time = time;
    this.show();
  }

  theme(dark: boolean): void {
    this.dark = dark;
    this.shown = NaN;
    if (this.booted) this.order({ kind: "theme", dark });
    this.show();
  }

  /** Removes what the stage put into its host. */
  dispose(): void {
    this.disposed = true;
    stages.delete(this);
    this.end.abort();
    for (const o of this.observers) o.disconnect();
    this.unload();
    this.picture.remove();
    this.labels.remove();
  }

  // ---- showing

  /** Brings the picture up to date, unless nobody can see it. */
  private show(): void {
    if (!this.filmBytes || !this.near || document.hidden) return;
    if (this.booted && this.shown !== this.time) {
      this.order({ kind: "time", time: this.time });
      this.shown = this.time;
    }
    if (!this.live) void this.paint();
  }

  /** Asks the software painter, one picture at a time and always for the latest. */
  private async paint(): Promise<void> {
    this.stale = true;
    if (this.painting) return;
    this.painting = true;
    while (this.stale && !this.live && !this.disposed) {
      this.stale = false;
      const { width, height } = this.picture.getBoundingClientRect();
      const scale = Math.min(window.devicePixelRatio || 1, sharpest);
      if (width < 1 || height < 1) break;
      const frame = await this.options.paint({ time: this.time, width: Math.round(width), height: Math.round(height), scale, dark: this.dark }).catch(() => null);
      if (frame && !this.live && !this.disposed) this.put(frame);
    }
    this.painting = false;
  }

  private put(frame: Frame): void {
    if (this.picture.width !== frame.width || this.picture.height !== frame.height) {
      this.picture.width = frame.width;
      this.picture.height = frame.height;
    }
    const image = new ImageData(new Uint8ClampedArray(frame.pixels), frame.width, frame.height);
    this.picture.getContext("2d")?.putImageData(image, 0, 0);
    setLabels(this.labels, frame.labels);
    this.host.dataset["stage"] = "painted";
  }

  // ---- the frame

  /** Loads the frame when there is a reader, a film to show and WebGL2 to show it with, and no stage in sight that has it. */
  private load(): void {
    if (this.frame || !this.near || !this.roused || !this.filmBytes || this.disposed) return;
    if (this.losses >= mostLosses || holder?.near || !hasWebGL2()) return;
    holder?.unload();
    holder = this;
    const frame = document.createElement("iframe");
    frame.className = "stage-frame";
    frame.title = "the state, token by token";
    frame.tabIndex = -1;
    frame.inert = true;
    frame.setAttribute("aria-hidden", "true");
    frame.src = this.options.address;
    this.frame = frame;
    this.host.append(frame);
  }

  private unload(): void {
    this.frame?.remove();
    this.frame = null;
    if (holder === this) holder = null;
    this.booted = false;
    this.shown = NaN;
    this.setLive(false);
  }

  private setLive(live: boolean): void {
    this.live = live;
    this.host.toggleAttribute("data-live", live);
    if (live) this.host.dataset["stage"] = "live";
    else if (this.host.dataset["stage"]) this.host.dataset["stage"] = "painted";
  }

  private order(order: StageOrder): void {
    // Copied, not transferred: a frame that is loaded anew needs the film again.
    this.frame?.contentWindow?.postMessage(order, "*");
  }

  private receive(event: MessageEvent): void {
    if (!this.frame || event.source !== this.frame.contentWindow) return;
    const report = event.data as StageReport;
    if (report.kind === "booted") {
      this.booted = true;
      this.order({ kind: "theme", dark: this.dark });
      this.order({ kind: "time", time: this.time });
      this.shown = this.time;
      if (this.filmBytes) this.order({ kind: "film", film: this.filmBytes });
    }
    if (report.kind === "drawn") this.setLive(true);
    if (report.kind === "lost") {
      this.losses++;
      this.reload();
    }
  }

  private reload(): void {
    this.unload();
    this.load();
    this.show();
  }

  // ---- watching

  private watchNearness(): void {
    const watch = new IntersectionObserver(
      (entries) => {
        this.near = entries.at(-1)?.isIntersecting ?? false;
        for (const stage of stages) stage.load();
        this.show();
      },
      { rootMargin: "200px" },
    );
    watch.observe(this.host);
    this.observers.push(watch);
  }

  private watchSize(): void {
    // The frame follows its own size; the painter must be asked.
    const watch = new ResizeObserver(() => {
      this.checkDensity();
      if (!this.live) this.show();
    });
    watch.observe(this.host);
    this.observers.push(watch);
  }

  /** Zooming resizes the window; moving it to another screen changes a media query. */
  private watchDensity(): void {
    const signal = this.end.signal;
    const query = matchMedia(`(resolution: ${this.density}dppx)`);
    const changed = (): void => {
      this.checkDensity();
      this.watchDensity();
    };
    query.addEventListener("change", changed, { once: true, signal });
  }

  /** Ebitengine reads the density once: another one needs another frame. */
  private checkDensity(): void {
    const density = window.devicePixelRatio || 1;
    if (density === this.density) return;
    this.density = density;
    if (this.frame) this.reload();
    else this.show();
  }

  private waitForReader(): void {
    const rouse = (): void => {
      if (this.roused) return;
      this.roused = true;
      this.load();
    };
    const signal = this.end.signal;
    for (const kind of ["pointerdown", "pointermove", "keydown", "wheel", "touchstart"]) {
      window.addEventListener(kind, rouse, { once: true, passive: true, signal });
    }
    const timer = window.setTimeout(rouse, patience);
    signal.addEventListener("abort", () => window.clearTimeout(timer));
  }
}

let webGL2: boolean | undefined;

/** Tried once, in a canvas of its own whose context is given back. */
function hasWebGL2(): boolean {
  if (webGL2 === undefined) {
    const context = document.createElement("canvas").getContext("webgl2");
    webGL2 = context !== null;
    context?.getExtension("WEBGL_lose_context")?.loseContext();
  }
  return webGL2;
}
