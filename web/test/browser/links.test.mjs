// Links that nobody meant: each is answered by a clamp or a sentence, and the
// page lives on.

import assert from "node:assert/strict";
import { site } from "./browser.mjs";
import { figure, says, sentence, slider, until } from "./reader.mjs";
import { answer } from "./truth.mjs";

const reading = site();
const still = /** @type {const} */ ({ motion: "reduce" });

/** @type {{ name: string, hash: string, notice?: RegExp, values?: Record<string, string | number> }[]} */
const links = [
  { name: "α above its range", hash: "v=1&m.a=9", notice: /9 is outside 0 to 0\.99; 0\.99 is used/, values: { alpha: 0.99 } },
  { name: "α below its range", hash: "v=1&m.a=-1", notice: /-1 is outside/, values: { alpha: 0 } },
  { name: "α that is no number", hash: "v=1&m.a=NaN", notice: /“NaN” is not a number from 0 to 0\.99; 0\.9 is used/ },
  { name: "α that is infinite", hash: "v=1&m.a=1e999", notice: /0\.99 is used/, values: { alpha: 0.99 } },
  { name: "α that is empty", hash: "v=1&m.a=", notice: /is not a number/ },
  { name: "a length of 10⁹", hash: "v=1&m.T=1e9", notice: /1024 is used/, values: { length: 1024 } },
  { name: "α in another base", hash: "v=1&m.a=0x10", notice: /“0x10” is not a number from 0 to 0\.99; 0\.9 is used/ },
  { name: "α twice", hash: "v=1&m.a=0.5&m.a=0.7", notice: /gives “m\.a” more than once; the last is used/, values: { alpha: 0.7 } },
  { name: "a place that is not there", hash: "v=1&at=nope", notice: /leads to “nope”, which is no part of this page/ },
  { name: "one word of nonsense", hash: "nonsense", notice: /leads to “nonsense”, which is no part of this page/ },
  { name: "a key of nobody's", hash: "v=1&colour=blue", notice: /asks for “colour”, which this page does not know/ },
  { name: "a negative length", hash: "v=1&m.T=-64", notice: /8 is used/, values: { length: 8 } },
  { name: "a fractional length", hash: "v=1&m.T=64.4", notice: /is not a whole number from 8 to 1024; 64 is used/ },
  { name: "an unknown experiment", hash: "v=1&zz.a=0.5", notice: /no experiment “zz”/ },
  { name: "an unknown knob", hash: "v=1&m.zz=0.5", notice: /no setting “zz”/ },
  { name: "a later version", hash: "v=99&m.a=0.5", notice: /version “99”/, values: { alpha: 0.5 } },
  { name: "broken escapes", hash: "v=1&m.a=%E0%A4%A&m.T=%&%", notice: /is not a number/ },
  { name: "choices that do not exist", hash: "v=1&m.l=cubic&m.h=maybe&m.k=cats", notice: /“cubic” is not one of/ },
  { name: "cursors that are no tokens", hash: "v=1&m.t=abc&m.i=-7", notice: /is not a token's number/ },
  { name: "cursors beyond the run", hash: "v=1&m.t=9999&m.i=9999" },
  { name: "values per token that are not packed", hash: "v=1&m.A=!!!", notice: /is not a packed list/ },
  { name: "names that every object has", hash: "v=1&__proto__.a=1&constructor.a=1&m.__proto__=1&m.toString=1", notice: /no setting “__proto__”/ },
  { name: "markup in place of values", hash: `v=1&m.a=${encodeURIComponent("<img src=x onerror=alert(1)>")}`, notice: /“<img src=x/ },
  { name: "a hundred thousand letters", hash: `v=1&m.a=${"9".repeat(100_000)}`, notice: /0\.99 is used/, values: { alpha: 0.99 } },
  { name: "nothing but separators", hash: "&&&==&=&" },
];

for (const { name, hash, notice, values } of links) {
  reading(`${name}: the page says what it does about it, and lives on`, still, async (page, url) => {
    await page.goto(`${url}#${hash}`);
    const shown = await figure(page, "momentum-age");
    if (notice) assert.match(await page.locator("#notices").innerText(), notice);
    if (values) await says(shown, answer("momentum-age", values).sentence);
    assert.doesNotMatch(await shown.innerText(), /NaN|undefined|Infinity/);

    const length = await slider(shown, /^length/).inputValue();
    await slider(shown, "momentum").fill("0.6");
    await until(() => sentence(shown), (text) => text.includes("α = 0.60"), `an answer for α = 0.60 at length ${length}`);
  });
}

reading("what this version does not know is passed on in the link", still, async (page, url) => {
  await page.goto(`${url}#v=1&zz.a=0.5&colour=blue`);
  const shown = await figure(page, "momentum-age");
  await slider(shown, "momentum").fill("0.6");
  const hash = await until(async () => new URL(page.url()).hash, (text) => text.includes("m.a=0.6"), "α in the address");
  assert.match(hash, /zz\.a=0\.5/);
  assert.match(hash, /colour=blue/);
});

reading("any momentum can be pinned, is compared in both charts, and travels in the link", still, async (page, url) => {
  const drawn = "ZLQ8"; // 0.5, 0.9, 0.3 and on
  await page.goto(`${url}#v=1&m.A=${drawn}`);
  const shown = await figure(page, "momentum-age");
  await shown.getByRole("button", { name: "pin the curve" }).click();
  await until(async () => new URL(page.url()).hash, (text) => text.includes(`m.P=${drawn}`), "the pinned momentum in the address");
  await says(shown, answer("momentum-age", { alphas: "0.5,0.9,0.3", pin: "0.5,0.9,0.3" }).sentence);
  await page.goto(`${url}#v=1&m.a=0.98&m.P=${drawn}`);
  await says(shown, answer("momentum-age", { alpha: 0.98, pin: "0.5,0.9,0.3" }).sentence);
  for (const chart of ["growth", "reading"]) await until(() => shown.locator(`[data-plot=${chart}] .series.dashed.role-query`).count(), (n) => n === 1, `the pinned curve in ${chart}`);
  await shown.getByRole("button", { name: "unpin the curve" }).click();
  await says(shown, answer("momentum-age", { alpha: 0.98 }).sentence);
  assert.equal(new URL(page.url()).hash, "#v=1&m.a=0.98");
});

reading("typing nonsense into a field keeps its value, and the sentence beside it says why", still, async (page, url) => {
  await page.goto(`${url}#v=1&m.a=0.3&m.s=7`);
  const shown = await figure(page, "momentum-age");
  const field = shown.getByRole("textbox", { name: /momentum.*number/ });
  const note = (/** @type {string} */ knob) => shown.locator(`[data-knob="${knob}"] .field-note`);
  for (const [text, value, why] of [
    ["banana", "0.30", "momentum α = “banana” is not a number from 0 to 0.99; 0.3 is used."],
    ["", "0.30", "momentum α = “” is not a number from 0 to 0.99; 0.3 is used."],
    ["1e400", "0.99", "momentum α = 1e400 is outside 0 to 0.99; 0.99 is used."],
    ["-3", "0.00", "momentum α = -3 is outside 0 to 0.99; 0 is used."],
  ]) {
    await field.fill(String(text));
    await page.keyboard.press("Enter");
    await until(() => note("alpha").allInnerTexts(), (texts) => texts.length === 1 && texts[0] === why, `why α is ${value} after “${text}”`);
    assert.equal(await field.inputValue(), value);
  }
  await field.fill("0,5");
  await page.keyboard.press("Enter");
  await until(() => note("alpha").count(), (n) => n === 0, "no complaint about a good value");
  await says(shown, answer("momentum-age", { alpha: 0.5, seed: 7 }).sentence);

  const seed = shown.getByRole("textbox", { name: "seed" });
  await seed.fill("lucky");
  await page.keyboard.press("Enter");
  assert.equal(await seed.inputValue(), "7");
  assert.equal(await note("seed").innerText(), "seed = “lucky” is not a number from 0 to 4294967295; 7 is used.");
  await shown.getByRole("button", { name: "new seed" }).click();
  await until(() => note("seed").count(), (n) => n === 0, "the complaint to go with the old value");
});

reading("an embed of an unknown figure names those that exist", { motion: "reduce" }, async (page, url) => {
  await page.goto(`${url}embed.html?figure=${encodeURIComponent("<b>nope</b>")}`);
  const text = () => page.locator("main").innerText();
  await until(text, (said) => /There is no figure “<b>nope<\/b>” here\. Known are: .*momentum-age/.test(said), "a sentence");
});
