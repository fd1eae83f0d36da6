// Takes pictures of the page and its embeds to look at: node shots.mjs FOLDER

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { launch, watch } from "./browser.mjs";
import { figure } from "./reader.mjs";
import { serve } from "./site.mjs";

const folder = process.argv[2] ?? "build/shots";
mkdirSync(folder, { recursive: true });

const views = [
  { name: "article", file: "index.html", figures: ["momentum-age", "duel"] },
  { name: "embed-age", file: "embed.html?figure=momentum-age", figures: ["momentum-age"] },
  { name: "embed-duel", file: "embed.html?figure=duel", figures: ["duel"] },
];

const server = await serve();
const browser = await launch();
for (const width of [390, 768, 1280]) {
  for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
    for (const { name, file, figures } of views) {
      const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme, reducedMotion: "reduce" });
      const faults = await watch(context);
      const page = await context.newPage();
      await page.goto(server.url + file);
      for (const one of figures) await figure(page, one);
      if (figures.includes("momentum-age")) {
        await page.locator(".stage-host").scrollIntoViewIfNeeded();
        await page.mouse.move(5, 5);
        await page.locator('.stage-host[data-stage="live"]').waitFor({ timeout: 60_000 });
      }
      await page.evaluate("scrollTo(0, 0)");
      const path = join(folder, `${name}-${width}-${colorScheme}.png`);
      await page.screenshot({ path, fullPage: true });
      console.log(path, ...faults);
      await context.close();
    }
  }
}
await browser.close();
await server.stop();
