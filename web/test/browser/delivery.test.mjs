// What is sent: how much, under which policy, from which folder.

import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { site } from "./browser.mjs";
import { figure, says, slider } from "./reader.mjs";
import { dist, serve } from "./site.mjs";
import { answer } from "./truth.mjs";

const reading = site();

reading("the first view weighs at most 60 KB, and nothing is fetched twice", {}, async (page, url) => {
  /** @type {Map<string, number>} */
  const sizes = new Map();
  /** @type {string[]} */
  const twice = [];
  /** @type {Promise<void>[]} */
  const pending = [];
  page.on("requestfinished", (request) => {
    if (!request.url().startsWith(url)) return;
    pending.push(
      request.sizes().then(({ responseBodySize }) => {
        const name = request.url().slice(url.length) || "index.html";
        if (sizes.has(name) && responseBodySize > 1000) twice.push(name);
        sizes.set(name, responseBodySize);
      }),
    );
  });
  await page.goto(url);
  // Without a move: the reading aids wait for one.
  await page.locator('ttt-figure[name="momentum-age"][data-answered]').waitFor();
  page.removeAllListeners("requestfinished"); // what comes later is no first view
  await Promise.all(pending);
  // The engine brings its own runtime, and the stage a page; the first view waits for neither.
  const first = [...sizes].filter(([name]) => /(html|css|js)(\?|$)/.test(name) && !/^stage|stage-frame|^wasm_exec/.test(name));
  const total = first.reduce((sum, [, bytes]) => sum + bytes, 0);
  assert.ok(total > 5_000 && total <= 60_000, `${total} bytes:\n${first.map(([n, b]) => `${b} ${n}`).join("\n")}`);
  assert.deepEqual(twice, []);
});

for (const name of ["index.html", "questions.html", "embed.html", "stage.html"]) {
  reading(`${name} carries the same policy as the server's header`, {}, async (page, url) => {
    const response = await page.request.get(url + name);
    const meta = /<meta http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(await response.text())?.[1];
    assert.equal(meta, response.headers()["content-security-policy"]);
    assert.match(meta ?? "", /^default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'/);
    assert.doesNotMatch(meta ?? "", /unsafe-inline|unsafe-eval'(?<!wasm-unsafe-eval')|frame-ancestors|https?:/);
  });
}

reading("the site works in a subfolder", { motion: "reduce" }, async (page) => {
  const folder = mkdtempSync(join(tmpdir(), "unrolled-"));
  cpSync(dist, join(folder, "a", "b"), { recursive: true });
  const server = await serve(folder);
  try {
    await page.goto(`${server.url}a/b#v=1&m.a=0.5`);
    assert.equal(new URL(page.url()).pathname, "/a/b/");
    const shown = await figure(page, "momentum-age");
    await says(shown, answer("momentum-age", { alpha: 0.5 }).sentence);
    await slider(shown, "momentum").fill("0.6");
    await says(shown, answer("momentum-age", { alpha: 0.6 }).sentence);
  } finally {
    await page.goto("about:blank");
    await server.stop();
    rmSync(folder, { recursive: true });
  }
});

reading("nothing is stored on the reader's device", { motion: "reduce" }, async (page, url) => {
  await page.goto(url);
  await figure(page, "momentum-age");
  const { cookies, origins } = await page.context().storageState({ indexedDB: true });
  assert.deepEqual([cookies, origins], [[], []]);
});

reading("the licences of everything that is shipped can be read", {}, async (page, url) => {
  const text = await (await page.request.get(`${url}licenses.txt`)).text();
  for (const name of ["Go standard library", "gonum.org/v1/gonum", "hajimehoshi/ebiten", "E. Alpaydin", "GloVe"]) {
    assert.ok(text.includes(name), `licenses.txt names ${name}`);
  }
  assert.match(text, /Apache License/);
  assert.match(text, /Redistribution and use in source and binary forms/);
});

reading("every relative link of the pages leads somewhere", {}, async (page, url) => {
  for (const name of ["index.html", "embed.html", "stage.html"]) {
    const html = readFileSync(join(dist, name), "utf8");
    for (const [, target] of html.matchAll(/(?:href|src)="(?!https?:|data:|#|mailto:)([^"]+)"/g)) {
      const response = await page.request.get(new URL(String(target).replaceAll("&amp;", "&"), url + name).href);
      assert.equal(response.status(), 200, `${name} links to ${target}`);
    }
  }
});
