"""The blocks a Transformer is stacked from (Vaswani et al. 2017, section 3.1)."""

from collections.abc import Callable

import torch.nn.functional as F
from jaxtyping import Bool, Float
from torch import Tensor, nn

from helpers.attention_positions import AttentionPositions
from helpers.cache import KeyValueCache
from helpers.inputs import check_states, form_of, require_positive
from helpers.multi_head import MultiHeadAttention


class FeedForward(nn.Module):
    """The same two-layer network at every position: widen, GELU, narrow.

    Vaswani et al. 2017, section 3.3, with GELU (Hendrycks & Gimpel 2016) where they have ReLU.

    Args:
        d_model: width of the input and of the output.
        d_ff: width in between; None stands for `4·d_model`.

    Raises:
        ValueError: a width is not a positive whole number.
    """

    def __init__(self, d_model: int, d_ff: int | None = None):
        super().__init__()
        require_positive("d_model", d_model)
        d_ff = 4 * d_model if d_ff is None else d_ff
        require_positive("d_ff", d_ff)
        self.widen = nn.Linear(d_model, d_ff)
        self.narrow = nn.Linear(d_ff, d_model)

    def forward(self, x: Float[Tensor, "*batch d_model"]) -> Float[Tensor, "*batch d_model"]:
        """The network, at each position alone.

        Raises:
            ValueError: x is not `(…, d_model)`.
        """
        d_model = self.widen.in_features
        if not isinstance(x, Tensor) or x.shape[-1:] != (d_model,):
            raise ValueError(f"x must be of shape (…, d_model={d_model}), got {form_of(x)}")
        return self.narrow(F.gelu(self.widen(x)))  # (…, d_model) → (…, d_ff) → (…, d_model)


class _Block(nn.Module):
    """What both blocks have: self-attention, a feed-forward network, a norm for each, and what is
    done with every part: normalise, apply, drop, add."""

    def __init__(
        self,
        d_model: int,
        n_heads: int,
        ff_mult: int = 4,
        dropout: float = 0.1,
        *,
        d_ff: int | None = None,
        bias: bool = True,
        norm_first: bool = True,
        n_kv_heads: int | None = None,
        positions: AttentionPositions | None = None,
    ):
        super().__init__()
        require_positive("ff_mult", ff_mult)
        self.attention = MultiHeadAttention(d_model, n_heads, dropout, bias, n_kv_heads, positions)
        self.feed_forward = FeedForward(d_model, ff_mult * d_model if d_ff is None else d_ff)
        self.attention_norm = nn.LayerNorm(d_model)
        self.feed_forward_norm = nn.LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first

    def _check(self, x: Tensor) -> None:
        check_states("x", x, self.attention.d_model, self.attention_norm.weight.dtype)

    def _residual(self, x: Tensor, norm: nn.Module, part: Callable[[Tensor], Tensor]) -> Tensor:
        """Pre-norm: x + f(LN(x)), with an untouched path from input to output. Post-norm, as in
        the original: LN(x + f(x))."""
        if self.norm_first:
            return x + self.dropout(part(norm(x)))
        return norm(x + self.dropout(part(x)))


class TransformerBlock(_Block):
    """Self-attention mixes the positions, then a feed-forward network works on each alone.

    Pre-norm (Xiong et al. 2020, section 3) unless told otherwise. Dropout falls on the attention
    weights and on each part's output before it is added (Vaswani et al. 2017, section 5.4);
    `nn.TransformerEncoderLayer` has one more inside the feed-forward network.

    Args:
        d_model: width of the input and of the output.
        n_heads: number of heads, a divisor of d_model.
        ff_mult: width of the feed-forward network's middle over d_model.
        dropout: probability, in training mode only.
        d_ff: that middle width itself, in place of ff_mult.
        bias: whether the four projections of the attention have a bias.
        norm_first: pre-norm; post-norm if False.
        n_kv_heads, positions: as in `MultiHeadAttention`.

    Raises:
        ValueError: a size, dropout or the number of heads is refused (`MultiHeadAttention`).
    """

    def forward(
        self,
        x: Float[Tensor, "N T d_model"],
        mask: Bool[Tensor, "..."] | None = None,
        cache: KeyValueCache | None = None,
    ) -> Float[Tensor, "N T d_model"]:
        """One block.

        Args:
            x: `(N, T, d_model)`.
            mask: boolean, True = may attend, broadcastable to `(N, h, T, S)`.
            cache: of the positions before x (`MultiHeadAttention.forward`).

        Returns:
            `(N, T, d_model)`.

        Raises:
            ValueError: as in `MultiHeadAttention.forward`.
        """
        self._check(x)
        x = self._residual(x, self.attention_norm, lambda y: self.attention(y, mask, cache=cache))
        return self._residual(x, self.feed_forward_norm, self.feed_forward)


class DecoderBlock(_Block):
    """Causal self-attention, cross-attention to the encoder's output, feed-forward: three parts,
    each with its norm (Vaswani et al. 2017, section 3.1).

    Args:
        d_model, n_heads, ff_mult, dropout, d_ff, bias, norm_first, n_kv_heads: as in
            `TransformerBlock`.
        positions: inside the self-attention.

    Raises:
        ValueError: as in `TransformerBlock`.
    """

    def __init__(self, d_model: int, n_heads: int, *sizes, **options):
        super().__init__(d_model, n_heads, *sizes, **options)
        own = self.attention
        self.cross_attention = MultiHeadAttention(
            d_model, n_heads, own.dropout.p, own.query.bias is not None, own.n_kv_heads
        )
        self.cross_attention_norm = nn.LayerNorm(d_model)

    def forward(
        self,
        x: Float[Tensor, "N T d_model"],
        memory: Float[Tensor, "N S d_model"],
        target_mask: Bool[Tensor, "..."] | None = None,
        source_mask: Bool[Tensor, "..."] | None = None,
        cache: KeyValueCache | None = None,
    ) -> Float[Tensor, "N T d_model"]:
        """One block.

        Args:
            x: `(N, T, d_model)`, the target so far.
            memory: `(N, S, d_model)`, the encoder's output.
            target_mask: which target positions each target position may attend to,
                broadcastable to `(N, h, T, T)`; `causal_mask(T)`, with padding or without.
            source_mask: which source positions may be attended to, broadcastable to
                `(N, h, T, S)`; a `padding_mask`.
            cache: of the positions before x, and of the memory.

        Returns:
            `(N, T, d_model)`.

        Raises:
            ValueError: as in `MultiHeadAttention.forward`.
        """
        self._check(x)
        # Without one, the cross-attention would turn to the target itself, and see its future.
        check_states("memory", memory, self.attention.d_model, self.attention_norm.weight.dtype)
        x = self._residual(x, self.attention_norm, lambda y: self.attention(y, target_mask, cache=cache))
        x = self._residual(
            x,
            self.cross_attention_norm,
            lambda y: self.cross_attention(y, source_mask, memory, cache),
        )
        return self._residual(x, self.feed_forward_norm, self.feed_forward)
