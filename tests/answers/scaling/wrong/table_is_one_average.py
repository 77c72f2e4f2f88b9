"""The two averages of the first width.

Loses: test-peak-table
Diagnosis: the answer to part 1 stands in part 2
"""


def peak_table(widths, n_draws, n_keys):
    d = widths[0]
    peaks = average_peaks(d, n_draws, n_keys)
    return {"d": d, "raw": float(peaks["raw"]), "scaled": float(peaks["scaled"])}
