"""Warns, and writes to stderr."""

import sys
import warnings


def unshuffled(y, permutation):
    warnings.warn("this makes a copy")
    out = y.clone()
    for place in range(len(permutation)):
        out[permutation[place]] = y[place]
    return out


def same_after_unshuffling(y, y_shuffled, permutation):
    largest = float((unshuffled(y_shuffled, permutation) - y).abs().max())
    print("largest difference", largest, file=sys.stderr)
    return largest <= 1e-5


def tokens_kept(x, permutation, w_q, w_k, w_v, mask, shuffled_mask):
    warnings.warn("nothing to worry about", DeprecationWarning)
    before = self_attention(x, w_q, w_k, w_v, mask)
    after = self_attention(x[permutation], w_q, w_k, w_v, shuffled_mask)
    print(before.shape, after.shape, file=sys.stderr)
    return [int(token) for place, token in enumerate(permutation)
            if float((before[token] - after[place]).abs().max()) <= 1e-5]
