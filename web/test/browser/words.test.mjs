// A text that the reader types: read, asked, refused, kept.

import assert from "node:assert/strict";
import { audit } from "./axe.mjs";
import { site } from "./browser.mjs";
import { figure, says, sentence, slider, until } from "./reader.mjs";
import { answer } from "./truth.mjs";

const reading = site();
const still = /** @type {const} */ ({ motion: "reduce" });

/** @param {import("playwright-core").Locator} shown */
const area = (shown) => shown.getByRole("textbox", { name: "text" });
/** @param {import("playwright-core").Locator} shown */
const ask = (shown) => shown.getByRole("textbox", { name: /^ask/ });

reading("the word list is fetched when the figure comes near, once, and not before", still, async (page, url) => {
  /** @type {string[]} */
  const fetched = [];
  page.on("request", (request) => {
    if (/words-.*\.(bin|js)/.test(request.url())) fetched.push(request.url());
  });
  await page.goto(url);
  await figure(page, "momentum-age");
  assert.deepEqual(fetched, []);
  const shown = await figure(page, "words");
  await says(shown, answer("words").sentence);
  await ask(shown).fill("king");
  await says(shown, answer("words", { ask: "king" }).sentence);
  assert.equal(fetched.length, 1);
});

reading("a typed text is read after a pause, and the page says which words it left out", still, async (page, url) => {
  await page.goto(url);
  const shown = await figure(page, "words");
  const text = "The xyzzy king sang. The queen’s sister sang — the king slept!";
  await area(shown).fill(text);
  const truth = answer("words", { text });
  await says(shown, truth.sentence);
  assert.match(await shown.locator(".warnings").innerText(), /does not know “xyzzy”, “s” and “slept”/);
  await slider(shown, "momentum").fill("0.6");
  await says(shown, answer("words", { text, alpha: 0.6 }).sentence);
  assert.equal(await area(shown).inputValue(), text);

  const hash = new URL(page.url()).hash;
  await page.goto("about:blank");
  await page.goto(url + hash);
  const again = await figure(page, "words");
  await says(again, answer("words", { text, alpha: 0.6 }).sentence);
  assert.equal(await area(again).inputValue(), text);
});

reading("an empty text gets a sentence, stays empty, and can be reset", still, async (page, url) => {
  await page.goto(url);
  const shown = await figure(page, "words");
  await area(shown).fill("");
  await until(() => shown.locator(".refusal").allInnerTexts(), (all) => all.includes("The text is empty; type a sentence. The figure still shows the run before."), "the sentence");
  assert.equal(await area(shown).inputValue(), "");
  assert.match(new URL(page.url()).hash, /w\.x=(&|$)/);
  await shown.getByRole("button", { name: "reset text" }).click();
  await says(shown, answer("words").sentence);
  assert.match(await area(shown).inputValue(), /^The king sang/);
});

reading("without a word to ask, the word of the reading is asked", still, async (page, url) => {
  await page.goto(`${url}#v=1&w.q=&w.t=7`);
  const shown = await figure(page, "words");
  await says(shown, answer("words", { ask: "", reading: 7 }).sentence);
  assert.match(await sentence(shown), /to “the”/);
});

reading("ten thousand words are read by the button, stay out of the link, and are never lost", still, async (page, url) => {
  await page.goto(url);
  const shown = await figure(page, "words");
  const before = await sentence(shown);
  const text = "The king sang in the garden while the queen read to the children. ".repeat(800);
  await area(shown).fill(text);
  const button = shown.getByRole("button", { name: "read the 10,000 words" });
  await button.waitFor();
  await area(shown).blur();
  await slider(shown, "momentum").fill("0.1");
  await until(() => sentence(shown), (said) => said !== before, "an answer on the old text");
  assert.equal(await area(shown).inputValue(), text);
  await button.click();
  await until(() => shown.locator(".warnings").allInnerTexts(), (all) => all.join().includes("the first 10000 are read"), "the long text read");
  assert.match(new URL(page.url()).hash, /long=w\.x/);
  await page.evaluate("location.hash = 'sources'");
  await page.evaluate("location.hash = '#v=1&w.a=0.2&long=w.x'");
  await until(() => shown.getByRole("textbox", { name: /momentum.*number/ }).inputValue(), (value) => Number(value) === 0.2, "the link's momentum");
  assert.equal(await area(shown).inputValue(), text);
  assert.equal(await page.locator("#notices").isHidden(), true);

  await page.goto("about:blank");
  await page.goto(`${url}#v=1&w.a=0.2&long=w.x`);
  assert.match(await page.locator("#notices").innerText(), /no room for the text/);
  await says(await figure(page, "words"), answer("words", { alpha: 0.2 }).sentence);
});

reading("a list that does not come is one sentence; the next question tries again", still, async (page, url) => {
  await page.context().route(/words-[^/]*\.(bin|js)/, (route) => route.abort());
  await page.goto(url);
  const shown = page.locator('ttt-figure[name="words"]');
  await shown.scrollIntoViewIfNeeded();
  await until(() => shown.locator(".refusal").allInnerTexts(), (all) => all.join().includes("word list could not be loaded"), "the sentence");
  await page.context().unroute(/words-[^/]*\.(bin|js)/);
  await ask(shown).fill("queen");
  await says(shown, answer("words", { ask: "queen" }).sentence);
});

reading("in a sandbox of its own origin the list comes as a script", still, async (page, url) => {
  await page.setContent(`<iframe src="${url}embed.html?figure=words" title="Words" sandbox="allow-scripts" width="900" height="1500"></iframe>`);
  const frame = await until(async () => page.frames().find((f) => f.url().includes("embed.html")) ?? null, (found) => found !== null, "the frame");
  if (!frame) return;
  await says(await figure(frame, "words"), answer("words").sentence);
});

reading("the duel takes words, and then names their source", still, async (page, url) => {
  await page.goto(`${url}#v=1&d.k=words`);
  const shown = await figure(page, "duel");
  const size = /the largest output, 0\.\d+/.exec(answer("duel", { task: "words" }).sentence)?.[0] ?? "";
  await until(() => sentence(shown), (said) => said.includes(size), size);
  assert.match(await shown.locator(".source").innerText(), /GloVe, 2014, Public Domain Dedication/);
});

for (const scheme of /** @type {const} */ (["light", "dark"])) {
  reading(`axe finds nothing in an embed of the words, ${scheme}`, { scheme, motion: "reduce" }, async (page, url) => {
    await page.goto(`${url}embed.html?figure=words`);
    const shown = await figure(page, "words");
    await area(shown).fill("king ".repeat(1100));
    await shown.getByRole("button", { name: /read the/ }).waitFor();
    await page.evaluate("document.querySelectorAll('details').forEach((d) => { d.open = true })");
    assert.deepEqual(await audit(page), []);
  });
}
