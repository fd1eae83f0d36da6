// What helps a reader along: the tour, guesses, questions, stills, costs.

import assert from "node:assert/strict";
import { audit } from "./axe.mjs";
import { site } from "./browser.mjs";
import { figure, sentence, until } from "./reader.mjs";
import { answer, catalog } from "./truth.mjs";

const reading = site();

/** @param {import("playwright-core").Page} page */
const aided = (page) => page.locator("[data-guess=age] .pad").waitFor({ state: "attached" });

reading("a stop of the tour is a plain link: it sets its figure, leads there, and the bar leads on and back", { motion: "reduce" }, async (page, url) => {
  await page.goto(url);
  await page.locator("#tour a").nth(1).click();
  await until(() => sentence(page.locator(`ttt-figure[name="momentum-age"]`)), (text) => /α = 0\.98/.test(text), "the run with α = 0.98");
  const bar = page.getByRole("navigation", { name: "Tour" });
  assert.match(await bar.innerText(), /Stop 2 of 7/);
  await bar.getByRole("link", { name: "next" }).focus();
  await page.keyboard.press("Enter");
  await until(() => bar.innerText(), (text) => /Stop 3 of 7/.test(text), "the third stop");
  assert.equal(await page.evaluate("document.activeElement.textContent"), "next", "Enter goes on");
  const top = await page.locator('ttt-figure[name="duel"]').evaluate((e) => e.getBoundingClientRect().top);
  assert.ok(top > 0 && top < 450, `the figure stands at ${top}`);
  assert.deepEqual(await audit(page), []);
  await bar.getByRole("button", { name: "leave" }).click();
  assert.equal(await bar.count(), 0);
});

reading("a link that holds a stop's state opens at its figure", {}, async (page, url) => {
  await page.goto(`${url}#v=1&v.l=dot&at=effective-value`);
  await page.getByRole("navigation", { name: "Tour" }).waitFor();
  await until(() => sentence(page.locator(`ttt-figure[name="effective-value"]`)), (text) => /dot loss/i.test(text), "the dot loss");
});

reading("the age profile can be drawn by pointer and by keys, and is then compared with the run", { motion: "reduce" }, async (page, url) => {
  await page.goto(url);
  await page.keyboard.press("Shift");
  await aided(page);
  const guess = page.locator("[data-guess=age]");
  const pad = guess.getByRole("slider");
  await pad.scrollIntoViewIfNeeded();
  const box = await pad.boundingBox();
  assert.ok(box);
  await page.mouse.move(box.x + 50, box.y + 60);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width - 20, box.y + 60, { steps: 5 });
  await page.mouse.up();
  await guess.getByRole("button", { name: "show the run" }).click();
  await until(() => guess.locator(".verdict").innerText(), (text) => /largest difference: at token 64 you drew 0\.8\d?, and it is 0\.03\./.test(text), "the difference at the newest token");
  await guess.getByRole("button", { name: "start again" }).click();
  await pad.press("ArrowUp");
  assert.match((await pad.getAttribute("aria-valuetext")) ?? "", /^token 1: 0\.55/);
  await pad.press("Enter");
  await until(() => guess.locator(".verdict").innerText(), (text) => /largest difference: at token \d+ you drew 0\.55/.test(text), "the difference of a flat guess");
  assert.deepEqual(await audit(page), []);
});

reading("nobody must guess", { motion: "reduce" }, async (page, url) => {
  await page.goto(url);
  await page.keyboard.press("Shift");
  await aided(page);
  for (const [name, told] of /** @type {const} */ ([["age", /newest token counts 0\.0276 of the oldest/], ["q-to-k", /^These survive: smoothing .*Lost: recall/]])) {
    const guess = page.locator(`[data-guess=${name}]`);
    await guess.getByRole("button", { name: "show the run" }).click();
    await until(() => guess.locator(".verdict").innerText(), (text) => told.test(text), "the run's own sentence");
  }
  const tasks = page.locator("[data-guess=q-to-k]");
  await tasks.getByRole("checkbox", { name: /^smoothing/ }).check();
  await tasks.getByRole("button", { name: "show the run" }).click();
  await until(() => tasks.locator(".verdict").innerText(), (text) => /^You were right about 2 of 4\./.test(text), "how many were right");
});

reading("the questions join the article; each leads to its thread, and most to a setting", { motion: "reduce" }, async (page, url) => {
  await page.goto(url);
  await page.keyboard.press("Shift");
  const questions = page.locator("#questions details");
  await questions.first().waitFor();
  assert.equal(await questions.count(), 18);
  for (const links of await questions.evaluateAll((all) => all.map((d) => [...d.querySelectorAll("a")].map((a) => a.getAttribute("href") ?? "")))) {
    assert.ok(links.some((href) => /^https:\/\/github\.com\/[\w-]+\/[\w-]+\/(issues|pull)\/\d+$/.test(href)), links.join(" "));
    assert.ok(links.every((href) => href.startsWith("#") || href.startsWith("https://github.com/")), links.join(" "));
  }
  await questions.first().locator("summary").click();
  await questions.first().getByRole("link", { name: "try 16 steps" }).click();
  await until(() => sentence(page.locator(`ttt-figure[name="inner-steps"]`)), (text) => /With 16 steps/.test(text), "sixteen steps");
  assert.equal(await page.locator("#notices p").count(), 0);
});

for (const file of ["questions.html", "index.html"]) {
  reading(`every link of ${file} that sets a figure shows what the engine answers there`, { motion: "reduce" }, async (page, url) => {
    await page.goto(url + file);
    if (file === "questions.html") {
      assert.deepEqual(await audit(page), []);
      for (const each of await page.locator("details").all()) {
        assert.ok((await each.locator('a[href^="index.html#"]').count()) > 0, `a setting to try beside “${await each.locator("summary").textContent()}”`);
      }
    }
    const settings = await page.locator('a[href*="#v="]').evaluateAll((all) => all.map((a) => (a.getAttribute("href") ?? "").split("#")[1] ?? ""));
    assert.ok(settings.length >= 10, `${settings.length} links`);
    await page.goto(url);
    await figure(page, "momentum-age");
    for (const setting of settings) {
      const [name, values] = asked(setting);
      await page.evaluate(`location.hash = ${JSON.stringify(setting)}`);
      const wanted = unrounded(answer(name, values).sentence);
      await until(async () => unrounded(await sentence(page.locator(`ttt-figure[name="${name}"]`))), (said) => said === wanted, `${setting}: ${wanted}`);
      assert.equal(await page.locator("#notices p").count(), 0, setting);
      await page.evaluate("location.hash = ''");
    }
  });
}

/**
 * A sentence without what is rounding alone, in which this machine and the browser may differ.
 * @param {string} text
 */
const unrounded = (text) => text.replace(/([\d.]+e-\d+)|([\d.]+×)?10⁻[⁰¹²³⁴-⁹]+/g, "ε").replace(/(about \d+ units?|less than one unit) in/g, "so much in");

/**
 * The experiment that a link leads to, and what it sets there.
 * @param {string} setting
 * @returns {[string, Record<string, string>]}
 */
function asked(setting) {
  const pairs = new URLSearchParams(setting);
  const experiment = catalog().find((e) => e.name === pairs.get("at"));
  assert.ok(experiment, setting);
  const set = experiment.knobs.filter((k) => pairs.has(`${experiment.key}.${k.key}`));
  assert.equal(set.length, [...pairs.keys()].length - 2, `${setting} sets its own figure and nothing else`);
  return [experiment.name, Object.fromEntries(set.map((k) => [k.name, pairs.get(`${experiment.key}.${k.key}`) ?? ""]))];
}

reading("with less motion asked for, stills stand in for the film, and a click goes there", { motion: "reduce" }, async (page, url) => {
  await page.goto(url);
  const stills = page.getByRole("group", { name: "Stills" }).getByRole("button");
  await stills.first().waitFor();
  assert.equal(await stills.count(), 6);
  await stills.nth(1).click();
  await until(() => page.locator(".count").first().innerText(), (text) => text === "token 21 of 64", "the time of the second still");
});

reading("a figure shows its rule in symbols, its numbers on focus, and what the run cost", { motion: "reduce" }, async (page, url) => {
  await page.goto(url);
  const shown = page.locator('ttt-figure[name="momentum-age"]');
  await figure(page, "momentum-age");
  const rule = shown.locator(".formula");
  const numbers = rule.locator(".numbers-in");
  assert.match((await rule.locator("span").first().textContent()) ?? "", /∇ₜ \+ α Δₜ₋₁/);
  assert.equal(await numbers.evaluate((e) => getComputedStyle(e).opacity), "0");
  await rule.focus();
  assert.equal(await numbers.evaluate((e) => getComputedStyle(e).opacity), "1");
  assert.match(await shown.locator(".cost").innerText(), /^This run: [\d.]+ ms, [\d.]+ \w+ multiply-adds\. The state takes 33 KB, .* Softmax attention would keep \d+ KB/);
});

reading("the contents fold by Escape, by a press elsewhere and by an entry", { motion: "reduce" }, async (page, url) => {
  await page.goto(url);
  await figure(page, "momentum-age");
  const open = () => page.locator(".contents").evaluate((e) => e.hasAttribute("open"));
  for (const leave of [
    () => page.keyboard.press("Escape"),
    () => page.locator("h1").click(),
    () => page.locator(".contents a").nth(3).click(),
  ]) {
    await page.keyboard.press("Shift"); // the reader moves: the aids come
    await until(() => page.evaluate(() => "unrolledAids" in globalThis), Boolean, "the reading aids");
    await page.locator(".contents summary").click();
    assert.ok(await open());
    await leave();
    await until(open, (is) => !is, "the contents to fold");
  }
});

reading("a row of the ledger leads to its figure, and Back leads to the row again", { motion: "reduce" }, async (page, url) => {
  await page.goto(url);
  await figure(page, "ledger");
  const row = page.locator('ttt-figure[name="ledger"] [data-live]').nth(2);
  await row.waitFor();
  const [address, entries] = [page.url(), await page.evaluate(() => history.length)];
  await row.click();
  await until(() => page.evaluate(() => history.length), (n) => n === entries + 1, "a place to come back to");
  await page.goBack();
  assert.equal(page.url(), address);
});
