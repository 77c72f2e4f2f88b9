"""Query and keys are divided by √d, each of them.

Loses: test-scaled-peaks, test-peak-table
Diagnosis: the scores are divided by d instead of its root
"""


def average_peaks(d, n_draws, n_keys):
    q = torch.randn(n_draws, 1, d)
    k = torch.randn(n_draws, n_keys, d)
    raw = q @ k.transpose(1, 2)
    scaled = (q / d**0.5) @ (k / d**0.5).transpose(1, 2)
    return {"raw": raw.softmax(2).amax(2).mean(), "scaled": scaled.softmax(2).amax(2).mean()}
