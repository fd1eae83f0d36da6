"""A second implementation of run files, in NumPy: the recurrence as the formulas
of ../runfile/README.md state it, one matrix at a time, without the engine.

    python3 reference.py FILE...   how far each file's expected arrays lie from here

NumPy 1.24 or later. It reproduces cases/*.json, which came out of other people's
code, to 1e-14 relative, and variations.py takes its expectations from it.
"""
import json
import math
import os
import sys

import numpy as np

erf = np.vectorize(math.erf)
ROOT = math.sqrt(2 / math.pi)


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def silu(x):
    return x * sigmoid(x)


def silu_slope(x):
    s = sigmoid(x)
    return s + x * s * (1 - s)


def gelu_tanh(x):
    return 0.5 * x * (1 + np.tanh(ROOT * (x + 0.044715 * x**3)))


def gelu_tanh_slope(x, a=ROOT, b=3 * 0.044715 * ROOT):
    t = np.tanh(a * (x + 0.044715 * x**3))
    return 0.5 * (1 + t) + 0.5 * x * (1 - t * t) * (a + b * x * x)


ACTIVATIONS = {
    "tanh": (np.tanh, lambda x: 1 - np.tanh(x) ** 2),
    "silu": (silu, silu_slope),
    "relu": (lambda x: np.maximum(x, 0), lambda x: (x > 0) * 1.0),
    "gelu": (lambda x: 0.5 * x * (1 + erf(x / math.sqrt(2))),
             lambda x: 0.5 * (1 + erf(x / math.sqrt(2))) + x * np.exp(-x * x / 2) / math.sqrt(2 * math.pi)),
    "gelu-tanh": (gelu_tanh, gelu_tanh_slope),
    # The derivative as TTT-MLP's code has it: two constants with fewer digits.
    "gelu-tanh-ttt": (gelu_tanh, lambda x: gelu_tanh_slope(x, 0.79788456, 0.1070322243)),
}


def layer_norm(z, weight, bias, eps):
    """LN(z) and the function that takes a slope of it back to a slope of z."""
    root = np.sqrt(z.var(-1, keepdims=True) + eps)
    hat = (z - z.mean(-1, keepdims=True)) / root

    def back(slope):
        u = slope * weight
        return (u - u.mean(-1, keepdims=True) - hat * (u * hat).mean(-1, keepdims=True)) / root
    return hat * weight + bias, back


def patches(x, height, width):
    """tokens x channels x 9, zero padding, cross-correlation."""
    n, c = x.shape
    padded = np.zeros((height + 2, width + 2, c))
    padded[1:-1, 1:-1] = x.reshape(height, width, c)
    out = np.zeros((n, c, 9))
    for y in range(height):
        for w in range(width):
            for dy in range(3):
                for dx in range(3):
                    out[y * width + w, :, dy * 3 + dx] = padded[y + dy, w + dx]
    return out


class Net:
    """f(x; P), its features, and the gradient of sum_n <slope_n, f(x_n)>."""

    def __init__(self, model, inputs):
        self.kind, self.model = model["feature"], model
        self.layers = 0
        while f"A{self.layers + 1}" in inputs.get("theta", {}):
            self.layers += 1
        if self.kind.endswith("-mlp"):
            name = self.kind[:-4]
            if name == "gelu-tanh" and model.get("innerLayernorm"):
                name = "gelu-tanh-ttt"
            self.act, self.slope = ACTIVATIONS[name]

    def features(self, x, p):
        if self.kind == "swiglu":
            return silu(x @ p["gate"]) * (x @ p["up"])
        if self.kind == "depthwise-conv3x3":
            return x  # patches already
        for n in range(1, self.layers + 1):
            x = self.act(x @ p[f"A{n}"] + p.get(f"c{n}", 0))
        return x

    def __call__(self, x, p):
        phi = self.features(x, p)
        if self.kind == "depthwise-conv3x3":
            return np.einsum("pcs,cs->pc", phi, p["w0"])
        z = phi @ p["w0"] + p.get("bias", 0)
        return z * silu(x @ p["gate"]) if self.kind == "glu-data-gate" else z

    def gradient(self, x, slope, p, name):
        """of the weights called name, for slopes that name's rates have weighted."""
        if self.kind == "depthwise-conv3x3":
            return np.einsum("pcs,pc->cs", x, slope)
        if self.kind == "glu-data-gate":
            a = x @ p["gate"]
            return x.T @ (slope * (silu(a) if name == "w0" else x @ p["w0"] * silu_slope(a)))
        if name == "bias":
            return slope.sum(0)
        if name == "w0":
            return self.features(x, p).T @ slope
        d = slope @ p["w0"].T
        if self.kind == "swiglu":
            a, b = x @ p["gate"], x @ p["up"]
            return x.T @ (d * (b * silu_slope(a) if name == "gate" else silu(a)))
        level, inputs, before = int(name[1:]), [x], []
        for n in range(1, self.layers + 1):
            before.append(inputs[-1] @ p[f"A{n}"] + p.get(f"c{n}", 0))
            inputs.append(self.act(before[-1]))
        for n in range(self.layers, level - 1, -1):
            d = d * self.slope(before[n - 1])
            if n == level:
                return inputs[n - 1].T @ d if name[0] == "A" else d.sum(0)
            d = d @ p[f"A{n}"].T


def newton_schulz(g, triples, eps):
    turned = g.shape[0] > g.shape[1]
    x = (g.T if turned else g) / (np.linalg.norm(g) + eps)
    for a, b, c in triples:
        xx = x @ x.T
        x = a * x + (b * xx + c * xx @ xx) @ x
    return x.T if turned else x


def polar(g):
    u, s, vt = np.linalg.svd(g, full_matrices=False)
    kept = s > 1e-10 * s[0]
    return u[:, kept] @ vt[kept]


def column_norm(w):
    return np.sqrt((np.atleast_2d(w) ** 2).sum(0))  # a bias is one row


class Run:
    def __init__(self, model, inputs):
        self.m, self.net = model, Net(model, inputs)
        array = lambda name: np.array(inputs[name], float)
        self.q, self.k, self.v = array("q"), array("k"), array("v")
        self.p = {name: np.array(x, float) for name, x in inputs.get("theta", {}).items()}
        self.p["w0"] = array("w0")
        if "b0" in inputs:
            self.p["bias"] = array("b0")
        self.trained = ["w0"] + (["bias"] if "bias" in self.p else [])
        if model.get("train") == "all":
            self.trained = list(self.p)
        self.writes = model.get("writesPerToken", 1)
        self.chunk, self.steps = model["chunk"], model.get("steps", 1)
        self.sign = -1 if model.get("sign") == "ascent" else 1
        self.norm = [np.array(inputs[n], float) for n in ("lnWeight", "lnBias") if n in inputs] + [model.get("eps", 1e-6)]
        self.buffer = {n: np.array(inputs.get("momentum0", {}).get(n, np.zeros_like(self.p[n])), float) for n in self.trained}
        if model.get("learningRatePlacement", "").endswith("(constant)"):  # p -= lr * buffer, run with the rate inside
            self.buffer = {n: x * self.rate(n, 0) for n, x in self.buffer.items()}
        self.first = {n: column_norm(self.p[n]) for n in self.trained} if model.get("normalize", "none") != "none" else {}
        self.master = {n: self.p[n].copy() for n in self.trained}
        self.second = {n: [0, 0] for n in self.trained}
        self.time = 0
        self.z = None
        if model.get("output") == "normalizer":
            self.z = np.array(inputs.get("z0", np.zeros(self.p["w0"].shape[0])), float)
        self.decay = np.exp(array("logDecay")) if "logDecay" in inputs else 1 - array("forget") if "forget" in inputs else None
        if self.decay is None:
            self.decay = np.array(model.get("decay", 1.0), float)
        self.operations = inputs.get("operations")
        asked = {"q": self.q, "k": self.k[:len(self.q)], "(q+k)/2": (self.q + self.k[:len(self.q)]) / 2}
        self.asked = asked[model.get("query", "q")]
        self.target = self.v - self.k if model.get("target") == "v-k" else self.v
        self.x, self.y = self.k, self.asked * model.get("queryScale", 1.0)
        if self.net.kind == "depthwise-conv3x3":
            self.x, self.y = (patches(x, model["height"], model["width"]) for x in (self.x, self.y))
        self.output, self.keys, self.values, self.loss = [], [], [], {}

    # Numbers that a model gives once, once a chunk or once a row.

    def at(self, x, per, t):
        x = np.array(x, float)
        if x.ndim == 0:
            return x
        chunked = self.m.get(per) == "chunk" or len(x) != len(self.k) and self.chunk > 1
        return x[t // self.chunk] if chunked and self.chunk > 1 else x[t]

    def rate(self, name, t):
        r = self.m["learningRate"]
        return self.at(r[name] if isinstance(r, dict) else r, "learningRatePer", t)

    def alpha(self, rows):
        x = np.array(self.m.get("momentum", 0.0), float)
        if self.m.get("momentumReduction") == "chunk mean" and x.ndim:
            return x[rows].mean()
        if x.ndim and len(x) == len(self.q) and self.m.get("momentumPer") != "chunk":
            return x[rows[0] // self.writes]
        return x if not x.ndim else x[rows[0] // max(1, self.chunk)]

    def gamma(self, t):
        d = self.decay
        if d.ndim:
            d = d[t // self.chunk] if len(d) != len(self.q) else d[t]
        return d[:, None] if np.ndim(d) else d

    # Reading and writing.

    def read(self, rows):
        x = self.y[rows]
        z, kind = self.net(x, self.p), self.m.get("output", "raw")
        if kind == "normalizer":
            z = z / (self.net.features(x, self.p) @ self.z + 1e-10)[:, None]
        elif kind != "raw":
            z = (z if kind[0] == "z" else self.asked[rows]) + layer_norm(z, *self.norm)[0]
        self.output.extend(z)

    def slopes(self, rows):
        """d loss / d f of every row at the present weights, and the loss."""
        f, target = self.net(self.x[rows], self.p), self.target[rows]
        back = lambda s: s
        if self.m.get("innerLayernorm"):
            f, back = layer_norm(f, *self.norm)
        if self.m["loss"] == "dot":
            loss, slope = -(f * target).sum(1), -target
        else:
            loss, slope = 0.5 * ((f - target) ** 2).sum(1), f - target
        if self.m.get("lossReduction") == "mean*1/3":
            slope = slope / (3 * (1 if self.is_causal() else len(rows)))
        return loss, back(slope) * self.m.get("gradientScale", 1)

    def outside(self):
        return self.m.get("learningRatePlacement") == "outside"

    def rate_later(self):
        return self.outside() or self.is_reader() or self.m.get("gradientClip", "none") != "none" or self.m.get("optimizer") == "adam"

    def weighted(self, rows, slope, name):
        if self.rate_later():
            return slope
        return np.array([self.rate(name, t) * s for t, s in zip(rows, slope)])

    def record(self, rows, loss, slope):
        phi = self.net.features(self.x[rows], self.p)
        if self.net.kind == "glu-data-gate":  # the pair whose product is written to w0
            slope = slope * silu(phi @ self.p["gate"])
        self.keys.extend(phi)
        s = slope if self.outside() or self.is_reader() else np.array([self.rate("w0", t) * s for t, s in zip(rows, slope)])
        self.values.extend(-self.sign * s)
        for t, x in zip(rows, loss):
            self.loss.setdefault(t, x)
        return phi

    def direction(self, name, g, t, alpha):
        rate = self.rate(name, t)
        g = self.sign * g
        if self.m.get("optimizer") == "adam":
            m, s = self.second[name]
            m, s = 0.9 * m + 0.1 * g, 0.999 * s + 0.001 * g * g
            self.second[name] = [m, s]
            return rate * m / (1 - 0.9**self.time) / (np.sqrt(s / (1 - 0.999**self.time)) + 1e-8)
        clip = self.m.get("gradientClip", "none")
        if clip != "none":
            g = (1 if self.outside() else rate) * g / (column_norm(g) + 1 if clip == "g/(|g_col|+1)" else column_norm(g.T)[:, None] + 1)
        self.buffer[name] = alpha * self.buffer[name] + g
        d, how = self.buffer[name], self.m.get("orthogonalize", "none")
        if how == "newton-schulz-5":
            d = newton_schulz(d, self.m["coefficients"], self.m.get("eps", 1e-7))
        elif how == "frobenius":
            d = newton_schulz(d, [], self.m.get("eps", 1e-7))
        elif how == "polar":
            d = polar(d)
        return d * rate if self.outside() else d

    def decays(self, name):
        return name == "w0" or self.m.get("decayApplies") == "all trained parameters"

    def fade(self, t):
        faded = [n for n in self.trained if self.decays(n)]
        for name in faded:
            self.master[name] = self.gamma(t) * self.master[name]
        self.settle(faded, self.m.get("normalize") == "pre")

    def settle(self, names, normalize=True):
        for name in names:
            self.p[name] = self.master[name]
            if name in self.first and normalize:
                self.p[name] = self.master[name] / (column_norm(self.master[name]) + self.m.get("normEps", 1e-5)) * self.first[name]
                if self.m["normalize"] == "post":
                    self.master[name] = self.p[name]

    def step(self, gradients, t, alpha):
        self.time += 1
        for name, g in gradients.items():
            d = self.direction(name, g, t, alpha)
            if self.m.get("decayPlacement") == "after-gradient" and self.decays(name):
                self.master[name] = self.gamma(t // self.writes) * self.master[name]
            self.master[name] = self.master[name] - d
        self.settle(self.trained)

    def write(self, rows, fade=True):
        if fade and self.m.get("decayPlacement") == "before-gradient":
            self.fade(rows[0] // self.writes)
        for _ in range(self.steps):
            loss, slope = self.slopes(rows)
            phi = self.record(rows, loss, slope)
            if self.z is not None:
                self.z = self.z + phi.sum(0)
            self.step({n: self.net.gradient(self.x[rows], self.weighted(rows, slope, n), self.p, n) for n in self.trained},
                      rows[0], self.alpha(rows))

    def causal(self, rows):
        """Gradients at the chunk's start; row i reads the writes j <= i of its chunk."""
        reader, start, sums = self.is_reader(), dict(self.p), {n: 0 for n in self.trained}
        loss, slope = self.slopes(rows)
        phi = self.record(rows, loss, slope)
        for i, t in enumerate(rows):
            one = slice(i, i + 1)
            if self.z is not None:
                self.z = self.z + phi[i]
            g = {n: self.net.gradient(self.x[rows[one]], self.weighted(rows[one], slope[one], n), start, n) for n in self.trained}
            if reader or "tokenEta" in self.m:
                eta = self.rate("w0", t) if reader else np.atleast_1d(self.m["tokenEta"])[i % np.size(self.m["tokenEta"])]
                sums = {n: sums[n] + self.sign * g[n] for n in g}
                self.p.update({n: start[n] - eta * sums[n] for n in g})
                self.master = dict(self.p)
            else:
                self.step(g, t, self.alpha([t]))
            self.read(np.array([t]))

    def is_reader(self):
        return self.m.get("learningRatePlacement") == "reader"

    def is_causal(self):
        m = self.m
        return ("chunkRead" in m or "stateUpdate" in m or "tokenEta" in m
                or self.is_reader() or m.get("order") == "token-causal")

    def run(self):
        n, m, causal = len(self.q), self.m, self.is_causal()
        if self.chunk == 0:
            for o in self.operations:
                rows = np.arange(o["start"], o["end"])
                if o["update"]:
                    self.write(rows)
                if o["apply"]:
                    self.read(rows)
        elif self.writes > 1:
            for t in range(n):
                for w in range(self.writes):
                    self.write(np.array([t * self.writes + w]), w == 0)
                self.read(np.array([t]))
        else:
            for start in range(0, n, self.chunk):
                rows = np.arange(start, min(n, start + self.chunk))
                if causal and (self.chunk > 1 or "tokenEta" in m or self.is_reader()):
                    self.causal(rows)
                    continue
                first = m.get("order") == "apply-then-update"
                if first:
                    self.read(rows)
                if not (first and "momentumReduction" in m and start + self.chunk >= n):
                    self.write(rows)
                if not first:
                    self.read(rows)
        return self.results()

    def results(self):
        theta = {n: x for n, x in self.p.items() if n != "w0"}
        out = {"output": np.array(self.output), "finalState": self.p["w0"], "finalTheta": theta,
               "keyFeatures": np.array(self.keys), "writeValues": np.array(self.values),
               "loss": np.array([self.loss[t] for t in sorted(self.loss)])}
        if "bias" in theta:
            out["finalBias"] = theta["bias"]
        return out


def gap(ours, expected):
    if isinstance(expected, dict):
        return max([gap(ours[n], x) for n, x in expected.items()], default=0)
    expected = np.array(expected, float)
    if ours.shape != expected.shape:
        return math.inf
    return np.abs(ours - expected).max() / max(1, np.abs(expected).max())


def check(paths):
    for path in paths:
        with open(path) as f:
            case = json.load(f)
        if "g" in case["inputs"] or "quirk" in json.dumps(case["model"]):
            print(f"{os.path.basename(path):55} not a run, or a slip")
            continue
        ours = Run(case["model"], case["inputs"]).run()
        gaps = {n: gap(ours[n], x) for n, x in case["expected"].items() if n in ours}
        worst = max(gaps.values())
        print(f"{os.path.basename(path):55} {worst:.1e} {'' if worst <= case['tolerance'] else 'OFF ' + str(gaps)}"
              f" {[n for n in case['expected'] if n not in ours]}")


if __name__ == "__main__":
    check(sys.argv[1:])
