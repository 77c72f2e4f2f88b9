"""A dict with an entry for each width.

Loses: test-peak-table
Diagnosis: the table is a dict from each width to its averages, instead of a dict of columns
"""


def peak_table(widths, n_draws, n_keys):
    table = {}
    for d in widths:
        peaks = average_peaks(d, n_draws, n_keys)
        table[d] = {"raw": float(peaks["raw"]), "scaled": float(peaks["scaled"])}
    return table
