// The token loop of engine/cmd/bench in plain JavaScript over typed arrays, as
// one would write it by hand for speed: flat arrays, running indices, nothing
// allocated inside, and the inner loops go along rows.

/** The numbers that every twin draws. */
function drawer() {
  let state = 1;
  return (count, scale) => {
    const x = new Float64Array(count);
    for (let i = 0; i < count; i++) {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      x[i] = scale * Math.sqrt(3) * (state / 2 ** 31 - 1);
    }
    return x;
  };
}

/** dst[to …] = x[from …] · m, m of rows × cols. */
function plain(dst, to, x, from, m, rows, cols) {
  for (let d = 0; d < cols; d++) dst[to + d] = 0;
  for (let h = 0, o = 0; h < rows; h++, o += cols) {
    const a = x[from + h];
    for (let d = 0; d < cols; d++) dst[to + d] += a * m[o + d];
  }
}

/** The same, four rows at a time: about as far as one goes by hand. */
function unrolled(dst, to, x, from, m, rows, cols) {
  for (let d = 0; d < cols; d++) dst[to + d] = 0;
  let h = 0;
  let o = 0;
  for (; h + 4 <= rows; h += 4, o += 4 * cols) {
    const a = x[from + h];
    const b = x[from + h + 1];
    const c = x[from + h + 2];
    const e = x[from + h + 3];
    const o1 = o + cols;
    const o2 = o1 + cols;
    const o3 = o2 + cols;
    for (let d = 0; d < cols; d++) {
      dst[to + d] = dst[to + d] + a * m[o + d] + b * m[o1 + d] + c * m[o2 + d] + e * m[o3 + d];
    }
  }
  for (; h < rows; h++, o += cols) {
    const a = x[from + h];
    for (let d = 0; d < cols; d++) dst[to + d] += a * m[o + d];
  }
}

function feature(read, dst, to, x, from, p, dk, dh) {
  read(dst, to, x, from, p, dk, dh);
  for (let h = 0; h < dh; h++) dst[to + h] = Math.tanh(dst[to + h]);
}

function sequential(read, length, dk, dh, dv) {
  const draw = drawer();
  const p = draw(dk * dh, 1);
  const k = draw(length * dk, 1 / Math.sqrt(dk));
  const q = draw(length * dk, 1 / Math.sqrt(dk));
  const v = draw(length * dv, 1);
  const rate = 0.005;
  return () => {
    const keys = new Float64Array(length * dh);
    const queries = new Float64Array(length * dh);
    const effective = new Float64Array(length * dv);
    const output = new Float64Array(length * dv);
    const loss = new Float64Array(length);
    const w = new Float64Array(dh * dv);
    const f = new Float64Array(dv);
    for (let t = 0; t < length; t++) {
      feature(read, keys, t * dh, k, t * dk, p, dk, dh);
      read(f, 0, keys, t * dh, w, dh, dv);
      let sum = 0;
      for (let d = 0; d < dv; d++) {
        const g = f[d] - v[t * dv + d];
        sum += g * g;
        effective[t * dv + d] = -rate * g;
        f[d] = g;
      }
      loss[t] = sum / 2;
      for (let h = 0, o = 0; h < dh; h++, o += dv) {
        const a = rate * keys[t * dh + h];
        for (let d = 0; d < dv; d++) w[o + d] -= a * f[d];
      }
      feature(read, queries, t * dh, q, t * dk, p, dk, dh);
      read(output, t * dv, queries, t * dh, w, dh, dv);
    }
    let total = 0;
    for (let i = 0; i < output.length; i++) total += output[i];
    return total;
  };
}

const cases = {
  "T=64, 8/16/8": [64, 8, 16, 8],
  "T=64": [64, 64, 128, 64],
  "T=256": [256, 64, 128, 64],
  "T=1024": [1024, 64, 128, 64],
  "T=4096": [4096, 64, 128, 64],
};

let run;

/** As the engine's: with 0 prepares, runs once and returns the sum; with n the time of n runs. */
const twin = (read) => (name, count) => {
  if (!(name in cases)) return null;
  if (count === 0) {
    run = sequential(read, ...cases[name]);
    return run();
  }
  const start = performance.now();
  for (let i = 0; i < count; i++) run();
  return performance.now() - start;
};
globalThis.twinPlain = twin(plain);
globalThis.twinUnrolled = twin(unrolled);
