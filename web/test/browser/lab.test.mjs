// The lab: a second program behind the same door, for what stands far down the
// page. It is loaded when one of its figures comes near, and then only it.

import assert from "node:assert/strict";
import { site } from "./browser.mjs";
import { figure, says, sentence, slider, until } from "./reader.mjs";
import { host } from "./site.mjs";
import { answer } from "./truth.mjs";

const reading = site();
const still = /** @type {const} */ ({ motion: "reduce" });

/**
 * The programs and their scripts that a page asks for, without folder and hash.
 * @param {import("playwright-core").Page} page
 */
function programs(page) {
  /** @type {string[]} */
  const fetched = [];
  page.on("request", (request) => {
    const name = new URL(request.url()).pathname.split("/").at(-1) ?? "";
    if (/\.wasm$|^(engine|lab)-/.test(name)) fetched.push(name.replace(/-[A-Za-z0-9]{10}\.js$/, ".js"));
  });
  return fetched;
}

/**
 * Waits for the experiment's default answer; what a check measures ends in rounding, which differs.
 * @param {import("playwright-core").Locator} shown
 * @param {string} name
 */
const answers = (shown, name) =>
  name === "self-test" ? until(() => sentence(shown), (said) => /^Check 1 of \d+ holds/.test(said), "the first check") : says(shown, answer(name).sentence);

reading("the article loads the lab when a figure of the lab comes near, not before", still, async (page, url) => {
  const fetched = programs(page);
  await page.goto(url);
  await figure(page, "momentum-age");
  await figure(page, "similarity");
  assert.deepEqual(fetched.filter((name) => !name.startsWith("stage")), ["engine.wasm"]);
  const shown = await figure(page, "ledger");
  await says(shown, answer("ledger").sentence);
  assert.equal(fetched.filter((name) => name === "lab.wasm").length, 1, fetched.join(" "));
});

for (const name of ["self-test", "ledger", "paradox-lab"]) {
  reading(`an embedded ${name} loads the lab alone`, still, async (page, url) => {
    const fetched = programs(page);
    await page.goto(`${url}embed.html?figure=${name}`);
    await answers(await figure(page, name), name);
    assert.deepEqual(fetched, ["lab.wasm"]);
  });
}

reading("in a sandbox, on a host where nothing can be fetched from there, the lab comes as a script", { ...still, expected: /lab.wasm|Failed to load resource/ }, async (page, url) => {
  const fetched = programs(page);
  await page.route(/\.wasm/, (route) => route.abort());
  const blog = await host(
    `<!doctype html><html lang="en"><meta charset="utf-8"><title>A blog post</title><link rel="icon" href="data:,"><h1>A blog post</h1>` +
      `<iframe src="${url}embed.html?figure=self-test" title="Figure" sandbox="allow-scripts" width="800" height="1500"></iframe>`,
  );
  try {
    await page.goto(blog.url);
    const frame = await until(async () => page.frames().find((f) => f.url().includes("embed.html")) ?? null, (f) => f !== null, "the frame");
    assert.ok(frame);
    await answers(await figure(frame, "self-test"), "self-test");
    assert.ok(fetched.includes("lab.js") && !fetched.some((name) => name.startsWith("engine")), fetched.join(" "));
  } finally {
    await page.goto("about:blank");
    await blog.stop();
  }
});

reading("a browser without vector instructions gets the lab without them", still, async (page, url) => {
  const fetched = programs(page);
  await page.route(/assets\/worker-/, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: `WebAssembly.validate = () => false;${await response.text()}` });
  });
  await page.goto(`${url}embed.html?figure=paradox-lab`);
  await figure(page, "paradox-lab");
  assert.deepEqual(fetched, ["lab-generic.wasm"]);
});

reading("when the lab stops the engine's figures go on, and a restart brings it back", { ...still, expected: /gone for good/ }, async (page, url) => {
  await page.goto(url);
  await figure(page, "momentum-age");
  const before = new Set(page.workers());
  const shown = await figure(page, "paradox-lab");
  const lab = page.workers().find((worker) => !before.has(worker));
  assert.ok(lab, "the lab has a worker of its own");
  await lab.evaluate("void setTimeout(() => { throw new Error('gone for good') })");
  const banner = page.getByRole("alert");
  await banner.getByText(/gone for good/).waitFor();
  const age = page.locator('ttt-figure[name="momentum-age"]');
  await slider(age, "momentum").fill("0.8");
  await says(age, answer("momentum-age", { alpha: 0.8 }).sentence);
  await banner.getByRole("button", { name: "restart" }).click();
  await until(() => banner.count(), (n) => n === 0, "the banner to go");
  await shown.getByRole("radio", { name: /dot/ }).check();
  await says(shown, answer("paradox-lab", { loss: "dot" }).sentence);
});

reading("a long run of the lab can be stopped, and the next one is answered", still, async (page, url) => {
  await page.goto(`${url}embed.html?figure=paradox-lab`);
  const shown = await figure(page, "paradox-lab");
  const radio = shown.getByRole("radio", { name: /60 and 60/ });
  if (!(await radio.isVisible())) await shown.getByText("more settings").click();
  await radio.check();
  await shown.getByRole("button", { name: "stop" }).click();
  await until(() => shown.locator(".refusal").allInnerTexts(), (texts) => texts.some((text) => /Stopped/.test(text)), "the run to stop");
  await shown.getByRole("radio", { name: /10 to train/ }).check();
  await says(shown, answer("paradox-lab").sentence);
});

reading("the checks say what must be true before any is run, and then hold", still, async (page, url) => {
  await page.goto(`${url}embed.html?figure=self-test`);
  const shown = await figure(page, "self-test");
  await page.keyboard.press("Shift");
  const rows = shown.locator("[data-check]");
  const said = await until(() => rows.allInnerTexts(), (texts) => texts.every((text) => /\S \S.*\.\s.*[≤≥] /s.test(text)), "a sentence and a bound in every row");
  assert.ok(said.length > 40 && said.every((text) => text.startsWith("–")), said[0]);
  await shown.getByRole("button", { name: /run all/ }).click();
  await until(() => shown.locator("[data-overall]").innerText(), (text) => /^All \d+ checks hold in this browser/.test(text), "all checks to hold");
  const after = await rows.allInnerTexts();
  assert.deepEqual(after.filter((text) => !/^✓ holds/.test(text)), []);
  assert.deepEqual(after.map((text) => text.split("\t")[1]), said.map((text) => text.split("\t")[1]), "the sentences stay");
});
