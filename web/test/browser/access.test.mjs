// Who reads with a keyboard, a screen reader, a phone, less motion, or no scripts.

import assert from "node:assert/strict";
import { audit } from "./axe.mjs";
import { site } from "./browser.mjs";
import { curve, everyFigure, figure, sentence, slider, until } from "./reader.mjs";
import { answer, misfit, series } from "./truth.mjs";

const reading = site();

const pages = [
  ["the article", "index.html"],
  ["an embed of the age profile", "embed.html?figure=momentum-age"],
  ["an embed of both ways", "embed.html?figure=duel"],
  ["an embed with a scatter and pictures", "embed.html?figure=q-to-k"],
];

for (const scheme of /** @type {const} */ (["light", "dark"])) {
  for (const [what, file = ""] of pages) {
    reading(`axe finds nothing in ${what}, ${scheme}`, { scheme, motion: "reduce" }, async (page, url) => {
      await page.goto(url + file);
      await figure(page, shownIn(file));
      assert.deepEqual(await audit(page), []);
      // Again with everything unfolded, and with a notice in view.
      await page.evaluate("document.querySelectorAll('details').forEach((d) => { d.open = true })");
      await page.evaluate("location.hash = '#v=1&m.a=9&d.a=9'");
      await page.locator("#notices p").first().waitFor();
      assert.deepEqual(await audit(page), []);
      await page.getByRole("button", { name: "embed" }).first().click();
      await page.getByRole("dialog").waitFor();
      assert.deepEqual(await audit(page), []);
    });
  }
}

/**
 * The figure to wait for in a page.
 * @param {string} file
 */
function shownIn(file) {
  return /figure=([\w-]+)/.exec(file)?.[1] ?? "momentum-age";
}

/** Describes the element with the focus, with a number of its own; null outside the page. */
const focused = `(() => {
  const e = document.activeElement;
  if (!e || e === document.body || e === document.documentElement) return null;
  const known = (window.stopsSeen ??= new Map());
  if (!known.has(e)) known.set(e, known.size);
  return known.get(e) + " " + [e.tagName, e.id, e.getAttribute("name"), e.getAttribute("aria-label"), e.textContent.trim().slice(0, 30)].join(" ");
})()`;

/** How many stops Tab must make: one for each group of radio buttons. */
const stops = `(() => {
  const all = [...document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex='0'], iframe")];
  const shown = all.filter((e) => e.checkVisibility({ visibilityProperty: true }) && !e.disabled && !e.closest("[inert]") && e.tabIndex >= 0);
  const groups = new Set(shown.filter((e) => e.type === "radio").map((e) => e.name));
  return shown.filter((e) => e.type !== "radio").length + groups.size;
})()`;

for (const file of ["index.html", "embed.html?figure=momentum-age"]) {
  reading(`Tab walks through ${file} and out again, and Shift+Tab back`, { motion: "reduce" }, async (page, url) => {
    await page.goto(url + file);
    await figure(page, "momentum-age");
    if (file === "index.html") await everyFigure(page);
    await page.getByRole("group", { name: "Stills" }).getByRole("button").first().waitFor();
    const expected = Number(await page.evaluate(stops));
    /** @type {string[][]} */
    const walks = [];
    for (const key of ["Tab", "Shift+Tab"]) {
      /** @type {string[]} */
      const seen = [];
      for (let i = 0; i < expected + 5; i++) {
        await page.keyboard.press(key);
        const at = /** @type {string | null} */ (await page.evaluate(focused));
        // Out of the page: the focus is nowhere in it, or has come round.
        if (at === null || at === seen[0]) break;
        seen.push(at);
      }
      assert.equal(new Set(seen).size, seen.length, `${key} stands on nothing twice: ${seen.join("\n")}`);
      assert.equal(seen.length, expected, `${key} stops at every control once:\n${seen.join("\n")}`);
      walks.push(seen);
      await page.evaluate("document.activeElement.blur()");
    }
    const [there = [], back = []] = walks;
    assert.deepEqual(back.reverse(), there);
  });
}

/** Whether nothing of the element with the focus can be seen, and its name. */
const hidden = `(() => {
  const e = document.activeElement;
  if (!e || e === document.body) return null;
  const box = (e.closest(".slide, label") ?? e).getClientRects()[0];
  const shown = [0.1, 0.5, 0.9].some((x) => [0.1, 0.5, 0.9].some((y) => {
    const top = document.elementFromPoint(box.left + x * box.width, box.top + y * box.height);
    return top && (top === e || e.contains(top) || (e.closest(".slide, label, .canvas") ?? e).contains(top));
  }));
  return shown ? "" : e.tagName + " " + (e.getAttribute("aria-label") ?? e.textContent.trim().slice(0, 30)) + " at " + Math.round(box.top);
})()`;

for (const [key, width, height] of /** @type {const} */ ([["Tab", 390, 844], ["Shift+Tab", 1280, 800]])) {
  reading(`at ${width} px ${key} never leads behind the docked controls`, { width, height, motion: "reduce" }, async (page, url) => {
    await page.goto(url);
    await figure(page, "momentum-age");
    await everyFigure(page);
    const covered = [];
    for (let i = 0; i < Number(await page.evaluate(stops)); i++) {
      await page.keyboard.press(key);
      const name = await page.evaluate(hidden);
      if (name) covered.push(name);
    }
    assert.deepEqual(covered, []);
  });
}

reading("the keyboard moves α, the time and the chart's cursor", { motion: "reduce" }, async (page, url) => {
  await page.goto(url);
  const shown = await figure(page, "momentum-age");
  await slider(shown, "momentum").focus();
  await page.keyboard.press("ArrowRight");
  await until(() => sentence(shown), (text) => text.includes("α = 0.91"), "α one step up");
  await shown.locator('[data-plot="growth"] .reach').focus();
  await page.keyboard.press("Home");
  await until(() => slider(shown, /tokens read/).inputValue(), (value) => Number(value) === 1, "the first reading on the stage too");
  await page.keyboard.press("ArrowRight");
  await until(() => slider(shown, /tokens read/).inputValue(), (value) => Number(value) === 2, "the second reading");
  await page.keyboard.press("Escape");
  await until(() => slider(shown, /tokens read/).inputValue(), (value) => Number(value) === 64, "the last reading");
});

reading("a changed sentence is spoken once the hand rests", { motion: "reduce" }, async (page, url) => {
  await page.goto(url);
  const shown = await figure(page, "momentum-age");
  await slider(shown, "momentum").fill("0.5");
  const spoken = page.locator("[aria-live=polite]");
  await until(() => spoken.innerText(), (text) => text.startsWith(answer("momentum-age", { alpha: 0.5 }).sentence), "the sentence in the live region");
});

for (const [width, height] of /** @type {const} */ ([[390, 844], [768, 1024], [1280, 800]])) {
  reading(`at ${width} by ${height} px the first screen holds a picture, the sentence, α and a pause for what plays`, { width, height }, async (page, url) => {
    await page.goto(url);
    const shown = page.locator('ttt-figure[name="momentum-age"]');
    await shown.getByRole("button", { name: "pause" }).waitFor();
    // While the film plays the sentence is written anew: what was found may be gone before it is measured.
    const inView = (/** @type {string} */ part, least = 1) => until(
      () => shown.evaluate((figure, part) => {
        const e = figure.querySelector(part);
        const box = e?.getBoundingClientRect();
        if (!e || !box) return 0;
        const dock = e.closest(".dock, .finding") ? innerHeight : Math.min(...[...document.querySelectorAll(".dock, .finding")].filter((d) => getComputedStyle(d).position === "sticky").map((d) => d.getBoundingClientRect().top));
        const hidden = box.height - (Math.min(dock, box.bottom) - Math.max(0, box.top));
        return part === ".sentence" ? 1 - hidden : box.height - hidden; // the sentence is wanted whole
      }, part),
      (seen) => seen >= least,
      `${part} in the first screen`,
    );
    await inView('[data-knob="alpha"] .slide', 44);
    await inView('[aria-label="pause"]', 44);
    await inView(".sentence", 0);
    await inView(".stage-host", 150);
  });
}

reading("the table of contents leads to every section, without scripts too", { scripts: false }, async (page, url) => {
  await page.goto(url);
  await page.locator(".contents summary").click();
  const links = page.locator(".contents a");
  const headings = await page.locator("article h2:not(.question)").allTextContents();
  assert.deepEqual(await links.allTextContents(), headings);
  await links.nth(4).click();
  const top = await page.locator("article h2:not(.question)").nth(4).evaluate((e) => e.getBoundingClientRect().top);
  assert.ok(top >= 0 && top < 200, `the heading stands at ${top}`);
});

for (const width of [320, 390, 768, 1280]) {
  reading(`at ${width} px nothing has to be scrolled sideways`, { width, motion: "reduce" }, async (page, url) => {
    for (const file of ["index.html", "embed.html?figure=momentum-age", "embed.html?figure=duel", "embed.html?figure=q-to-k"]) {
      await page.goto(url + file);
      await figure(page, shownIn(file));
      if (file === "index.html") await everyFigure(page);
      await page.evaluate("document.querySelectorAll('details').forEach((d) => { d.open = true })");
      const wide = await page.evaluate(() => {
        const room = document.documentElement.clientWidth;
        if (document.documentElement.scrollWidth <= room) return [];
        return [...document.querySelectorAll("body *")]
          .filter((e) => e.getBoundingClientRect().right > room + 0.5)
          .map((e) => `${e.tagName}.${e.getAttribute("class")} ${e.getBoundingClientRect().right}`);
      });
      assert.deepEqual(wide.slice(0, 5), [], `${file} at ${width} px`);
    }
  });
}

for (const scheme of /** @type {const} */ (["light", "dark"])) {
  reading(`without scripts the text and the default age profile stand, ${scheme}`, { scripts: false, scheme }, async (page, url) => {
    await page.goto(url);
    const shown = page.locator('ttt-figure[name="momentum-age"]');
    const truth = answer("momentum-age");
    assert.equal(await sentence(shown), truth.sentence);
    assert.ok(misfit(await curve(shown, "growth", "ink"), series(truth, "growth", "profile").y) < 0.6);
    assert.ok((await page.locator("main p").count()) > 5, "the article's text");
    const gap = page.locator('ttt-figure[name="duel"] .sentence');
    assert.match(await gap.innerText(), /differ by at most/);
  });
}

reading("the theme control turns the page dark and light, and the link says so", { motion: "reduce" }, async (page, url) => {
  await page.goto(url);
  await figure(page, "momentum-age");
  const paper = () => page.evaluate("getComputedStyle(document.documentElement).backgroundColor + getComputedStyle(document.body).backgroundColor");
  const light = await paper();
  await page.locator('input[name="theme"][value="dark"]').check({ force: true });
  await until(paper, (now) => now !== light, "another paper");
  assert.match(new URL(page.url()).hash, /theme=dark/);
  await page.locator('input[name="theme"][value="light"]').check({ force: true });
  await until(paper, (now) => now === light, "the first paper");
});
