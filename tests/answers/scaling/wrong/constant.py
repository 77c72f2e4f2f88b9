"""The same two numbers for everybody.

Loses: test-raw-peaks, test-scaled-peaks, test-peak-table
Diagnosis: numbers typed in, or kept from an earlier run, are returned instead of numbers computed now
"""


def average_peaks(d, n_draws, n_keys):
    return {"raw": 0.5, "scaled": 0.05}
