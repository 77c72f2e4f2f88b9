"""FlashAttention by tiles: exact attention that never holds the T×S matrix.

Dao et al. 2022, algorithms 1 (forward) and 4 (backward), with the loop over queries outside and
one number kept for each row, as in Dao 2023, "FlashAttention-2", algorithm 1. A softmax that goes
on while its scores are still arriving is from Milakov & Gimelshein 2018, algorithm 3.

Written to be read, and to show the memory. `torch.nn.functional.scaled_dot_product_attention` does
the same inside one kernel, where it also saves time, and is the one to use in production.
"""

import math
from collections.abc import Iterator

import torch
from jaxtyping import Bool, Float
from torch import Tensor
from torch.autograd.function import once_differentiable

from helpers.inputs import check_operands, require_positive
from helpers.masks import check_mask


def tiled_attention(
    q: Float[Tensor, "*batch T d_k"],
    k: Float[Tensor, "*batch S d_k"],
    v: Float[Tensor, "*batch S d_v"],
    mask: Bool[Tensor, "..."] | None = None,
    *,
    causal: bool = False,
    tile: int = 128,
) -> Float[Tensor, "*batch T d_v"]:
    """softmax(QKᵀ/√d_k)V, a tile of queries and a tile of keys at a time.

    Equal to `scaled_dot_product_attention` up to rounding, outputs and gradients. Beyond its
    output it needs memory for a few tiles, O(tile²) for each head, and for the backward pass one
    number a row; the arithmetic is as much as ever. Half-precision numbers are added up in single
    precision. The gradients cannot be differentiated again.

    Args:
        q: `(T, d_k)`, `(N, T, d_k)` or `(N, h, T, d_k)` queries.
        k: the same with S for T: keys.
        v: the same with S for T and d_v for d_k: values, finite even where the mask hides them.
        mask: boolean, True = may attend, `(T, S)` or of the rank of q, broadcastable to
            `(…, T, S)`. Axes of length 1 are never expanded.
        causal: hide later keys as well, without a mask, and skip the tiles that lie above the
            diagonal. The queries are the last T of S positions, as they are with a cache: with
            T = S this is `causal_mask(T)`.
        tile: how many queries, and how many keys, make a tile.

    Returns:
        `(…, T, d_v)`.

    Raises:
        ValueError: as in `scaled_dot_product_attention`; tile is not a positive whole number;
            causal with more queries than keys, or with a mask that leaves a query no key that is
            not later.
    """
    check_operands(q=q, k=k, v=v)
    require_positive("tile", tile)
    T, S = q.shape[-2], k.shape[-2]
    if causal and T > S:
        raise ValueError(
            "causal attention takes the queries to be the last T of S positions, so T may not "
            f"exceed S, got T={T} and S={S}"
        )
    if mask is not None:
        # Only a shape is asked for: one number, expanded, is no T×S matrix.
        check_mask(mask, q.new_empty(1).expand(*q.shape[:-1], S), causal=causal)
    first_query = S - T if causal else None
    return _TiledAttention.apply(q, k, v, mask, first_query, tile)


class _TiledAttention(torch.autograd.Function):
    """The paper's two passes, with its letters: S scores, P weights, m a row's largest score,
    ℓ its sum of exponentials, O the output, L = m + ln ℓ.

    first_query is the position of the first query if attention is causal, otherwise None.
    """

    @staticmethod
    def forward(ctx, q, k, v, mask, first_query, tile):
        precise = torch.promote_types(q.dtype, torch.float32)  # what sums are kept in
        output = q.new_empty(*q.shape[:-1], v.shape[-1])  # O: (…, T, d_v)
        logsumexp = q.new_empty(*q.shape[:-1], 1, dtype=precise)  # L: (…, T, 1)
        for rows, tiles in _tiles(q.shape[-2], k.shape[-2], tile, first_query):
            q_tile = q[..., rows, :].to(precise) / math.sqrt(q.shape[-1])  # (…, tile, d_k)
            # The lowest finite number stands for −∞, the maximum of nothing: a row whose first tiles
            # hide every key would otherwise meet −∞ − (−∞), which is NaN.
            largest = torch.full_like(q_tile[..., :1], torch.finfo(precise).min)  # m: (…, tile, 1)
            total = torch.zeros_like(largest)  # ℓ: (…, tile, 1)
            mixed = q_tile.new_zeros(*q_tile.shape[:-1], v.shape[-1])  # (…, tile, d_v)
            for columns in tiles:
                scores = _scores(q_tile, k, mask, first_query, rows, columns)  # (…, tile, tile)
                new_largest = torch.maximum(largest, scores.amax(dim=-1, keepdim=True))
                weights = torch.exp(scores - new_largest)  # not yet divided by their sum
                rescale = torch.exp(largest - new_largest)  # what was summed so far had another m
                total = rescale * total + weights.sum(dim=-1, keepdim=True)
                mixed = rescale * mixed + weights @ v[..., columns, :].to(precise)
                largest = new_largest
            output[..., rows, :] = mixed / total
            logsumexp[..., rows, :] = largest + total.log()
        ctx.save_for_backward(q, k, v, mask, output, logsumexp)
        ctx.first_query, ctx.tile = first_query, tile
        return output

    @staticmethod
    @once_differentiable
    def backward(ctx, grad_output):
        """The weights were not kept: exp(S − L) makes them anew, a tile at a time."""
        q, k, v, mask, output, logsumexp = ctx.saved_tensors
        precise = logsumexp.dtype
        scale = 1 / math.sqrt(q.shape[-1])  # of S = Q·Kᵀ·scale, so it comes back with each gradient
        grad_q = torch.empty_like(q)
        grad_k = torch.zeros_like(k, dtype=precise)
        grad_v = torch.zeros_like(v, dtype=precise)
        for rows, tiles in _tiles(q.shape[-2], k.shape[-2], ctx.tile, ctx.first_query):
            q_tile = q[..., rows, :].to(precise) * scale
            grad_o = grad_output[..., rows, :].to(precise)  # (…, tile, d_v)
            # Softmax's gradient subtracts Σ_s P·dP from each row, and Σ_s P·(dO·v_s) = dO·O.
            mean = (grad_o * output[..., rows, :]).sum(dim=-1, keepdim=True)  # D: (…, tile, 1)
            grad_q_tile = torch.zeros_like(q_tile)
            for columns in tiles:
                scores = _scores(q_tile, k, mask, ctx.first_query, rows, columns)
                weights = torch.exp(scores - logsumexp[..., rows, :])  # P: (…, tile, tile)
                grad_weights = grad_o @ v[..., columns, :].to(precise).mT  # dP
                grad_scores = weights * (grad_weights - mean)  # dS
                grad_v[..., columns, :] += weights.mT @ grad_o
                grad_k[..., columns, :] += grad_scores.mT @ q_tile
                grad_q_tile += grad_scores @ k[..., columns, :].to(precise)
            grad_q[..., rows, :] = grad_q_tile * scale
        return grad_q, grad_k.to(k.dtype), grad_v.to(v.dtype), None, None, None


def _tiles(
    T: int, S: int, tile: int, first_query: int | None
) -> Iterator[tuple[slice, list[slice]]]:
    """Each tile of queries, with the tiles of keys of which it may see something."""
    for start in range(0, T, tile):
        end = min(start + tile, T)
        seen = S if first_query is None else first_query + end
        yield slice(start, end), [slice(i, min(i + tile, seen)) for i in range(0, seen, tile)]


def _scores(
    q_tile: Tensor,
    k: Tensor,
    mask: Tensor | None,
    first_query: int | None,
    rows: slice,
    columns: slice,
) -> Tensor:
    """S for one tile of queries, scaled already, and one of keys; −∞ where hidden."""
    k_tile = k[..., columns, :].to(q_tile.dtype)
    scores = q_tile @ k_tile.mT  # (…, tile, d_k)·(…, d_k, tile) → (…, tile, tile)
    if mask is not None:
        # An axis of length 1 speaks for all rows, or all columns: it is taken whole.
        of_rows = rows if mask.shape[-2] > 1 else slice(None)
        of_columns = columns if mask.shape[-1] > 1 else slice(None)
        scores = scores.masked_fill(~mask[..., of_rows, of_columns], -math.inf)
    if first_query is not None and columns.stop - 1 > first_query + rows.start:  # on the diagonal
        key = torch.arange(columns.start, columns.stop, device=k.device)
        query = torch.arange(rows.start, rows.stop, device=k.device) + first_query
        scores = scores.masked_fill(key[None, :] > query[:, None], -math.inf)
    return scores
