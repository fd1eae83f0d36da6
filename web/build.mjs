// Builds the site: sources in index.html and web/ → dist/.
//
// 1. asks the engine for its experiments and their default Answers,
// 2. bundles scripts and styles under names that carry their content's hash,
// 3. writes the pages: formulas as MathML, figures and numbers filled in, so
//    that the first view stands in the HTML before any script runs.
//
// Pages, scripts and styles are strict-policy clean: no inline script, no style
// attribute, relative addresses only. A last look at what was written makes sure.

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { crc32, deflateSync, gzipSync } from "node:zlib";
import * as esbuild from "esbuild";
import { formulas } from "./tex.mjs";

const web = fileURLToPath(new URL(".", import.meta.url));
const root = join(web, "..");
const dist = join(root, "dist");
const assets = join(dist, "assets");

/** The most that HTML, CSS and JS of the first view may weigh, gzip. */
const firstViewLimit = 60_000;

/** How many figures stand whole in the HTML; those further down are drawn when they come near. */
const wholeFigures = 1;

const policy =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data: blob:; " +
  "connect-src 'self'; worker-src 'self' blob:; frame-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'";

class Stop extends Error {}

try {
  await build();
} catch (error) {
  if (!(error instanceof Stop)) throw error;
  console.error(`build: ${error.message}`);
  process.exit(1);
}

async function build() {
  rmSync(assets, { recursive: true, force: true });
  mkdirSync(assets, { recursive: true });
  const page = await loadPrerender();
  const catalog = JSON.parse(engine("-catalog", "-json"));
  const answers = new Map(catalog.map((e) => [e.name, page.parseAnswer(engine("-run", e.name, "-json"))]));
  const names = await bundle(catalog);
  const context = { page, catalog, answers, names };
  for (const [file, from] of [["index.html", root], ["questions.html", web], ["embed.html", web], ["stage.html", web]]) {
    await writePage(file, readFileSync(join(from, file), "utf8"), context);
  }
  report(names);
}

/** Runs the headless command; UNROLLED may name a built one. */
function engine(...args) {
  const built = process.env["UNROLLED"];
  const [command, ...first] = built ? [built] : ["go", "run", "./engine/cmd/unrolled"];
  try {
    return execFileSync(command, [...first, ...args], { cwd: root, encoding: "utf8", maxBuffer: 1 << 28, stdio: ["ignore", "pipe", "pipe"] });
  } catch (error) {
    throw new Stop(`the engine did not answer "${args.join(" ")}": ${String(error.stderr || error.message).trim().split("\n").slice(-3).join(" ")}`);
  }
}

/** The page's own drawing code, bundled for Node. */
async function loadPrerender() {
  const outfile = join(web, "build", "prerender.mjs");
  await esbuild.build({ entryPoints: [join(web, "prerender.ts")], bundle: true, format: "esm", platform: "node", outfile, logLevel: "warning" });
  return import(`${pathToFileURL(outfile).href}?${Date.now()}`);
}

// ---- scripts and styles

/** Bundles every entry; the map tells each source's name in dist. */
async function bundle(catalog) {
  const names = new Map();
  const define = {
    CATALOG: JSON.stringify(catalog),
    FILES: JSON.stringify({ worker: "", ...engineFiles(), stage: "stage.html", version: version() }),
  };
  names.set("early.js", await script("early.ts", {}));
  const worker = await script("worker.ts", {});
  names.set("stage-frame.js", await script("stage-frame.ts", {}));
  const aids = await script("aids.ts", {});
  define.FILES = JSON.stringify({ ...JSON.parse(define.FILES), worker, aids });
  names.set("page.js", await script("page.ts", define));
  names.set("embed.js", await script("embed.ts", define));
  names.set("worker.js", worker);
  return names;
}

async function script(entry, define) {
  const result = await esbuild.build({
    entryPoints: [join(web, entry)],
    bundle: true,
    minify: true,
    write: false,
    format: "iife",
    target: "es2022",
    define,
    legalComments: "none",
    logLevel: "warning",
  });
  return write(entry.replace(/\.ts$/, ""), ".js", result.outputFiles[0].contents);
}

async function style(entry, extra) {
  const result = await esbuild.build({
    stdin: { contents: `@import "./styles/${entry}";\n${extra}`, resolveDir: web, loader: "css" },
    bundle: true,
    minify: true,
    write: false,
    logLevel: "warning",
  });
  return write(entry.replace(/\.css$/, ""), ".css", result.outputFiles[0].contents);
}

/** Writes an asset under a name that changes with its content. */
function write(name, ending, contents) {
  const file = `assets/${name}-${hash(contents)}${ending}`;
  writeFileSync(join(dist, file), contents);
  return file;
}

function hash(contents) {
  return createHash("sha256").update(contents).digest("base64url").slice(0, 10).replace(/[-_]/g, "0");
}

/** The programs keep their names; a query tells the caches when they change. */
function engineFiles() {
  const named = (file) => {
    const path = join(dist, file);
    if (!existsSync(path)) throw new Stop(`dist/${file} is missing; \`make build\` makes it first.`);
    return `${file}?${hash(readFileSync(path))}`;
  };
  const program = (name) => {
    const plain = named(`${name}-generic.wasm`);
    const text = `self.unrolledEngine="${readFileSync(join(dist, plain.split("?")[0])).toString("base64")}";`;
    return { fast: named(`${name}.wasm`), plain, script: write(name, ".js", text) };
  };
  const words = readFileSync(join(root, "engine", "words", "words.bin"));
  return {
    runtime: named("wasm_exec.js"),
    engine: program("engine"),
    lab: program("lab"),
    words: write("words", ".bin", words),
    wordsScript: write("words", ".js", `self.unrolledWords="${words.toString("base64")}";`),
  };
}

function version() {
  const { version } = JSON.parse(readFileSync(join(web, "package.json"), "utf8"));
  try {
    const commit = execFileSync("git", ["rev-parse", "--short", "HEAD"], { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
    return `${version}+${commit.trim()}`;
  } catch {
    return version;
  }
}

// ---- pages

async function writePage(file, source, { page, catalog, answers, names }) {
  const whole = file === "index.html" ? fillFigures(fillContents(source), page, catalog, answers) : source;
  const filled = fillNumbers(file, whole, page, catalog, answers);
  const { html: withFormulas, rules } = formulas(filled);
  let html = await linkAssets(withFormulas, names, rules);
  html = html.replace(/data:image\/bmp;base64,([A-Za-z0-9+/=]+)/g, (_, bmp) => pngOf(Buffer.from(bmp, "base64")));
  html = html.replace(/<meta charset="utf-8">/i, (m) => `${m}\n<meta http-equiv="Content-Security-Policy" content="${policy}">`);
  checkPage(file, html);
  writeFileSync(join(dist, file), html);
}

/** The table of contents, from the sections' own headings. */
function fillContents(source) {
  const sections = [...source.matchAll(/<section\b([^>]*)>\s*<h2>([^<]*)<\/h2>/g)];
  const items = sections.map(([, attributes, title]) => {
    const id = /\bid="([^"]+)"/.exec(attributes)?.[1];
    if (!id) throw new Stop(`index.html: the section "${title}" has no id, so that nothing can lead to it.`);
    return `<li><a href="#${id}">${title}</a>`;
  });
  return source.replace("<ol data-contents></ol>", `<ol>${items.join("")}</ol>`);
}

/** Figures, from the engine's default Answers. */
function fillFigures(source, page, catalog, answers) {
  const shown = [...source.matchAll(/<ttt-figure name="([^"]*)"><\/ttt-figure>/g)].map((m) => m[1]);
  const wrong = page.disagreements(shown, catalog);
  if (wrong.length > 0) throw new Stop(wrong.join(" "));
  return source.replace(/(<ttt-figure name="([^"]*)">)(<\/ttt-figure>)/g, (_, open, name, close) => {
    const experiment = catalog.find((e) => e.name === name);
    const figure = page.firstView(experiment, answers.get(name), shown.indexOf(name) < wholeFigures);
    return open + coarse(figure) + close;
  });
}

/** Paths to a tenth of a pixel, which is finer than the stroke: the browser draws them anew. */
function coarse(html) {
  return html.replace(/ d="([^"]*)"/g, (_, d) => ` d="${d.replace(/\d+\.\d+/g, (n) => String(Math.round(Number(n) * 10) / 10))}"`);
}

/** The numbers of the prose, from the same Answers. */
function fillNumbers(file, source, page, catalog, answers) {
  return source
    .replace(/(<span data-version>)[^<]*/g, `$1${version()}`)
    .replace(/<span data-scalar="([^"]*)">[^<]*<\/span>/g, (_, path) => {
      const name = catalog.map((e) => e.name).find((n) => path.startsWith(`${n}.`));
      const text = name === undefined ? null : page.scalarText(answers.get(name), path.slice(name.length + 1));
      if (text === null) throw new Stop(`${file} asks for the number "${path}", which no Answer has.`);
      return `<span data-scalar="${path}">${text}</span>`;
    });
}

/** A chart's grey image, compressed: the browser draws it as a BMP, which needs no compressor. */
function pngOf(bmp) {
  const [at, cols, rows] = [bmp.readUInt32LE(10), bmp.readInt32LE(18), -bmp.readInt32LE(22)];
  const pitch = (cols + 3) & ~3;
  const lines = [];
  for (let r = 0; r < rows; r++) {
    // The palette maps a level to its shade; the first byte of a line names its filter, none.
    const levels = bmp.subarray(at + r * pitch, at + r * pitch + cols);
    lines.push(Buffer.from([0, ...Array.from(levels, (level) => bmp[54 + 4 * level])]));
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(cols, 0);
  header.writeUInt32BE(rows, 4);
  header[8] = 8; // bits a sample; all else 0: grey, deflated, not interlaced
  const chunk = (type, data) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const frame = Buffer.alloc(4);
    frame.writeUInt32BE(data.length);
    const sum = Buffer.alloc(4);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([frame, body, sum]);
  };
  const png = Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(Buffer.concat(lines), { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
  return `data:image/png;base64,${png.toString("base64")}`;
}

/** Puts the hashed names in place of the sources' own. */
async function linkAssets(html, names, rules) {
  const styles = new Map();
  for (const [, sheet] of html.matchAll(/<link rel="stylesheet" href="([^"]+)">/g)) styles.set(sheet, await style(sheet, rules));
  return html.replace(/(<(?:script|link)\b[^>]*\b(?:src|href)=")([^"]+)(")/g, (whole, before, name, after) => {
    const found = names.get(name) ?? styles.get(name);
    return found ? before + found + after : whole;
  });
}

/** The promises that a page makes, looked for in its text. */
function checkPage(file, html) {
  const bare = html.replace(/<textarea[\s\S]*?<\/textarea>/g, "");
  const faults = [
    [/<[^>]+\sstyle=/, "has a style attribute"],
    [/<script(?![^>]*\bsrc=)[^>]*>/, "has an inline script"],
    [/<[^>]+\son[a-z]+=/, "has an inline event handler"],
    [/<(?:script|img|iframe|source)\b[^>]*\bsrc="(?:https?:)?\/\//, "loads something from another host"],
    [/<link\b[^>]*\bhref="(?:https?:)?\/\//, "links to another host's file"],
    [/\b(?:src|href)="\//, "has an absolute path, which breaks in a subfolder"],
    [/\bNaN\b/, "shows NaN"],
    [/\\\(|\\\[/, "has a formula that was not turned into MathML"],
  ];
  for (const [pattern, fault] of faults) {
    const found = bare.match(pattern);
    if (found) throw new Stop(`${file} ${fault}: ${found[0].slice(0, 120)}`);
  }
}

// ---- sizes

function report() {
  const size = (file) => gzipSync(readFileSync(join(dist, file)), { level: 9 }).length;
  const index = readFileSync(join(dist, "index.html"), "utf8");
  const parts = ["index.html", ...[...index.matchAll(/(?:src|href)="(assets\/[^"]+)"/g)].map((m) => m[1])];
  const total = parts.map(size).reduce((a, b) => a + b, 0);
  for (const part of parts) console.log(`${String(size(part)).padStart(9)}  ${part}`);
  console.log(`${String(total).padStart(9)}  first view, gzip (at most ${firstViewLimit})`);
  for (const part of ["engine.wasm", "engine-generic.wasm", "lab.wasm", "lab-generic.wasm", "stage.wasm"]) {
    if (existsSync(join(dist, part))) console.log(`${String(size(part)).padStart(9)}  ${part}, gzip`);
  }
  if (total > firstViewLimit) throw new Stop(`the first view weighs ${total} bytes, more than ${firstViewLimit}.`);
}
