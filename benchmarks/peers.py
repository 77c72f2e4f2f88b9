"""The same models built of PyTorch's own modules, to measure ours against."""

import math

from torch import Tensor, nn

from helpers import causal_mask, sinusoidal_positions


class Embedded(nn.Module):
    """Token embedding × √d_model + sinusoids, dropout."""

    def __init__(self, vocab_size: int, d_model: int, max_seq_len: int, dropout: float):
        super().__init__()
        self.tokens = nn.Embedding(vocab_size, d_model)
        nn.init.normal_(self.tokens.weight, std=d_model**-0.5)
        self.register_buffer("positions", sinusoidal_positions(max_seq_len, d_model))
        self.dropout = nn.Dropout(dropout)

    def forward(self, tokens: Tensor) -> Tensor:
        x = self.tokens(tokens) * math.sqrt(self.tokens.embedding_dim)
        return self.dropout(x + self.positions[: tokens.shape[1]])


def encoder_stack(
    d_model: int, n_heads: int, n_layers: int, d_ff: int, dropout: float
) -> nn.TransformerEncoder:
    """Pre-norm layers and a final norm, as ours."""
    layer = nn.TransformerEncoderLayer(
        d_model, n_heads, d_ff, dropout, "gelu", batch_first=True, norm_first=True
    )
    return nn.TransformerEncoder(
        layer, n_layers, nn.LayerNorm(d_model), enable_nested_tensor=False
    )


class TorchEncoder(nn.Module):
    """`helpers.TransformerEncoder` of `nn.TransformerEncoder`."""

    def __init__(
        self, vocab_size, d_model, n_heads, n_layers, d_ff, max_seq_len=512, dropout=0.1
    ):
        super().__init__()
        self.embedding = Embedded(vocab_size, d_model, max_seq_len, dropout)
        self.stack = encoder_stack(d_model, n_heads, n_layers, d_ff, dropout)

    def forward(self, tokens: Tensor) -> Tensor:
        return self.stack(self.embedding(tokens))


class TorchTranslator(nn.Module):
    """`helpers.EncoderDecoder` of `nn.Transformer`."""

    def __init__(
        self, source_vocab_size, target_vocab_size, d_model, n_heads, n_layers, d_ff,
        max_seq_len=512, dropout=0.1, pad=0,
    ):
        super().__init__()
        self.pad = pad
        self.source = Embedded(source_vocab_size, d_model, max_seq_len, dropout)
        self.target = Embedded(target_vocab_size, d_model, max_seq_len, dropout)
        self.transformer = nn.Transformer(
            d_model, n_heads, n_layers, n_layers, d_ff, dropout, "gelu",
            batch_first=True, norm_first=True,
            custom_encoder=encoder_stack(d_model, n_heads, n_layers, d_ff, dropout),
        )
        self.output = nn.Linear(d_model, target_vocab_size, bias=False)

    def forward(self, source: Tensor, target: Tensor) -> Tensor:
        hidden = source == self.pad
        return self.decode(target, self.encode(source), hidden, target == self.pad)

    def encode(self, source: Tensor) -> Tensor:
        return self.transformer.encoder(
            self.source(source), src_key_padding_mask=source == self.pad
        )

    def decode(self, target, memory, source_hidden, target_hidden=None) -> Tensor:
        states = self.transformer.decoder(
            self.target(target),
            memory,
            tgt_mask=~causal_mask(target.shape[1]),
            tgt_key_padding_mask=target_hidden,
            memory_key_padding_mask=source_hidden,
            tgt_is_causal=True,
        )
        return self.output(states)

    def given(self, source: Tensor):
        """Called as a language model of the targets, without a cache: PyTorch has none."""
        memory = self.encode(source)
        return lambda tokens, cache=None: self.decode(tokens, memory, source == self.pad)
