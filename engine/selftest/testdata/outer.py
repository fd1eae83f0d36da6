"""The number of the check outer-loop, by NumPy: python3 outer.py.

Eight sequences train a ridge readout, eight others test it. The query of a
token is the key of the token before, the answer that token's value.
"""

import numpy as np

LENGTH, KEY, VALUE, COUNT, RATE, PENALTY = 16, 4, 3, 8, 0.3, 0.01
state = 1


def draw(rows, cols):
    """A linear congruence, uniform on [-1, 1)."""
    global state
    out = np.empty((rows, cols))
    for i in range(rows):
        for j in range(cols):
            state = (state * 1664525 + 1013904223) % 2**32
            out[i, j] = state / 2**31 - 1
    return out


def sequence():
    keys, values = draw(LENGTH, KEY), draw(LENGTH, VALUE)
    before = np.maximum(np.arange(LENGTH) - 1, 0)
    outputs, w = np.empty((LENGTH, VALUE)), np.zeros((KEY, VALUE))
    for t in range(LENGTH):
        w -= RATE * np.outer(keys[t], keys[t] @ w - values[t])
        outputs[t] = keys[before[t]] @ w
    return outputs, values[before]


train, test = [sequence() for _ in range(COUNT)], [sequence() for _ in range(COUNT)]
o, y = np.concatenate([s[0] for s in train]), np.concatenate([s[1] for s in train])
readout = np.linalg.solve(o.T @ o + PENALTY * np.eye(VALUE), o.T @ y)
print("%.15g" % np.mean([(a @ readout - b) ** 2 for a, b in test]))
