"""Stacks of blocks: an encoder, and a language model, which is the same with a causal mask."""

from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from helpers.attention_positions import INSIDE
from helpers.blocks import DecoderBlock, TransformerBlock
from helpers.cache import KeyValueCache
from helpers.embedding import TokenEmbedding, initialise
from helpers.inputs import check_tokens, require_positive
from helpers.masks import causal_mask


class TransformerEncoder(nn.Module):
    """Embedded tokens, n_layers blocks, and a final norm: after pre-norm blocks nothing else would
    bring the sum of all their outputs back to one scale.

    Args:
        vocab_size: number of different tokens.
        d_model, n_heads, n_layers, d_ff: width, heads, blocks, width inside the feed-forward
            networks.
        max_seq_len: longest sequence.
        dropout: probability, in training mode only.
        positions: "none", "sinusoidal", "learned", "rotary", "relative" or "alibi".
        norm_first: pre-norm; if False post-norm, without the final norm.
        n_kv_heads: key/value heads; n_heads if None.
        bias: whether the projections of the attention have a bias.

    Raises:
        ValueError: a size is not a positive whole number, one does not divide the other, dropout
            lies outside [0, 1), or positions has no such name.
    """

    def __init__(
        self,
        vocab_size: int,
        d_model: int = 512,
        n_heads: int = 8,
        n_layers: int = 6,
        d_ff: int = 2048,
        max_seq_len: int = 512,
        dropout: float = 0.1,
        *,
        positions: str = "sinusoidal",
        norm_first: bool = True,
        n_kv_heads: int | None = None,
        bias: bool = False,
    ):
        super().__init__()
        self.embedding = TokenEmbedding(vocab_size, d_model, max_seq_len, dropout, positions)
        self.blocks = make_blocks(
            TransformerBlock, n_layers, d_model, n_heads, d_ff, dropout, positions,
            norm_first=norm_first, n_kv_heads=n_kv_heads, bias=bias,
        )
        self.norm = nn.LayerNorm(d_model) if norm_first else nn.Identity()
        initialise(self)

    def forward(
        self,
        tokens: Int[Tensor, "N T"],
        mask: Bool[Tensor, "..."] | None = None,
        cache: KeyValueCache | None = None,
    ) -> Float[Tensor, "N T d_model"]:
        """Encode tokens.

        Args:
            tokens: `(N, T)`.
            mask: boolean, True = may attend, broadcastable to `(N, h, T, S)`.
            cache: of the positions before these tokens.

        Returns:
            `(N, T, d_model)`.

        Raises:
            ValueError: tokens are refused (`TokenEmbedding.forward`), or the mask is.
        """
        x = self.embedding(tokens, 0 if cache is None else cache.length)
        for block in self.blocks:
            x = block(x, mask, cache)
        return self.norm(x)


class LanguageModel(nn.Module):
    """The same stack with a causal mask, and for each position the logits of the token that
    follows (Radford et al. 2019). It needs no separate decoder.

    Args:
        vocab_size, d_model, n_heads, n_layers, d_ff, max_seq_len, dropout, positions, norm_first,
            n_kv_heads, bias: as in `TransformerEncoder`.

    Raises:
        ValueError: as in `TransformerEncoder`.
    """

    def __init__(self, vocab_size: int, d_model: int = 512, *sizes, **options):
        super().__init__()
        self.stack = TransformerEncoder(vocab_size, d_model, *sizes, **options)
        self.output = nn.Linear(d_model, vocab_size, bias=False)
        initialise(self.output)

    def forward(
        self, tokens: Int[Tensor, "N T"], cache: KeyValueCache | None = None
    ) -> Float[Tensor, "N T vocab_size"]:
        """Logits of the token after each position.

        Args:
            tokens: `(N, T)`.
            cache: of the positions before these tokens.

        Returns:
            `(N, T, vocab_size)`.

        Raises:
            ValueError: tokens are refused (`TokenEmbedding.forward`).
        """
        return self.output(self.stack(tokens, causal_rows(tokens, cache), cache))


def make_blocks(
    block: type[TransformerBlock] | type[DecoderBlock],
    n_layers: int,
    d_model: int,
    n_heads: int,
    d_ff: int,
    dropout: float,
    positions: str,
    **variant,
) -> nn.ModuleList:
    """n_layers blocks, each with positions of its own inside its self-attention.

    Raises:
        ValueError: a size is refused (`TransformerBlock`, `RotaryPositions`).
    """
    require_positive("n_layers", n_layers)
    blocks = nn.ModuleList(
        block(d_model, n_heads, dropout=dropout, d_ff=d_ff, **variant) for _ in range(n_layers)
    )
    if positions in INSIDE:
        for attention in (block.attention for block in blocks):
            attention.positions = INSIDE[positions](attention.d_k, n_heads)
    return blocks


def causal_rows(tokens: Int[Tensor, "N T"], cache: KeyValueCache | None) -> Bool[Tensor, "T S"] | None:
    """The causal mask's rows for tokens that go on from a cache; a single new one needs none.

    Raises:
        ValueError: tokens are not `(N, T)` whole numbers.
    """
    check_tokens("tokens", tokens)
    start = 0 if cache is None else cache.length
    T = tokens.shape[-1]
    return None if T == 1 else causal_mask(start + T, tokens.device)[start:]
