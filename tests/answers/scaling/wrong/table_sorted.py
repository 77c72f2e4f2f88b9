"""The table in an order of its own.

Loses: test-peak-table
Diagnosis: the rows are put into an order of their own instead of that of `widths`
"""


def peak_table(widths, n_draws, n_keys):
    widths = sorted(widths)
    rows = [average_peaks(d, n_draws, n_keys) for d in widths]
    return {"d": list(widths), "raw": [r["raw"] for r in rows], "scaled": [r["scaled"] for r in rows]}
