"""A table of one row instead of two numbers.

Loses: test-raw-peaks, test-scaled-peaks, test-peak-table
Diagnosis: each average stands in a list or tensor, as in a column, instead of being a single number
"""


def average_peaks(d, n_draws, n_keys):
    raw = scaled = 0.0
    for _ in range(n_draws):
        s = torch.randn(1, d) @ torch.randn(n_keys, d).T
        raw += s.softmax(-1).max().item()
        scaled += (s / math.sqrt(d)).softmax(-1).max().item()
    return {"d": [d], "raw": [raw / n_draws], "scaled": [scaled / n_draws]}
