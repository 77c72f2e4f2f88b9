"""The built-in attends to the identity, so its output is the weights; gradients on by accident, a warning."""

import warnings
import torch.nn.functional as F


def average_peaks(d, n_draws, n_keys):
    warnings.warn("slow")
    eye = torch.eye(n_keys)[None]
    raw, scaled = torch.zeros((), requires_grad=True), torch.zeros((), requires_grad=True)
    for _ in range(n_draws):
        q, k = torch.randn(1, 1, d), torch.randn(1, n_keys, d)
        raw = raw + F.scaled_dot_product_attention(q, k, eye, scale=1.0).max()
        scaled = scaled + F.scaled_dot_product_attention(q, k, eye).max()
    return {"raw": raw / n_draws, "scaled": scaled / n_draws}
