"""The function of part 1 once more, for the first width.

Loses: test-peak-table
Diagnosis: the answer to part 1 stands in part 2
"""


def peak_table(widths, n_draws, n_keys):
    d = widths[0]
    return average_peaks(d, n_draws, n_keys)
