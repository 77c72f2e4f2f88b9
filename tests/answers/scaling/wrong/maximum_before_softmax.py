"""Softmax of the largest score alone.

Loses: test-raw-peaks, test-scaled-peaks, test-peak-table
Diagnosis: the largest is taken of the scores instead of the weights, before softmax
"""


def average_peaks(d, n_draws, n_keys):
    raw = scaled = 0.0
    for _ in range(n_draws):
        q = torch.randn(1, d)
        k = torch.randn(n_keys, d)
        s = q @ k.T
        raw += s.max().softmax(-1).item()
        scaled += (s / math.sqrt(d)).max().softmax(-1).item()
    return {"raw": raw / n_draws, "scaled": scaled / n_draws}
