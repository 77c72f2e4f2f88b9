"""It warns, and writes to stderr and to a log, and is right for all that."""

import logging
import sys
import warnings

log = logging.getLogger("peaks")


def average_peaks(d, n_draws, n_keys):
    warnings.warn("this takes a while", RuntimeWarning)
    print("d =", d, file=sys.stderr)
    log.warning("drawing %d times", n_draws)
    softmax = torch.nn.Softmax(dim=1)
    raw, scaled = [], []
    for _ in range(n_draws):
        s = torch.randn(1, d).mm(torch.randn(n_keys, d).t())
        raw.append(softmax(s).max())
        scaled.append(softmax(s.div(d**0.5)).max())
    return {"raw": torch.tensor(raw).mean(), "scaled": torch.tensor(scaled).mean()}


def peak_table(widths, n_draws, n_keys):
    sys.stderr.write("table\n")
    rows = list(map(lambda d: average_peaks(d, n_draws, n_keys), widths))
    return {"d": list(widths), "raw": [r["raw"] for r in rows], "scaled": [r["scaled"] for r in rows]}
