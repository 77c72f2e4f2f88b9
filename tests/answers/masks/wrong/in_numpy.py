"""In NumPy, which has no gradients and no bfloat16.

Loses: test-full-row-policy, test-care
Diagnosis: the weights are computed in NumPy
"""

import numpy as np


def masked_softmax(scores, mask):
    x = np.where(mask.numpy(), scores.detach().numpy(), -np.inf)
    peak = np.where(np.isinf(x.max(-1, keepdims=True)), 0, x.max(-1, keepdims=True))
    e = np.exp(x - peak)
    total = e.sum(-1, keepdims=True)
    return torch.from_numpy(e / np.where(total == 0, 1, total)).to(scores.dtype)
