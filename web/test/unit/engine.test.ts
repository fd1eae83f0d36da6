import assert from "node:assert/strict";
import { test } from "node:test";
import { Engine, Refused, type WorkerLike } from "../../engine";
import type { Answer, Ask, Boot, Reply } from "../../messages";

const files = { runtime: "r", fast: "f", plain: "p", script: "s", words: "w", wordsScript: "ws" };

/** A worker that does what the test says. */
class FakeWorker implements WorkerLike {
  sent: (Ask | Boot)[] = [];
  terminated = false;
  onmessage: WorkerLike["onmessage"] = null;
  onerror: WorkerLike["onerror"] = null;
  postMessage(message: Ask | Boot): void {
    this.sent.push(message);
  }
  terminate(): void {
    this.terminated = true;
  }
  reply(data: Reply): void {
    this.onmessage?.({ data });
  }
  get asks(): Ask[] {
    return this.sent.filter((m): m is Ask => m.kind !== "boot");
  }
  /** Answers the latest question with its own α as the sentence. */
  answer(): void {
    const ask = this.asks.at(-1)!;
    const sentence = ask.kind === "run" ? (ask.values["alpha"] ?? "") : "";
    this.reply({ kind: "answer", id: ask.id, answer: { sentence } as Answer, milliseconds: 1 });
  }
}

function setUp(): { engine: Engine; workers: FakeWorker[]; last: () => FakeWorker } {
  const workers: FakeWorker[] = [];
  const engine = new Engine(() => {
    workers.push(new FakeWorker());
    return workers.at(-1)!;
  }, files);
  return { engine, workers, last: () => workers.at(-1)! };
}

const turn = (): Promise<void> => new Promise((done) => setImmediate(done));

test("a question waits until the engine is ready, then is answered", async () => {
  const { engine, last } = setUp();
  const asked = engine.run("m", "momentum-age", { alpha: "0.5" });
  assert.equal(last().asks.length, 0);
  last().reply({ kind: "ready", simd: true });
  last().answer();
  assert.equal((await asked)?.answer.sentence, "0.5");
});

test("a drag never queues: only the latest waiting question is asked", async () => {
  const { engine, last } = setUp();
  engine.warm();
  last().reply({ kind: "ready", simd: true });
  const drag = ["0.1", "0.2", "0.3", "0.4"].map((alpha) => engine.run("m", "momentum-age", { alpha }));
  assert.equal(last().asks.length, 1);
  last().answer();
  last().answer();
  assert.deepEqual((await Promise.all(drag)).map((r) => r?.answer.sentence ?? null), ["0.1", null, null, "0.4"]);
  assert.equal(last().asks.length, 2);
});

test("figures do not displace each other's questions", async () => {
  const { engine, last } = setUp();
  engine.warm();
  last().reply({ kind: "ready", simd: true });
  const both = [engine.run("m", "momentum-age", { alpha: "1" }), engine.run("d", "duel", { alpha: "2" })];
  last().answer();
  last().answer();
  assert.deepEqual((await Promise.all(both)).map((r) => r?.answer.sentence), ["1", "2"]);
});

test("an answer is asked for before a film that waited longer", async () => {
  const { engine, last } = setUp();
  engine.warm();
  last().reply({ kind: "ready", simd: true });
  void engine.run("m", "momentum-age", {});
  void engine.film("m", "momentum-age", {});
  void engine.run("d", "duel", {});
  last().answer();
  assert.equal(last().asks.at(-1)!.kind, "run");
});

test("a long run tells its asker how far it is, and nobody else", async () => {
  const { engine, last } = setUp();
  const told: string[] = [];
  const asked = engine.run("m", "momentum-age", { alpha: "0.7" }, (progress) => told.push(progress));
  last().reply({ kind: "ready", simd: true });
  const { id } = last().asks[0]!;
  last().reply({ kind: "progress", id, work: "training", done: 2310, of: 9999 });
  last().reply({ kind: "progress", id: 999, work: "attention", done: 1, of: 2 });
  last().answer();
  assert.equal((await asked)?.answer.sentence, "0.7");
  assert.deepEqual(told, ["training 2,310 of 9,999"]);
});

test("a refusal is an error with the engine's sentence", async () => {
  const { engine, last } = setUp();
  const asked = engine.run("m", "momentum-age", {});
  last().reply({ kind: "ready", simd: true });
  last().reply({ kind: "refused", id: last().asks[0]!.id, sentence: "No." });
  await assert.rejects(asked, (error: Error) => error instanceof Refused && error.message === "No.");
});

test("answers with another run's id are dropped", async () => {
  const { engine, last } = setUp();
  const asked = engine.run("m", "momentum-age", { alpha: "0.7" });
  last().reply({ kind: "ready", simd: true });
  last().reply({ kind: "answer", id: 999, answer: { sentence: "stale" } as Answer, milliseconds: 1 });
  last().answer();
  assert.equal((await asked)?.answer.sentence, "0.7");
});

test("cancel ends the worker and starts another from the compiled module", async () => {
  const { engine, workers, last } = setUp();
  const asked = engine.run("m", "momentum-age", {});
  const module = {} as WebAssembly.Module;
  last().reply({ kind: "ready", simd: true });
  last().reply({ kind: "module", module });
  engine.cancel("m");
  assert.equal(await asked, null);
  assert.equal(workers.length, 2);
  assert.ok(workers[0]!.terminated);
  assert.equal((last().sent[0] as Boot).module, module);
});

test("cancel leaves what other lanes wait for", async () => {
  const { engine, workers, last } = setUp();
  const long = engine.run("m", "momentum-age", {});
  last().reply({ kind: "ready", simd: true });
  const patient = engine.run("d", "duel", { alpha: "0.5" });
  engine.cancel("d2");
  assert.equal(workers.length, 1, "nothing of that lane is computed");
  engine.cancel("m");
  assert.equal(await long, null);
  last().reply({ kind: "ready", simd: true });
  last().answer();
  assert.equal((await patient)?.answer.sentence, "0.5");
});

test("a late answer of a cancelled worker reaches nobody", async () => {
  const { engine, workers, last } = setUp();
  void engine.run("m", "momentum-age", {});
  workers[0]!.reply({ kind: "ready", simd: true });
  engine.cancel("m");
  const asked = engine.run("m", "momentum-age", { alpha: "new" });
  last().reply({ kind: "ready", simd: true });
  workers[0]!.onmessage?.({ data: { kind: "answer", id: last().asks[0]!.id, answer: { sentence: "old" } as Answer, milliseconds: 1 } });
  last().answer();
  assert.equal((await asked)?.answer.sentence, "new");
});

test("a panic is told once, and every question ends until the reader restarts", async () => {
  const { engine, workers, last } = setUp();
  const told: (string | null)[] = [];
  engine.onDeath = (sentence) => told.push(sentence);
  const asked = engine.run("m", "momentum-age", {});
  last().reply({ kind: "ready", simd: true });
  last().reply({ kind: "dead", sentence: "The engine stopped: panic: oh" });
  assert.equal(await asked, null);
  assert.deepEqual(told, ["The engine stopped: panic: oh"]);
  assert.equal(await engine.run("m", "momentum-age", {}), null);
  assert.equal(workers.length, 1);
  engine.restart();
  assert.deepEqual(told.at(-1), null);
  const again = engine.run("m", "momentum-age", { alpha: "0.3" });
  last().reply({ kind: "ready", simd: true });
  last().answer();
  assert.equal((await again)?.answer.sentence, "0.3");
  assert.equal(engine.births, 2);
});

test("a second engine borrows the compiled binary of the first", () => {
  const { engine, last } = setUp();
  engine.warm();
  const module = {} as WebAssembly.Module;
  last().reply({ kind: "ready", simd: true });
  last().reply({ kind: "module", module });
  const second = new FakeWorker();
  new Engine(() => second, files, engine).warm();
  assert.equal((second.sent[0] as Boot).module, module);
});

test("a worker that cannot start is told in a sentence", async () => {
  const engine = new Engine(() => {
    throw new Error("no workers here");
  }, files);
  let told = "";
  engine.onDeath = (sentence) => (told = sentence ?? "");
  assert.equal(await engine.run("m", "momentum-age", {}), null);
  await turn();
  assert.match(told, /no workers here/);
});
