"""Blocks against PyTorch's layers with copied weights: outputs and all gradients, pre- and post-norm."""

import pytest
import torch
from oracles import Twins, assert_refused, assert_same, backward_both, random, spread
from torch import nn

from helpers import (
    DecoderBlock,
    FeedForward,
    MultiHeadAttention,
    RotaryPositions,
    TransformerBlock,
    causal_mask,
    combine_masks,
    padding_mask,
)

N, h, T, S, d_k, d_ff = 2, 3, 4, 5, 6, 7
d_model = h * d_k
SOURCE = torch.tensor([[3, 4, 5, 6, 7], [3, 4, 0, 0, 0]])
TARGET = torch.tensor([[3, 4, 5, 6], [3, 4, 5, 0]])


def twins(ours_type, theirs_type, norm_first, bias):
    theirs = theirs_type(
        d_model, h, d_ff, dropout=0.0, activation="gelu", batch_first=True, norm_first=norm_first
    )
    theirs = spread(theirs).double()
    ours = ours_type(d_model, h, d_ff=d_ff, dropout=0.0, norm_first=norm_first, bias=bias).double()
    pairs = Twins()
    pairs.block("block", ours, theirs)
    return ours, theirs, pairs


def leaves(*shape, seed):
    return [random(*shape, seed=seed).requires_grad_() for _ in range(2)]


@pytest.mark.parametrize("norm_first", [True, False], ids=["pre-norm", "post-norm"])
@pytest.mark.parametrize("bias", [True, False], ids=["bias", "no bias"])
@pytest.mark.parametrize("masked", [True, False], ids=["masks", "no mask"])
def test_a_block_equals_pytorchs_encoder_layer(norm_first, bias, masked):
    ours, theirs, pairs = twins(TransformerBlock, nn.TransformerEncoderLayer, norm_first, bias)
    x, their_x = leaves(N, T, d_model, seed=5)
    mask, their_masks = None, {}
    if masked:
        mask = combine_masks(padding_mask(TARGET, pad=0), causal_mask(T))
        their_masks = dict(src_mask=~causal_mask(T), src_key_padding_mask=TARGET == 0)
    output, expected = ours(x, mask), theirs(their_x, **their_masks)
    assert_same(output, expected, 1e-12, "output")
    backward_both(output, expected)
    assert_same(x.grad, their_x.grad, 1e-11, "gradient of x")
    pairs.assert_same_gradients(ours, 1e-11)


@pytest.mark.parametrize("norm_first", [True, False], ids=["pre-norm", "post-norm"])
@pytest.mark.parametrize("bias", [True, False], ids=["bias", "no bias"])
@pytest.mark.parametrize("masked", [True, False], ids=["masks", "no mask"])
def test_a_decoder_block_equals_pytorchs_decoder_layer(norm_first, bias, masked):
    ours, theirs, pairs = twins(DecoderBlock, nn.TransformerDecoderLayer, norm_first, bias)
    x, their_x = leaves(N, T, d_model, seed=5)
    memory, their_memory = leaves(N, S, d_model, seed=6)
    masks, their_masks = (), {}
    if masked:
        masks = combine_masks(padding_mask(TARGET, pad=0), causal_mask(T)), padding_mask(SOURCE, pad=0)
        their_masks = dict(
            tgt_mask=~causal_mask(T),
            tgt_key_padding_mask=TARGET == 0,
            memory_key_padding_mask=SOURCE == 0,
        )
    output, expected = ours(x, memory, *masks), theirs(their_x, their_memory, **their_masks)
    assert_same(output, expected, 1e-12, "output")
    backward_both(output, expected)
    assert_same(x.grad, their_x.grad, 1e-11, "gradient of x")
    assert_same(memory.grad, their_memory.grad, 1e-11, "gradient of the memory")
    pairs.assert_same_gradients(ours, 1e-11)


def test_the_feed_forward_network_is_pytorchs_three_layers_at_each_position_alone():
    network = spread(FeedForward(d_model, d_ff)).double()
    reference = nn.Sequential(network.widen, nn.GELU(), network.narrow)
    x = random(N, T, d_model)
    expected = torch.stack([torch.stack([reference(state) for state in row]) for row in x])
    assert_same(network(x), expected, 1e-12, "output")


def test_the_middle_is_four_times_as_wide_unless_told_otherwise():
    widths = [
        part.widen.out_features
        for part in (
            FeedForward(d_model),
            TransformerBlock(d_model, h).feed_forward,
            TransformerBlock(d_model, h, 3).feed_forward,
            TransformerBlock(d_model, h, d_ff=7).feed_forward,
            DecoderBlock(d_model, h, 3).feed_forward,
        )
    ]
    assert widths == [4 * d_model, 4 * d_model, 3 * d_model, 7, 3 * d_model]


def count(module):
    return sum(parameter.numel() for parameter in module.parameters())


def test_width_512_makes_3152384_parameters_two_thirds_of_them_in_the_feed_forward_network():
    block = TransformerBlock(512, 8)
    assert (count(block), count(block.feed_forward)) == (3_152_384, 2_099_712)


def test_every_option_of_the_attention_reaches_it():
    positions = RotaryPositions(d_k)
    block = DecoderBlock(d_model, h, bias=False, n_kv_heads=1, positions=positions, dropout=0.25)
    for attention in (block.attention, block.cross_attention):
        assert isinstance(attention, MultiHeadAttention)
        assert attention.n_kv_heads == 1 and attention.dropout.p == 0.25
        assert [name for name, _ in attention.named_parameters() if "bias" in name] == []
    assert block.attention.positions is positions
    assert block.cross_attention.positions is None, "they compare places in one sequence"


@pytest.mark.parametrize("kind", [MultiHeadAttention, TransformerBlock, DecoderBlock])
def test_a_tenth_is_dropped_unless_told_otherwise(kind):
    rates = {module.p for module in kind(d_model, h).modules() if isinstance(module, nn.Dropout)}
    assert rates == {0.1}


@pytest.mark.parametrize("part", ["attention", "cross_attention", "feed_forward"])
def test_dropout_falls_on_the_output_of_each_part_before_it_is_added(part):
    """A part that puts out ones, others zeros, and a probability of one half: x + 0 or x + 2."""
    block = DecoderBlock(d_model, h, dropout=0.5).requires_grad_(False)
    for name in ("attention", "cross_attention", "feed_forward"):
        last = getattr(block, name).narrow if name == "feed_forward" else getattr(block, name).output
        last.weight.zero_()
        last.bias.fill_(float(name == part))
    torch.manual_seed(0)
    x, memory = torch.zeros(N, T, d_model), torch.zeros(N, S, d_model)
    assert set(block(x, memory).unique().tolist()) == {0.0, 2.0}
    assert set(block.eval()(x, memory).unique().tolist()) == {1.0}


REFUSED = {
    "width not divisible by heads": (lambda: TransformerBlock(10, 3), "d_model=10, n_heads=3"),
    "width of zero": (lambda: TransformerBlock(0, 1), "d_model"),
    "no middle": (lambda: TransformerBlock(8, 2, d_ff=0), "d_ff must be a whole number of at least 1, got 0"),
    "middle not whole": (lambda: FeedForward(8, 2.0), "got 2.0"),
    "width not whole": (lambda: FeedForward(8.0), "got 8.0"),
    "multiple of zero": (lambda: DecoderBlock(8, 2, 0), "ff_mult"),
    "dropout of one": (lambda: DecoderBlock(8, 2, dropout=1.0), "got 1.0"),
    "positions by name": (lambda: TransformerBlock(8, 2, positions="rotary"), "got 'rotary'"),
    "key/value heads that do not divide": (lambda: DecoderBlock(8, 4, n_kv_heads=3), "n_kv_heads=3"),
    "x of another width in a decoder": (
        lambda: DecoderBlock(8, 2)(torch.zeros(N, T, 9), torch.zeros(N, S, 8)),
        "x must have width d_model=8, got shape (2, 4, 9)",
    ),
    "x not 3-D": (lambda: TransformerBlock(8, 2)(torch.zeros(T, 8)), "(4, 8)"),
    "x no tensor": (lambda: TransformerBlock(8, 2)([1.0]), "list"),
    "states of another width": (lambda: FeedForward(8)(torch.zeros(N, T, 9)), "(2, 4, 9)"),
    "states no tensor": (lambda: FeedForward(8)([1.0]), "list"),
    "x of another width": (lambda: TransformerBlock(8, 2)(torch.zeros(N, T, 9)), "(2, 4, 9)"),
    "mask not boolean": (
        lambda: TransformerBlock(8, 2)(torch.zeros(N, T, 8), torch.ones(T, T)),
        "torch.float32",
    ),
    "no memory, which would leave the target's future in sight": (
        lambda: DecoderBlock(8, 2)(torch.zeros(N, T, 8), None, causal_mask(T)),
        "memory must be of shape (N, T, d_model), got NoneType",
    ),
    "memory of another batch": (
        lambda: DecoderBlock(8, 2)(torch.zeros(N, T, 8), torch.zeros(3, S, 8)),
        "(3, 5, 8)",
    ),
    "source mask for the target": (
        lambda: DecoderBlock(8, 2)(torch.zeros(N, T, 8), torch.zeros(N, S, 8), None, causal_mask(T)),
        "(4, 4)",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_bad_input_is_refused_and_named(name):
    assert_refused(*REFUSED[name])
