"""Draws the weights: one picture left open, one closed."""

import matplotlib.pyplot as plt


def self_attention(x, w_q, w_k, w_v, mask=None):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    scores = (q / math.sqrt(q.shape[-1])) @ k.T
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    A = scores.softmax(-1)
    fig = plt.figure(1)
    fig.clear()
    fig.gca().imshow(A.detach())
    return A @ v


def moved_along(mask, permutation):
    moved = mask[permutation, :][:, permutation]
    fig, axes = plt.subplots(1, 2)
    axes[0].imshow(mask)
    axes[1].imshow(moved)
    plt.close(fig)
    return moved
