"""The loop begins at 1.

Loses: test-peak-table
Diagnosis: the averages of the first width are left out
"""


def peak_table(widths, n_draws, n_keys):
    raw, scaled = [], []
    for i in range(1, len(widths)):
        p = average_peaks(widths[i], n_draws, n_keys)
        raw.append(p["raw"])
        scaled.append(p["scaled"])
    return {"d": widths, "raw": raw, "scaled": scaled}
