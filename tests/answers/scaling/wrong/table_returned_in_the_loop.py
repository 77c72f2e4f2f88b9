"""The return is indented once too often.

Loses: test-peak-table
Diagnosis: the function returns inside the loop, with its first row alone
"""


def peak_table(widths, n_draws, n_keys):
    ds, raws, scaleds = [], [], []
    for d in widths:
        p = average_peaks(d, n_draws, n_keys)
        ds.append(d)
        raws.append(p["raw"])
        scaleds.append(p["scaled"])
        return {"d": ds, "raw": raws, "scaled": scaleds}
