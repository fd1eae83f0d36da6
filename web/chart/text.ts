// Text for SVG and HTML made as strings.

/** Escapes text for element content and for double-quoted attributes. */
export function escape(text: string): string {
  return text
    .replace(/&/g, "&amp;")
    .replace(/</g, "&lt;")
    .replace(/>/g, "&gt;")
    .replace(/"/g, "&quot;");
}

/** A rough width of a 12 px system-ui label, good enough to keep labels apart. */
export function textWidth(text: string, size = 12): number {
  let units = 0;
  for (const c of text) units += /[ilj.,:;|' ⁻⁰¹²³⁴-⁹]/.test(c) ? 0.3 : /[A-ZmwMW@%]/.test(c) ? 0.78 : 0.55;
  return units * size;
}
