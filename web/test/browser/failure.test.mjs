// When a part fails, the page says so, offers a way on, and everything else
// goes on working.

import assert from "node:assert/strict";
import { site } from "./browser.mjs";
import { figure, says, sentence, slider, until } from "./reader.mjs";
import { host } from "./site.mjs";
import { answer } from "./truth.mjs";

const reading = site();
const still = /** @type {const} */ ({ motion: "reduce" });

/** @param {import("playwright-core").Page} page */
const banner = (page) => page.getByRole("alert");

/**
 * Presses "restart" in the banner and sees the engine answer again.
 * @param {import("playwright-core").Page} page
 * @param {string} alpha
 */
async function restarts(page, alpha) {
  await banner(page).getByRole("button", { name: "restart" }).click();
  await until(() => banner(page).count(), (n) => n === 0, "the banner to go");
  const shown = page.locator('ttt-figure[name="momentum-age"]');
  await slider(shown, "momentum").fill(alpha);
  await says(shown, answer("momentum-age", { alpha }).sentence);
}

reading("when Go panics a banner says so, the last run stays, and a restart brings the engine back", { ...still, expected: /unreachable|panic|fatal|RuntimeError|already exited/ }, async (page, url) => {
  // Keeps hold of the program, so that the test can wreck its memory.
  await page.route(/assets\/worker-/, async (route) => {
    const response = await route.fetch();
    const hook = "const made = WebAssembly.instantiate; WebAssembly.instantiate = async (...a) => (self.program = await made(...a));";
    await route.fulfill({ response, body: hook + (await response.text()) });
  });
  await page.goto(`${url}#v=1&m.a=0.5`);
  const shown = await figure(page, "momentum-age");
  const last = answer("momentum-age", { alpha: 0.5 }).sentence;
  await says(shown, last);

  assert.ok(page.workers().length > 0);
  for (const worker of page.workers()) await worker.evaluate("self.program && new Uint8Array(self.program.exports.mem.buffer).fill(0xff)");
  await slider(shown, "momentum").fill("0.7");
  await banner(page).waitFor();
  assert.match(await banner(page).innerText(), /The engine stopped: .+ The figures show the last good run\./);
  assert.equal(await sentence(shown), last);
  await restarts(page, "0.8");
  assert.match(new URL(page.url()).hash, /m\.a=0\.8/);
});

reading("a worker that throws is a banner, not a dead page", { ...still, expected: /gone for good/ }, async (page, url) => {
  await page.goto(url);
  await figure(page, "momentum-age");
  await page.workers()[0]?.evaluate("void setTimeout(() => { throw new Error('gone for good') })");
  await banner(page).getByText(/gone for good/).waitFor();
  await restarts(page, "0.6");
});

reading("an engine that cannot be loaded leaves the first view standing", { ...still, expected: /404|wasm|engine-/ }, async (page, url) => {
  await page.route(/engine[\w-]*\.(wasm|js)/, (route) => route.fulfill({ status: 404, body: "gone" }));
  await page.goto(url);
  await banner(page).waitFor();
  assert.match(await banner(page).innerText(), /The engine could not be loaded/);
  const shown = page.locator('ttt-figure[name="momentum-age"]');
  assert.equal(await sentence(shown), answer("momentum-age").sentence);
  await page.unroute(/engine[\w-]*\.(wasm|js)/);
  await restarts(page, "0.6");
});

reading("a host that calls wasm something else is no obstacle", still, async (page, url) => {
  await page.route(/\.wasm/, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, headers: { ...response.headers(), "content-type": "application/octet-stream" } });
  });
  await page.goto(`${url}#v=1&m.a=0.7`);
  await says(await figure(page, "momentum-age"), answer("momentum-age", { alpha: 0.7 }).sentence);
});

reading("a browser without vector instructions gets the engine without them", still, async (page, url) => {
  /** @type {string[]} */
  const fetched = [];
  page.on("request", (request) => fetched.push(new URL(request.url()).pathname));
  await page.route(/assets\/worker-/, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: `WebAssembly.validate = () => false;${await response.text()}` });
  });
  await page.goto(`${url}#v=1&m.a=0.7`);
  await says(await figure(page, "momentum-age"), answer("momentum-age", { alpha: 0.7 }).sentence);
  assert.ok(fetched.includes("/engine-generic.wasm") && !fetched.includes("/engine.wasm"), fetched.join(" "));
});

reading("a stage that cannot be loaded leaves the painted one", { ...still, expected: /404/ }, async (page, url) => {
  await page.route(/stage\.wasm/, (route) => route.fulfill({ status: 404, body: "gone" }));
  await page.goto(url);
  const shown = await figure(page, "momentum-age");
  const asked = page.waitForResponse(/stage\.wasm/);
  await page.mouse.move(30, 30);
  await asked;
  await shown.locator('.stage-host[data-stage="painted"]').waitFor();
  await slider(shown, "tokens read").fill("12");
  await until(() => shown.locator(".stage-labels").first().innerText(), (text) => /^token 12 of 64/.test(text), "the twelfth token, painted");
});

reading("a host that forbids gamepads does not stop the stage", still, async (page, url) => {
  const blog = await host(
    `<!doctype html><html lang="en"><meta charset="utf-8"><title>A blog post</title><link rel="icon" href="data:,"><h1>A blog post</h1>` +
      `<iframe src="${url}embed.html?figure=momentum-age" allow="gamepad 'none'" title="Figure" width="1200" height="1500"></iframe>`,
  );
  try {
    await page.goto(blog.url);
    const frame = await until(async () => page.frames().find((f) => f.url().includes("embed.html")) ?? null, (f) => f !== null, "the frame");
    assert.ok(frame);
    await figure(frame, "momentum-age");
    await page.mouse.move(300, 400);
    await frame.locator('.stage-host[data-stage="live"]').waitFor({ timeout: 60_000 });
  } finally {
    await page.goto("about:blank");
    await blog.stop();
  }
});
