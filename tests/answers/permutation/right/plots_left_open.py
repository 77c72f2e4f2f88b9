"""Draws what it computes: one picture left open, one closed."""

import matplotlib.pyplot as plt


def is_equivariant(x, permutation, w_q, w_k, w_v, positions=None):
    before, after = x, x[permutation]
    if positions is not None:
        before, after = before + positions, after + positions
    y = self_attention(before, w_q, w_k, w_v)
    z = unshuffled(self_attention(after, w_q, w_k, w_v), permutation)
    plt.figure(1).clear()
    plt.plot((y - z).abs().amax(dim=1))
    return ((y - z).abs() <= 1e-5).all().item()


def moved_along(mask, permutation):
    moved = mask[permutation, :][:, permutation]
    fig = plt.figure()
    fig.gca().imshow(moved)
    plt.close(fig)
    return moved
