"""−inf, softmax, nan_to_num; the complement of the mask; `inference_mode` for all; plain `for`."""


@torch.inference_mode()
def self_attention(x, w_q, w_k, w_v, mask=None):
    queries, keys, values = x @ w_q, x @ w_k, x @ w_v
    logits = queries @ keys.t() / (keys.shape[-1] ** 0.5)
    if mask is not None:
        forbidden = torch.ones_like(mask) ^ mask
        logits = logits.masked_fill(forbidden, float("-inf"))
    attention = torch.nan_to_num(torch.softmax(logits, dim=-1))
    return attention @ values


@torch.inference_mode()
def is_equivariant(x, permutation, w_q, w_k, w_v, positions=None):
    inputs = [x, x[torch.tensor(permutation)]]
    outputs = []
    for tokens in inputs:
        if positions is not None:
            tokens = tokens + positions
        outputs.append(self_attention(tokens, w_q, w_k, w_v))
    return same_after_unshuffling(outputs[0], outputs[1], permutation)
