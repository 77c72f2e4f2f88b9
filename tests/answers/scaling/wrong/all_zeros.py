"""Zero everywhere.

Loses: test-raw-peaks, test-scaled-peaks, test-peak-table
"""


def average_peaks(d, n_draws, n_keys):
    return {"raw": torch.zeros(()), "scaled": torch.zeros(())}
