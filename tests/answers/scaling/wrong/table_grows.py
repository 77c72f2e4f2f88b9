"""Lists as default arguments, which live on from call to call.

Loses: test-peak-table
Says: Are the lists made anew in every call, before its loop
"""


def peak_table(widths, n_draws, n_keys, raw=[], scaled=[]):
    for d in widths:
        peaks = average_peaks(d, n_draws, n_keys)
        raw.append(peaks["raw"])
        scaled.append(peaks["scaled"])
    return {"d": list(widths), "raw": raw, "scaled": scaled}
