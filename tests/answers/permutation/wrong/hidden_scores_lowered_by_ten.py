"""A penalty of 10 for hidden keys, which leaves them a share of e⁻¹⁰.

Loses: test-mask
Diagnosis: hidden scores are lowered by too little
"""


def self_attention(x, w_q, w_k, w_v, mask=None):
    scores = (x @ w_q) @ (x @ w_k).T / math.sqrt(w_k.shape[1])
    if mask is not None:
        scores = scores - 10.0 * ~mask
    return scores.softmax(-1) @ (x @ w_v)
