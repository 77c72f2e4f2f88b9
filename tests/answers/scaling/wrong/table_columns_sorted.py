"""Each column sorted, because it looks better.

Loses: test-peak-table
Diagnosis: the numbers of a column stand in another order than the widths beside them, as when they are sorted by size
"""


def peak_table(widths, n_draws, n_keys):
    peaks = [average_peaks(d, n_draws, n_keys) for d in widths]
    raw = [float(p["raw"]) for p in peaks]
    scaled = [float(p["scaled"]) for p in peaks]
    raw.sort()
    scaled.sort()
    return {"d": list(widths), "raw": raw, "scaled": scaled}
