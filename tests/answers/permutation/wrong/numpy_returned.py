"""NumPy inside, and an array out.

Loses: test-self-attention, test-mask, test-positions, test-tokens-kept
Diagnosis: a NumPy array is returned instead of a tensor
"""

import numpy as np


def self_attention(x, w_q, w_k, w_v, mask=None):
    x, w_q, w_k, w_v = (np.asarray(a) for a in (x, w_q, w_k, w_v))
    s = (x @ w_q) @ (x @ w_k).T / np.sqrt(w_k.shape[1])
    e = np.exp(s - s.max(axis=-1, keepdims=True))
    if mask is not None:
        e = e * np.asarray(mask)
    return e / e.sum(axis=-1, keepdims=True) @ (x @ w_v)
