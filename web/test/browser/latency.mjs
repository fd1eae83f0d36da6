// Prints how long a reader waits from a slider's move to the new chart on the
// screen, in headless Chromium: node latency.mjs [moves [DIST]]

import { launch } from "./browser.mjs";
import { figure } from "./reader.mjs";
import { dist, serve } from "./site.mjs";

const [moves, site] = [Number(process.argv[2] ?? 200), process.argv[3] ?? dist];
const bound = 50;

/**
 * Moves a slider again and again, each time once the last chart is painted.
 * Runs in the page.
 * @param {{ figure: string, knob: string, plot: string, moves: number }} what
 * @returns {Promise<number[]>} milliseconds, one a move
 */
async function measure({ figure, knob, plot, moves }) {
  const root = document.querySelector(`ttt-figure[name="${figure}"]`);
  const slider = /** @type {HTMLInputElement} */ (root?.querySelector(`[data-knob="${knob}"] input[type="range"]`));
  const canvas = root?.querySelector(`[data-plot="${plot}"] .canvas`);
  if (!slider || !canvas) throw new Error("no such slider or plot");
  // The chart that is waited for is one that the reader sees.
  canvas.scrollIntoView({ block: "center", behavior: "instant" });
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 200)));
  const times = [];
  for (let i = 0; i < moves; i++) {
    const painted = new Promise((resolve) => {
      const watch = new MutationObserver(() => {
        watch.disconnect();
        // The first task after the next frame: the chart has been painted.
        requestAnimationFrame(() => {
          const channel = new MessageChannel();
          channel.port1.onmessage = () => resolve(performance.now());
          channel.port2.postMessage(0);
        });
      });
      watch.observe(canvas, { childList: true });
    });
    const begin = performance.now();
    slider.value = String(0.3 + 0.006 * (i % 100));
    slider.dispatchEvent(new Event("input", { bubbles: true }));
    times.push((await painted) - begin);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return times;
}

// Where there is no GPU, Chromium composes pages on the processor, or imitates a
// GPU there, which takes some 90 ms of every frame. The tests need the imitation
// for WebGL; what a reader waits for lies nearer to the former.
const server = await serve(site);
for (const [how, args] of /** @type {const} */ ([["composed on the processor", ["--disable-gpu-compositing"]], ["with an imitated GPU", []]])) {
  const browser = await launch([...args]);
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, reducedMotion: "reduce" });
  for (const what of [
    { figure: "momentum-age", knob: "alpha", plot: "growth" },
    { figure: "duel", knob: "alpha", plot: "outputs" },
  ]) {
    await page.goto(server.url);
    await figure(page, what.figure);
    const times = await page.evaluate(measure, { ...what, moves });
    const sorted = times.slice(Math.min(20, times.length >> 1)).sort((a, b) => a - b); // after warming up
    const at = (/** @type {number} */ share) => (sorted[Math.floor(share * (sorted.length - 1))] ?? NaN).toFixed(1);
    console.log(`${what.figure}, ${how}: slider to painted chart, ${sorted.length} moves: median ${at(0.5)} ms, p95 ${at(0.95)} ms (wanted: p95 at most ${bound})`);
  }
  await browser.close();
}
await server.stop();
