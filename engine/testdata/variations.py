"""Run files that vary what the cases of other people's code say: python3 variations.py

Writes variations/*.json. Inputs are drawn from default_rng(number of the row),
rounded to four digits; what is expected is computed by reference.py, with NumPy.
Each row is (name, what it pins down, model fields, sizes and extra inputs).
"""
import json
import os

import numpy as np

from reference import Run

LACT = [[4.0848, -6.8946, 2.9270], [3.9505, -6.3029, 2.6377], [3.7418, -5.5913, 2.3037],
        [2.8769, -3.1427, 1.2046], [2.8366, -3.0525, 1.2012]]
NVS = [[3.4445, -4.7750, 2.0315]] * 5
MUON = {"orthogonalize": "newton-schulz-5", "coefficients": LACT}
OPERATIONS = [{"start": 0, "end": 3, "update": True, "apply": False}, {"start": 2, "end": 6, "update": True, "apply": True},
              {"start": 0, "end": 7, "update": False, "apply": True}]
CONSTANT = {"learningRate": 0.05, "learningRatePlacement": "inside=outside (constant)"}
GATED = {"loss": "squared", "decayPlacement": "before-gradient", "queryScale": 0.5}
CLIP = {"gradientClip": "g/(|g_col|+1)", "lossReduction": "mean*1/3"}
TTT = {"loss": "squared", "target": "v-k", "innerLayernorm": True, "eps": 1e-6, "bias": True}

# A tuple (low, high, shape) is drawn; T, K, V, H stand for the sizes.
ROWS = [
    ("linear-normalizer-z0", "the normalizer with a first sum of keys and a query scale", {"loss": "dot", "learningRate": 1.0, "output": "normalizer", "queryScale": 0.5}, {"T": 6, "z0": (0.2, 1, "K"), "positive": True}),
    ("linear-normalizer-chunks", "the normalizer where a chunk is written at once", {"loss": "dot", "learningRate": 1.0, "chunk": 3, "output": "normalizer"}, {"T": 7, "positive": True}),
    ("linear-one-token", "one token, one key, one value", {"loss": "dot", "learningRate": 0.5}, {"T": 1, "K": 1, "V": 1}),
    ("delta-channel-rate", "a rate for each channel of the value", {"loss": "squared", "learningRate": (0.1, 1, "TV")}, {"T": 8}),
    ("gated-delta-log-decay-alone", "decay given by its logarithm only", {**GATED, "learningRate": (0.1, 1, "T")}, {"T": 9, "logDecay": (-0.5, 0, "T")}),
    ("gated-delta-three-writes", "decay once a token, before the first of its writes", {**GATED, "learningRate": (0.1, 1, "N"), "writesPerToken": 3}, {"T": 4, "logDecay": (-0.5, 0, "T")}),
    ("gated-delta-four-steps", "decay once a token, before the first of its steps", {**GATED, "learningRate": (0.1, 0.4, "T"), "steps": 4}, {"T": 5, "logDecay": (-0.5, 0, "T")}),
    ("decay-channel", "a decay for each row of W, before the gradient", {"loss": "dot", "learningRate": 1.0, "decayPlacement": "before-gradient"}, {"T": 7, "logDecay": (-0.7, 0, "TK")}),
    ("decay-channel-after-squared", "a decay for each row of W, after the gradient", {"loss": "squared", "learningRate": 0.3, "decay": (0.5, 1, "TK"), "decayPlacement": "after-gradient"}, {"T": 6}),
    ("decay-per-chunk", "one decay a chunk", {"loss": "squared", "learningRate": 0.1, "chunk": 3, "decay": (0.5, 1, "C"), "decayPlacement": "before-gradient"}, {"T": 8}),
    ("ttt-linear-tail", "mini-batches of 4 over 7 tokens", {**TTT, "train": "all", "chunk": 4, "learningRate": (0.05, 0.2, "T"), "tokenEta": (0.2, 1, "L"), "chunkRead": "token-causal inside the chunk", "output": "q+layernorm(z)"}, {"T": 7, "K": 4, "V": 4}),
    ("ttt-linear-reader-from-zero", "the reader's rates, W and b begin at 0", {**TTT, "chunk": 4, "learningRate": (0.01, 0.05, "T"), "learningRatePlacement": "reader", "output": "z+layernorm(z)", "queryScale": 0.5}, {"T": 7, "K": 4, "V": 4, "b0": True, "zero": True}),
    ("ttt-linear-token-by-token", "mini-batches of one token", {**TTT, "train": "all", "chunk": 1, "learningRate": (0.05, 0.2, "T"), "tokenEta": (0.9, 1, "L"), "chunkRead": "token-causal inside the chunk", "output": "q+layernorm(z)"}, {"T": 5, "K": 4, "V": 4}),
    ("ttt-mlp-tail", "TTT-MLP, mini-batches of 3 over 5 tokens", {**TTT, "feature": "gelu-tanh-mlp", "train": "all", "chunk": 3, "learningRate": (0.02, 0.1, "T"), "tokenEta": (0.2, 1, "L"), "chunkRead": "token-causal inside the chunk", "output": "q+layernorm(z)"}, {"T": 5, "K": 4, "V": 4}),
    ("titans-layernorm", "Titans with the layer norm's true gradient, chunks of 3", {"loss": "squared", "target": "v-k", "innerLayernorm": True, "eps": 1e-3, "chunk": 3, "momentum": (0.2, 0.9, "T"), "learningRate": (0.02, 0.1, "T"), "gradientScale": 2, "gradientAt": "chunk start", "stateUpdate": "every token", "decayPlacement": "after-gradient", "output": "z+layernorm(z)"}, {"T": 8, "K": 4, "V": 4, "forget": (0.01, 0.3, "T")}),
    ("token-causal-two-steps", "token-causal order takes every inner step of a token", {"loss": "squared", "order": "token-causal", "steps": 2, "learningRate": 0.3, "momentum": 0.5}, {"T": 6}),
    ("polar-chunk-momentum", "the polar factor of the buffer, momentum by chunk", {"loss": "dot", "chunk": 5, "orthogonalize": "polar", "momentum": (0.2, 1, "C"), "momentumPer": "chunk", "learningRate": (0.1, 1, "T")}, {"T": 12, "K": 4}),
    ("polar-apply-first-momentum0", "the polar factor with a buffer before the first token", {"loss": "dot", "chunk": 4, "order": "apply-then-update", "orthogonalize": "polar", "momentum": 0.6, "learningRate": (0.1, 1, "T")}, {"T": 8, "momentum0": True}),
    ("lact-prenorm-muon-tail", "pre-norm, Muon, momentum by chunk mean; the last chunk is only read", {"feature": "swiglu", "train": "all", "loss": "dot", "chunk": 3, "order": "apply-then-update", "learningRate": {n: (0.05, 0.6, "T") for n in ("gate", "w0", "up")}, "momentum": (0.2, 1, "T"), "momentumReduction": "chunk mean", "normalize": "pre", **MUON}, {"T": 8}),
    ("lact-one-chunk", "a chunk as long as the sequence is never written", {"feature": "swiglu", "train": "all", "loss": "dot", "chunk": 6, "order": "apply-then-update", "learningRate": {n: (0.05, 0.6, "T") for n in ("gate", "w0", "up")}, "momentumReduction": "none", "normalize": "post"}, {"T": 6}),
    ("lact-bidirectional-muon", "one update with every token, Newton-Schulz, post-norm", {"feature": "swiglu", "train": "all", "loss": "dot", "chunk": 7, "learningRate": {n: (0.05, 0.6, "T") for n in ("gate", "w0", "up")}, "normalize": "post", **MUON}, {"T": 7}),
    ("ablation-operations-ascent", "operations that overlap, ascent, squared loss, keys as queries", {"feature": "swiglu", "train": "all", "loss": "squared", "chunk": 0, "sign": "ascent", "query": "k", "learningRate": {n: (0.05, 0.6, "T") for n in ("gate", "w0", "up")}, "normalize": "post", "orthogonalize": "newton-schulz-5", "coefficients": NVS}, {"T": 7, "operations": OPERATIONS}),
    ("ablation-frobenius-identity", "Frobenius norm of W's gradient alone", {"loss": "dot", "chunk": 0, "learningRate": (0.1, 1, "T"), "orthogonalize": "frobenius"}, {"T": 7, "operations": OPERATIONS}),
    ("glu-squared-no-clip", "the data gate with the squared loss and without clipping", {"feature": "glu-data-gate", "train": "all", "loss": "squared", "chunk": 6, "learningRate": 1.0, "lossReduction": "mean*1/3"}, {"T": 6}),
    ("glu-last-mean-query", "only W steps, read with (q+k)/2", {**CLIP, "feature": "glu-data-gate", "train": "last", "loss": "dot", "chunk": 6, "learningRate": 1.0, "query": "(q+k)/2"}, {"T": 6}),
    ("glu-chunks-momentum", "the data gate over several chunks, with momentum and decay", {**CLIP, "feature": "glu-data-gate", "train": "all", "loss": "dot", "chunk": 3, "learningRate": 0.5, "momentum": 0.7, "decay": 0.9, "decayPlacement": "after-gradient"}, {"T": 7}),
    ("conv-one-channel", "an image of one channel and one row: w0 is 1x9", {"feature": "depthwise-conv3x3", "train": "all", "loss": "dot", "chunk": 5, "height": 1, "width": 5, "learningRate": 1.0, "lossReduction": "mean*1/3", "gradientClip": "g/(|g_c|_F+1)"}, {"T": 5, "K": 1, "V": 1}),
    ("conv-squared-two-steps", "two steps on a tall image, squared loss, no clipping", {"feature": "depthwise-conv3x3", "train": "all", "loss": "squared", "chunk": 8, "height": 4, "width": 2, "steps": 2, "learningRate": 0.5, "lossReduction": "mean*1/3", "query": "k"}, {"T": 8, "K": 2, "V": 2}),
    ("mlp-silu-bias-outside-momentum0", "rates outside a buffer that is not empty at first, biases, a last chunk of 2", {"feature": "silu-mlp", "train": "all", "loss": "squared", "bias": True, "chunk": 3, "momentum": (0.3, 1.1, "C"), "momentumPer": "chunk", "learningRate": (0.02, 0.1, "C"), "learningRatePer": "chunk", "learningRatePlacement": "outside"}, {"T": 8, "layers": 1, "momentum0": True}),
    ("mlp-gelu-tanh-constant-momentum0", "a constant rate beside a buffer that holds gradients, three steps", {**CONSTANT, "feature": "gelu-tanh-mlp", "train": "all", "loss": "dot", "steps": 3, "momentum": 0.6}, {"T": 4, "layers": 2, "momentum0": True}),
    ("mlp-relu-apply-first", "the last chunk of a plain run is written, too", {**CONSTANT, "feature": "relu-mlp", "train": "all", "loss": "squared", "chunk": 3, "order": "apply-then-update", "momentum": 0.5}, {"T": 7, "layers": 3}),
    ("mlp-tanh-last-bias-weight-decay", "weight decay on W and b, φ frozen", {**CONSTANT, "feature": "tanh-mlp", "train": "last", "loss": "squared", "bias": True, "weightDecay": 0.8, "decay": 0.96, "decayPlacement": "after-gradient", "decayApplies": "all trained parameters"}, {"T": 6, "layers": 2}),
    ("mlp-adam-squared-chunk", "Adam over chunks, every parameter: training only", {**CONSTANT, "feature": "tanh-mlp", "train": "all", "loss": "squared", "chunk": 3, "optimizer": "adam"}, {"T": 6, "layers": 1}),
    ("swiglu-bias-two-steps", "SwiGLU with a bias after W, all trained", {**CONSTANT, "feature": "swiglu", "train": "all", "loss": "squared", "bias": True, "steps": 2, "chunk": 2}, {"T": 6}),
    ("swiglu-prenorm-decay-layernorm", "pre-norm with decay before the gradient, a layer norm in loss and readout", {"feature": "swiglu", "train": "all", "loss": "squared", "innerLayernorm": True, "eps": 0.01, "chunk": 2, "learningRate": (0.02, 0.1, "T"), "decay": 0.9, "decayPlacement": "before-gradient", "normalize": "pre", "output": "z+layernorm(z)"}, {"T": 6}),
    ("identity-constant-rates-b0", "a rate for W and one for the bias, which is given as b0", {"loss": "squared", "bias": True, "learningRate": {"w0": 0.3, "bias": 0.1}, "chunk": 2}, {"T": 5, "b0": True}),
]


def make(number, name, pins, fields, sizes):
    r = np.random.default_rng(number)
    model = {"feature": "identity", "train": "last", "chunk": 1, **fields}
    size = {"T": sizes["T"], "K": sizes.get("K", 3), "V": sizes.get("V", 2), "H": 4}
    size["N"] = size["T"] * model.get("writesPerToken", 1)
    size["L"] = model["chunk"]
    size["C"] = -(-size["T"] // max(1, size["L"]))

    def draw(low, high, shape):
        return np.round(r.uniform(low, high, [size[s] for s in shape]), 4).tolist()

    def fill(x):
        return draw(*x) if isinstance(x, tuple) else {n: fill(y) for n, y in x.items()} if isinstance(x, dict) else x

    low = 0.1 if sizes.get("positive") else -1.5
    inputs = {"q": draw(low, 1.5, "TK"), "k": draw(low, 1.5, "NK"), "v": draw(-1.5, 1.5, "NV")}
    theta, width, layers = {}, "K", sizes.get("layers", 1 if model["feature"].endswith("-mlp") else 0)
    for n in range(1, layers + 1):
        theta[f"A{n}"] = draw(-0.8, 0.8, width + "H")
        width = "H"
        if model.get("bias"):
            theta[f"c{n}"] = draw(-0.3, 0.3, "H")
    if model["feature"] == "swiglu":
        theta, width = {"gate": draw(-0.8, 0.8, "KH"), "up": draw(-0.8, 0.8, "KH")}, "H"
    if model["feature"] == "glu-data-gate":
        theta = {"gate": draw(-0.8, 0.8, "KV")}
    if model["feature"] == "depthwise-conv3x3":
        size["H"], width = 9, "K"
    inputs["w0"] = draw(-0.6, 0.6, width + ("H" if model["feature"] == "depthwise-conv3x3" else "V"))
    if model.get("bias"):
        bias = draw(-0.3, 0.3, "V")
        if sizes.get("b0"):
            inputs["b0"] = bias
        else:
            theta["bias"] = bias
    if sizes.get("zero"):
        inputs["w0"], inputs["b0"] = (np.array(inputs["w0"]) * 0).tolist(), [0.0] * size["V"]
    if theta:
        inputs["theta"] = theta
    if model.get("innerLayernorm") or "layernorm" in model.get("output", ""):
        inputs["lnWeight"], inputs["lnBias"] = draw(0.5, 1.5, "V"), draw(-0.3, 0.3, "V")
    if sizes.get("momentum0"):
        first = {"w0": inputs["w0"], **(theta if model["train"] == "all" else {})}
        inputs["momentum0"] = {n: np.round(r.uniform(-0.2, 0.2, np.shape(x)), 4).tolist() for n, x in first.items()}
    inputs.update({n: fill(x) for n, x in sizes.items() if n in ("z0", "logDecay", "forget", "operations")})
    return {"name": name, "source": "engine/testdata/reference.py, NumPy " + np.__version__, "pins": pins,
            "tolerance": 1e-11 if "orthogonalize" in model else 1e-12, "model": {n: fill(x) for n, x in model.items()}, "inputs": inputs}


def expect(case):
    ours = Run(case["model"], case["inputs"]).run()
    names = ["output", "finalState"]
    names += ["finalBias"] if "b0" in case["inputs"] else ["finalTheta"] if "theta" in case["inputs"] else []
    if case["model"]["feature"].endswith("-mlp") and len(ours["loss"]) == len(case["inputs"]["q"]):
        names.append("loss")
    plain = lambda x: {n: y.tolist() for n, y in x.items()} if isinstance(x, dict) else x.tolist()
    case["expected"] = {n: plain(ours[n]) for n in names}
    return case


if __name__ == "__main__":
    here = os.path.join(os.path.dirname(os.path.abspath(__file__)), "variations")
    for number, row in enumerate(ROWS):
        case = expect(make(number, *row))
        with open(os.path.join(here, case["name"] + ".json"), "w") as f:
            json.dump(case, f, ensure_ascii=False)
            f.write("\n")
