"""NumPy inside, NumPy booleans out."""

import numpy as np


def self_attention(x, w_q, w_k, w_v, mask=None):
    q, k, v = [x.numpy() @ w.numpy() for w in (w_q, w_k, w_v)]
    e = np.exp(q @ k.T / math.sqrt(k.shape[1]))
    if mask is not None:
        e = e * mask.numpy()
    return torch.from_numpy(e / e.sum(axis=1, keepdims=True) @ v)


def unshuffled(y, permutation):
    return torch.from_numpy(y.numpy()[np.argsort(permutation)])


def same_after_unshuffling(y, y_shuffled, permutation):
    return np.all(np.abs(y.numpy()[permutation] - y_shuffled.numpy()) <= 1e-5)


def moved_along(mask, permutation):
    return torch.tensor(mask.numpy()[np.ix_(permutation, permutation)])


def tokens_kept(x, permutation, w_q, w_k, w_v, mask, shuffled_mask):
    y = self_attention(x, w_q, w_k, w_v, mask).numpy()[permutation]
    z = self_attention(x[permutation], w_q, w_k, w_v, shuffled_mask).numpy()
    return np.array(permutation)[np.abs(y - z).max(axis=1) <= 1e-5]
