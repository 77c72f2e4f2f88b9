"""Headings of the student's own.

Loses: test-peak-table
Diagnosis: the columns have other names than in the text
"""


def peak_table(widths, n_draws, n_keys):
    rows = [average_peaks(d, n_draws, n_keys) for d in widths]
    return {"width": list(widths), "peak raw": [float(r["raw"]) for r in rows], "peak scaled": [float(r["scaled"]) for r in rows]}
