// The article as a reader uses it: what is drawn and said is the engine's.

import assert from "node:assert/strict";
import { site } from "./browser.mjs";
import { curve, figure, numberAfter, says, sentence, slider, until } from "./reader.mjs";
import { answer, misfit, series } from "./truth.mjs";

const reading = site();
const still = /** @type {const} */ ({ motion: "reduce" });

/**
 * Holds the drawn growth curve against the engine's numbers.
 * @param {import("playwright-core").Locator} shown
 * @param {import("../../messages").Answer} truth
 */
async function drawsTheEnginesCurve(shown, truth) {
  const profile = series(truth, "growth", "profile").y;
  await until(
    async () => {
      try {
        return misfit(await curve(shown, "growth", "ink"), profile);
      } catch (error) {
        return String(error);
      }
    },
    (off) => typeof off === "number" && off < 0.6,
    "a curve within 0.6 px of the engine's",
  );
}

reading("the first view already says and draws the default run", still, async (page, url) => {
  await page.goto(url);
  const shown = await figure(page, "momentum-age");
  const truth = answer("momentum-age");
  assert.equal(await sentence(shown), truth.sentence);
  await drawsTheEnginesCurve(shown, truth);
});

for (const alpha of ["0", "0.5", "0.98"]) {
  reading(`moving α to ${alpha} changes the curve and the sentence to the engine's`, still, async (page, url) => {
    await page.goto(url);
    const shown = await figure(page, "momentum-age");
    const before = await curve(shown, "growth", "ink");
    await slider(shown, "momentum").fill(alpha);
    const truth = answer("momentum-age", { alpha });
    await says(shown, truth.sentence);
    await drawsTheEnginesCurve(shown, truth);
    assert.notEqual(await curve(shown, "growth", "ink"), before);
  });
}

reading("dragging the α thumb with a mouse re-runs the engine on the way", still, async (page, url) => {
  await page.goto(url);
  const shown = await figure(page, "momentum-age");
  const thumb = slider(shown, "momentum");
  await thumb.scrollIntoViewIfNeeded();
  const box = await thumb.boundingBox();
  assert.ok(box);
  const y = box.y + box.height / 2;
  await page.mouse.move(box.x + box.width * 0.9, y);
  await page.mouse.down();
  const seen = new Set();
  for (const part of [0.7, 0.5, 0.3]) {
    await page.mouse.move(box.x + box.width * part, y, { steps: 4 });
    const alpha = await thumb.inputValue();
    await says(shown, answer("momentum-age", { alpha }).sentence);
    seen.add(alpha);
  }
  await page.mouse.up();
  assert.equal(seen.size, 3, `three places of the thumb, three values: ${[...seen]}`);
  await until(async () => new URL(page.url()).hash, (hash) => hash.includes("m.a="), "α in the address");
});

reading("every knob of the age profile re-runs it", still, async (page, url) => {
  await page.goto(url);
  const shown = await figure(page, "momentum-age");
  await slider(shown, /^length/).fill("100");
  await says(shown, answer("momentum-age", { length: 100 }).sentence);
  await shown.getByRole("textbox", { name: /rate.*number/ }).fill("0.02");
  await page.keyboard.press("Enter");
  await shown.getByText("random vectors").click();
  await shown.getByText("dot, −⟨f, v⟩").click();
  await shown.getByText("hold the eventual weight").click();
  await shown.getByRole("button", { name: "new seed" }).click();
  const hash = await until(
    async () => new URL(page.url()).hash,
    (text) => ["m.T=100", "m.e=0.02", "m.l=dot", "m.h=off", "m.k=gaussian", "m.s="].every((pair) => text.includes(pair)),
    "every knob in the address",
  );
  const seed = /m\.s=(\d+)/.exec(hash)?.[1] ?? "";
  const truth = answer("momentum-age", { length: 100, rate: 0.02, loss: "dot", hold: "off", task: "gaussian", seed });
  await says(shown, truth.sentence);
  await drawsTheEnginesCurve(shown, truth);
});

reading("reset all brings the default run back and leaves a clean address", still, async (page, url) => {
  await page.goto(`${url}#v=1&m.a=0.5&m.T=32`);
  const shown = await figure(page, "momentum-age");
  await says(shown, answer("momentum-age", { alpha: 0.5, length: 32 }).sentence);
  await shown.getByRole("button", { name: "reset all" }).click();
  await says(shown, answer("momentum-age").sentence);
  await until(async () => new URL(page.url()).hash, (hash) => !hash.includes("m."), "no setting in the address");
});

reading("the address restores the same state in another window", still, async (page, url) => {
  await page.goto(url);
  const shown = await figure(page, "momentum-age");
  await slider(shown, "momentum").fill("0.73");
  await slider(shown, /^length/).fill("48");
  await slider(shown, /tokens read/).fill("20");
  const truth = answer("momentum-age", { alpha: 0.73, length: 48, reading: 19 });
  await says(shown, truth.sentence);
  const address = await until(async () => page.url(), (text) => text.includes("m.t=19"), "the time in the address");

  const other = await page.context().newPage();
  await other.goto(address);
  const again = await figure(other, "momentum-age");
  await says(again, truth.sentence);
  assert.equal(await slider(again, "momentum").inputValue(), "0.73");
  assert.equal(Number(await slider(again, /tokens read/).inputValue()), 20);
  await drawsTheEnginesCurve(again, truth);
  const row = (/** @type {import("playwright-core").Locator} */ of) => of.locator('[data-plot="reading"] path.series').first().getAttribute("d");
  assert.equal(await row(again), await row(shown));
});

reading("going back in history goes back to the earlier link", still, async (page, url) => {
  await page.goto(`${url}#v=1&m.a=0.5`);
  const shown = await figure(page, "momentum-age");
  await says(shown, answer("momentum-age", { alpha: 0.5 }).sentence);
  await page.evaluate(() => { location.hash = "#v=1&m.a=0.7"; });
  await says(shown, answer("momentum-age", { alpha: 0.7 }).sentence);
  await page.goBack();
  await says(shown, answer("momentum-age", { alpha: 0.5 }).sentence);
});

reading("α per token is drawn with a finger and shared by link", still, async (page, url) => {
  await page.goto(url);
  const shown = await figure(page, "momentum-age");
  const editor = shown.locator("details.editor");
  if (!(await editor.evaluate((e) => e.hasAttribute("open")))) await editor.locator("summary").click();
  const strip = editor.getByRole("slider");
  await strip.scrollIntoViewIfNeeded();
  /** @param {number} across @param {number} down parts of the strip, from its left and top */
  const finger = async (across, down) => {
    const box = await strip.boundingBox();
    assert.ok(box);
    await page.mouse.move(box.x + 3 + (box.width - 6) * across, box.y + box.height * down, { steps: 4 });
  };
  await finger(0, 0.1);
  const before = await strip.boundingBox();
  await page.mouse.down();
  await page.mouse.up();
  await until(() => editor.getByRole("button", { name: /^reset/ }).isVisible(), Boolean, "the way back");
  const after = await strip.boundingBox();
  assert.ok(before && after && Math.abs(after.y - before.y) < 1, `nothing moves under the hand that draws: ${before?.y}, ${after?.y}`);
  await page.mouse.down();
  for (const part of [0.25, 0.5, 0.75, 1]) await finger(part, 0.1 + 0.8 * part);
  await page.mouse.up();
  const hash = await until(async () => new URL(page.url()).hash, (text) => text.includes("m.A="), "the values in the address");
  const alphas = /m\.A=([\w-]+)/.exec(hash)?.[1] ?? "";
  const truth = answer("momentum-age", { alphas });
  await says(shown, truth.sentence);
  await drawsTheEnginesCurve(shown, truth);
  const drawn = series(truth, "alphas", "alphas").y;
  assert.ok(drawn[0] > 0.8 && drawn[drawn.length - 1] < 0.2, `α falls along the tokens: ${Array.from(drawn)}`);
});

reading("on a phone the docked α can be put back, and drawing α moves nothing", { ...still, width: 390, height: 844 }, async (page, url) => {
  await page.goto(`${url}#v=1&m.a=0.5`);
  const shown = await figure(page, "momentum-age");
  await says(shown, answer("momentum-age", { alpha: 0.5 }).sentence);
  const room = () => shown.locator(".lead .slide").boundingBox();
  const before = await room();
  await shown.locator(".lead").getByRole("button", { name: "reset momentum α" }).click();
  await says(shown, answer("momentum-age").sentence);
  assert.equal((await room())?.width, before?.width, "the slider keeps its length");
  await page.keyboard.press("Shift");
  const strip = shown.locator("details.editor .strip");
  await strip.locator("svg").waitFor();
  await strip.evaluate((e) => e.scrollIntoView({ block: "center" }));
  const box = await strip.boundingBox();
  assert.ok(box);
  await page.mouse.click(box.x + 40, box.y + 60);
  await shown.getByText("Set token by token now.").waitFor();
  const after = await strip.boundingBox();
  assert.ok(after && Math.abs(after.y - box.y) < 1 && after.height === box.height, `the strip went from ${box.y} to ${after?.y}`);
});

reading("both ways: two outputs drawn, and the gap is rounding", still, async (page, url) => {
  await page.goto(url);
  const shown = await figure(page, "duel");
  const said = await sentence(shown);
  assert.match(said, /at most [\d.]+×10⁻/, "powers of ten as people write them");
  assert.ok(numberAfter(said, "at most") < 1e-12, said);
  await slider(shown, "momentum").fill("0.9");
  const later = await until(() => sentence(shown), (text) => text !== said, "another sentence");
  assert.ok(numberAfter(later, "at most") < 1e-12, later);
  const truth = answer("duel", { alpha: 0.9 });
  assert.ok(misfit(await curve(shown, "outputs", "state"), series(truth, "outputs", "sequential").y) < 0.6);
});

reading("numbers in the prose follow the figure", still, async (page, url) => {
  await page.goto(url);
  const spans = page.locator("[data-scalar]");
  assert.ok((await spans.count()) > 0, "the prose holds numbers of the engine");
  for (const span of await spans.all()) {
    assert.match(await span.innerText(), /\d/, `${await span.getAttribute("data-scalar")} is a number`);
  }
});

reading("the table of numbers shows the engine's scalars", still, async (page, url) => {
  await page.goto(`${url}#v=1&m.a=0.98`);
  const shown = await figure(page, "momentum-age");
  await says(shown, answer("momentum-age", { alpha: 0.98 }).sentence);
  await shown.locator("details.numbers > summary").click();
  const row = (/** @type {string} */ name) => shown.getByRole("row", { name: new RegExp(`^${name} `) }).first().innerText();
  assert.match(await row("half-life.own"), /\b22\b/);
  assert.match(await row("half-life.limit"), /\b34\b/);
  assert.match(await row("newest-oldest"), /0\.0276/);
});
