"""A seed inside, so that the table always comes out the same.

Loses: test-peak-table
Diagnosis: the same random numbers come in every call, because of a seed inside or of numbers drawn only once, outside
"""


def peak_table(widths, n_draws, n_keys):
    torch.manual_seed(42)
    rows = []
    for d in widths:
        rows.append(average_peaks(d, n_draws, n_keys))
    return {"d": list(widths), "raw": [r["raw"] for r in rows], "scaled": [r["scaled"] for r in rows]}
