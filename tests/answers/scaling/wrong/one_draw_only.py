"""Only the last draw counts.

Loses: test-raw-peaks, test-scaled-peaks, test-peak-table
Diagnosis: a single draw is returned instead of the average of all of them
"""


def average_peaks(d, n_draws, n_keys):
    for _ in range(n_draws):
        s = torch.randn(1, d) @ torch.randn(n_keys, d).T
        raw = s.softmax(-1).max().item()
        scaled = (s / math.sqrt(d)).softmax(-1).max().item()
    return {"raw": raw, "scaled": scaled}
