// Prints the gzip size of what a reader fetches beside its bound, and fails
// when one is over: node size.mjs DIST

import { readFileSync, existsSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { gzipSync } from "node:zlib";

const dist = process.argv[2] ?? "dist";

/** @param {string} name a file of dist @returns {number} bytes, gzip -9 */
const packed = (name) => gzipSync(new Uint8Array(readFileSync(join(dist, name))), { level: 9 }).length;

/**
 * The files that a page needs before anything is clicked: itself, its style
 * sheets, its scripts and what those import in turn.
 * @param {string} page
 * @returns {string[]}
 */
export function firstView(page) {
  const found = new Set([page]);
  const html = readFileSync(join(dist, page), "utf8");
  const tags = html.match(/<(?:script|link)\b[^>]*>/g) ?? [];
  const wanted = tags.filter((tag) => tag.startsWith("<script") || /rel="?(?:stylesheet|modulepreload)/.test(tag));
  const queue = wanted.flatMap((tag) => /(?:src|href)="?([^"\s>]+)/.exec(tag)?.[1] ?? []);
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    name = normalize(name);
    if (found.has(name) || !existsSync(join(dist, name))) continue;
    found.add(name);
    if (!name.endsWith("js")) continue;
    const script = readFileSync(join(dist, name), "utf8");
    for (const [, from] of script.matchAll(/\b(?:from|import)\s*"(\.[^"]+)"/g)) {
      queue.push(join(dirname(name), String(from)));
    }
  }
  return [...found];
}

// A page loads one of each: with vector instructions, or without.
const [engine, lab] = [1_100_000, 1_100_000];
const first = firstView("index.html");
const rows = [
  { what: `first view (${first.length} files)`, bytes: first.reduce((sum, name) => sum + packed(name), 0), bound: 60_000 },
  { what: "embed.html, its styles and scripts", bytes: firstView("embed.html").reduce((sum, name) => sum + packed(name), 0), bound: 60_000 },
  { what: "engine.wasm", bytes: packed("engine.wasm"), bound: engine },
  { what: "engine-generic.wasm", bytes: packed("engine-generic.wasm"), bound: engine },
  { what: "lab.wasm", bytes: packed("lab.wasm"), bound: lab },
  { what: "lab-generic.wasm", bytes: packed("lab-generic.wasm"), bound: lab },
  { what: "stage.wasm", bytes: packed("stage.wasm"), bound: 2_700_000 },
];
for (const { what, bytes, bound } of rows) {
  const verdict = bytes <= bound ? "" : "  OVER";
  console.log(`${(bytes / 1000).toFixed(1).padStart(8)} KB of ${String(bound / 1000).padStart(5)}  ${what}${verdict}`);
}
if (rows.some(({ bytes, bound }) => bytes > bound)) process.exitCode = 1;
