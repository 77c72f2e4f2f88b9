"""The permutation as a matrix: P x shuffles, Pᵀ y shuffles back, P M Pᵀ moves a mask."""


def matrix(permutation, dtype):
    return torch.nn.functional.one_hot(torch.tensor(permutation), len(permutation)).to(dtype)


def unshuffled(y, permutation):
    return matrix(permutation, y.dtype).T @ y


def is_equivariant(x, permutation, w_q, w_k, w_v, positions=0):
    P = matrix(permutation, x.dtype)
    y = self_attention(x + positions, w_q, w_k, w_v)
    return (P @ y - self_attention(P @ x + positions, w_q, w_k, w_v)).abs().max() <= 1e-5


def moved_along(mask, permutation):
    P = matrix(permutation, torch.float32)
    return (P @ mask.float() @ P.T).bool()


def tokens_kept(x, permutation, w_q, w_k, w_v, mask, shuffled_mask):
    P = matrix(permutation, x.dtype)
    y = self_attention(x, w_q, w_k, w_v, mask)
    gap = y - P.T @ self_attention(P @ x, w_q, w_k, w_v, shuffled_mask)
    return sorted({i for i, row in enumerate(gap) if row.abs().max() <= 1e-5}, reverse=True)
