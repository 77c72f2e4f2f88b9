"""A list of rows instead of a dict of columns.

Loses: test-peak-table
Diagnosis: a list of rows is returned instead of a dict of columns
"""


def peak_table(widths, n_draws, n_keys):
    return [{"d": d, **average_peaks(d, n_draws, n_keys)} for d in widths]
