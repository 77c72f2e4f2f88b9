"""The division stands under the wrong name; all draws share their keys.

Loses: test-raw-peaks, test-scaled-peaks, test-peak-table
Diagnosis: raw and scaled are swapped
"""


def average_peaks(d, n_draws, n_keys):
    q = torch.randn(n_draws, d)
    k = torch.randn(n_keys, d)
    raw = q @ k.T / d**0.5
    scaled = q @ k.T
    return {"raw": raw.softmax(-1).amax(-1).mean().item(), "scaled": scaled.softmax(-1).amax(-1).mean().item()}
