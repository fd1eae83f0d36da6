// The tour: plain links, each with its state. On a stop a bar stands over its
// figure, with the ways back and on, for as long as the figure is in view.

import { escape } from "./chart/text";

/** Shows the bar whenever the page's address is one of the tour's. */
export function startTour(): void {
  const stops = [...document.querySelectorAll<HTMLAnchorElement>("#tour li a")];
  const bar = document.createElement("nav");
  bar.className = "tour";
  bar.tabIndex = -1;
  bar.setAttribute("aria-label", "Tour");
  bar.addEventListener("click", (e) => {
    if (e.target instanceof HTMLButtonElement) leave(bar);
  });
  const seen = new IntersectionObserver(([entry]) => bar.classList.toggle("passed", entry?.isIntersecting === false));
  const show = (arrived: boolean): void => {
    const at = stops.findIndex((a) => a.hash === location.hash);
    const figure = /[#&]at=([\w-]+)/.exec(location.hash)?.[1];
    const target = figure && document.querySelector(`ttt-figure[name="${figure}"]`);
    if (at < 0 || !target) return;
    // The link that was followed keeps the focus, so that Enter goes on.
    const followed = document.activeElement instanceof HTMLElement && bar.contains(document.activeElement) ? document.activeElement.dataset["go"] : undefined;
    bar.innerHTML = barHtml(stops, at);
    target.before(bar);
    window.scrollTo({ top: target.getBoundingClientRect().top + window.scrollY - bar.offsetHeight - 16, behavior: "instant" });
    seen.disconnect();
    seen.observe(target);
    if (arrived) (bar.querySelector<HTMLElement>(`[data-go="${followed}"]`) ?? bar).focus({ preventScroll: true });
  };
  window.addEventListener("hashchange", () => show(true));
  show(false);
}

function barHtml(stops: readonly HTMLAnchorElement[], at: number): string {
  const link = (to: number, go: string, word: string): string => {
    const stop = stops[to];
    return stop ? `<a data-go="${go}" href="${escape(stop.hash)}">${word}</a>` : "";
  };
  return (
    `<p><b>Stop ${at + 1} of ${stops.length}.</b> ${stops[at]!.closest("li")!.textContent!.trim()}</p>` +
    `<p class="from">${link(at - 1, "back", "back")} ${link(at + 1, "next", "next")} <button type="button" class="plain">leave</button></p>`
  );
}

function leave(bar: HTMLElement): void {
  const figure = bar.nextElementSibling;
  bar.remove();
  figure?.querySelector<HTMLElement>("input, button")?.focus({ preventScroll: true });
}
