"""The lists are made inside the loop.

Loses: test-peak-table
Diagnosis: each width begins its lists anew, so that the row of the last alone is left
"""


def peak_table(widths, n_draws, n_keys):
    for d in widths:
        ds, raws, scaleds = [], [], []
        p = average_peaks(d, n_draws, n_keys)
        ds.append(d)
        raws.append(p["raw"])
        scaleds.append(p["scaled"])
    return {"d": ds, "raw": raws, "scaled": scaleds}
