"""Uniform numbers instead of normal ones.

Loses: test-raw-peaks, test-scaled-peaks, test-peak-table
Diagnosis: the random numbers are uniform between 0 and 1 instead of standard normal
"""


def average_peaks(d, n_draws, n_keys):
    raw = scaled = 0
    for _ in range(n_draws):
        s = torch.rand(1, d) @ torch.rand(n_keys, d).T
        raw += s.softmax(-1).max().item() / n_draws
        scaled += (s / math.sqrt(d)).softmax(-1).max().item() / n_draws
    return {"raw": raw, "scaled": scaled}
