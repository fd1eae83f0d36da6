"""Reference numbers for outer_test.go: python3 outer.py > outer.json (NumPy 1.24).

An outer loop in miniature, without the engine: phi(x) = tanh(x P) with P 16x24
from default_rng(0), N(0,1)/4; T = 48, O = 8, eta = 0.05, W_0 = 0, K steps a token,
read after the token's own write. 60 training sequences from default_rng(100+i),
60 test sequences from default_rng(900+i), keys and values N(0,1), then the
task's own draws. Readout by ridge regression, penalty 0.01.
"""
import json
import numpy as np

D, H, O, T, ETA, STEPS = 16, 24, 8, 48, 0.05, [1, 2, 4, 8, 16, 32]
P = np.random.default_rng(0).standard_normal((D, H)) / np.sqrt(D)


def draw(seed, task):
    r = np.random.default_rng(seed)
    k, v = r.standard_normal((T, D)), r.standard_normal((T, O))
    if task == "recall":
        j = np.array([r.integers(0, t + 1) for t in range(T)])
        return k, k[j] + 0.2 * r.standard_normal((T, D)), v, v[j]
    y, a = np.zeros((T, O)), np.zeros(O)
    for t in range(T):
        a = 0.8 * a + 0.2 * v[t]
        y[t] = a
    return k, k + 0.5 * r.standard_normal((T, D)), v, y


def run(sequence, steps, loss, sign=1, read_keys=False):
    k, q, v, _ = sequence
    k, q = np.tanh(k @ P), np.tanh((k if read_keys else q) @ P)
    w, out, inner = np.zeros((H, O)), [], 0
    for t in range(T):
        for _ in range(steps):
            g = k[t] @ w - v[t] if loss == "squared" else -v[t]
            w = w - sign * ETA * np.outer(k[t], g)
        f = k[t] @ w
        inner += 0.5 * ((f - v[t]) ** 2).sum() if loss == "squared" else -(f @ v[t])
        out.append(q[t] @ w)
    return np.array(out), inner / T


def outputs(sequences, steps, loss, **kind):
    runs = [run(s, steps, loss, **kind) for s in sequences]
    return np.concatenate([o for o, _ in runs]), np.mean([i for _, i in runs])


golden = {}
for task in "recall", "smoothing":
    train = [draw(100 + i, task) for i in range(60)]
    test = [draw(900 + i, task) for i in range(60)]
    y, want = np.concatenate([s[3] for s in train]), np.concatenate([s[3] for s in test])
    for loss in "squared", "dot":
        fit = lambda x: np.linalg.solve(x.T @ x + 0.01 * np.eye(O), x.T @ y)
        error = lambda x, r: ((x @ r - want) ** 2).mean()
        at = {n: outputs(train, n, loss)[0] for n in STEPS}
        asked = {n: outputs(test, n, loss) for n in STEPS}
        read = {n: fit(at[n]) for n in STEPS}
        row = {
            "zero": (want**2).mean(),
            "inner": [asked[n][1] for n in STEPS],
            "error": [[error(asked[b][0], read[a]) for b in STEPS] for a in STEPS],
        }
        for name, kind in ("ascent", {"sign": -1}), ("keys", {"read_keys": True}):
            x = outputs(test, 1, loss, **kind)[0]
            row[name] = error(x, fit(outputs(train, 1, loss, **kind)[0]))
            row[name + "_kept"] = error(x, read[1])
        golden[loss + " " + task] = row
print(json.dumps(golden, indent=1))
