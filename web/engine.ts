// The only door to the engine: a worker behind promises.
//
// At most one question is with the worker at a time. Each asker has a lane; a
// lane keeps only its latest waiting question, so that a dragged slider never
// queues. An answer older than what its lane has already shown is dropped.

import type { Answer, Ask, Boot, EngineFiles, Label, Reply, Values } from "./messages";

/** What the door needs of a Worker; tests bring their own. */
export interface WorkerLike {
  postMessage(message: Ask | Boot): void;
  terminate(): void;
  onmessage: ((event: { data: Reply }) => void) | null;
  onerror: ((event: { message?: string; preventDefault?: () => void }) => void) | null;
}

export type Frame = { width: number; height: number; pixels: ArrayBuffer; labels: Label[] };

/** What of a film to paint: a token time, in CSS pixels of a stage and device pixels for each. */
export interface Moment {
  time: number;
  width: number;
  height: number;
  scale: number;
  dark: boolean;
}

/** The engine refused the question: the sentence is for the reader. */
export class Refused extends Error {}

/** Resolves to null when a later question of the same lane took its place. */
type Outcome<T> = Promise<T | null>;

type Unsent<A = Ask> = A extends Ask ? Omit<A, "id"> : never;

interface Waiting {
  lane: string;
  ask: Unsent;
  resolve(reply: Reply | null): void;
  reject(error: Error): void;
  told?(progress: string): void;
}

export class Engine {
  private worker: WorkerLike | null = null;
  private module: WebAssembly.Module | undefined;
  private ready = false;
  private dead = false;
  private nextId = 1;
  private asked: (Waiting & { id: number }) | null = null;
  private waiting: Waiting[] = [];

  /** Counts the workers that were started: what one was told, the next does not know. */
  births = 0;

  /** Called when the engine dies, with one sentence; and with null when it is back. */
  onDeath: (sentence: string | null) => void = () => undefined;
  /** Called when a question starts or the engine falls idle. */
  onBusy: (busy: boolean) => void = () => undefined;

  constructor(
    private readonly start: () => WorkerLike,
    private readonly files: EngineFiles,
    /** another engine that has compiled the same binary already */
    private readonly lender?: Engine,
  ) {}

  /** Runs an experiment; a long run tells how far it is: "training 2,310 of 9,999". */
  async run(lane: string, experiment: string, values: Values, told?: (progress: string) => void): Outcome<{ answer: Answer; milliseconds: number }> {
    const reply = await this.ask(`run ${lane}`, { kind: "run", experiment, values }, told);
    return reply?.kind === "answer" ? reply : null;
  }

  /** Computes the film of a run; the worker keeps the last one for paint. */
  async film(lane: string, experiment: string, values: Values): Outcome<ArrayBuffer> {
    const reply = await this.ask(`film ${lane}`, { kind: "film", experiment, values });
    return reply?.kind === "film" ? reply.film : null;
  }

  /** Paints the film of a run at a time with the software painter. */
  async paint(lane: string, experiment: string, values: Values, at: Moment): Outcome<Frame> {
    const reply = await this.ask(`paint ${lane}`, { kind: "paint", experiment, values, ...at });
    return reply?.kind === "frame" ? reply : null;
  }

  /** Gives up the run of a lane, also while it is computed. What other lanes wait for is computed next. */
  cancel(lane: string): void {
    const given = `run ${lane}`;
    this.drop(given);
    if (this.asked?.lane !== given) return;
    const kept = this.waiting.splice(0);
    this.stop();
    this.waiting = kept;
    this.boot();
  }

  /** Starts afresh after a death. */
  restart(): void {
    this.stop();
    this.dead = false;
    this.onDeath(null);
    this.boot();
  }

  private drop(lane: string): void {
    const at = this.waiting.findIndex((w) => w.lane === lane);
    if (at >= 0) this.waiting.splice(at, 1)[0]!.resolve(null);
  }

  /** Starts the worker early, so that the first question finds it warm. */
  warm(): void {
    if (!this.worker && !this.dead) this.boot();
  }

  private ask(lane: string, ask: Unsent, told?: Waiting["told"]): Promise<Reply | null> {
    // A dead engine waits for the reader to restart it; what it died of could come again.
    if (this.dead) return Promise.resolve(null);
    return new Promise((resolve, reject) => {
      this.drop(lane);
      this.waiting.push({ lane, ask, resolve, reject, ...(told && { told }) });
      this.warm();
      this.send();
    });
  }

  private boot(): void {
    this.births++;
    let worker: WorkerLike;
    try {
      worker = this.start();
    } catch (error) {
      this.die(`The engine cannot start here: ${sentenceOf(error)}`);
      return;
    }
    this.worker = worker;
    worker.onmessage = (event) => {
      if (this.worker === worker) this.receive(event.data);
    };
    worker.onerror = (event) => {
      event.preventDefault?.();
      if (this.worker === worker) this.die(`The engine stopped: ${event.message ?? "its worker could not be loaded"}`);
    };
    const boot: Boot = { kind: "boot", files: this.files };
    const module = this.module ?? this.lender?.module;
    if (module) boot.module = module;
    worker.postMessage(boot);
  }

  private send(): void {
    if (!this.ready || this.asked) return;
    // Answers come before films, films before painted frames: numbers first.
    const order = ["run", "film", "paint"];
    this.waiting.sort((a, b) => order.indexOf(a.ask.kind) - order.indexOf(b.ask.kind));
    const next = this.waiting.shift();
    if (!next) return;
    const id = this.nextId++;
    this.asked = { ...next, id };
    this.onBusy(true);
    this.worker?.postMessage({ ...next.ask, id } as Ask);
  }

  private receive(reply: Reply): void {
    if (reply.kind === "ready") {
      this.ready = true;
      this.send();
      return;
    }
    if (reply.kind === "module") {
      this.module = reply.module;
      return;
    }
    if (reply.kind === "dead") {
      this.die(reply.sentence);
      return;
    }
    const asked = this.asked;
    if (!asked || asked.id !== reply.id) return; // from before a restart
    if (reply.kind === "progress") {
      asked.told?.(`${reply.work} ${reply.done.toLocaleString("en")} of ${reply.of.toLocaleString("en")}`);
      return;
    }
    this.asked = null;
    if (reply.kind === "refused") asked.reject(new Refused(reply.sentence));
    else asked.resolve(reply);
    if (this.waiting.length === 0) this.onBusy(false);
    this.send();
  }

  private die(sentence: string): void {
    this.stop();
    this.dead = true;
    this.onDeath(sentence);
  }

  private stop(): void {
    this.worker?.terminate();
    this.worker = null;
    this.ready = false;
    const left = this.asked ? [this.asked, ...this.waiting] : this.waiting;
    this.asked = null;
    this.waiting = [];
    for (const w of left) w.resolve(null);
    this.onBusy(false);
  }
}

function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/**
 * A worker from an address, or from a Blob where the page has an opaque origin
 * (a frame with sandbox="allow-scripts") and may not load workers by address.
 * Not tried first: Chromium would throw, but Firefox reports it only later.
 */
export function startWorker(address: string): WorkerLike {
  if (self.origin !== "null") return new Worker(address) as WorkerLike;
  const source = new Blob([`importScripts(${JSON.stringify(address)});`], { type: "text/javascript" });
  return new Worker(URL.createObjectURL(source)) as WorkerLike;
}
