// The stage: pictures move while the film plays and stand still otherwise,
// whoever paints them, and the page around is left alone.

import assert from "node:assert/strict";
import { launch, site, watch } from "./browser.mjs";
import { figure, slider, until } from "./reader.mjs";

const reading = site();

/** @typedef {import("playwright-core").Page} Page */

/**
 * Waits until the stage is painted by one of its two painters.
 * @param {Page | import("playwright-core").Frame} page
 * @param {"live" | "painted"} painter Ebitengine, or the engine's own
 * @param {string} name of the experiment
 */
async function staged(page, painter, name = "momentum-age") {
  const shown = await figure(page, name);
  await shown.locator(".stage-host").scrollIntoViewIfNeeded();
  // The frame is fetched when a reader stirs.
  await shown.locator(".stage-host").dispatchEvent("pointermove", { bubbles: true });
  await shown.locator(`.stage-host[data-stage="${painter}"]`).waitFor({ timeout: 60_000 });
  return shown;
}

/**
 * What a person sees in the stage's box.
 * @param {Page} page
 * @param {string} name of the experiment
 * @returns {Promise<string>}
 */
async function picture(page, name = "momentum-age") {
  const box = await page.locator(`ttt-figure[name="${name}"] .stage-host`).boundingBox();
  assert.ok(box);
  return (await page.screenshot({ clip: box })).toString("base64");
}

/** A picture that no longer changes. @param {Page} page */
const settled = (page) => settledIn(page, "momentum-age");

/**
 * @param {Page} page
 * @param {string} name of the experiment
 */
async function settledIn(page, name) {
  let before = "";
  return until(
    async () => {
      const now = await picture(page, name);
      const same = now === before;
      before = now;
      return same ? now : "";
    },
    (now) => now !== "",
    "a picture at rest",
  );
}

/** The stage's own frame. @param {Page} page */
function frameOf(page) {
  const frame = page.frames().find((f) => f.url().includes("stage.html"));
  assert.ok(frame);
  return frame;
}

/** Counts the frames that page and stage ask for. @param {Page} page */
async function countFrames(page) {
  await page.addInitScript(() => {
    const real = self.requestAnimationFrame.bind(self);
    // @ts-ignore: counted here, read below
    self.asked = 0;
    self.requestAnimationFrame = (callback) => {
      // @ts-ignore
      self.asked++;
      return real(callback);
    };
  });
}

/** @param {Page} page */
const framesAsked = async (page) => [await page.evaluate("asked"), await frameOf(page).evaluate("asked")];

reading("the stage shows something, moves while playing and stands still when paused", { motion: "reduce" }, async (page, url) => {
  await page.goto(`${url}#v=1&m.t=5`);
  const shown = await staged(page, "live");
  const first = await settled(page);
  const colours = await page.locator(".stage-host").first().screenshot();
  assert.ok(colours.length > 8_000, "the picture is not blank");

  await shown.getByRole("button", { name: "play" }).click();
  const seen = new Set();
  for (let i = 0; i < 5; i++) {
    seen.add(await picture(page));
    await until(() => picture(page), (now) => !seen.has(now), "the next picture of the film");
  }
  await shown.getByRole("button", { name: "pause" }).click();
  const paused = await settled(page);
  assert.notEqual(paused, first);
  await new Promise((resolve) => setTimeout(resolve, 700));
  assert.equal(await picture(page), paused, "paused is still");
});

reading("step, step back, scrub and the chart's cursor all move the one time", { motion: "reduce" }, async (page, url) => {
  await page.goto(`${url}#v=1&m.t=9`);
  const shown = await staged(page, "live");
  const count = shown.locator(".player output");
  const token = frameOf(page).locator(".stage-label").first();
  /** One number for the moment, wherever it stands. @param {number} t */
  const at = async (t) => {
    await until(() => count.innerText(), (text) => text === `token ${t} of 64`, `the player at ${t}`);
    await until(() => token.innerText(), (text) => text.startsWith(`token ${t} of 64`), `token ${t} on the stage`);
    const label = shown.locator('[data-plot="growth"] .cursor-label');
    await until(() => label.textContent(), (text) => (text ?? "").startsWith(`reading ${t}:`), `reading ${t} in the chart`);
  };
  await at(10);
  const ten = await settled(page);
  await shown.getByRole("button", { name: "step forward" }).click();
  await at(11);
  assert.notEqual(await settled(page), ten);
  await shown.getByRole("button", { name: "step back" }).click();
  await at(10);
  assert.equal(await settled(page), ten, "the same time is the same picture");
  await slider(shown, "tokens read").fill("40");
  await at(40);
  await shown.locator('[data-plot="growth"] .reach').focus();
  await page.keyboard.press("ArrowLeft");
  await at(39);
});

reading("moving α changes what the stage shows", { motion: "reduce" }, async (page, url) => {
  await page.goto(url);
  const shown = await staged(page, "live");
  const before = await settled(page);
  await slider(shown, "momentum").fill("0.2");
  await until(() => picture(page), (now) => now !== before, "another picture");
});

reading("a paused stage asks for no frames", { motion: "reduce" }, async (page, url) => {
  await countFrames(page);
  await page.goto(url);
  const shown = await staged(page, "live");
  await settled(page);
  const asked = () => framesAsked(page);
  const before = await asked();
  assert.ok(Number(before[1]) > 0, "the frame has drawn");
  await new Promise((resolve) => setTimeout(resolve, 1000));
  assert.deepEqual(await asked(), before, "frames asked for by page and stage within a second of rest");

  // Playing out of sight is rest, too.
  await shown.getByRole("button", { name: "step back" }).click();
  await slider(shown, "tokens read").fill("3");
  await shown.getByRole("button", { name: "play" }).click();
  await page.locator("footer").last().scrollIntoViewIfNeeded();
  await new Promise((resolve) => setTimeout(resolve, 500));
  const away = await asked();
  await new Promise((resolve) => setTimeout(resolve, 700));
  assert.deepEqual(await asked(), away, "frames asked for while the stage is out of sight");
});

reading("keys pressed while a step glides are obeyed, and what was asked last is where it rests", {}, async (page, url) => {
  await page.goto(`${url}#v=1&m.t=30`);
  const shown = await staged(page, "live");
  const time = slider(shown, "tokens read");
  await time.focus();
  for (const key of ["Home", "ArrowRight", "ArrowRight", "ArrowRight", "PageUp"]) await page.keyboard.press(key);
  await until(() => time.inputValue(), (value) => value === "13", "three tokens and ten");
  for (const key of ["ArrowRight", "Home"]) await page.keyboard.press(key);
  await new Promise((resolve) => setTimeout(resolve, 600)); // a glide takes less
  assert.equal(await time.inputValue(), "0");
});

reading("the state's player, charts and stage are one moment", { motion: "reduce" }, async (page, url) => {
  await page.goto(`${url}#v=1&S.t=9`);
  const shown = await staged(page, "live", "state");
  /** @param {number} t */
  const at = async (t) => {
    await until(() => shown.locator(".player output").innerText(), (text) => text === `token ${t} of 64`, `the player at ${t}`);
    await shown.locator(".stage-host").scrollIntoViewIfNeeded(); // out of sight it draws nothing
    await until(() => frameOf(page).locator(".stage-label").first().innerText(), (text) => text.startsWith(`token ${t} of 64`), `token ${t} on the stage`);
    for (const plot of ["share", "spectrum"]) {
      const label = shown.locator(`[data-plot="${plot}"] .cursor-label`);
      await until(() => label.textContent(), (text) => (text ?? "").startsWith(`reading ${t}:`), `reading ${t} in ${plot}`);
    }
    await until(() => shown.locator(".sentence").innerText(), (text) => text.startsWith(`After ${t} tokens `), `${t} tokens in the sentence`);
  };
  await at(10);
  await shown.getByRole("button", { name: "step forward" }).click();
  await at(11);
  await slider(shown, "tokens read").fill("40");
  await at(40);
  await shown.locator('[data-plot="spectrum"] .reach').focus();
  await page.keyboard.press("ArrowLeft");
  await at(39);
  await shown.locator(".stills button").nth(1).click();
  await at(21);
});

reading("one frame serves every stage: it goes to the one in sight", { motion: "reduce" }, async (page, url) => {
  await page.goto(`${url}#v=1&m.T=32`);
  const frames = () => page.frames().filter((f) => f.url().includes("stage.html")).length;
  await staged(page, "live");
  await staged(page, "live", "state");
  assert.equal(frames(), 1);
  assert.equal(await page.locator('ttt-figure[name="momentum-age"] .stage-host[data-stage="painted"]').count(), 1, "the first one keeps a picture");
  const first = frameOf(page).locator(".stage-label").first();
  assert.match(await first.innerText(), /of 64/, "the frame shows the state's film");
  await staged(page, "live");
  await until(async () => frames(), (n) => n === 1, "one frame again");
  assert.match(await frameOf(page).locator(".stage-label").first().innerText(), /of 32/, "the frame shows the first figure's film again");
});

reading("without WebGL2 each stage is painted from its own film, in turn", {}, async (_, url) => {
  const browser = await launch(["--disable-3d-apis"]);
  try {
    const context = await browser.newContext({ viewport: { width: 390, height: 844 }, reducedMotion: "reduce" });
    const faults = await watch(context);
    const page = await context.newPage();
    await page.goto(`${url}#v=1&m.T=32`);
    /** @param {string} name @param {string} text */
    const titled = async (name, text) => {
      const shown = await staged(page, "painted", name);
      await until(() => shown.locator(".stage-labels .stage-label").first().innerText(), (label) => label.startsWith(text), `“${text}” over ${name}`);
      return shown;
    };
    const age = await titled("momentum-age", "token 32 of 32");
    const state = await titled("state", "token 64 of 64");
    await slider(state, "tokens read").fill("50");
    await titled("state", "token 50 of 64");
    await slider(age, "tokens read").fill("7");
    await titled("momentum-age", "token 7 of 32");
    assert.equal(page.frames().length, 1);
    assert.deepEqual(faults, []);
  } finally {
    await browser.close();
  }
});

reading("an embedded state is played too, and rests when it is paused", { motion: "reduce" }, async (page, url) => {
  await countFrames(page);
  await page.goto(`${url}embed.html?figure=state`);
  const shown = await staged(page, "live", "state");
  await shown.locator(".stills button").nth(5).waitFor();
  const before = await settledIn(page, "state");
  await slider(shown, "tokens read").fill("12");
  await until(() => picture(page, "state"), (now) => now !== before, "another moment");
  await settledIn(page, "state");
  const asked = await framesAsked(page);
  await new Promise((resolve) => setTimeout(resolve, 800));
  assert.deepEqual(await framesAsked(page), asked, "frames asked for within a second of rest");
  await shown.getByRole("button", { name: "play" }).click();
  await page.evaluate("scrollTo(0, document.body.scrollHeight)");
  await new Promise((resolve) => setTimeout(resolve, 500));
  const away = await framesAsked(page);
  await new Promise((resolve) => setTimeout(resolve, 700));
  assert.deepEqual(await framesAsked(page), away, "frames asked for while the stage is out of sight");
});

reading("the page's own styles are untouched by Ebitengine", { motion: "reduce" }, async (page, url) => {
  await page.goto(url);
  await figure(page, "momentum-age");
  const look = () =>
    page.evaluate(() =>
      [document.documentElement, document.body].map((e) => {
        // Not the height: figures further down complete meanwhile. Ebitengine's would be a style attribute.
        const { margin, padding, backgroundColor, overflow } = getComputedStyle(e);
        return { style: e.getAttribute("style"), margin, padding, backgroundColor, overflow };
      }),
    );
  const before = await look();
  await staged(page, "live");
  assert.deepEqual(await look(), before);
  assert.equal(await page.locator("meta[name=viewport]").count(), 1);
  assert.equal(await page.locator("body > canvas").count(), 0);
  assert.equal(await page.evaluate("scrollY < 400 && document.activeElement === document.body"), true, "neither scrolled nor focused");
});

for (const painter of /** @type {const} */ (["live", "painted"])) {
  reading(`a wheel turn over the ${painter} stage scrolls the page`, { motion: "reduce" }, async (page, url) => {
    if (painter === "painted") await page.addInitScript("HTMLCanvasElement.prototype.getContext = new Proxy(HTMLCanvasElement.prototype.getContext, { apply: (f, self, args) => args[0] === 'webgl2' ? null : Reflect.apply(f, self, args) })");
    await page.goto(url);
    await staged(page, painter);
    const box = await page.locator(".stage-host").first().boundingBox();
    assert.ok(box);
    const before = Number(await page.evaluate("scrollY"));
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.wheel(0, 300);
    await until(() => page.evaluate("scrollY"), (y) => Number(y) > before + 200, "a scrolled page");
  });
}

reading("a lost graphics context comes back without a reload of the page", { motion: "reduce" }, async (page, url) => {
  await page.goto(url);
  await page.evaluate("window.mark = 1");
  await staged(page, "live");
  const lose = () =>
    frameOf(page).evaluate("document.querySelector('canvas').getContext('webgl2').getExtension('WEBGL_lose_context').loseContext()");
  const old = frameOf(page);
  const before = await settled(page);
  await lose();
  await until(async () => old.isDetached(), Boolean, "the lost frame to go");
  await page.locator('.stage-host[data-stage="live"]').waitFor({ timeout: 60_000 });
  assert.equal(await page.evaluate("window.mark"), 1, "the page was not loaded anew");
  assert.equal(await settled(page), before);
  // A second loss is one too many: the engine paints from now on.
  await lose();
  await page.locator('.stage-host[data-stage="painted"]').waitFor();
  await slider(await figure(page, "momentum-age"), "tokens read").fill("20");
  await until(() => picture(page), (now) => now !== before, "a painted picture");
  assert.equal(await page.frames().length, 1);
});

reading("without a wish for less motion the film plays by itself, and can be paused", {}, async (page, url) => {
  await page.goto(url);
  const shown = await figure(page, "momentum-age");
  await shown.getByRole("button", { name: "pause" }).click();
  const at = await shown.locator(".player output").innerText();
  await new Promise((resolve) => setTimeout(resolve, 500));
  assert.equal(await shown.locator(".player output").innerText(), at);
});

reading("with a wish for less motion nothing plays by itself", { motion: "reduce" }, async (page, url) => {
  await page.goto(url);
  const shown = await staged(page, "live");
  assert.equal(await shown.locator(".player output").innerText(), "token 64 of 64");
  assert.equal(await shown.getByRole("button", { name: "play" }).count(), 1);
});

reading("the stage turns dark with the page", { motion: "reduce" }, async (page, url) => {
  await page.goto(url);
  await staged(page, "live");
  const light = await settled(page);
  await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
  const dark = await until(() => picture(page), (now) => now !== light, "a dark picture");
  await settled(page);
  assert.notEqual(dark, light);
});

reading("without WebGL2 the software painter's frames are shown, and play", {}, async (_, url) => {
  const browser = await launch(["--disable-3d-apis"]);
  try {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: "reduce" });
    const faults = await watch(context);
    const page = await context.newPage();
    await page.goto(`${url}#v=1&m.t=5`);
    const shown = await staged(page, "painted");
    const first = await settled(page);
    await shown.getByRole("button", { name: "play" }).click();
    await until(() => picture(page), (now) => now !== first, "a moving picture");
    await shown.getByRole("button", { name: "pause" }).click();
    const paused = await settled(page);
    await new Promise((resolve) => setTimeout(resolve, 500));
    assert.equal(await picture(page), paused);
    assert.equal(page.frames().length, 1, "the frame is not even fetched");
    assert.deepEqual(faults, []);
  } finally {
    await browser.close();
  }
});
