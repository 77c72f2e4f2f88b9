"""Softmax over the queries, of which there is one.

Loses: test-raw-peaks, test-scaled-peaks, test-peak-table
Diagnosis: softmax runs over an axis that is not the keys'
"""


def average_peaks(d, n_draws, n_keys):
    raw = scaled = 0.0
    for _ in range(n_draws):
        q = torch.randn(1, d)
        k = torch.randn(n_keys, d)
        s = q @ k.T
        raw += s.softmax(0).max().item()
        scaled += (s / math.sqrt(d)).softmax(0).max().item()
    return {"raw": raw / n_draws, "scaled": scaled / n_draws}
