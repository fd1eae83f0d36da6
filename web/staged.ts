// The played part of a figure: the player, the stage, and the film between them.
//
// The reading that the figure's charts show and the player's time are one. The
// player owns it; the link and the charts follow.

import type { Host } from "./host";
import type { Frame, Moment } from "./engine";
import { address, files } from "./host";
import { loadAids } from "./live";
import type { Experiment, Values } from "./messages";
import { Player } from "./player";
import { Stage } from "./stage";
import { isDark, onDarkness } from "./theme";

/** Milliseconds between two films while a knob is dragged, at least. */
const filmRest = 60;
/** Milliseconds without a new film before its stills are painted. */
const stillRest = 500;

const stillness = matchMedia("(prefers-reduced-motion: reduce)");

export interface StagedOptions {
  experiment: Experiment;
  host: Host;
  values(): Values;
  change(values: Values, done: boolean): void;
  /** whether there is an Answer to these values or to others */
  answered(): boolean;
  /** how many tokens there are to play: a diverged run ends early */
  tokens(): number;
  /** how many tokens the present values ask for */
  asked(): number;
  /** whether the reader has asked the figure for anything */
  touched(): boolean;
}

export class Staged {
  private readonly player: Player;
  private stage: Stage | null = null;
  private filmOf = "";
  private filmTimer = 0;
  private filmTime = 0;
  private stillTimer = 0;
  private autoplayed = false;

  constructor(
    private readonly root: HTMLElement,
    private readonly options: StagedOptions,
  ) {
    this.player = new Player(this.part("player"), {
      stillness,
      moved: (time, settled) => this.timeMoved(time, settled),
    });
    this.followLink();
  }

  private part(name: string): HTMLElement {
    return this.root.querySelector<HTMLElement>(`[data-part="${name}"]`)!;
  }

  get playing(): boolean {
    return this.player.playing;
  }

  /** Goes to a reading; null is the last. */
  seek(reading: number | null): void {
    this.player.seek(reading === null ? Infinity : reading + 1);
  }

  /** Puts the player where the link's reading says. */
  followLink(): void {
    const reading = this.options.values()["reading"];
    // The Answer may be to an earlier link; the knob is this one's.
    const length = this.options.asked();
    this.player.setLength(length);
    const time = reading === undefined ? length : Math.min(length, Number(reading) + 1);
    if (Math.floor(this.player.time) !== time) this.player.seek(time);
  }

  /** Takes note of a new Answer: its length, and its film. */
  follow(): void {
    this.player.setLength(this.options.tokens());
    this.wantFilm();
  }

  private timeMoved(time: number, settled: boolean): void {
    this.stage?.seek(time);
    const last = Math.max(0, this.options.tokens() - 1);
    const reading = Math.max(0, Math.min(last, Math.floor(time + 1e-9) - 1));
    const text = reading === last ? undefined : String(reading);
    const before = this.options.values();
    if (before["reading"] === text && !settled) return;
    const values = { ...before };
    if (text === undefined) delete values["reading"];
    else values["reading"] = text;
    this.options.change(values, settled);
  }

  // ---- the film

  /** Makes the stage; until then there is a player alone. */
  addStage(): void {
    this.stage = new Stage(this.part("stage"), {
      address: address(files.stage),
      paint: (moment) => this.paint("stage", moment),
    });
    this.stage.theme(isDark());
    onDarkness((dark) => this.stage?.theme(dark));
    this.wantFilm();
  }

  private paint(lane: string, moment: Moment): Promise<Frame | null> {
    const { host, experiment } = this.options;
    return host.pictures.paint(`${lane} ${experiment.name}`, experiment.name, this.filmValues(), moment);
  }

  /** A film is made of a run, not of a reading: cursors and pins leave it as it is. */
  private wantFilm(): void {
    if (!this.stage || !this.options.answered() || this.filmTimer !== 0 || this.filmWanted() === this.filmOf) return;
    // While a knob is dragged the stage follows, as often as films can be made.
    this.filmTimer = window.setTimeout(() => void this.loadFilm(), Math.max(filmRest, 2 * this.filmTime));
  }

  private filmWanted(): string {
    return `${this.options.host.pictures.births} ${JSON.stringify(this.filmValues())}`;
  }

  private filmValues(): Values {
    const apart = new Set(this.options.experiment.knobs.filter((k) => k.kind === "cursor" || k.kind === "pinned").map((k) => k.name));
    return Object.fromEntries(Object.entries(this.options.values()).filter(([name]) => !apart.has(name)));
  }

  private async loadFilm(): Promise<void> {
    const { host, experiment } = this.options;
    host.pictures.warm();
    this.filmOf = this.filmWanted();
    const begin = performance.now();
    const film = await host.pictures.film(experiment.name, experiment.name, this.filmValues()).catch((refused: Error) => refused.message);
    this.filmTime = performance.now() - begin;
    this.filmTimer = 0;
    // What cannot be played says so in its place.
    const refused = typeof film === "string";
    if (refused || this.part("stage").hidden) this.part("stills").textContent = refused ? film : "";
    this.part("stage").hidden = refused;
    if (refused) return;
    if (film && this.stage) {
      this.stage.film(film);
      this.stage.seek(this.player.time);
      window.clearTimeout(this.stillTimer);
      if (stillness.matches) this.stillTimer = window.setTimeout(() => void this.showStills(), stillRest);
      else this.autoplay();
    }
    this.wantFilm();
  }

  /** In place of motion: a strip of stills, from the first token to the last. */
  private async showStills(): Promise<void> {
    const aids = await loadAids().catch(() => null);
    const last = this.options.tokens();
    if (!aids || last < 6) return;
    await aids.filmStrip(this.part("stills"), {
      times: [1, 2, 3, 4, 5, 6].map((i) => Math.max(1, Math.round((i * last) / 6))),
      paint: (moment) => this.paint("stills", moment).catch(() => null),
      dark: isDark(),
      seek: (time) => this.player.seek(time),
    });
  }

  /** Once, in the page's first figure, and only for a reader who has asked for nothing yet. */
  private autoplay(): void {
    if (this.autoplayed) return;
    this.autoplayed = true;
    if (document.querySelector("ttt-figure") !== this.root || stillness.matches || this.options.touched() || this.options.values()["reading"] !== undefined) return;
    const box = this.part("stage").getBoundingClientRect();
    if (box.bottom > 0 && box.top < innerHeight) this.player.play();
  }
}
