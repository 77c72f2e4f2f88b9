"""A slip of copy and paste: the raw average in both columns.

Loses: test-peak-table
Diagnosis: one and the same average stands in both columns
"""


def peak_table(widths, n_draws, n_keys):
    return {
        "d": list(widths),
        "raw": [average_peaks(d, n_draws, n_keys)["raw"] for d in widths],
        "scaled": [average_peaks(d, n_draws, n_keys)["raw"] for d in widths],
    }
