"""Divided by 4, the root of the 16 one looks at first.

Loses: test-scaled-peaks, test-peak-table
Diagnosis: the scores are divided by a number that does not depend on d
"""


def average_peaks(d, n_draws, n_keys):
    raw = scaled = 0.0
    for _ in range(n_draws):
        scores = torch.randn(1, d) @ torch.randn(n_keys, d).T
        raw += scores.softmax(dim=1).max().item() / n_draws
        scaled += (scores / 4).softmax(dim=1).max().item() / n_draws
    return {"raw": raw, "scaled": scaled}
