"""The two averages of the first width.

Loses: test-peak-table
Diagnosis: a column is the number of a single width: each overwrites the one before instead of being appended to
    a list, or only one is asked for
"""


def peak_table(widths, n_draws, n_keys):
    d = widths[0]
    peaks = average_peaks(d, n_draws, n_keys)
    return {"d": d, "raw": float(peaks["raw"]), "scaled": float(peaks["scaled"])}
