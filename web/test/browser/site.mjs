// The servers that the browser tests read from: the project's own, over a
// folder, and a stranger's blog on another port.

import { spawn } from "node:child_process";
import { createServer } from "node:http";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../../", import.meta.url));

/** The built site. */
export const dist = `${root}dist`;

/**
 * Starts bin/serve on a free port over a folder.
 * @param {string} dir
 * @returns {Promise<{ url: string, stop: () => Promise<void> }>} the address it printed, ending in "/"
 */
export async function serve(dir = dist) {
  const child = spawn(`${root}bin/serve`, ["-addr", "127.0.0.1:0", "-dir", dir], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const url = await new Promise((resolve, reject) => {
    createInterface({ input: child.stdout }).on("line", (line) => {
      const found = /http:\S+/.exec(line);
      if (found) resolve(found[0]);
    });
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`bin/serve ended with ${code}; \`make build bin/serve\` makes it`)));
  });
  const stop = () =>
    new Promise((resolve) => {
      child.removeAllListeners("exit").once("exit", () => resolve(undefined));
      child.kill("SIGINT");
    });
  return { url, stop };
}

/**
 * A page of somebody else's, on a port of its own.
 * @param {string} html
 * @param {Record<string, string>} headers
 * @returns {Promise<{ url: string, stop: () => Promise<void> }>}
 */
export async function host(html, headers = {}) {
  const server = createServer((request, response) => {
    const page = request.url === "/";
    response.writeHead(page ? 200 : 204, { "content-type": "text/html; charset=utf-8", ...headers });
    response.end(page ? html : undefined);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  const stop = () =>
    new Promise((resolve) => {
      server.close(() => resolve(undefined));
      server.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${port}/`, stop };
}
