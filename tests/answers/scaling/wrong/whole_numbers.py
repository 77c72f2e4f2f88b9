"""Whole numbers: an integer dtype for what lies between 0 and 1.

Loses: test-raw-peaks, test-scaled-peaks, test-peak-table
Diagnosis: the averages are cut down to whole numbers
"""


def average_peaks(d, n_draws, n_keys):
    peaks = torch.zeros(2)
    for _ in range(n_draws):
        s = torch.randn(n_keys, d) @ torch.randn(d)
        peaks += torch.stack([s.softmax(0).max(), (s / d**0.5).softmax(0).max()])
    raw, scaled = (peaks / n_draws).to(torch.int64)
    return {"raw": raw, "scaled": scaled}
