"""Peaks gathered in a list, float64, inference mode, an ordered dict, and something printed."""

from collections import OrderedDict


@torch.inference_mode()
def average_peaks(d, n_draws, n_keys):
    print("working on", d)
    peaks_raw, peaks_scaled = [], []
    for i in range(n_draws):
        keys = torch.randn(d, n_keys, dtype=torch.float64)
        query = torch.randn(d, dtype=torch.float64)
        logits = query @ keys
        peaks_raw.append(logits.softmax(0).max())
        peaks_scaled.append(logits.mul(d ** -0.5).softmax(0).max())
    return OrderedDict(raw=torch.stack(peaks_raw).mean(), scaled=torch.stack(peaks_scaled).mean())
