// Ticks at round numbers: 1, 2 or 5 times a power of ten.
//
// The rule is that of most plotting libraries: the step nearest, by ratio, to
// the length over the wanted count. A step below one is kept as the whole
// number of steps in one, so that the third tick of 0.1 is 0.3 exactly.

interface Step {
  size: number;
  /** whether size is the number of steps in one */
  inverse: boolean;
}

function roundStep(length: number, count: number): Step | null {
  const wanted = length / count;
  if (!(wanted > 0) || !Number.isFinite(wanted)) return null;
  const power = Math.floor(Math.log10(wanted));
  const part = wanted / 10 ** power;
  const factor = part >= Math.sqrt(50) ? 10 : part >= Math.sqrt(10) ? 5 : part >= Math.SQRT2 ? 2 : 1;
  return power < 0 ? { size: 10 ** -power / factor, inverse: true } : { size: 10 ** power * factor, inverse: false };
}

const valueAt = (i: number, { size, inverse }: Step): number => (inverse ? i / size : i * size);

/** The multiple of the step at the value, or the next one up (1) or down (−1): rounding moves no end that is one. */
function multiple(value: number, step: Step, way: 1 | -1): number {
  const at = Math.round(step.inverse ? value * step.size : value / step.size);
  return way * (valueAt(at, step) - value) < 0 ? at + way : at;
}

/** About `count` round numbers from low to high. */
export function ticks(low: number, high: number, count: number): number[] {
  const step = roundStep(high - low, count);
  if (!step) return [];
  const first = multiple(low, step, 1);
  const last = multiple(high, step, -1);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => valueAt(first + i, step));
}

/** The domain, widened to the ticks next to its ends; a wider one may have a wider step, and is widened again. */
export function nice(low: number, high: number, count: number): [number, number] {
  let before = NaN;
  for (;;) {
    const step = roundStep(high - low, count);
    if (!step || step.size === before) return [low, high];
    before = step.size;
    [low, high] = [valueAt(multiple(low, step, -1), step), valueAt(multiple(high, step, 1), step)];
  }
}
