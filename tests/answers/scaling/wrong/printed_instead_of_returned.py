"""Prints and returns nothing.

Loses: test-raw-peaks, test-scaled-peaks, test-peak-table
Diagnosis: nothing is returned (printing a result does not return it)
"""


def average_peaks(d, n_draws, n_keys):
    print({"raw": 0.5, "scaled": 0.05})
