// The essentials in Firefox, driven over WebDriver BiDi: the engine answers,
// the stage is painted, the embed works, and nothing complains meanwhile.

import assert from "node:assert/strict";
import { accessSync } from "node:fs";
import { after, before, test } from "node:test";
import puppeteer from "puppeteer-core";
import { until } from "../browser/reader.mjs";
import { host, serve } from "../browser/site.mjs";
import { answer } from "../browser/truth.mjs";

/** @typedef {import("puppeteer-core").Page} Page */
/** @typedef {import("puppeteer-core").Frame} Frame */

const candidates = [
  process.env["FIREFOX"],
  "/usr/bin/firefox-esr",
  "/usr/bin/firefox",
  "/Applications/Firefox.app/Contents/MacOS/firefox",
];

/** @param {string | undefined} path */
function exists(path) {
  try {
    accessSync(path ?? "");
    return true;
  } catch {
    return false;
  }
}

/** @type {import("puppeteer-core").Browser} */ let browser;
/** @type {{ url: string, stop: () => Promise<void> }} */ let server;

before(async () => {
  server = await serve();
  browser = await puppeteer.launch({
    browser: "firefox",
    executablePath: candidates.find(exists) ?? "firefox",
    headless: true,
    // No film by itself; and no WebGL, also where headless Firefox would find some.
    extraPrefsFirefox: { "ui.prefersReducedMotion": 1, "webgl.disabled": true },
  });
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

/**
 * A test with a page of its own, in which every complaint is a failure.
 * @param {string} name what a person sees
 * @param {(page: Page, url: string) => Promise<void>} body
 */
function reading(name, body) {
  test(name, { timeout: 120_000 }, async () => {
    const page = await browser.newPage();
    page.setDefaultTimeout(60_000);
    await page.setViewport({ width: 1280, height: 900 });
    /** @type {string[]} */
    const faults = [];
    await page.evaluateOnNewDocument(() => {
      self.addEventListener("securitypolicyviolation", (event) => {
        console.error(`content policy: ${event.violatedDirective} refused ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`);
      });
    });
    page.on("console", (message) => {
      if (message.type() === "error") faults.push(`console: ${message.text()} (${message.location().url})`);
    });
    page.on("pageerror", (error) => faults.push(`uncaught: ${error instanceof Error ? error.stack : error}`));
    page.on("response", (response) => {
      if (response.status() >= 400) faults.push(`${response.status()} for ${response.url()}`);
    });
    try {
      await body(page, server.url);
    } finally {
      await page.close();
    }
    assert.deepEqual(faults, [], "while the test ran");
  });
}

const momentum = 'ttt-figure[name="momentum-age"]';
const slider = `${momentum} #momentum-age-alpha`;

/**
 * Waits for the figure to have answered with the reader's own engine.
 * @param {Page | Frame} page
 */
async function answered(page) {
  await page.waitForSelector(`${momentum}[data-answered]`);
}

/**
 * Waits until the figure says what the engine says without a browser.
 * @param {Page | Frame} page
 * @param {Record<string, string | number>} values
 */
async function says(page, values) {
  const { sentence } = answer("momentum-age", values);
  await until(
    () => page.$eval(`${momentum} .sentence`, (element) => /** @type {HTMLElement} */ (element).innerText),
    (said) => said === sentence,
    `the sentence “${sentence}”`,
  );
}

/**
 * Presses keys on the α slider until it has moved, and reads it.
 * @param {Page | Frame} page
 * @param {import("puppeteer-core").KeyInput[]} keys
 * @returns {Promise<string>} the new α
 */
async function pressed(page, keys) {
  const read = () => page.$eval(slider, (element) => /** @type {HTMLInputElement} */ (element).value);
  const old = await read();
  const range = await page.waitForSelector(slider);
  assert.ok(range);
  for (const key of keys) await range.press(key);
  return until(read, (value) => value !== old, "a moved slider");
}

/**
 * The stage's picture: its pixels, and how many colours they have.
 * @param {Page} page
 */
function picture(page) {
  return page.$eval(`${momentum} canvas.stage-picture`, (element) => {
    const canvas = /** @type {HTMLCanvasElement} */ (element);
    const image = canvas.getContext("2d")?.getImageData(0, 0, canvas.width, canvas.height);
    return { pixels: canvas.toDataURL(), colours: new Set(new Uint32Array(image?.data.buffer ?? new ArrayBuffer(0))).size };
  });
}

reading("the page answers, and follows the α slider by keys", async (page, url) => {
  await page.goto(url);
  await answered(page);
  await says(page, {});
  const less = await pressed(page, ["ArrowLeft", "ArrowLeft", "ArrowLeft"]);
  await says(page, { alpha: less });
  const least = await pressed(page, ["Home"]);
  assert.notEqual(least, less);
  await says(page, { alpha: least });
});

reading("without WebGL2 the stage shows painted frames, which the step buttons change", async (page, url) => {
  await page.goto(`${url}#v=1&m.t=5`);
  await answered(page);
  assert.equal(await page.evaluate(() => document.createElement("canvas").getContext("webgl2")), null);
  await page.hover(`${momentum} .stage-host`); // the reader stirs: now a live stage would load
  await page.waitForSelector(`${momentum} .stage-host[data-stage="painted"]`, { visible: true });

  /** @param {string} part */
  const text = (part) => page.$eval(`${momentum} ${part}`, (element) => element.textContent ?? "");
  /**
   * Waits for player and picture; the labels change with the picture.
   * @param {number} t
   */
  const at = async (t) => {
    await until(() => text(".player output"), (said) => said.startsWith(`token ${t} of`), `the player at ${t}`);
    await until(() => text(".stage-label"), (said) => new RegExp(`token ${t}\\b`).test(said), `token ${t} on the stage`);
  };
  // By key: for a reader who wishes less motion, stills come in above the player meanwhile.
  /** @param {string} label */
  const press = async (label) => (await page.waitForSelector(`${momentum} [aria-label="${label}"]`))?.press("Enter");
  await at(6);
  const six = await picture(page);
  assert.ok(six.colours > 8, `the picture is not blank: ${six.colours} colours`);

  await press("step forward");
  await at(7);
  assert.notEqual((await picture(page)).pixels, six.pixels, "a step is another picture");
  await press("step back");
  await at(6);
  assert.equal((await picture(page)).pixels, six.pixels, "the same time is the same picture");
  assert.equal(page.frames().length, 1, "the live stage is not even fetched");
});

for (const sandbox of ["", ' sandbox="allow-scripts"']) {
  reading(`the embed answers in a frame on another origin${sandbox && `, with${sandbox}`}`, async (page, url) => {
    const blog = await host(
      `<!doctype html><html lang="en"><meta charset="utf-8"><title>A blog post</title><link rel="icon" href="data:,">` +
        `<iframe src="${url}embed.html?figure=momentum-age#v=1&amp;m.a=0.98" title="Figure"${sandbox} width="1000" height="800"></iframe>`,
    );
    try {
      await page.goto(blog.url);
      const frame = await page.waitForFrame((one) => one.url().includes("embed.html"));
      await answered(frame);
      await says(frame, { alpha: 0.98 });
      await says(frame, { alpha: await pressed(frame, ["ArrowLeft"]) });
    } finally {
      await page.goto("about:blank");
      await blog.stop();
    }
  });
}
