"""Each width puts its numbers where those of the one before stand.

Loses: test-peak-table
Diagnosis: a column is the number of a single width: each overwrites the one before instead of being appended to
    a list, or only one is asked for
"""


def peak_table(widths, n_draws, n_keys):
    table = {"d": [], "raw": [], "scaled": []}
    for d in widths:
        p = average_peaks(d, n_draws, n_keys)
        table["d"] = d
        table["raw"] = p["raw"]
        table["scaled"] = p["scaled"]
    return table
