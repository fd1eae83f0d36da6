// Entry of the embed: one figure in somebody else's page.
//
// embed.html?figure=momentum-age&theme=auto#v=1&m.a=0.98

import { defineFigure } from "./element";
import { figures } from "./figures/index";
import { know } from "./figures/known";
import { catalog } from "./host";
import { refreshFigures, showNotices, startHost } from "./live";
import { heightMessage } from "./share";
import { applyTheme } from "./theme";

const asked = new URLSearchParams(location.search);
const theme = asked.get("theme");
if (theme === "light" || theme === "dark") applyTheme(theme);

know(figures);
const host = startHost();
host.onLink = () => {
  showNotices(host.messages);
  refreshFigures();
};

const full = document.querySelector<HTMLAnchorElement>("[data-full]")!;
const pointToPage = (): void => {
  full.href = `index.html${host.fragment()}`;
};
host.onWritten = pointToPage;
pointToPage();

showNotices(host.messages);
defineFigure(host);

const figure = document.createElement("ttt-figure");
const name = asked.get("figure") ?? catalog[0]?.name ?? "";
figure.setAttribute("name", name);
document.querySelector(".credit")!.before(figure);
document.title = `${catalog.find((e) => e.name === name)?.title ?? "Figure"} · Unrolled`;

/** Tells the host page the height, in our own form and in AMP's; only changes above a pixel. */
let told = 0;
let pending = false;
const tellHeight = (): void => {
  pending = false;
  const height = Math.ceil(document.body.getBoundingClientRect().height);
  if (Math.abs(height - told) <= 1 || window.parent === window) return;
  told = height;
  // The height is no secret, and the host's address is not known here.
  window.parent.postMessage({ type: heightMessage, v: 1, id: name, height }, "*");
  window.parent.postMessage({ sentinel: "amp", type: "embed-size", height }, "*");
};
new ResizeObserver(() => {
  if (pending) return;
  pending = true;
  requestAnimationFrame(tellHeight);
}).observe(document.body);
