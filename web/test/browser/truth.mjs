// What the engine says without a browser: the page must say the same.

import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../../", import.meta.url));

/**
 * Runs an experiment with the native command.
 * @param {string} experiment
 * @param {Record<string, string | number>} values knob values by full name
 * @returns {import("../../messages").Answer}
 */
export function answer(experiment, values = {}) {
  const set = Object.entries(values).flatMap(([name, value]) => ["-set", `${name}=${value}`]);
  const out = execFileSync(`${root}bin/unrolled`, ["-run", experiment, ...set, "-json"], { maxBuffer: 1 << 28 });
  return JSON.parse(out.toString());
}

/** @returns {import("../../messages").Experiment[]} every experiment with its knobs */
export function catalog() {
  return JSON.parse(execFileSync(`${root}bin/unrolled`, ["-catalog", "-json"], { maxBuffer: 1 << 28 }).toString());
}

/**
 * The series of an Answer by chart and name.
 * @param {import("../../messages").Answer} found
 * @param {string} chart
 * @param {string} name
 */
export function series(found, chart, name) {
  const one = found.series.find((s) => s.chart === chart && s.name === name);
  if (!one) throw new Error(`${found.experiment} has no series ${chart}/${name}`);
  return one;
}

/**
 * How far a drawn line is from being a chart of y: the largest distance in
 * pixels after the best straight map from values to pixels.
 * @param {string} d the path's data, one M or L command a point
 * @param {ArrayLike<number>} y
 */
export function misfit(d, y) {
  const drawn = [...d.matchAll(/[ML](-?[\d.]+)[ ,](-?[\d.]+)/g)].map((m) => Number(m[2]));
  if (drawn.length !== y.length) throw new Error(`the line has ${drawn.length} points, the series ${y.length}`);
  const n = drawn.length;
  const mean = (/** @type {ArrayLike<number>} */ a) => Array.from(a).reduce((s, v) => s + v, 0) / n;
  const [my, md] = [mean(y), mean(drawn)];
  let [above, below] = [0, 0];
  for (let i = 0; i < n; i++) {
    above += (y[i] - my) * (drawn[i] - md);
    below += (y[i] - my) ** 2;
  }
  const slope = below === 0 ? 0 : above / below;
  if (below > 0 && slope >= 0) throw new Error("larger values must stand higher");
  return Math.max(...drawn.map((v, i) => Math.abs(v - md - slope * (y[i] - my))));
}
