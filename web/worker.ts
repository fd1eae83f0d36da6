// A worker: loads a Go program, the engine's or the lab's, and passes questions
// through its door.
//
// A classic script, because an importScripts from a Blob worker is the one way
// that also works where the page has an opaque origin.

import { fill } from "./fill";
import type { Ask, Boot, EngineFiles, Label, Reply, Values } from "./messages";

/** The exports of the Go binary; pointers are byte offsets into `mem`. */
interface Door {
  mem: WebAssembly.Memory;
  input(bytes: number): number;
  words(bytes: number): number;
  ask(bytes: number): number;
  film(bytes: number): number;
  paint(time: number, width: number, height: number, scale: number, dark: number): number;
  text(): number;
  textLen(): number;
  data(): number;
  dataLen(): number;
}

interface GoRuntime {
  importObject: WebAssembly.Imports;
  exited: boolean;
  exit: (code: number) => void;
  run(instance: WebAssembly.Instance): Promise<void>;
}

interface Scope {
  Go: new () => GoRuntime;
  fs: { writeSync(fd: number, bytes: Uint8Array): number };
  /** what the fallback scripts leave here, base64 */
  unrolledEngine?: string;
  unrolledWords?: string;
  onmessage: ((event: MessageEvent<Ask | Boot>) => void) | null;
  postMessage(message: Reply, transfer?: Transferable[]): void;
}

const scope = globalThis as unknown as Scope;
declare function importScripts(...addresses: string[]): void;

let door: Door | undefined;
let go: GoRuntime | undefined;
let files: EngineFiles | undefined;
/** what the engine answers when it needs the word list first */
const needsWords = 2;
/** the end of what Go wrote to stderr: its panic */
let lastWords = "";

scope.onmessage = (event) => {
  const message = event.data;
  if (message.kind === "boot") {
    boot(message).catch((error: unknown) => die(`The engine could not be loaded: ${error instanceof Error ? error.message : String(error)}`));
    return;
  }
  answer(message)
    .then(() => {
      if (go?.exited) die(`The engine stopped: ${lastWords.split("\n")[0] || "it left without a word"}`);
    })
    .catch((error: unknown) => die(`The engine stopped: ${lastWords.split("\n")[0] || String(error)}`));
};

async function boot({ files: where, module }: Boot): Promise<void> {
  files = where;
  importScripts(files.runtime);
  const simd = hasSimd();
  const compiled = module ?? (await compile(files, simd));
  const runtime = new scope.Go();
  scope.fs.writeSync = (_fd, bytes) => {
    lastWords = (lastWords + new TextDecoder().decode(bytes)).slice(-4000).trimStart();
    return bytes.length;
  };
  // Without this hook the runtime would only log the exit code.
  runtime.exit = (code) => {
    if (code !== 0) die(`The engine stopped: ${lastWords.split("\n")[0] || `exit code ${code}`}`);
  };
  runtime.importObject["unrolled"] = { report };
  const instance = await WebAssembly.instantiate(compiled, runtime.importObject);
  void runtime.run(instance);
  go = runtime;
  door = instance.exports as unknown as Door;
  scope.postMessage({ kind: "ready", simd });
  if (!module) scope.postMessage({ kind: "module", module: compiled });
}

async function compile(files: EngineFiles, simd: boolean): Promise<WebAssembly.Module> {
  let response: Response;
  try {
    response = await fetch(simd ? files.fast : files.plain);
    if (!response.ok) throw new Error(`${response.status} ${response.statusText}`);
  } catch {
    return WebAssembly.compile(fromScript(files.script, "unrolledEngine"));
  }
  // Streaming needs the right content type, which not every host sends.
  if (response.headers.get("content-type")?.startsWith("application/wasm")) {
    return WebAssembly.compileStreaming(Promise.resolve(response));
  }
  return WebAssembly.compile(await response.arrayBuffer());
}

function fromScript(address: string, name: "unrolledEngine" | "unrolledWords"): Uint8Array<ArrayBuffer> {
  importScripts(address);
  const text = atob(scope[name] ?? "");
  delete scope[name];
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}

/** A module of one function that returns a splatted v128: valid only with SIMD. */
function hasSimd(): boolean {
  return WebAssembly.validate(
    new Uint8Array([
      0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
    ]),
  );
}

/** The run that is being computed, and when it was last told how far it is. */
let running = 0;
let toldAt = 0;

/** Called by Go at every token; what the page is told now and then reaches it while the run goes on. */
function report(at: number, length: number, done: number, of: number): void {
  const now = performance.now();
  if (now - toldAt < 100) return;
  toldAt = now;
  const work = new TextDecoder().decode(new Uint8Array(door!.mem.buffer, at, length));
  scope.postMessage({ kind: "progress", id: running, work, done, of });
}

async function answer(ask: Ask): Promise<void> {
  if (!door) throw new Error("asked before it was ready");
  const begin = (toldAt = performance.now());
  running = ask.id;
  if (ask.kind === "paint") {
    if (filmed !== nameOf(ask) && !(await pose(ask, "film"))) return;
    if (door.paint(ask.time, ask.width, ask.height, ask.scale, ask.dark ? 1 : 0) !== 0) return refuse(ask.id);
    const frame = JSON.parse(text()) as { width: number; height: number; labels: Label[] };
    const pixels = data();
    scope.postMessage({ kind: "frame", id: ask.id, ...frame, pixels }, [pixels]);
    return;
  }
  if (!(await pose(ask, ask.kind === "film" ? "film" : "ask"))) return;
  if (ask.kind === "film") {
    const film = data();
    scope.postMessage({ kind: "film", id: ask.id, film }, [film]);
    return;
  }
  const numbers = data();
  const found = fill(JSON.parse(text()), new Float64Array(numbers));
  scope.postMessage({ kind: "answer", id: ask.id, answer: found, milliseconds: performance.now() - begin }, [numbers]);
}

/** the run whose film the engine holds */
let filmed = "";

function nameOf({ experiment, values }: Ask): string {
  return JSON.stringify([experiment, values]);
}

/** Asks for a run or its film, with the word list if the engine needs it; false where it refuses. */
async function pose(ask: Ask, how: "ask" | "film"): Promise<boolean> {
  const question = (): number => door![how](put({ experiment: ask.experiment, ...ask.values }));
  let refused = question();
  if (refused === needsWords) {
    if (!(await giveWords(ask.id))) return false;
    refused = question();
  }
  if (refused !== 0) refuse(ask.id);
  else if (how === "film") filmed = nameOf(ask);
  return refused === 0;
}

/** Fetches the word list and hands it to the engine; refuses the question where that fails. */
async function giveWords(id: number): Promise<boolean> {
  let list: Uint8Array<ArrayBuffer>;
  try {
    list = await fetchWords(files!);
  } catch {
    scope.postMessage({ kind: "refused", id, sentence: "The word list could not be loaded. Change a setting to try again." });
    return false;
  }
  if (door!.words(copyIn(list)) === 0) return true;
  refuse(id);
  return false;
}

/** From an opaque origin fetch is refused, so there is a script too. */
async function fetchWords({ words, wordsScript }: EngineFiles): Promise<Uint8Array<ArrayBuffer>> {
  try {
    const response = await fetch(words);
    if (response.ok) return new Uint8Array(await response.arrayBuffer());
  } catch {
    // the script is left
  }
  return fromScript(wordsScript, "unrolledWords");
}

/** Fields as wasm/wire reads them: name=value, a NUL between two. */
function put(fields: Values): number {
  const question = Object.entries(fields).map(([name, value]) => `${name}=${value.replaceAll("\0", "")}`);
  return copyIn(new TextEncoder().encode(question.join("\0")));
}

function copyIn(bytes: Uint8Array): number {
  const at = door!.input(bytes.length);
  new Uint8Array(door!.mem.buffer, at, bytes.length).set(bytes);
  return bytes.length;
}

// Views are made anew for each call: a grown memory detaches the old ones.

function text(): string {
  return new TextDecoder().decode(new Uint8Array(door!.mem.buffer, door!.text(), door!.textLen()));
}

function data(): ArrayBuffer {
  const at = door!.data();
  return door!.mem.buffer.slice(at, at + door!.dataLen()) as ArrayBuffer;
}

function refuse(id: number): void {
  scope.postMessage({ kind: "refused", id, sentence: text() });
}

let dead = false;
function die(sentence: string): void {
  if (dead) return;
  dead = true;
  scope.postMessage({ kind: "dead", sentence });
}
