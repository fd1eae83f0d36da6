// One figure in somebody else's page, on another port, under that page's own
// content policy, and in a sandbox.

import assert from "node:assert/strict";
import { site } from "./browser.mjs";
import { figure, says, slider, until } from "./reader.mjs";
import { host } from "./site.mjs";
import { answer } from "./truth.mjs";

const reading = site();

/** What a careful blog sends: it allows our frame and its own inline listener. */
const theirPolicy = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; frame-src http://127.0.0.1:*";

/** Keeps what the frame says, and grows the frame as a host would. */
const listener = `<script>
  window.heard = [];
  addEventListener("message", (event) => {
    heard.push(event.data);
    const frame = document.querySelector("iframe");
    if (event.source === frame.contentWindow && event.data.type === "unrolled:height") frame.style.height = event.data.height + "px";
  });
</script>`;

/**
 * Opens a blog post with a frame in it.
 * @param {import("playwright-core").Page} page
 * @param {string} body
 * @param {(frame: import("playwright-core").Frame) => Promise<void>} then
 */
async function post(page, body, then) {
  const blog = await host(
    `<!doctype html><html lang="en"><meta charset="utf-8"><title>A blog post</title><link rel="icon" href="data:,">` +
      `<h1>A blog post</h1><button>before</button>${body}<button>after</button>`,
    { "content-security-policy": `${theirPolicy}; img-src data:` },
  );
  try {
    await page.goto(blog.url);
    const frame = await until(
      async () => page.frames().find((f) => f.url().includes("embed.html")) ?? null,
      (found) => found !== null,
      "the frame",
    );
    if (frame) await then(frame);
  } finally {
    await page.goto("about:blank");
    await blog.stop();
  }
}

for (const sandbox of ["", ' sandbox="allow-scripts"']) {
  const where = sandbox ? `a frame with${sandbox}` : "a frame on another origin";
  reading(`in ${where} the figure answers, and the frame grows to its height`, { motion: "reduce" }, async (page, url) => {
    const src = `${url}embed.html?figure=momentum-age#v=1&amp;m.a=0.98`;
    await post(page, `<iframe src="${src}" title="Figure"${sandbox} style="width:100%;height:150px;border:0"></iframe>${listener}`, async (frame) => {
      const shown = await figure(frame, "momentum-age");
      await says(shown, answer("momentum-age", { alpha: 0.98 }).sentence);
      await slider(shown, "momentum").fill("0.6");
      await says(shown, answer("momentum-age", { alpha: 0.6 }).sentence);

      const height = await until(() => page.evaluate("document.querySelector('iframe').clientHeight"), (h) => Number(h) > 400, "a taller frame");
      const inner = await until(
        () => frame.evaluate("[document.documentElement.scrollHeight, innerHeight]"),
        (pair) => Math.abs(/** @type {number[]} */ (pair)[0] - /** @type {number[]} */ (pair)[1]) <= 1,
        "a frame as high as what it shows",
      );
      const heard = /** @type {any[]} */ (await page.evaluate("heard"));
      const ours = heard.filter((m) => m.type === "unrolled:height");
      assert.ok(ours.length > 0 && ours.every((m) => m.v === 1 && m.id === "momentum-age" && m.height > 0), JSON.stringify(heard));
      assert.ok(heard.some((m) => m.sentinel === "amp" && m.type === "embed-size"), "also in AMP's form");
      assert.ok(ours.length < 40, `the height settles: ${ours.length} messages, ${height} px, ${JSON.stringify(inner)}`);
    });
  });
}

reading("the copied snippet shows the present state in a blog", { motion: "reduce" }, async (page, url) => {
  await page.goto(url);
  const article = await figure(page, "momentum-age");
  await slider(article, "momentum").fill("0.73");
  const truth = answer("momentum-age", { alpha: 0.73 });
  await says(article, truth.sentence);
  await article.getByRole("button", { name: "embed" }).click();
  const texts = await page.getByRole("dialog").getByRole("textbox").all();
  const [snippet = "", script = ""] = await Promise.all(texts.map((t) => t.inputValue()));
  assert.match(snippet, /m\.a=0\.73/);
  assert.match(snippet, /title="/);
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });

  await post(page, snippet + script, async (frame) => {
    await says(await figure(frame, "momentum-age"), truth.sentence);
    await until(
      () => frame.evaluate("document.documentElement.scrollHeight - innerHeight"),
      (over) => Number(over) <= 1,
      "a frame without a scroll bar",
    );
  });
});

for (const theme of ["light", "dark"]) {
  reading(`theme=${theme} is kept against the system's wish`, { motion: "reduce", scheme: theme === "dark" ? "light" : "dark" }, async (page, url) => {
    await page.goto(`${url}embed.html?figure=duel&theme=${theme}`);
    await figure(page, "duel");
    const paper = await page.evaluate("getComputedStyle(document.body).backgroundColor || getComputedStyle(document.documentElement).backgroundColor");
    const [red = 0] = String(paper).match(/\d+/g)?.map(Number) ?? [];
    assert.equal(red > 128, theme === "light", `the paper is ${paper}`);
  });
}

reading("Tab walks into the frame and out behind it, and back", { motion: "reduce" }, async (page, url) => {
  await post(page, `<iframe src="${url}embed.html?figure=momentum-age" title="Figure" style="width:100%;height:1500px"></iframe>${listener}`, async (frame) => {
    await figure(frame, "momentum-age");
    const where = () => page.evaluate("document.activeElement.textContent || document.activeElement.tagName");
    for (const [key, from, to] of [["Tab", "before", "after"], ["Shift+Tab", "after", "before"]]) {
      await page.getByRole("button", { name: from }).focus();
      const places = [];
      for (let i = 0; i < 80 && places.at(-1) !== to; i++) {
        await page.keyboard.press(String(key));
        places.push(await where());
      }
      assert.equal(places.at(-1), to, `${key} came out: ${places.slice(-4)}`);
      assert.ok(places.length > 10, "and visited the figure's controls on the way");
    }
  });
});
