"""200 keys, whatever was asked for.

Loses: test-raw-peaks, test-scaled-peaks, test-peak-table
Diagnosis: the number of keys is not the one that was asked for
"""


def average_peaks(d, n_draws, n_keys):
    raw = scaled = 0
    for _ in range(n_draws):
        s = torch.randn(1, d) @ torch.randn(200, d).T
        raw += s.softmax(-1).max().item() / n_draws
        scaled += (s / math.sqrt(d)).softmax(-1).max().item() / n_draws
    return {"raw": raw, "scaled": scaled}
