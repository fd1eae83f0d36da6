// What a figure needs of the page it stands in; the article and the embed each make one.

import type { Engine } from "./engine";
import { keepLeft, readLink, writeLink, type PageState } from "./link";
import type { Experiment, Values } from "./messages";

/** A worker's program, in its three forms; see EngineFiles. */
interface Program {
  fast: string;
  plain: string;
  script: string;
}

/** Filled in by the build. */
declare const CATALOG: Experiment[];
declare const FILES: {
  worker: string;
  runtime: string;
  engine: Program;
  lab: Program;
  words: string;
  wordsScript: string;
  aids: string;
  stage: string;
  version: string;
};

export const catalog = CATALOG;
export const files = FILES;

/** The absolute address of a file of the site. */
export function address(file: string): string {
  return new URL(file, document.baseURI).href;
}

/** The state of the page: every figure's values, kept in the link. */
export class Host {
  private state: PageState;
  /** called when the link was changed from outside, as by the back button */
  onLink: () => void = () => undefined;
  /** called after the link was rewritten */
  onWritten: () => void = () => undefined;

  constructor(
    /** answers; numbers never wait for pictures */
    readonly engine: Engine,
    /** answers of the experiments that are the lab's */
    readonly lab: Engine,
    /** films and painted frames, in a worker of their own */
    readonly pictures: Engine,
    /** speaks to screen readers: the page's one live region */
    readonly say: (text: string) => void,
  ) {
    this.state = readLink(location.hash, catalog);
    window.addEventListener("hashchange", () => {
      // A jump within the page, as to its sources, is no state.
      if (document.getElementById(location.hash.slice(1))) return;
      const before = this.state;
      this.state = readLink(location.hash, catalog);
      keepLeft(this.state, before, catalog);
      // A link that leads to a figure of this page sets that figure, and leaves the rest as the reader has it.
      if (this.state.at) {
        this.state.values = { ...before.values, ...this.state.values };
        if (this.state.theme === "auto") this.state.theme = before.theme;
      }
      this.onLink();
    });
  }

  /** What the link asked for and could not have. */
  get messages(): string[] {
    return this.state.messages;
  }

  /** Where the link leads, "" for nowhere. */
  get place(): string {
    return this.state.at;
  }

  get theme(): PageState["theme"] {
    return this.state.theme;
  }

  set theme(theme: PageState["theme"]) {
    this.state.theme = theme;
    this.write();
  }

  /** Who answers an experiment. */
  engineOf(experiment: Experiment): Engine {
    return experiment.lab ? this.lab : this.engine;
  }

  values(experiment: string): Values {
    return this.state.values[experiment] ?? {};
  }

  /** Takes new values; at the end of a change the link follows. */
  change(experiment: string, values: Values, done: boolean): void {
    this.state.values[experiment] = values;
    if (done) this.write();
  }

  /** The state as a fragment, "" or "#v=1&…"; for one experiment alone if asked. */
  fragment(experiment?: string): string {
    const values = experiment ? { [experiment]: this.values(experiment) } : this.state.values;
    const text = writeLink({ values, theme: experiment ? "auto" : this.state.theme, rest: experiment ? [] : this.state.rest }, catalog);
    return text ? `#${text}` : "";
  }

  private write(): void {
    const bare = location.href.split("#")[0]!;
    // Where history is out of reach (some sandboxes), the link just stays behind.
    try {
      history.replaceState(null, "", bare + this.fragment());
    } catch {
      return;
    } finally {
      this.onWritten();
    }
  }
}
