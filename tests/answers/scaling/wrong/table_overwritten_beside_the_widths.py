"""The widths are kept, and of the averages those of the last.

Loses: test-peak-table
Diagnosis: a column is the number of a single width: each overwrites the one before instead of being appended to
    a list, or only one is asked for
"""


def peak_table(widths, n_draws, n_keys):
    for d in widths:
        peaks = average_peaks(d, n_draws, n_keys)
    return {"d": widths, "raw": peaks["raw"], "scaled": peaks["scaled"]}
