// Keeping direct labels apart.

/**
 * Moves positions on one line so that neighbours stand at least `gap` apart
 * and inside [low, high], changing each as little as its cluster allows.
 * Order is kept. Where the space is too small for all, they are spread evenly.
 */
export function apart(wanted: readonly number[], gap: number, low: number, high: number): number[] {
  const order = wanted.map((_, i) => i).sort((a, b) => wanted[a]! - wanted[b]! || a - b);
  const n = order.length;
  if (n === 0) return [];
  const step = n > 1 ? Math.min(gap, (high - low) / (n - 1)) : gap;

  // Labels that touch form a cluster centred on the mean of what they wanted.
  interface Cluster { sum: number; count: number; first: number }
  const clusters: Cluster[] = [];
  const start = (c: Cluster): number =>
    clamp(c.sum / c.count - ((c.count - 1) * step) / 2, low, high - (c.count - 1) * step);
  order.forEach((index, rank) => {
    let cluster: Cluster = { sum: wanted[index]!, count: 1, first: rank };
    for (let last = clusters.at(-1); last; last = clusters.at(-1)) {
      if (start(last) + last.count * step <= start(cluster) + 1e-9) break;
      clusters.pop();
      cluster = { sum: last.sum + cluster.sum, count: last.count + cluster.count, first: last.first };
    }
    clusters.push(cluster);
  });

  const placed = new Array<number>(n).fill(0);
  for (const c of clusters) {
    for (let k = 0; k < c.count; k++) placed[order[c.first + k]!] = start(c) + k * step;
  }
  return placed;
}

function clamp(x: number, low: number, high: number): number {
  return Math.max(low, Math.min(high, x));
}
