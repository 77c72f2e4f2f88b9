"""Tensors made like `widths`, of whole numbers therefore.

Loses: test-peak-table
Diagnosis: the numbers are put into a tensor of whole numbers
"""


def peak_table(widths, n_draws, n_keys):
    d = torch.tensor(widths)
    raw, scaled = torch.zeros_like(d), torch.zeros_like(d)
    for i, width in enumerate(widths):
        peaks = average_peaks(width, n_draws, n_keys)
        raw[i] = peaks["raw"]
        scaled[i] = peaks["scaled"]
    return {"d": d, "raw": raw, "scaled": scaled}
