// Runs before the first paint, so that a link's theme does not flash.

const wanted = /[#&?]theme=(light|dark)\b/.exec(location.search + location.hash)?.[1];
if (wanted) document.documentElement.dataset["theme"] = wanted;
