"""Multi-head attention (Vaswani et al. 2017, section 3.2.2), and a look at its weights.

Written to be read. `torch.nn.MultiheadAttention` computes the same.
"""

from collections.abc import Iterator
from contextlib import contextmanager

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from helpers.attention import attention_weights
from helpers.attention_positions import AttentionPositions
from helpers.cache import KeyValueCache
from helpers.inputs import check_states, require_positive, require_probability


class MultiHeadAttention(nn.Module):
    """h attentions side by side, each on its own projections of the whole input.

    Vaswani et al. 2017, section 3.2.2. Self-attention when called with x alone, cross-attention
    when a memory is given: queries from x, keys and values from the memory. With fewer key/value
    heads than heads, neighbouring heads share one (grouped-query attention, Ainslie et al. 2023,
    section 2.2; with a single one multi-query attention, Shazeer 2019).

    Args:
        d_model: width of the input and of the output.
        n_heads: number of heads h; each is `d_k = d_model / h` wide.
        dropout: probability of dropping a weight after softmax, in training mode only.
        bias: whether the four projections have a bias.
        n_kv_heads: number of key/value heads, a divisor of n_heads; n_heads if None.
        positions: how positions enter inside attention; they do not if None. For self-attention.

    Raises:
        ValueError: a size is not a positive whole number, d_model is not divisible by n_heads or
            n_heads by n_kv_heads, dropout lies outside [0, 1), positions are no `AttentionPositions`
            or made for heads of another width or number.
    """

    def __init__(
        self,
        d_model: int,
        n_heads: int,
        dropout: float = 0.1,
        bias: bool = True,
        n_kv_heads: int | None = None,
        positions: AttentionPositions | None = None,
    ):
        super().__init__()
        n_kv_heads = n_heads if n_kv_heads is None else n_kv_heads
        require_positive("d_model", d_model)
        require_positive("n_heads", n_heads)
        require_positive("n_kv_heads", n_kv_heads)
        if d_model % n_heads:
            raise ValueError(
                f"d_model must be divisible by n_heads, got d_model={d_model}, n_heads={n_heads}"
            )
        if n_heads % n_kv_heads:
            raise ValueError(
                "n_heads must be divisible by n_kv_heads, "
                f"got n_heads={n_heads}, n_kv_heads={n_kv_heads}"
            )
        require_probability("dropout", dropout)
        self.d_model = d_model
        self.n_heads = n_heads
        self.n_kv_heads = n_kv_heads
        self.d_k = d_model // n_heads
        self.query = nn.Linear(d_model, d_model, bias=bias)
        self.key = nn.Linear(d_model, n_kv_heads * self.d_k, bias=bias)
        self.value = nn.Linear(d_model, n_kv_heads * self.d_k, bias=bias)
        self.output = nn.Linear(d_model, d_model, bias=bias)
        self.dropout = nn.Dropout(dropout)
        self._check_positions(positions)
        self.positions = positions

    def forward(
        self,
        x: Float[Tensor, "N T d_model"],
        mask: Bool[Tensor, "..."] | None = None,
        memory: Float[Tensor, "N S d_model"] | None = None,
        cache: KeyValueCache | None = None,
    ) -> Float[Tensor, "N T d_model"]:
        """Attend from x to the memory, or to x itself.

        Args:
            x: `(N, T, d_model)`.
            mask: boolean, True = may attend, `(T, S)` or broadcastable to `(N, h, T, S)`.
            memory: `(N, S, d_model)`; x if None.
            cache: what was seen before. In self-attention x then goes on from there, S counts all
                positions so far, and the cache grows; in cross-attention it saves projecting
                the memory again.

        Returns:
            `(N, T, d_model)`.

        Raises:
            ValueError: x or memory is not of that shape, of another dtype than the weights (unless
                autocast converts it), or empty; the mask is refused; there is a memory although
                positions are inside; the cache is another batch's or another memory's.
        """
        check_states("x", x, self.d_model, self.query.weight.dtype)
        q = self._split(self.query(x), self.n_heads)
        if memory is not None:
            self._check_memory(memory, x)
            k, v = self._project_memory(memory, cache)
            return self._attend(q, k, v, mask)
        k = self._split(self.key(x), self.n_kv_heads)
        v = self._split(self.value(x), self.n_kv_heads)
        query_positions = None
        if self.positions is not None:
            seen = cache.seen_by(self) if cache is not None else 0
            query_positions = torch.arange(seen, seen + x.shape[1], device=x.device)
            q = self.positions.rotate(q, query_positions)
            k = self.positions.rotate(k, query_positions)
        if cache is not None:
            k, v = cache.extend(self, k, v)
        return self._attend(q, k, v, mask, query_positions)

    def _attend(
        self, q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None, query_positions: Tensor | None = None
    ) -> Tensor:
        """(N, h, T, d_k) queries, (N, h_kv, S, d_k) keys and values → (N, T, d_model)"""
        if self.n_kv_heads < self.n_heads:  # (N, h_kv, S, d_k) → (N, h, S, d_k)
            k, v = (t.repeat_interleave(self.n_heads // self.n_kv_heads, dim=1) for t in (k, v))
        bias = key_positions = None
        if self.positions is not None:
            key_positions = torch.arange(k.shape[2], device=k.device)
            bias = self.positions.score_bias(q, query_positions, key_positions)
        weights = self.dropout(attention_weights(q, k, mask, bias))
        heads = weights @ v  # (N, h, T, S)·(N, h, S, d_k) → (N, h, T, d_k)
        if self.positions is not None:
            from_positions = self.positions.value_bias(weights, query_positions, key_positions)
            heads = heads if from_positions is None else heads + from_positions
        merged = heads.transpose(1, 2).flatten(2)  # (N, h, T, d_k) → (N, T, h, d_k) → (N, T, h·d_k)
        return self.output(merged)

    def _project_memory(self, memory: Tensor, cache: KeyValueCache | None) -> tuple[Tensor, Tensor]:
        known = cache.memory_of(self, memory) if cache is not None else None
        if known is not None:
            return known
        k = self._split(self.key(memory), self.n_kv_heads)
        v = self._split(self.value(memory), self.n_kv_heads)
        if cache is not None:
            cache.keep_memory(self, k, v)
        return k, v

    def _split(self, projected: Tensor, heads: int) -> Tensor:
        """(N, T, h·d_k) → (N, T, h, d_k) → (N, h, T, d_k)"""
        return projected.unflatten(2, (heads, self.d_k)).transpose(1, 2)

    def _check_memory(self, memory: Tensor, x: Tensor) -> None:
        check_states("memory", memory, self.d_model, self.query.weight.dtype)
        if memory.shape[0] != x.shape[0]:
            raise ValueError(
                "memory must have the batch size of x, "
                f"got x {tuple(x.shape)} and memory {tuple(memory.shape)}"
            )
        if self.positions is not None:
            raise ValueError(
                "positions inside attention compare places in one sequence, so they go with "
                f"self-attention only; got {type(self.positions).__name__} and a memory"
            )

    def _check_positions(self, positions: AttentionPositions | None) -> None:
        if positions is not None and not isinstance(positions, AttentionPositions):
            raise ValueError(
                "positions must be AttentionPositions, such as RotaryPositions(d_k), or None, "
                f"got {positions!r}"
            )
        for name in ("d_k", "n_heads"):  # what broadcasts would otherwise go unnoticed
            made_for = getattr(positions, name, None)
            if made_for is not None and made_for != getattr(self, name):
                raise ValueError(
                    f"{type(positions).__name__} was made for {name}={made_for}, "
                    f"got heads with {name}={getattr(self, name)}"
                )


@contextmanager
def record_weights(model: nn.Module) -> Iterator[dict[str, Float[Tensor, "N h T S"]]]:
    """Keep the weights of every `MultiHeadAttention` in a model while it runs.

    Nothing is computed a second time: these are the weights each attention used, with its own
    mask, before dropout.

    Yields:
        A dict that each call of the model fills anew: the attention's name in the model
        (`named_modules`) → its weights `(N, h, T, S)`, detached.

    Raises:
        ValueError: the model holds no `MultiHeadAttention`.
    """
    recorded: dict[str, Tensor] = {}
    attentions = {
        name: module
        for name, module in model.named_modules()
        if isinstance(module, MultiHeadAttention)
    }
    if not attentions:
        raise ValueError(f"the model must hold a MultiHeadAttention, got {type(model).__name__}")

    def keep(name: str):
        return lambda _, inputs: recorded.__setitem__(name, inputs[0].detach())

    hooks = [
        module.dropout.register_forward_pre_hook(keep(name)) for name, module in attentions.items()
    ]
    try:
        yield recorded
    finally:
        for hook in hooks:
            hook.remove()
