"""NumPy and float64, raw and scaled drawn apart, tuples and NumPy numbers returned, a column too many."""

import numpy as np

rng = np.random.default_rng()


def softmax(x):
    e = np.exp(x - x.max())
    return e / e.sum()


def peak(d, n_draws, n_keys, scaled):
    total = 0
    for _ in range(n_draws):
        s = rng.standard_normal((n_keys, d)) @ rng.standard_normal(d)
        total += softmax(s / np.sqrt(d) if scaled else s).max()
    return total / n_draws


def average_peaks(d, n_draws, n_keys):
    return dict(raw=peak(d, n_draws, n_keys, False), scaled=np.float32(peak(d, n_draws, n_keys, True)))


def peak_table(widths, n_draws, n_keys):
    return {
        "d": tuple(widths),
        "raw": tuple(average_peaks(d, n_draws, n_keys)["raw"] for d in widths),
        "scaled": np.array([average_peaks(d, n_draws, n_keys)["scaled"] for d in widths]),
        "note": "drawn twice",
    }


def trends(table):
    def word(c):
        c = np.asarray(c)
        steps = np.diff(c)
        if c.max() / c.min() <= 1.25:
            return "flat"
        return "rising" if (steps > 0).all() else "falling" if (steps < 0).all() else "mixed"
    return {"raw": word(table["raw"]), "scaled": word(table["scaled"])}
