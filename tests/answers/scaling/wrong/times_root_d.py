"""Multiplied by √d.

Loses: test-scaled-peaks, test-peak-table
Diagnosis: the scores are multiplied by √d
"""


def average_peaks(d, n_draws, n_keys):
    raw = scaled = 0.0
    for _ in range(n_draws):
        q = torch.randn(1, d)
        k = torch.randn(n_keys, d)
        s = q @ k.T
        raw += s.softmax(-1).max().item()
        scaled += (s * math.sqrt(d)).softmax(-1).max().item()
    return {"raw": raw / n_draws, "scaled": scaled / n_draws}
