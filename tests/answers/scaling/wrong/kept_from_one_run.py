"""Computed once, for the sizes of the text, and handed out ever since.

Loses: test-raw-peaks, test-scaled-peaks, test-peak-table
Diagnosis: numbers typed in, or kept from an earlier run, are returned instead of numbers computed now
"""


scores = torch.randn(200, 16) @ torch.randn(200, 16).T
RAW = scores.softmax(1).max(1).values.mean().item()
SCALED = (scores / 4).softmax(1).max(1).values.mean().item()


def average_peaks(d, n_draws, n_keys):
    return {"raw": RAW, "scaled": SCALED}
