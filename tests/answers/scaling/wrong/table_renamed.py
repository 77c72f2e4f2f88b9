"""The function goes by a name of the student's own.

Loses: test-peak-table
Diagnosis: the function has another name, or the cell that defines it has not run to its end
"""


# %% peak-table
def table_of_peaks(widths, n_draws, n_keys):
    rows = [average_peaks(d, n_draws, n_keys) for d in widths]
    return {"d": list(widths), "raw": [r["raw"] for r in rows], "scaled": [r["scaled"] for r in rows]}


# %% show-peak-table
table_of_peaks([16, 64], 10, 10)
