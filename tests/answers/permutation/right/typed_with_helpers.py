"""Type hints, helper functions, other names for all that is local."""


Matrix = torch.Tensor


def scaled_scores(queries: Matrix, keys: Matrix) -> Matrix:
    """Dot products of all queries with all keys, divided."""
    return torch.mm(queries, keys.T) * keys.shape[1] ** -0.5


def softmax_rows(scores: Matrix) -> Matrix:
    shifted: Matrix = scores - scores.amax(dim=1, keepdim=True)
    exponentials: Matrix = shifted.exp()
    return exponentials / exponentials.sum(dim=1, keepdim=True)


def self_attention(x: Matrix, w_q: Matrix, w_k: Matrix, w_v: Matrix, mask: Matrix | None = None) -> Matrix:
    scores = scaled_scores(x @ w_q, x @ w_k)
    if mask is not None:
        scores = torch.where(mask, scores, torch.full_like(scores, -math.inf))
    return torch.mm(softmax_rows(scores), x @ w_v)


def inverse_of(order: list[int]) -> list[int]:
    result = [0] * len(order)
    for place, token in enumerate(order):
        result[token] = place
    return result


def unshuffled(y: Matrix, permutation: list[int]) -> Matrix:
    return torch.index_select(y, 0, torch.tensor(inverse_of(permutation)))


def same_after_unshuffling(y: Matrix, y_shuffled: Matrix, permutation: list[int]) -> bool:
    return not (torch.abs(unshuffled(y_shuffled, permutation) - y) > 1e-5).any()


def is_equivariant(
    x: Matrix, permutation: list[int], w_q: Matrix, w_k: Matrix, w_v: Matrix, positions: Matrix | None = None
) -> bool:
    def attend(tokens: Matrix) -> Matrix:
        return self_attention(tokens if positions is None else tokens.add(positions), w_q, w_k, w_v)

    return same_after_unshuffling(attend(x), attend(x[permutation]), permutation)
