"""The averages of the first width, once for each width.

Loses: test-peak-table
Diagnosis: the averages are computed once and repeated for each width
"""


def peak_table(widths, n_draws, n_keys):
    peaks = average_peaks(widths[0], n_draws, n_keys)
    n = len(widths)
    return {"d": widths, "raw": [peaks["raw"]] * n, "scaled": [peaks["scaled"]] * n}
