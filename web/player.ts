// The player: the only owner of the stage's time.
//
// Time is measured in tokens: after token t the clock reads t+1, and the
// fraction in between is the write of the next token being added.

import { icons } from "./icons";
import { placeThumb } from "./knobs";

/** Tokens a second at speed 1. */
const pace = 4;
/** Seconds that a single step takes. */
const stepTime = 0.35;

export interface PlayerOptions {
  /** a new time to show; `settled` when nothing moves any more */
  moved(time: number, settled: boolean): void;
  stillness: MediaQueryList;
}

export class Player {
  private now: number;
  private length: number;
  private running = false;
  private target: number | null = null;
  private visible = true;
  private frame = 0;
  private before = 0;
  private readonly button: HTMLButtonElement;
  private readonly range: HTMLInputElement;
  private readonly count: HTMLElement;
  private readonly speed: HTMLSelectElement;

  constructor(
    private readonly root: HTMLElement,
    private readonly options: PlayerOptions,
  ) {
    this.button = root.querySelector<HTMLButtonElement>(".play")!;
    this.range = root.querySelector<HTMLInputElement>('input[type="range"]')!;
    this.count = root.querySelector<HTMLElement>(".count")!;
    this.speed = root.querySelector<HTMLSelectElement>(".speed")!;
    this.length = Number(this.range.max);
    this.now = this.length;
    this.button.addEventListener("click", () => (this.playing ? this.pause() : this.play()));
    for (const b of root.querySelectorAll<HTMLElement>("[data-move]")) {
      b.addEventListener("click", () => this.step(Number(b.dataset["move"])));
    }
    this.range.addEventListener("input", () => this.scrub(false));
    this.range.addEventListener("change", () => this.scrub(true));
    root.addEventListener("keydown", (e) => this.key(e));
    document.addEventListener("visibilitychange", () => this.wake());
    new IntersectionObserver(([entry]) => this.see(entry?.isIntersecting ?? true)).observe(
      root.closest("figure")?.querySelector(".stage-host") ?? root,
    );
    this.show();
  }

  get time(): number {
    return this.now;
  }

  get playing(): boolean {
    return this.running;
  }

  /** The run's length in tokens; the time is kept, or cut to it. */
  setLength(tokens: number): void {
    const atEnd = this.now >= this.length;
    this.length = tokens;
    this.range.max = String(tokens);
    this.now = atEnd ? tokens : Math.min(this.now, tokens);
    this.show();
  }

  play(): void {
    if (this.now >= this.length) this.now = 0;
    this.target = null;
    this.running = true;
    this.show();
    this.wake();
  }

  pause(): void {
    if (!this.running && this.target === null) return;
    this.running = false;
    this.target = null;
    this.settle();
  }

  /** Goes to a time at once. */
  seek(time: number): void {
    this.running = false;
    this.target = null;
    this.now = this.clamp(time);
    this.settle();
  }

  /** Tokens back or forward, from where the last step leads; one forward shows its write being added. */
  step(by: number): void {
    this.running = false;
    const from = this.target ?? this.now;
    const to = this.clamp(by > 0 ? Math.floor(from + 1e-9) + by : Math.ceil(from - 1e-9) + by);
    if (this.options.stillness.matches || by !== 1) {
      this.seek(to);
      return;
    }
    this.target = to;
    this.show();
    this.wake();
  }

  private scrub(done: boolean): void {
    this.running = false;
    this.target = null;
    this.now = this.clamp(Number(this.range.value));
    if (done && Math.abs(this.now - Math.round(this.now)) < 0.2) this.now = Math.round(this.now);
    this.wake();
    this.show();
    this.options.moved(this.now, done);
  }

  private see(visible: boolean): void {
    this.visible = visible;
    this.wake();
  }

  private get moving(): boolean {
    return this.running || this.target !== null;
  }

  /** Asks for frames exactly while something moves that can be seen. */
  private wake(): void {
    const wanted = this.moving && this.visible && !document.hidden;
    if (wanted && this.frame === 0) {
      this.before = performance.now();
      this.frame = requestAnimationFrame((t) => this.tick(t));
    }
    if (!wanted && this.frame !== 0) {
      cancelAnimationFrame(this.frame);
      this.frame = 0;
    }
  }

  private tick(now: number): void {
    this.frame = 0;
    // A slow frame delays the film; it does not skip tokens.
    const seconds = Math.max(0, Math.min(0.1, (now - this.before) / 1000));
    this.before = now;
    const end = this.target ?? this.length;
    const rate = this.target === null ? pace * Number(this.speed.value) : 1 / stepTime;
    this.now = Math.min(end, this.now + rate * seconds);
    if (this.now >= end) {
      this.running = false;
      this.target = null;
      this.settle();
      return;
    }
    this.show();
    this.options.moved(this.now, false);
    this.before = now;
    this.frame = requestAnimationFrame((t) => this.tick(t));
  }

  private settle(): void {
    this.wake();
    this.show();
    this.options.moved(this.now, true);
  }

  private key(e: KeyboardEvent): void {
    const target = e.target as HTMLElement;
    if (e.ctrlKey || e.metaKey || e.altKey || target instanceof HTMLSelectElement) return;
    const keys: Record<string, () => void> = {
      ArrowLeft: () => this.step(-1),
      ArrowRight: () => this.step(1),
      Home: () => this.seek(0),
      End: () => this.seek(this.length),
      PageUp: () => this.step(10),
      PageDown: () => this.step(-10),
    };
    // On a button, space is the button's own.
    if (!(target instanceof HTMLButtonElement)) keys[" "] = () => (this.playing ? this.pause() : this.play());
    const act = keys[e.key];
    if (!act) return;
    e.preventDefault();
    act();
  }

  private clamp(time: number): number {
    return Math.max(0, Math.min(this.length, Number.isFinite(time) ? time : this.length));
  }

  private show(): void {
    // The token at hand: the one that is being written, or was written last.
    const token = Math.ceil(this.now - 1e-9);
    const label = this.running ? "pause" : "play";
    if (this.button.getAttribute("aria-label") !== label) {
      this.button.setAttribute("aria-label", label);
      this.button.innerHTML = icons[label];
    }
    this.range.value = String(this.now);
    this.range.setAttribute("aria-valuetext", `token ${token} of ${this.length}`);
    this.count.lastElementChild!.textContent = `${token} of ${this.length}`;
    placeThumb(this.root, this.length > 0 ? this.now / this.length : 0);
  }
}
