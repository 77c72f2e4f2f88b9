"""Encoder and decoder together: from one sequence to another (Vaswani et al. 2017, section 3.1)."""

from dataclasses import dataclass

from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from helpers.blocks import DecoderBlock
from helpers.cache import KeyValueCache
from helpers.embedding import TokenEmbedding, initialise
from helpers.masks import causal_mask, combine_masks, padding_mask
from helpers.models import TransformerEncoder, causal_rows, make_blocks


class EncoderDecoder(nn.Module):
    """The Transformer of Vaswani et al. 2017, section 3.1, with pre-norm blocks by default.

    Args:
        source_vocab_size, target_vocab_size: number of different tokens on each side.
        d_model, n_heads, n_layers, d_ff, max_seq_len, dropout, positions, norm_first, n_kv_heads,
            bias: as in `TransformerEncoder`, for encoder and decoder each.
        pad: the token that stands for padding on both sides.

    Raises:
        ValueError: as in `TransformerEncoder`; pad is no token of both vocabularies.
    """

    def __init__(
        self,
        source_vocab_size: int,
        target_vocab_size: int,
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
        pad: int = 0,
    ):
        super().__init__()
        variant = dict(norm_first=norm_first, n_kv_heads=n_kv_heads, bias=bias)
        self.encoder = TransformerEncoder(
            source_vocab_size, d_model, n_heads, n_layers, d_ff, max_seq_len, dropout,
            positions=positions, **variant,
        )
        self.embedding = TokenEmbedding(target_vocab_size, d_model, max_seq_len, dropout, positions)
        self.blocks = make_blocks(
            DecoderBlock, n_layers, d_model, n_heads, d_ff, dropout, positions, **variant
        )
        self.norm = nn.LayerNorm(d_model) if norm_first else nn.Identity()
        self.output = nn.Linear(d_model, target_vocab_size, bias=False)
        for part in (self.embedding, self.blocks, self.output):
            initialise(part)
        tokens = range(min(source_vocab_size, target_vocab_size))
        if isinstance(pad, bool) or not isinstance(pad, int) or pad not in tokens:
            raise ValueError(f"pad must be a token of both vocabularies, got {pad!r}")
        self.pad = pad

    def forward(
        self, source: Int[Tensor, "N S"], target: Int[Tensor, "N T"]
    ) -> Float[Tensor, "N T target_vocab_size"]:
        """Logits of the target token after each position, all at once.

        Args:
            source: `(N, S)`, padded with `pad`.
            target: `(N, T)`, the target shifted right: it begins with BOS; padded with `pad`.

        Returns:
            `(N, T, target_vocab_size)`.

        Raises:
            ValueError: tokens are refused (`TokenEmbedding.forward`, `padding_mask`).
        """
        source_mask = padding_mask(source, self.pad)
        target_mask = combine_masks(
            padding_mask(target, self.pad), causal_mask(target.shape[1], target.device)
        )
        return self._decode(target, self.encode(source), target_mask, source_mask)

    def encode(self, source: Int[Tensor, "N S"]) -> Float[Tensor, "N S d_model"]:
        """The memory: what the decoder looks at.

        Raises:
            ValueError: tokens are refused (`TokenEmbedding.forward`, `padding_mask`).
        """
        return self.encoder(source, padding_mask(source, self.pad))

    def decode(
        self,
        target: Int[Tensor, "N T"],
        memory: Float[Tensor, "N S d_model"],
        source_mask: Bool[Tensor, "N 1 1 S"] | None = None,
        cache: KeyValueCache | None = None,
    ) -> Float[Tensor, "N T target_vocab_size"]:
        """Logits of the target token after each position, from a memory.

        The mask is causal alone: behind padding on the right nothing is looked at any more.

        Args:
            target: `(N, T)`, with a cache only the tokens it has not seen.
            memory: `(N, S, d_model)`, the encoder's output.
            source_mask: the source's `padding_mask`.
            cache: of the positions before these tokens, and of the memory.

        Returns:
            `(N, T, target_vocab_size)`.

        Raises:
            ValueError: tokens, memory or mask are refused.
        """
        return self._decode(target, memory, causal_rows(target, cache), source_mask, cache)

    def given(self, source: Int[Tensor, "N S"]) -> "Given":
        """The decoder with the memory of these sources: a language model of their targets."""
        return Given(self, self.encode(source), padding_mask(source, self.pad))

    def _decode(
        self,
        target: Tensor,
        memory: Tensor,
        target_mask: Tensor | None,
        source_mask: Tensor | None,
        cache: KeyValueCache | None = None,
    ) -> Tensor:
        x = self.embedding(target, 0 if cache is None else cache.length)
        for block in self.blocks:
            x = block(x, memory, target_mask, source_mask, cache)
        return self.output(self.norm(x))


@dataclass(frozen=True)
class Given:
    """An `EncoderDecoder` whose source is settled: called as a `LanguageModel` is."""

    model: EncoderDecoder
    memory: Float[Tensor, "N S d_model"]
    source_mask: Bool[Tensor, "N 1 1 S"]

    @property
    def training(self) -> bool:
        """Whether the model is in training mode."""
        return self.model.training

    def __call__(
        self, tokens: Int[Tensor, "M T"], cache: KeyValueCache | None = None
    ) -> Float[Tensor, "M T target_vocab_size"]:
        """Logits after each position; where there are several times as many rows as sources,
        neighbouring rows share one."""
        times, rest = divmod(len(tokens), len(self.memory))
        if rest:
            raise ValueError(
                "tokens must have a row for each source, or the same number of rows for each, "
                f"got tokens {tuple(tokens.shape)} for {len(self.memory)} sources"
            )
        memory, source_mask = self.memory, self.source_mask
        if times > 1:  # (N, …) → (M, …)
            memory, source_mask = (t.repeat_interleave(times, dim=0) for t in (memory, source_mask))
        return self.model.decode(tokens, memory, source_mask, cache)
