// A headless Chromium and pages that are watched: an error on the console, a
// breach of the content policy, a failed answer or a request to another host
// is a fault, in every test, whatever else the test is about.

import assert from "node:assert/strict";
import { accessSync } from "node:fs";
import { after, before, test } from "node:test";
import { chromium } from "playwright-core";
import { serve } from "./site.mjs";

const candidates = [
  process.env.CHROMIUM,
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/** @param {string | undefined} path */
function exists(path) {
  if (!path) return false;
  try {
    accessSync(path);
    return true;
  } catch {
    return false;
  }
}

/** The Chromium that the checks drive; undefined leaves it to the driver to say that there is none. */
export const chromiumPath = candidates.find(exists);

/** WebGL in software, so that the checks need no GPU. */
export const flags = [
  "--no-sandbox", // tests may run as root
  "--use-gl=angle",
  "--use-angle=swiftshader",
  "--enable-unsafe-swiftshader",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
];

/** @param {string[]} args further flags */
export function launch(args = []) {
  return chromium.launch({ executablePath: chromiumPath, args: [...flags, ...args] });
}

/**
 * Collects the faults of a context's pages into a list.
 * @param {import("playwright-core").BrowserContext} context
 * @returns {Promise<string[]>} grows as faults happen
 */
export async function watch(context) {
  /** @type {string[]} */
  const faults = [];
  const confess = () => {
    self.addEventListener("securitypolicyviolation", (event) => {
      console.error(`content policy: ${event.violatedDirective} refused ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`);
    });
  };
  await context.addInitScript(confess);
  /** @param {import("playwright-core").ConsoleMessage} message */
  const hear = (message) => {
    if (message.type() === "error") faults.push(`console: ${message.text().slice(0, 300)} (${message.location().url})`);
  };
  context.on("console", hear);
  context.on("page", (page) =>
    page.on("worker", (worker) => {
      worker.on("console", hear);
      // A worker that is already gone has nothing to confess.
      worker.evaluate(confess).catch(() => {});
    }),
  );
  context.on("weberror", (error) => faults.push(`uncaught: ${error.error().stack ?? error.error()}`));
  context.on("request", (request) => {
    const url = new URL(request.url());
    const own = ["data:", "blob:", "about:"].includes(url.protocol) || url.hostname === "127.0.0.1";
    if (!own) faults.push(`asked another host: ${request.url()}`);
  });
  context.on("response", (response) => {
    if (response.status() >= 400) faults.push(`${response.status()} for ${response.url()}`);
  });
  return faults;
}

/**
 * @typedef {object} Setting
 * @property {number} [width] of the window, CSS pixels
 * @property {number} [height]
 * @property {"light" | "dark"} [scheme] what the system asks for
 * @property {"reduce" | "no-preference"} [motion]
 * @property {boolean} [scripts]
 * @property {RegExp} [expected] faults that this test is about
 */

/**
 * One file of tests over the built site: starts the server and the browser
 * once, and gives each test a watched page of its own.
 * @param {{ args?: string[], dir?: string }} options flags for Chromium, folder to serve
 */
export function site(options = {}) {
  /** @type {import("playwright-core").Browser} */ let browser;
  /** @type {{ url: string, stop: () => Promise<void> }} */ let server;
  before(async () => {
    server = await serve(options.dir);
    browser = await launch(options.args);
  });
  after(async () => {
    await browser?.close();
    await server?.stop();
  });

  /**
   * @param {string} name what a person sees
   * @param {Setting} setting
   * @param {(page: import("playwright-core").Page, url: string) => Promise<void>} body
   */
  return (name, setting, body) =>
    test(name, { timeout: 120_000 }, async () => {
      const context = await browser.newContext({
        viewport: { width: setting.width ?? 1280, height: setting.height ?? 900 },
        colorScheme: setting.scheme ?? "light",
        reducedMotion: setting.motion ?? "no-preference",
        javaScriptEnabled: setting.scripts ?? true,
      });
      context.setDefaultTimeout(20_000);
      const faults = await watch(context);
      try {
        await body(await context.newPage(), server.url);
      } finally {
        // An answer still on its way to a test's route must not outlive the test.
        for (const page of context.pages()) await page.unrouteAll({ behavior: "ignoreErrors" });
        await context.close();
      }
      const unexpected = faults.filter((fault) => !setting.expected?.test(fault));
      assert.ok(unexpected.length === 0, `while the test ran:\n${unexpected.join("\n")}`);
    });
}
