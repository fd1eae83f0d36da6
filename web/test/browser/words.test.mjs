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

/**
 * The labels of the stage, in the page while the engine paints it and in the frame after that.
 * @param {import("playwright-core").Page} page
 */
const stageSays = async (page) => (await Promise.all(page.frames().map((f) => f.locator(".stage-labels").allInnerTexts()))).flat().join("\n");

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

reading("the hero plays a text: the stage, the sentence and the charts speak of its words", still, async (page, url) => {
  await page.goto(url);
  const shown = await figure(page, "momentum-age");
  assert.equal(await area(shown).isVisible(), false);
  await shown.getByRole("radio", { name: "words of a text" }).check();
  await says(shown, answer("momentum-age", { task: "words" }).sentence);
  assert.equal(await slider(shown, "length").isVisible(), false);
  assert.match(await area(shown).inputValue(), /^The king sang/);
  assert.match(await shown.locator(".source").innerText(), /GloVe/);

  const text = "The old xyzzy man met the old queen. The man sang to her.";
  await area(shown).fill(text);
  const truth = answer("momentum-age", { task: "words", text });
  await says(shown, truth.sentence);
  assert.match(truth.sentence, /\(“her”\).*the text goes on with “\.”/);
  assert.match(await shown.locator(".warnings").innerText(), /does not know “xyzzy”/);
  await shown.locator('[data-plot="growth"]').scrollIntoViewIfNeeded();
  await until(() => shown.locator('[data-plot="growth"] .cursor-label').textContent(), (label) => (label ?? "").startsWith("reading 13, “her”"), "the cursor's word");
  await until(() => shown.locator(".count").innerText(), (count) => count.endsWith("13 of 13"), "thirteen tokens to play");
  await shown.locator(".stage-host").scrollIntoViewIfNeeded();
  await until(() => stageSays(page), (said) => ["her → .", "asked a word", "man", "queen"].every((word) => said.includes(word)), "the stage in words");

  await shown.getByRole("button", { name: "step back" }).click();
  await says(shown, answer("momentum-age", { task: "words", text, reading: 11 }).sentence);
  await until(() => stageSays(page), (said) => said.includes("to → her"), "the stage a token earlier");

  const hash = new URL(page.url()).hash;
  assert.match(hash, /m\.k=words&m\.X=The%20old%20xyzzy/);
  await page.goto("about:blank");
  await page.goto(url + hash);
  const again = await figure(page, "momentum-age");
  await says(again, answer("momentum-age", { task: "words", text, reading: 11 }).sentence);

  await area(again).fill("");
  await until(() => again.locator(".refusal").allInnerTexts(), (all) => all.join().includes("he text is empty; type a sentence"), "the sentence");
  await again.getByRole("radio", { name: "handwritten digits" }).check();
  await until(() => sentence(again), (said) => !said.includes("“"), "digits again");
  assert.equal(await area(again).isVisible(), false);
});

reading("a long text tells how far it is, can be stopped, and is too long for the stage alone", still, async (page, url) => {
  await page.goto(`${url}#v=1&m.k=words&d.k=words`);
  const text = "The king sang in the garden while the queen read to the children. ".repeat(800);
  const hero = await figure(page, "momentum-age");
  await area(hero).fill(text);
  await hero.getByRole("button", { name: "read the 10,000 words" }).click();
  await until(() => hero.locator(".count").innerText(), (count) => count.endsWith("9999 of 9999"), "the long run");
  await until(() => hero.locator("[data-part=stills]").innerText(), (said) => said.includes("the stage plays at most 2048 tokens; this run has 9999"), "the stage's sentence");
  await hero.getByRole("button", { name: "reset text" }).click();
  await until(() => hero.locator(".stage-host").isVisible(), (visible) => visible, "the stage again");

  const shown = await figure(page, "duel");
  await until(() => sentence(shown), (said) => said.includes("Nearest words at token 49 (“tree”)"), "the default text");
  await area(shown).fill(text);
  await shown.getByRole("button", { name: "read the 10,000 words" }).click();
  const told = await until(() => shown.locator(".busy").allInnerTexts(), (all) => /(training|attention) [\d,]+ of 9,999/.test(all.join()), "how far the run is");
  assert.ok(told.length === 1);
  await shown.getByRole("button", { name: "stop" }).click();
  await until(() => shown.locator(".refusal").allInnerTexts(), (all) => all.join().includes("Stopped"), "the end of the run");
  assert.equal(await area(shown).inputValue(), text);
  await shown.getByRole("button", { name: "reset text" }).click();
  await until(() => sentence(shown), (said) => said.includes("Nearest words at token 49 (“tree”)"), "the default text");
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
