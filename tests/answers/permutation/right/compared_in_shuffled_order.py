"""Shuffles the first output instead of unshuffling the second."""


def same_after_unshuffling(y, y_shuffled, permutation):
    return bool(torch.max(torch.abs(y[permutation] - y_shuffled)) <= 1e-5)


def is_equivariant(x, permutation, w_q, w_k, w_v, positions=None):
    def outputs(tokens):
        with torch.no_grad():
            return self_attention(tokens if positions is None else tokens + positions, w_q, w_k, w_v)

    return same_after_unshuffling(outputs(x), outputs(x[permutation]), permutation)


def moved_along(mask, permutation):
    p = torch.tensor(permutation)
    return mask[p[:, None], p[None, :]]
