"""The columns of the table swapped.

Loses: test-peak-table
Diagnosis: the columns of the table are swapped
"""


def peak_table(widths, n_draws, n_keys):
    rows = [average_peaks(d, n_draws, n_keys) for d in widths]
    return {"d": list(widths), "raw": [r["scaled"] for r in rows], "scaled": [r["raw"] for r in rows]}
