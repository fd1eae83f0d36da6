"""The token loop of engine/cmd/bench in NumPy: features as one product, then
a prediction, a rank-one write and a read a token."""
import sys
import time
import numpy as np


def drawer():
    state = 1

    def draw(rows, cols, scale):
        nonlocal state
        x = np.empty(rows * cols)
        for i in range(rows * cols):
            state = (state * 1664525 + 1013904223) & 0xFFFFFFFF
            x[i] = state
        return scale * np.sqrt(3) * (x.reshape(rows, cols) / 2**31 - 1)

    return draw


def sequential(length, dk, dh, dv):
    draw = drawer()
    p = draw(dk, dh, 1)
    k, q = draw(length, dk, dk**-0.5), draw(length, dk, dk**-0.5)
    v, rate = draw(length, dv, 1), 0.005

    def run():
        keys, queries = np.tanh(k @ p), np.tanh(q @ p)
        w, output, effective = np.zeros((dh, dv)), np.empty((length, dv)), np.empty((length, dv))
        write = np.empty((dh, dv))
        for t in range(length):
            effective[t] = -rate * (keys[t] @ w - v[t])
            np.multiply(keys[t][:, None], effective[t], out=write)
            w += write
            np.matmul(queries[t], w, out=output[t])
        return output.sum()

    return run


SIZES = {
    "T=64, 8/16/8": (64, 8, 16, 8),
    "T=64": (64, 64, 128, 64),
    "T=256": (256, 64, 128, 64),
    "T=1024": (1024, 64, 128, 64),
    "T=4096": (4096, 64, 128, 64),
}
clock = time.process_time if "-cpu" in sys.argv else time.perf_counter
for name in sys.argv[1:]:
    if name not in SIZES:
        continue
    run = sequential(*SIZES[name])
    total, best, begun, rounds = run(), float("inf"), clock(), 0
    while rounds < 2 or clock() - begun < 0.06:
        count, start = 0, clock()
        while count == 0 or clock() - start < 0.004:
            run()
            count += 1
        best = min(best, (clock() - start) * 1000 / count)
        rounds += 1
    print(f"{name}\t{best:.6g}\t{total:.12g}")
