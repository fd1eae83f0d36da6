// axe-core over a page and its frames, at WCAG 2.2 level AA.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa", "best-practice"];

/**
 * @param {import("playwright-core").Page} page
 * @returns {Promise<string[]>} one line for each thing found
 */
export async function audit(page) {
  // axe reaches into every frame where it has been loaded.
  for (const frame of page.frames()) await frame.evaluate(source);
  return page.evaluate(async (run) => {
    // @ts-ignore: axe came with the script above
    const { violations } = await axe.run(document, { runOnly: run, resultTypes: ["violations"] });
    return violations.flatMap((/** @type {any} */ v) =>
      v.nodes.map((/** @type {any} */ n) => `${v.id}: ${n.target.join(" ")}: ${n.failureSummary.replaceAll("\n", " ")}`),
    );
  }, tags);
}
