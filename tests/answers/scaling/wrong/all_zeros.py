"""Zero everywhere.

Loses: test-raw-peaks, test-scaled-peaks, test-peak-table
Diagnosis: nothing but zeros is returned
"""


def average_peaks(d, n_draws, n_keys):
    return {"raw": torch.zeros(()), "scaled": torch.zeros(())}
