"""200 draws, whatever was asked for.

Loses: test-raw-peaks, test-scaled-peaks, test-peak-table
Diagnosis: the number of draws is not the one that was asked for
"""


def average_peaks(d, n_draws, n_keys):
    raw = scaled = 0
    for _ in range(200):
        s = torch.randn(1, d) @ torch.randn(n_keys, d).T
        raw += s.softmax(-1).max().item() / 200
        scaled += (s / math.sqrt(d)).softmax(-1).max().item() / 200
    return {"raw": raw, "scaled": scaled}
