"""The tokens that have not moved.

Loses: test-tokens-kept
Diagnosis: the answer is the tokens that have not moved
"""


def tokens_kept(x, permutation, w_q, w_k, w_v, mask, shuffled_mask):
    return [i for i, token in enumerate(permutation) if i == token]
