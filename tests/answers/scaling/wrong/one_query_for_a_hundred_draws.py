"""A hundred draws at a time, each with keys of its own, but one query for the hundred.

Loses: test-raw-peaks, test-scaled-peaks
Diagnosis: one query serves all the draws of a call
"""


def average_peaks(d, n_draws, n_keys):
    raw, scaled = [], []
    for start in range(0, n_draws, 100):
        portion = min(100, n_draws - start)
        q = torch.randn(1, d)
        k = torch.randn(portion * n_keys, d)
        scores = (q @ k.T).view(portion, n_keys)
        raw += scores.softmax(dim=-1).amax(dim=-1).tolist()
        scaled += (scores / math.sqrt(d)).softmax(dim=-1).amax(dim=-1).tolist()
    return {"raw": sum(raw) / n_draws, "scaled": sum(scaled) / n_draws}
