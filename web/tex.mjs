// Formulas: \(…\) and \[…\] in HTML → MathML, once, in the build.

import temml from "temml";

// Symbols with a colour of their own; the classes are those of charts and stage.
const coloured = { key: "k", value: "v", query: "q" };
const macros = {
  "\\eff": "\\class{role-effective}{\\hat v}",
  "\\hk": "\\class{role-key}{\\hat k}",
  "\\hq": "\\class{role-query}{\\hat q}",
  "\\st": "\\class{role-state}{S}",
};
for (const [role, letter] of Object.entries(coloured)) macros[`\\${role}`] = `\\class{role-${role}}{${letter}}`;

/**
 * Replaces every formula. Style attributes, which the content policy refuses,
 * become classes; `rules` is the CSS for them.
 * @param {string} html
 * @returns {{ html: string, rules: string }}
 */
export function formulas(html) {
  const classes = new Map();
  const render = (tex, displayMode) =>
    temml
      .renderToString(decode(tex), { displayMode, trust: true, throwOnError: true, macros: { ...macros }, annotate: false })
      // What every browser knows of a bracket from where it stands.
      .replace(/ fence="true" form="(?:prefix|postfix)"(?= stretchy="false">[()⟨⟩])/g, "")
      .replace(/<([a-z]+)([^>]*?) style="([^"]*)"([^>]*)>/g, (_, tag, before, style, after) => {
        if (!classes.has(style)) classes.set(style, `m${classes.size}`);
        return withClass(tag, before + after, classes.get(style));
      });
  // A narrow page may break a formula where it leaves a wide space.
  const parts = (tex) => tex.split("\\qquad").map((part) => render(part.trim(), true)).join("");
  const out = html
    .replace(/\\\[([\s\S]*?)\\\]/g, (_, tex) => `<div class="formula-block" tabindex="0" role="group" aria-label="formula">${parts(tex)}</div>`)
    .replace(/\\\(([\s\S]*?)\\\)/g, (_, tex) => render(tex, false));
  const rules = [...classes].map(([style, name]) => `math .${name},math.${name}{${style}}`).join("\n");
  return { html: out, rules };
}

function withClass(tag, attributes, name) {
  if (/\bclass="/.test(attributes)) return `<${tag}${attributes.replace(/\bclass="/, `class="${name} `)}>`;
  return `<${tag}${attributes} class="${name}">`;
}

function decode(tex) {
  return tex.replace(/&lt;/g, "<").replace(/&gt;/g, ">").replace(/&amp;/g, "&");
}
