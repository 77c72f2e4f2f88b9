"""Returns the rows as a list.

Loses: test-unshuffled
Diagnosis: a list is returned instead of a tensor
"""


def unshuffled(y, permutation):
    return y[torch.argsort(torch.tensor(permutation))].tolist()


def same_after_unshuffling(y, y_shuffled, permutation):
    return bool((torch.tensor(unshuffled(y_shuffled, permutation)) - y).abs().max() <= 1e-5)


def tokens_kept(x, permutation, w_q, w_k, w_v, mask, shuffled_mask):
    y = self_attention(x, w_q, w_k, w_v, mask)
    z = torch.tensor(unshuffled(self_attention(x[permutation], w_q, w_k, w_v, shuffled_mask), permutation))
    return [i for i in range(len(x)) if (y[i] - z[i]).abs().max() <= 1e-5]
