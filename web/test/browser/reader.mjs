// What a reader does on the page and looks for, by role and label.

/** @typedef {import("playwright-core").Page} Page */
/** @typedef {import("playwright-core").Frame} Frame */
/** @typedef {import("playwright-core").Locator} Locator */

/**
 * A figure that has answered with the reader's own engine.
 * @param {Page | Frame} page
 * @param {string} name of the experiment
 */
export async function figure(page, name) {
  const found = page.locator(`ttt-figure[name="${name}"]`);
  await found.scrollIntoViewIfNeeded();
  await page.locator(`ttt-figure[name="${name}"][data-answered]`).waitFor({ state: "attached" });
  return found;
}

/**
 * Goes down the page until every figure has answered.
 * @param {Page} page
 */
export async function everyFigure(page) {
  for (const one of await page.locator("ttt-figure").all()) await figure(page, (await one.getAttribute("name")) ?? "");
}

/** @param {Locator} figure */
export const sentence = (figure) => figure.locator(".sentence").innerText();

/**
 * The number after some words of a sentence, as a reader reads it: 4.4×10⁻¹⁶.
 * @param {string} text
 * @param {string} words
 */
export function numberAfter(text, words) {
  const [, mantissa, sign = "", digits = "0"] = new RegExp(`${words} ([\\d.]*\\d)(?:×10(⁻?)([⁰¹²³⁴-⁹]+))?`).exec(text) ?? [];
  const exponent = [...digits].map((c) => "⁰¹²³⁴⁵⁶⁷⁸⁹".indexOf(c)).map((i) => Math.max(0, i)).join("");
  return Number(`${mantissa}e${sign && "-"}${exponent}`);
}

/**
 * Waits until the figure says exactly this.
 * @param {Locator} figure
 * @param {string} text
 */
export const says = (figure, text) => until(() => sentence(figure), (said) => said === text, `the sentence “${text}”`);

/**
 * A knob's slider.
 * @param {Locator} figure
 * @param {string | RegExp} label
 */
export const slider = (figure, label) => figure.getByRole("slider", { name: label }).first();

/**
 * The drawn line of a plot.
 * @param {Locator} figure
 * @param {string} plot name of the chart
 * @param {string} role whose colour the line has
 */
export const curve = (figure, plot, role) =>
  figure.locator(`[data-plot="${plot}"] path.series.line.role-${role}`).first().getAttribute("d").then((d) => d ?? "");

/**
 * Waits until something read from the page satisfies a test of it.
 * @template T
 * @param {() => Promise<T>} read
 * @param {(value: T) => boolean} good
 * @param {string} what is waited for, for the failure's sentence
 * @returns {Promise<T>}
 */
export async function until(read, good, what) {
  const end = Date.now() + 20_000;
  for (;;) {
    const value = await read();
    if (good(value)) return value;
    if (Date.now() > end) throw new Error(`waited for ${what}; last seen: ${JSON.stringify(value)}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
