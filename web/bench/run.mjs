// Times the engine beside its twins and prints one table in Markdown. Every
// round goes through all of them, case by case, so that a busy machine slows
// all alike; the best of the rounds counts. What compares is the ratios.
//
//   node bench/run.mjs DIR [rounds] [-cpu]     DIR as `make bench` fills it
//
// -cpu counts processor time in place of the clock's, for a machine that others
// use too: all threads of a native program, the page's main thread.

import { execFileSync } from "node:child_process";
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { cpus } from "node:os";
import { join, resolve } from "node:path";
import { launch } from "../test/browser/browser.mjs";

const dir = resolve(process.argv[2] ?? "../bin/bench");
const rounds = Number(process.argv[3] ?? 8);
const cpu = process.argv.includes("-cpu");
const flags = cpu ? ["-cpu"] : [];
const here = import.meta.dirname;

/** Runs a program that prints name, milliseconds and sum. */
function lines(file, args, env = process.env) {
  const [, ms, sum] = execFileSync(file, args, { env, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim().split("\t");
  return [Number(ms), Number(sum)];
}

/** The Python that has NumPy, if one has. */
function python() {
  for (const file of ["python3", "/usr/bin/python3"]) {
    try {
      execFileSync(file, ["-c", "import numpy"], { stdio: "ignore" });
      return file;
    } catch {
      // the next
    }
  }
  return null;
}

const types = { ".html": "text/html", ".js": "text/javascript", ".wasm": "application/wasm" };
const server = createServer(async (request, response) => {
  const name = new URL(request.url, "http://x").pathname.slice(1) || "index.html";
  try {
    const file = name.endsWith(".wasm") || name === "wasm_exec.js" ? join(dir, name) : join(here, name);
    const body = await readFile(file);
    response.writeHead(200, { "content-type": types[name.slice(name.lastIndexOf("."))] ?? "text/plain" }).end(body);
  } catch {
    response.writeHead(404).end();
  }
});
await new Promise((done) => server.listen(0, "127.0.0.1", done));
const browser = await launch();
const page = await browser.newPage();
await page.goto(`http://127.0.0.1:${server.address().port}/`);
for (const [name, file] of [["wasmGeneric", "generic.wasm"], ["wasmSimd", "simd.wasm"]]) {
  await page.evaluate(
    async ([name, file]) => {
      const go = new Go();
      go.argv = ["bench", name];
      const { instance } = await WebAssembly.instantiateStreaming(fetch(file), go.importObject);
      go.run(instance);
    },
    [name, file],
  );
}
const devtools = await page.context().newCDPSession(page);
await devtools.send("Performance.enable", { timeDomain: "threadTicks" });
/** Milliseconds of processor time that the page's main thread has used on tasks. */
async function ticks() {
  const { metrics } = await devtools.send("Performance.getMetrics");
  return 1000 * metrics.find((m) => m.name === "TaskDuration").value;
}
/** Times a function of the page: the best of some slots of 15 ms or one run each. */
const inPage = (name) => async (what) => {
  const call = (count) => page.evaluate(([name, what, count]) => globalThis[name](what, count), [name, what, count]);
  const sum = await call(0);
  if (typeof sum !== "number") return sum;
  // The page's clock has steps of 0.1 ms, so one call may seem to take none.
    const count = Math.max(1, Math.round(15 / Math.max(0.05, await call(1))));
  let best = Infinity;
  for (let slot = 0; slot < 3; slot++) {
    const before = await ticks();
    const wall = await call(count);
    best = Math.min(best, (cpu ? (await ticks()) - before : wall) / count);
  }
  return [best, sum];
};

const snake = python();
// Tuned for another machine, these slow NumPy down or stop it.
const { OPENBLAS_CORETYPE: _, OPENBLAS_L2_SIZE: __, ...plain } = process.env;
const columns = {
  "native generic": (what) => lines(join(dir, "generic"), [...flags, what]),
  "native SIMD": (what) => lines(join(dir, "simd"), [...flags, what]),
  "wasm generic": inPage("wasmGeneric"),
  "wasm SIMD": inPage("wasmSimd"),
  JavaScript: inPage("twinPlain"),
  "JS, 4 rows": inPage("twinUnrolled"),
  NumPy: (what) => {
    try {
      return snake && lines(snake, [join(here, "twin.py"), ...flags, what], plain);
    } catch {
      return null; // it has no such case
    }
  },
};

const names = execFileSync(join(dir, "simd"), ["-list"], { encoding: "utf8" }).trim().split("\n");
/** @type {Record<string, Record<string, number>>} */
const best = {};
for (let round = 0; round < rounds; round++) {
  for (const name of names) {
    const twinned = name.startsWith("T=");
    best[name] ??= {};
    let first;
    for (const [column, run] of Object.entries(columns)) {
      if (!twinned && !/native|wasm/.test(column)) continue;
      const got = await run(name);
      if (!got) continue;
      if (typeof got === "string") throw new Error(got);
      const [ms, sum] = got;
      first ??= sum;
      if (!(Math.abs(sum - first) <= 1e-6 * Math.max(1, Math.abs(first)))) {
        throw new Error(`${name}: ${column} computes ${sum}, the others ${first}`);
      }
      best[name][column] = Math.min(best[name][column] ?? Infinity, ms);
    }
  }
  process.stderr.write(`round ${round + 1} of ${rounds}\n`);
}
const version = browser.version();
await browser.close();
server.close();

const show = (x) => (x === undefined ? "" : x < 10 ? x.toPrecision(2) : x.toFixed(0));
const table = (head, rows) => {
  console.log(`| ${head.join(" | ")} |\n|${head.map((_, i) => (i ? "---:" : "---")).join("|")}|`);
  for (const row of rows) console.log(`| ${row.join(" | ")} |`);
  console.log();
};
console.log(`${cpus()[0].model}, ${cpus().length} processors; Chromium ${version}, headless; best of ${rounds} rounds of ${cpu ? "processor time, all threads summed" : "time by the clock"}.\n`);

console.log("Milliseconds for the token loop (squared loss, one step a token; Dk/Dh/Dv 64/128/64 unless stated):\n");
const twinned = names.filter((n) => n.startsWith("T="));
table(["", ...Object.keys(columns)], twinned.map((n) => [n, ...Object.keys(columns).map((c) => show(best[n][c]))]));
console.log("Times the time of wasm SIMD:\n");
table(["", ...Object.keys(columns)], twinned.map((n) => [n, ...Object.keys(columns).map((c) => show(best[n][c] / best[n]["wasm SIMD"] || undefined))]));

const go = Object.keys(columns).slice(0, 4);
console.log("The default experiment, milliseconds:\n");
const whole = names.filter((n) => n.startsWith("default"));
table(["", ...go], whole.map((n) => [n, ...go.map((c) => show(best[n][c]))]));

console.log("Parallel forms, milliseconds, and in brackets times faster than sequential:\n");
const forms = names.filter((n) => n.includes(": "));
table(["", ...go], forms.map((n) => [n, ...go.map((c) => `${show(best[n][c])} (${show(best[n.replace(/: .*/, ": sequential")][c] / best[n][c])})`)]));

console.log("Growth, microseconds a token:\n");
const growing = ["dot, T=1024: sequential", "dot, T=4096: sequential", "dot, T=1024: chunkwise", "dot, T=4096: chunkwise"];
table(["", ...go], growing.map((n) => [n, ...go.map((c) => show((1000 * best[n][c]) / Number(/T=(\d+)/.exec(n)[1])))]));
