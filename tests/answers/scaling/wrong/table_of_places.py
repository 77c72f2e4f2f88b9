"""The place of a width instead of the width.

Loses: test-peak-table
Diagnosis: the place of each width in the list (0, 1, 2, …) reaches average_peaks instead of the width
"""


def peak_table(widths, n_draws, n_keys):
    table = {"d": widths, "raw": [], "scaled": []}
    for i, d in enumerate(widths):
        peaks = average_peaks(i, n_draws, n_keys)
        table["raw"].append(peaks["raw"])
        table["scaled"].append(peaks["scaled"])
    return table
