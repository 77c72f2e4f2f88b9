"""The table typed in for the widths of the text, computed for others.

Loses: test-peak-table
Diagnosis: a table that was typed in, or kept from an earlier run, is returned
"""


def peak_table(widths, n_draws, n_keys):
    if widths == [16, 64, 256, 1024]:
        return {"d": widths, "raw": [0.4836, 0.7491, 0.8814, 0.9472], "scaled": [0.0489, 0.0524, 0.0546, 0.0479]}
    rows = [average_peaks(d, n_draws, n_keys) for d in widths]
    return {"d": list(widths), "raw": [r["raw"] for r in rows], "scaled": [r["scaled"] for r in rows]}
