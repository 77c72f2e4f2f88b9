"""200 draws and 200 keys in every table.

Loses: test-peak-table
Diagnosis: the table is made of another number of draws or keys than was asked for
"""


def peak_table(widths, n_draws, n_keys):
    rows = [average_peaks(d, 200, 200) for d in widths]
    return {"d": list(widths), "raw": [r["raw"] for r in rows], "scaled": [r["scaled"] for r in rows]}
