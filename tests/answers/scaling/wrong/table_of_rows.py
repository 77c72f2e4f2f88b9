"""A list of rows instead of a dict of columns.

Loses: test-peak-table
Diagnosis: a list of rows is returned instead of a dict of columns
"""


def peak_table(widths, n_draws, n_keys):
    rows = []
    for d in widths:
        peaks = average_peaks(d, n_draws, n_keys)
        rows.append({"d": d, "raw": float(peaks["raw"]), "scaled": float(peaks["scaled"])})
    return rows
