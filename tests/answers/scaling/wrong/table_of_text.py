"""The numbers formatted.

Loses: test-peak-table
Says: as a str
"""


def peak_table(widths, n_draws, n_keys):
    rows = [average_peaks(d, n_draws, n_keys) for d in widths]
    return {"d": list(widths), **{n: ["%.4f" % r[n] for r in rows] for n in ("raw", "scaled")}}
