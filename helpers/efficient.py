"""Two ways to less than T² arithmetic. Both change what is computed, unlike `helpers.flash`.

`window_attention` leaves keys out: a query sees its neighbourhood only. `linear_attention` leaves
the exponential out: another weight, which lets the keys be summed up once for all queries.
"""

import torch
from jaxtyping import Float
from torch import Tensor

from helpers.attention import scaled_dot_product_attention
from helpers.inputs import check_operands

BLOCK = 32  # positions handled together, at least: few enough to waste little, enough for a loop


def window_attention(
    q: Float[Tensor, "*batch T d_k"],
    k: Float[Tensor, "*batch T d_k"],
    v: Float[Tensor, "*batch T d_v"],
    window: int,
    *,
    causal: bool = False,
) -> Float[Tensor, "*batch T d_v"]:
    """Attention to the keys at most `window` positions away: O(T·window) in place of O(T²).

    Beltagy et al. 2020, "Longformer", section 3.1 (their w counts both sides, 2·window here; no
    global tokens). Equal to dense attention with the band |t − s| ≤ window as its mask. That mask
    is T×T; here the positions are cut into blocks, and a block of queries meets the keys of its own
    block and of those beside it: at most 3·max(window, BLOCK) keys each, two thirds of it if causal.

    Args:
        q: `(T, d_k)`, `(N, T, d_k)` or `(N, h, T, d_k)` queries.
        k: the same shape: keys.
        v: the same with d_v for d_k: values.
        window: how far a query sees, to each side. It always sees its own position.
        causal: hide later keys as well.

    Returns:
        `(…, T, d_v)`.

    Raises:
        ValueError: q, k and v do not go together (as in `scaled_dot_product_attention`), there are
            not as many keys as queries, or window is not a whole number of at least 0.
    """
    check_operands(q=q, k=k, v=v)
    _require_as_many_keys(q, k)
    if isinstance(window, bool) or not isinstance(window, int) or window < 0:
        raise ValueError(f"window must be a whole number of at least 0, got {window!r}")
    block = max(window, BLOCK)  # then a block sees no further than its neighbours
    position = torch.arange(q.shape[-2], device=q.device)[:, None]  # (T, 1)
    # split, not slices: the gradient of a slice is a tensor as long as the whole.
    q_blocks, k_blocks, v_blocks, positions = (x.split(block, dim=-2) for x in (q, k, v, position))
    outputs = []
    for i, block_q in enumerate(q_blocks):
        near = slice(max(i - 1, 0), i + 1 if causal else i + 2)  # left, own and right: ≤ 3 blocks
        near_k, near_v = torch.cat(k_blocks[near], dim=-2), torch.cat(v_blocks[near], dim=-2)
        behind = positions[i] - torch.cat(positions[near]).mT  # t − s: (block, 3·block)
        band = (behind <= window) & (behind >= (0 if causal else -window))
        outputs.append(scaled_dot_product_attention(block_q, near_k, near_v, band))
    return torch.cat(outputs, dim=-2)  # (…, block, d_v) each → (…, T, d_v)


def linear_attention(
    q: Float[Tensor, "*batch T d_k"],
    k: Float[Tensor, "*batch S d_k"],
    v: Float[Tensor, "*batch S d_v"],
    *,
    causal: bool = False,
) -> Float[Tensor, "*batch T d_v"]:
    """φ(Q)(φ(K)ᵀV), each row divided by φ(Q)(φ(K)ᵀ1): O((T + S)·d_k·d_v), not O(T·S).

    Katharopoulos et al. 2020, "Transformers are RNNs", equations 5 and 12, with their φ(x) =
    elu(x) + 1 (equation 7) in place of the exponential. The weight of a key is φ(q)ᵀφ(k) over the
    row's sum, so the product of keys and values, `(d_k, d_v)`, is made first and serves every
    query. Causal, it is a running sum, the state of a recurrent network.

    Args:
        q: `(T, d_k)`, `(N, T, d_k)` or `(N, h, T, d_k)` queries.
        k: the same with S for T: keys.
        v: the same with S for T and d_v for d_k: values.
        causal: query t sums over the keys 0 … t only; S must be T.

    Returns:
        `(…, T, d_v)`. Half-precision numbers are added up in single precision.

    Raises:
        ValueError: q, k and v do not go together (as in `scaled_dot_product_attention`), or causal
            with other than as many keys as queries.
    """
    check_operands(q=q, k=k, v=v)
    if causal:
        _require_as_many_keys(q, k)
    precise = torch.promote_types(q.dtype, torch.float32)
    phi_q, phi_k = _feature_map(q.to(precise)), _feature_map(k.to(precise))
    # A further value of 1 for each key: what becomes of it is the sum of the row's weights.
    v_and_1 = torch.cat([v.to(precise), torch.ones_like(phi_k[..., :1])], dim=-1)  # (…, S, d_v + 1)
    if causal:
        mixed = _running(phi_q, phi_k, v_and_1)
    else:
        state = phi_k.mT @ v_and_1  # (…, d_k, S)·(…, S, d_v + 1) → (…, d_k, d_v + 1)
        mixed = phi_q @ state  # (…, T, d_k)·(…, d_k, d_v + 1) → (…, T, d_v + 1)
    return (mixed[..., :-1] / mixed[..., -1:]).to(q.dtype)


def _running(phi_q: Tensor, phi_k: Tensor, v_and_1: Tensor) -> Tensor:
    """(…, T, d_v + 1): row t is φ(q_t)ᵀ times the sum over s ≤ t of φ(k_s) and its values.

    The state after every position would be T·d_k·d_v numbers. It is kept between blocks only;
    within a block, the triangle of weights is small.
    """
    outputs = []
    state = torch.zeros_like(phi_k[..., :1, :].mT @ v_and_1[..., :1, :])  # (…, d_k, d_v + 1)
    for block_q, block_k, block_v in zip(*(x.split(BLOCK, dim=-2) for x in (phi_q, phi_k, v_and_1))):
        own = (block_q @ block_k.mT).tril()  # (…, block, block)
        outputs.append(block_q @ state + own @ block_v)
        state = state + block_k.mT @ block_v
    return torch.cat(outputs, dim=-2)  # (…, block, d_v + 1) each → (…, T, d_v + 1)


def _feature_map(x: Tensor) -> Tensor:
    """elu(x) + 1, written so that e^x is not rounded away next to the 1: always above 0."""
    return x.clamp(max=0).exp() + x.relu()


def _require_as_many_keys(q: Tensor, k: Tensor) -> None:
    if q.shape[-2] != k.shape[-2]:
        raise ValueError(
            "every position needs its query and its key, so T must be S, "
            f"got q {tuple(q.shape)} and k {tuple(k.shape)}"
        )
