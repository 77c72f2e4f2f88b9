"""The first key serves as the query.

Loses: test-raw-peaks, test-scaled-peaks, test-peak-table
Diagnosis: the query is one of the keys
"""


def average_peaks(d, n_draws, n_keys):
    raw = scaled = 0
    for _ in range(n_draws):
        x = torch.randn(n_keys, d)
        s = x[:1] @ x.T
        raw += s.softmax(-1).max().item()
        scaled += (s / math.sqrt(d)).softmax(-1).max().item()
    return {"raw": raw / n_draws, "scaled": scaled / n_draws}
