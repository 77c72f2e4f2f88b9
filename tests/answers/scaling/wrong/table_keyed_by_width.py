"""Keeps the rows in a dict, so that a width that is asked for twice has one row.

Loses: test-peak-table
Diagnosis: a width that is asked for twice comes out once
"""


def peak_table(widths, n_draws, n_keys):
    rows = {d: average_peaks(d, n_draws, n_keys) for d in widths}
    return {
        "d": list(rows),
        "raw": [row["raw"] for row in rows.values()],
        "scaled": [row["scaled"] for row in rows.values()],
    }
