"""A seed inside the function, so that every call gives the same.

Loses: test-raw-peaks, test-scaled-peaks, test-peak-table
Diagnosis: the same random numbers come in every call, because of a seed inside or of numbers drawn only once, outside
"""


def average_peaks(d, n_draws, n_keys):
    torch.manual_seed(0)
    raw = scaled = 0
    for _ in range(n_draws):
        s = torch.randn(1, d) @ torch.randn(n_keys, d).T
        raw += s.softmax(-1).max().item() / n_draws
        scaled += (s / math.sqrt(d)).softmax(-1).max().item() / n_draws
    return {"raw": raw, "scaled": scaled}
