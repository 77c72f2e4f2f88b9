"""The asked-for numbers typed in where they should be computed.

Loses: test-raw-peaks, test-scaled-peaks, test-peak-table
Diagnosis: numbers typed in, or kept from an earlier run, are returned instead of numbers computed now
"""


def average_peaks(d, n_draws, n_keys):
    return {"raw": {16: 0.4836, 64: 0.7491, 256: 0.8814, 1024: 0.9472}.get(d, 0.5), "scaled": 0.05}
