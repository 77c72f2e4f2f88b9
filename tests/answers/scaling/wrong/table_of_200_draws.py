"""The keys as asked for, the draws as in the text.

Loses: test-peak-table
Diagnosis: the table is made of another number of draws or keys than was asked for
"""


def peak_table(widths, n_draws, n_keys):
    table = {"d": [], "raw": [], "scaled": []}
    for width in widths:
        peaks = average_peaks(width, n_draws=200, n_keys=n_keys)
        table["d"].append(width)
        table["raw"].append(peaks["raw"])
        table["scaled"].append(peaks["scaled"])
    return table
