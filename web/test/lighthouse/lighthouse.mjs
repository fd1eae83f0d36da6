// Lighthouse's mobile audit of the article and of an embed, over the served
// site: node lighthouse.mjs [ROUNDS] [PAGE…]
//
// It prints every round's scores and what the best one found, and fails when a
// best score is under its bound. A busy machine lowers performance and nothing
// else, so the best of a few rounds comes nearest to the page's own; the load
// is printed beside it.

import { mkdirSync, writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { fileURLToPath } from "node:url";
import { launch as launchChrome } from "chrome-launcher";
import lighthouse from "lighthouse";
import { chromiumPath, flags } from "../browser/browser.mjs";
import { serve } from "../browser/site.mjs";

/** Scores of 100, at least. How well a page can be found is only told: an embed asks not to be. */
const bounds = { performance: 95, accessibility: 100, "best-practices": 100, seo: 0 };

const [rounds = "3", ...given] = process.argv.slice(2);
const pages = given.length > 0 ? given : ["index.html", "questions.html", "embed.html?figure=momentum-age"];
const reports = fileURLToPath(new URL("../../build/lighthouse/", import.meta.url));
mkdirSync(reports, { recursive: true });

const server = await serve();
for (const page of pages) {
  const runs = [];
  for (let i = 0; i < Number(rounds); i++) {
    runs.push(await audit(server.url + page));
    console.log(`${page}: ${scores(runs[i])}, ${metrics(runs[i])}; load ${loadavg()[0].toFixed(1)} on ${cpus().length} cores`);
  }
  const best = runs.reduce((a, b) => (b.categories.performance.score > a.categories.performance.score ? b : a));
  writeFileSync(`${reports}${page.replace(/\W+/g, "-")}.json`, JSON.stringify(best));
  for (const line of findings(best)) console.log(`  ${line}`);
  for (const [name, bound] of Object.entries(bounds)) {
    if (!(score(best, name) >= bound)) {
      console.log(`  ${name} is under ${bound}`);
      process.exitCode = 1;
    }
  }
}
await server.stop();

/** A browser of its own for every round, so that none finds another's cache. */
async function audit(url) {
  const chrome = await launchChrome({ chromePath: chromiumPath, chromeFlags: ["--headless=new", ...flags], logLevel: "silent" });
  try {
    const { lhr } = await lighthouse(url, { port: chrome.port, logLevel: "error", onlyCategories: Object.keys(bounds) });
    if (lhr.runtimeError) throw new Error(lhr.runtimeError.message);
    return lhr;
  } finally {
    await chrome.kill();
  }
}

function score(lhr, name) {
  return Math.round(100 * lhr.categories[name].score);
}

function scores(lhr) {
  return Object.keys(bounds).map((name) => `${name} ${score(lhr, name)}`).join(", ");
}

function metrics(lhr) {
  const shown = { FCP: "first-contentful-paint", LCP: "largest-contentful-paint", TBT: "total-blocking-time", CLS: "cumulative-layout-shift", SI: "speed-index" };
  return Object.entries(shown).map(([name, id]) => `${name} ${lhr.audits[id].displayValue}`).join(", ");
}

/** Whatever takes something from a score, and the first elements that it names. */
function findings(lhr) {
  const counted = Object.values(lhr.categories).flatMap((c) => c.auditRefs.filter((r) => r.weight > 0).map((r) => r.id));
  return [...new Set(counted)]
    .map((id) => lhr.audits[id])
    .filter((a) => a.score !== null && a.score < 1)
    .map((a) => {
      const places = (a.details?.items ?? []).slice(0, 5).map((i) => i.node?.selector ?? i.source?.url ?? i.description ?? i.url ?? "");
      return `${a.id} ${a.score}: ${a.title} ${a.displayValue ?? ""} ${places.join(" | ")}`;
    });
}
