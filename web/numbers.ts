// Numbers as a reader sees them: a real minus sign, no long tails, never "NaN".

/** The typographic minus; keyboards and engines write a hyphen. */
export function minus(text: string): string {
  return text.replace(/-/g, "−");
}

const raised: Record<string, string> = {
  "-": "⁻", "0": "⁰", "1": "¹", "2": "²", "3": "³", "4": "⁴",
  "5": "⁵", "6": "⁶", "7": "⁷", "8": "⁸", "9": "⁹",
};

/** An integer as an exponent: −16 → ⁻¹⁶. */
export function superscript(n: number): string {
  return [...String(n)].map((c) => raised[c] ?? c).join("");
}

/** What a place in the sequence has as its unit; mirrors engine/experiments.Index. */
const index = "index";

/** What to add to a number of this unit: people count places from 1, the engine and links from 0. */
export function firstOf(unit: string): number {
  return unit === index ? 1 : 0;
}

/** A place in the sequence as people count it. */
export function place(at: number): number {
  return at + firstOf(index);
}

/** A number with its unit, as people read it. */
export function formatIn(unit: string, value: number | null): string {
  if (unit === index) return formatNumber(value === null ? null : place(value));
  return unit ? `${formatNumber(value)} ${unit}` : formatNumber(value);
}

/** How many decimals a step needs: 0.01 → 2, 1 → 0. */
export function decimals(step: number): number {
  if (!(step > 0) || !Number.isFinite(step)) return 0;
  for (let d = 0; d < 10; d++) {
    const scaled = step * 10 ** d;
    if (Math.abs(scaled - Math.round(scaled)) < 1e-9 * Math.max(1, scaled)) return d;
  }
  return 10;
}

/** A measured number to three significant digits, as plain as its size allows. */
export function formatNumber(value: number | null | undefined): string {
  if (value === null || value === undefined || Number.isNaN(value)) return "—";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
  const size = Math.abs(value);
  if (size === 0) return "0";
  if (Number.isInteger(value) && size < 1e7) return minus(String(value));
  if (size >= 1e-3 && size < 1e6) return minus(trimZeros(value.toPrecision(3)));
  const [mantissa = "0", exponent = "0"] = value.toExponential(1).split("e");
  return minus(power(trimZeros(mantissa), Number(exponent)));
}

function power(mantissa: string, exponent: number): string {
  return `${mantissa === "1" ? "" : `${mantissa}×`}10${superscript(exponent)}`;
}

/** A text of the engine, which writes 1.3e-15 for 1.3×10⁻¹⁵, as people read it. */
export function powers(text: string): string {
  return text.replace(/(?<![\w.])(\d(?:\.\d+)?)e([+-]?\d+)(?!\w)/g, (_, mantissa: string, exponent: string) => power(mantissa, Number(exponent)));
}

function trimZeros(text: string): string {
  if (text.includes("e")) return trimZeros(String(Number(text)));
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}

/** A tick of an axis; powers of ten on log axes. */
export function formatTick(value: number, log: boolean): string {
  if (value === 0) return "0";
  if (log) {
    const exponent = Math.log10(Math.abs(value));
    if (Number.isInteger(round(exponent, 9)) && (exponent < -3 || exponent > 4)) {
      return power("1", Math.round(exponent));
    }
  }
  return formatNumber(round(value, 12));
}

/** Rounds to d decimals, without −0. */
export function round(value: number, d: number): number {
  return Number(value.toFixed(d)) + 0;
}

/** A number for an SVG attribute: two decimals at most, never NaN. */
export function px(value: number): string {
  if (!Number.isFinite(value)) return "0";
  return String(Math.round(value * 100) / 100 + 0);
}
