"""From tokens to vectors, and how the weights of a model begin."""

import math

from jaxtyping import Float, Int
from torch import Tensor, nn

from helpers.attention_positions import INSIDE
from helpers.inputs import check_tokens, require_positive, require_probability
from helpers.positions import ADDED


def initialise(model: nn.Module) -> None:
    """Embeddings from N(0, 1/d_model), linear weights Xavier-uniform (Glorot & Bengio 2010,
    section 4.2.1), biases 0. An embedding's length is then about 1, and √d_model times that in a
    model."""
    for module in model.modules():
        if isinstance(module, nn.Embedding):
            nn.init.normal_(module.weight, std=module.embedding_dim**-0.5)
        elif isinstance(module, nn.Linear):
            nn.init.xavier_uniform_(module.weight)
            if module.bias is not None:
                nn.init.zeros_(module.bias)


class TokenEmbedding(nn.Module):
    """Token embedding times √d_model, plus positions (Vaswani et al. 2017, sections 3.4, 3.5).

    Args:
        vocab_size: number of different tokens.
        d_model: width.
        max_seq_len: longest sequence.
        dropout: probability, in training mode only.
        positions: "sinusoidal" or "learned"; others add nothing here.

    Raises:
        ValueError: a size is not a positive whole number, dropout lies outside [0, 1), positions
            has no such name, or d_model is odd with sinusoids.
    """

    def __init__(
        self, vocab_size: int, d_model: int, max_seq_len: int, dropout: float, positions: str
    ):
        super().__init__()
        for name, size in (
            ("vocab_size", vocab_size), ("d_model", d_model), ("max_seq_len", max_seq_len)
        ):
            require_positive(name, size)
        require_probability("dropout", dropout)
        names = ["none", *ADDED, *INSIDE]
        if positions not in names:
            raise ValueError(f"positions must be one of {names}, got {positions!r}")
        self.max_seq_len = max_seq_len
        self.tokens = nn.Embedding(vocab_size, d_model)
        self.positions = ADDED[positions](max_seq_len, d_model) if positions in ADDED else None
        self.dropout = nn.Dropout(dropout)

    def forward(self, tokens: Int[Tensor, "N T"], start: int = 0) -> Float[Tensor, "N T d_model"]:
        """Embed tokens whose first stands at position `start`.

        Raises:
            ValueError: tokens are not `(N, T)` whole numbers below vocab_size, or reach beyond
                max_seq_len.
        """
        check_tokens("tokens", tokens)
        low, high = (bound.item() for bound in tokens.aminmax())
        vocab_size, d_model = self.tokens.weight.shape
        if low < 0 or high >= vocab_size:
            wrong = low if low < 0 else high
            raise ValueError(f"tokens must be from 0 to {vocab_size - 1}, got {wrong}")
        if start + tokens.shape[1] > self.max_seq_len:
            raise ValueError(
                f"a sequence must not be longer than max_seq_len={self.max_seq_len}, "
                f"got {start + tokens.shape[1]} tokens"
            )
        x = self.tokens(tokens.long()) * math.sqrt(d_model)  # (N, T) → (N, T, d_model)
        return self.dropout(x if self.positions is None else self.positions(x, start))
