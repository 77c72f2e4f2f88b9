"""The pieces that `from helpers import …` gives."""

from helpers.attention import attention_weights, scaled_dot_product_attention
from helpers.attention_positions import (
    ALiBi,
    AttentionPositions,
    RelativePositions,
    RotaryPositions,
)
from helpers.blocks import DecoderBlock, FeedForward, TransformerBlock
from helpers.cache import KeyValueCache
from helpers.embedding import TokenEmbedding, initialise
from helpers.encoder_decoder import EncoderDecoder
from helpers.generation import Generated, beam_search, greedy, sample
from helpers.masks import causal_mask, check_mask, combine_masks, padding_mask
from helpers.models import LanguageModel, TransformerEncoder
from helpers.multi_head import MultiHeadAttention, record_weights
from helpers.positions import LearnedPositions, SinusoidalPositions, sinusoidal_positions

__all__ = [
    "ALiBi",
    "AttentionPositions",
    "DecoderBlock",
    "EncoderDecoder",
    "FeedForward",
    "Generated",
    "KeyValueCache",
    "LanguageModel",
    "LearnedPositions",
    "MultiHeadAttention",
    "RelativePositions",
    "RotaryPositions",
    "SinusoidalPositions",
    "TokenEmbedding",
    "TransformerBlock",
    "TransformerEncoder",
    "attention_weights",
    "beam_search",
    "causal_mask",
    "check_mask",
    "combine_masks",
    "greedy",
    "initialise",
    "padding_mask",
    "record_weights",
    "sample",
    "scaled_dot_product_attention",
    "sinusoidal_positions",
]
