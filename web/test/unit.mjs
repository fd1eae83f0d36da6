// Bundles the unit tests and runs them with Node's own runner.

import { spawnSync } from "node:child_process";
import { readdirSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const web = fileURLToPath(new URL("..", import.meta.url));
const out = `${web}build/unit`;
rmSync(out, { recursive: true, force: true });
const tests = readdirSync(`${web}test/unit`).filter((f) => f.endsWith(".test.ts"));
await build({
  entryPoints: tests.map((f) => `${web}test/unit/${f}`),
  bundle: true,
  format: "esm",
  platform: "node",
  outdir: out,
  outExtension: { ".js": ".mjs" },
  external: ["temml"],
  sourcemap: "inline",
  logLevel: "warning",
});
const files = tests.map((f) => `${out}/${f.replace(/\.ts$/, ".mjs")}`);
const { status } = spawnSync(process.execPath, ["--enable-source-maps", "--test", ...process.argv.slice(2), ...files], { stdio: "inherit" });
process.exit(status ?? 1);
