"""The query is drawn once and serves for every draw.

Loses: test-raw-peaks, test-scaled-peaks
Diagnosis: one query serves all the draws of a call
"""


def average_peaks(d, n_draws, n_keys):
    q = torch.randn(1, d)
    raw = scaled = 0
    for _ in range(n_draws):
        s = q @ torch.randn(n_keys, d).T
        raw += s.softmax(-1).max().item() / n_draws
        scaled += (s / math.sqrt(d)).softmax(-1).max().item() / n_draws
    return {"raw": raw, "scaled": scaled}
