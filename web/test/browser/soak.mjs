// Turns every knob at random for a while, and fails if the page errs, grows
// without end, or ends up saying something else than the engine:
// node soak.mjs [minutes] [seed]

import { launch, watch } from "./browser.mjs";
import { figure, says } from "./reader.mjs";
import { serve } from "./site.mjs";
import { answer } from "./truth.mjs";

const minutes = Number(process.argv[2] ?? 5);
const seed = Number(process.argv[3] ?? 1);

/** A small generator (mulberry32), so that a failure can be run again. @param {number} state */
function random(state) {
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * Turns one control of a figure to a random place. Runs in the page.
 * @param {{ name: string, which: number, to: number }} turn both in 0…1
 */
function turn({ name, which, to }) {
  const root = document.querySelector(`ttt-figure[name="${name}"]`);
  const all = [...(root?.querySelectorAll("input, .player button, [data-new-seed], [data-reset-all]:not([hidden]), [data-step], [data-token], [data-flat]") ?? [])];
  const control = all[Math.floor(which * all.length)];
  if (control instanceof HTMLInputElement && control.type === "range") {
    control.value = String(Number(control.min) + to * (Number(control.max) - Number(control.min)));
    control.dispatchEvent(new Event("input", { bubbles: true }));
    control.dispatchEvent(new Event("change", { bubbles: true }));
  } else if (control instanceof HTMLElement) control.click();
}

const server = await serve();
const browser = await launch();
const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: "reduce" });
const faults = await watch(context);
const page = await context.newPage();
const metrics = await context.newCDPSession(page);
await metrics.send("Performance.enable");
const measured = async () => {
  await metrics.send("HeapProfiler.collectGarbage");
  const { metrics: all } = await metrics.send("Performance.getMetrics");
  const value = (/** @type {string} */ name) => all.find((m) => m.name === name)?.value ?? NaN;
  return { megabytes: value("JSHeapUsedSize") / 1e6, nodes: value("Nodes") };
};

await page.goto(server.url);
for (const name of ["momentum-age", "duel"]) await figure(page, name);
const next = random(seed);
const end = Date.now() + minutes * 60_000;
let turns = 0;
let first = await measured();
while (Date.now() < end && faults.length === 0) {
  await page.evaluate(turn, { name: next() < 0.5 ? "momentum-age" : "duel", which: next(), to: next() });
  await page.waitForTimeout(30 * next());
  if (++turns === 200) first = await measured(); // after warming up
}
const last = await measured();

await page.evaluate("location.hash = '#v=1&m.a=0.75'");
const shown = await figure(page, "momentum-age");
await says(shown, answer("momentum-age", { alpha: 0.75 }).sentence).catch((error) => faults.push(String(error)));
await browser.close();
await server.stop();

console.log(`${turns} turns in ${minutes} minutes, seed ${seed}: heap ${first.megabytes.toFixed(1)} → ${last.megabytes.toFixed(1)} MB, ${first.nodes} → ${last.nodes} nodes`);
if (last.megabytes > 2 * first.megabytes + 20) faults.push("the heap grows");
if (last.nodes > 2 * first.nodes + 5000) faults.push("the document grows");
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exitCode = 1;
