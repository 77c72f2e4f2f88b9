"""All draws in one tensor, but for the query: that is one.

Loses: test-raw-peaks, test-scaled-peaks
Diagnosis: one query serves all the draws of a call
"""


def average_peaks(d, n_draws, n_keys):
    keys = torch.randn(n_draws, n_keys, d)
    query = torch.randn(d)
    scores = keys @ query  # (n_draws, n_keys)
    raw = torch.softmax(scores, dim=1).max(dim=1).values
    scaled = torch.softmax(scores / math.sqrt(d), dim=1).max(dim=1).values
    return {"raw": raw.mean().item(), "scaled": scaled.mean().item()}
