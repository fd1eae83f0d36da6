// The numbers of a chart under a pointer, a thumb and the keys.

import assert from "node:assert/strict";
import { site } from "./browser.mjs";
import { figure, until } from "./reader.mjs";
import { answer, series } from "./truth.mjs";

const reading = site();
const still = /** @type {const} */ ({ motion: "reduce" });

/** @typedef {import("playwright-core").Page} Page */
/** @typedef {import("playwright-core").Locator} Locator */

/** Goes to a figure whose charts can be read. @param {Page} page @param {string} name */
async function readable(page, name) {
  await page.mouse.move(2, 2);
  await page.keyboard.press("Shift"); // the reading aids come with the first sign of a reader
  const shown = await figure(page, name);
  await until(() => page.evaluate("Boolean(window.unrolledAids)"), Boolean, "the reading aids");
  return shown;
}

/** @param {Locator} plot */
const told = (plot) => plot.locator(".readout text").allTextContents();

/**
 * Where a place along x stands on the screen, by the ticks' own account.
 * @param {Locator} plot
 * @param {number} share of the way from the first place to the last
 */
async function spot(plot, share) {
  await plot.scrollIntoViewIfNeeded();
  const box = await plot.locator(".reach").boundingBox();
  assert.ok(box);
  return { x: box.x + share * box.width, y: box.y + box.height / 2 };
}

reading("a hovering mouse reads every series, and the readout goes with it", still, async (page, url) => {
  await page.goto(url);
  const shown = await readable(page, "duel");
  const plot = shown.locator('[data-plot="outputs"]');
  const at = await spot(plot, 20 / 63);
  await page.mouse.move(at.x, at.y);
  const truth = answer("duel");
  const y = Number(series(truth, "outputs", "sequential").y[20]?.toPrecision(3));
  const text = String(y).replace("-", "−");
  assert.deepEqual(await until(() => told(plot), (texts) => texts.length === 3, "three lines"), [`training: ${text}`, `attention: ${text}`, "token 21"]);
  assert.equal(await plot.locator(".cursor-label").isVisible(), false, "the cursor's own label makes room");
  await page.mouse.move(at.x, at.y + 400);
  await until(() => told(plot), (texts) => texts.length === 0, "no numbers where there is no pointer");
  assert.equal(await plot.locator(".cursor-label").isVisible(), true);
  assert.doesNotMatch(page.url(), /d\.t=/, "looking moves no cursor");
});

reading("a chart without a cursor is read by the keys alone", still, async (page, url) => {
  await page.goto(url);
  const shown = await readable(page, "state");
  const plot = shown.locator('[data-plot="recall"]');
  const reach = plot.getByRole("slider", { name: "Who is still there: values" });
  await reach.focus();
  const { y } = series(answer("state"), "recall", "recall");
  const value = (/** @type {number} */ i) => String(Number(y[i]?.toPrecision(3))).replace("-", "−");
  await until(() => told(plot), (texts) => texts.join() === `${value(63)},token 64`, "the last token");
  await page.keyboard.press("Home");
  assert.deepEqual(await told(plot), [value(0), "token 1"]);
  await page.keyboard.press("ArrowRight");
  assert.deepEqual(await told(plot), [value(1), "token 2"]);
  assert.equal(await reach.getAttribute("aria-valuetext"), `token 2: ${value(1)}`);
  await reach.evaluate((e) => e.blur());
  assert.deepEqual(await told(plot), []);
});

reading("the cursor's keys read every series, through each redraw", still, async (page, url) => {
  await page.goto(url);
  const shown = await readable(page, "momentum-age");
  const plot = shown.locator('[data-plot="growth"]');
  await plot.locator(".reach").focus();
  await page.keyboard.press("Home");
  await until(() => told(plot), (texts) => texts.at(-1) === "reading 1", "the first reading");
  await page.keyboard.press("ArrowRight");
  const texts = await until(() => told(plot), (now) => now.at(-1) === "reading 2", "the second reading");
  assert.ok(texts.includes("α 0.90: 0.19") && texts.includes("α 0: 1"), texts.join(" | "));
  assert.match((await plot.locator(".reach").getAttribute("aria-valuetext")) ?? "", /^reading 2: .*α 0\.90: 0\.19/);
  const matrix = shown.locator('[data-plot="multipliers"]');
  await matrix.locator(".reach").focus();
  await until(() => told(matrix), (now) => now.join() === "reading 2, token 1: 0.19", "the cell under the cursor");
});

reading("a thumb on a phone reads, and what it read stays until it goes elsewhere", { ...still, width: 390, height: 844 }, async (page, url) => {
  await page.goto(`${url}#at=inner-steps`);
  const shown = await readable(page, "inner-steps");
  const plot = shown.locator('[data-plot="binding"]');
  const at = await spot(plot, 1);
  const touch = (/** @type {string} */ type, /** @type {number} */ x) =>
    plot.locator(".reach").dispatchEvent(type, { pointerType: "touch", pointerId: 1, button: 0, clientX: x, clientY: at.y, bubbles: true });
  await page.evaluate("Element.prototype.setPointerCapture = function () { this.held = true }; Element.prototype.hasPointerCapture = function () { return this.held }");
  await touch("pointerdown", at.x - 40);
  await touch("pointermove", at.x - 1);
  await until(() => told(plot), (texts) => texts.at(-1) === "inner steps K 64", "the last number of steps");
  await touch("pointerup", at.x - 1);
  assert.equal((await told(plot)).at(-1), "inner steps K 64");
  await shown.getByRole("button", { name: "copy link" }).focus();
  await until(() => told(plot), (texts) => texts.length === 0, "nothing");
});
