// One value a token, packed for a link: base64url bytes, value = byte/200.

const unit = 200;
/** The largest value that a byte can carry. */
export const largest = 255 / unit;

/** Packs values; equal values at the end are written once, since the last one continues. */
export function pack(values: readonly number[]): string {
  const bytes = values.map((v) => Math.max(0, Math.min(255, Math.round((Number.isFinite(v) ? v : 0) * unit))));
  while (bytes.length > 1 && bytes.at(-1) === bytes.at(-2)) bytes.pop();
  const text = btoa(String.fromCharCode(...bytes));
  return text.replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

/** Unpacks to `length` values; null when the text is empty or unreadable. */
export function unpack(text: string, length: number): number[] | null {
  if (text === "" || !/^[A-Za-z0-9_-]+$/.test(text) || text.length % 4 === 1) return null;
  const raw = atob(text.replace(/-/g, "+").replace(/_/g, "/"));
  const known = [...raw].map((c) => c.charCodeAt(0) / unit);
  const last = known.at(-1) ?? 0;
  return Array.from({ length }, (_, i) => known[i] ?? last);
}

/**
 * The tokens between two points of a drawn stroke, with the values on the
 * straight line from one to the other: a fast thumb leaves no gaps.
 */
export function stroke(values: readonly number[], from: { token: number; value: number }, to: { token: number; value: number }): number[] {
  const next = values.slice();
  const low = Math.max(0, Math.min(from.token, to.token));
  const high = Math.min(values.length - 1, Math.max(from.token, to.token));
  for (let i = low; i <= high; i++) {
    const part = from.token === to.token ? 1 : (i - from.token) / (to.token - from.token);
    next[i] = from.value + part * (to.value - from.value);
  }
  return next;
}
