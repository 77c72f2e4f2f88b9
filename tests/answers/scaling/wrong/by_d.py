"""Divided by d instead of its root.

Loses: test-scaled-peaks, test-peak-table
Diagnosis: the scores are divided by d instead of its root
"""


def average_peaks(d, n_draws, n_keys):
    raw = scaled = 0.0
    for _ in range(n_draws):
        q = torch.randn(1, d)
        k = torch.randn(n_keys, d)
        s = q @ k.T
        raw += s.softmax(-1).max().item()
        scaled += (s / d).softmax(-1).max().item()
    return {"raw": raw / n_draws, "scaled": scaled / n_draws}
