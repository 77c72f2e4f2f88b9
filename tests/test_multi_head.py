"""Multi-head attention against `nn.MultiheadAttention` and `F.scaled_dot_product_attention`: outputs,
gradients, grouped heads, positions inside, recorded weights, and every refusal."""

import math

import pytest
import torch
import torch.nn.functional as F
from oracles import (
    Twins,
    assert_refused,
    assert_same,
    assert_same_with_gradients,
    backward_both,
    random,
    spread,
)
from torch import nn

from helpers import (
    ALiBi,
    AttentionPositions,
    DecoderBlock,
    LanguageModel,
    MultiHeadAttention,
    RelativePositions,
    RotaryPositions,
    causal_mask,
    combine_masks,
    padding_mask,
    record_weights,
)

N, h, T, S, d_k = 2, 3, 4, 5, 6  # all different, so that no axis can stand for another
d_model = h * d_k
TOLERANCE = {torch.float32: 1e-5, torch.float64: 1e-12}
HALF_TOLERANCE = {torch.float16: 8e-3, torch.bfloat16: 6e-2}


def twins(dtype=torch.double, bias=True):
    """Our module, PyTorch's with the same weights, and which belong together."""
    theirs = spread(nn.MultiheadAttention(d_model, h, bias=bias, batch_first=True)).to(dtype)
    ours = MultiHeadAttention(d_model, h, dropout=0.0, bias=bias).to(dtype)
    pairs = Twins()
    pairs.attention("attention", ours, theirs)
    return ours, theirs, pairs


def x_and_memory(dtype=torch.double, width=d_model):
    return random(N, T, width, seed=5, dtype=dtype), random(N, S, width, seed=6, dtype=dtype)


def projected(module, x, memory):
    """q, k and v as `F.linear` and a reshape make them: (N, heads, length, d_k)."""
    return tuple(
        F.linear(source, part.weight, part.bias).view(N, -1, heads, module.d_k).transpose(1, 2)
        for source, part, heads in (
            (x, module.query, module.n_heads),
            (memory, module.key, module.n_kv_heads),
            (memory, module.value, module.n_kv_heads),
        )
    )


def merged(module, heads):
    """(N, h, T, d_k) → (N, T, d_model) by hand, head after head, then the last projection."""
    return module.output(torch.cat([heads[:, i] for i in range(module.n_heads)], dim=-1))


# --- against torch.nn.MultiheadAttention ---------------------------------------------------------


@pytest.mark.parametrize("dtype", TOLERANCE)
@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("kind", ["self", "causal", "cross", "cross with padding"])
def test_outputs_and_gradients_equal_pytorchs_with_copied_weights(dtype, bias, kind):
    ours, theirs, pairs = twins(dtype, bias)
    ours_x, ours_memory = (t.requires_grad_() for t in x_and_memory(dtype))
    theirs_x, theirs_memory = (t.requires_grad_() for t in x_and_memory(dtype))
    cross = kind.startswith("cross")
    mask, options = None, {}
    if kind == "causal":
        mask = causal_mask(T)
        options = {"attn_mask": ~mask}  # there, True = excluded
    if kind == "cross with padding":
        tokens = torch.tensor([[3, 4, 5, 6, 7], [3, 4, 0, 0, 0]])
        mask = padding_mask(tokens, pad=0)
        options = {"key_padding_mask": tokens == 0}
    source = theirs_memory if cross else theirs_x
    output = ours(ours_x, mask, ours_memory if cross else None)
    expected, _ = theirs(theirs_x, source, source, need_weights=False, **options)
    tolerance = TOLERANCE[dtype]
    assert_same(output, expected, tolerance, "output")
    backward_both(output, expected)
    assert_same(ours_x.grad, theirs_x.grad, tolerance, "gradient of x")
    if cross:
        assert_same(ours_memory.grad, theirs_memory.grad, tolerance, "gradient of the memory")
    pairs.assert_same_gradients(ours, tolerance)


def test_combined_masks_equal_pytorchs_two_masks():
    ours, theirs, _ = twins()
    x, _ = x_and_memory()
    tokens = torch.tensor([[3, 4, 5, 6], [3, 4, 0, 0]])
    mask = combine_masks(padding_mask(tokens, pad=0), causal_mask(T))
    expected, _ = theirs(
        x, x, x, attn_mask=~causal_mask(T), key_padding_mask=tokens == 0, need_weights=False
    )
    assert_same(ours(x, mask), expected, 1e-12, "output")


def test_a_mask_for_each_head_is_that_heads():
    ours, theirs, _ = twins()
    x, _ = x_and_memory()
    mask = torch.rand(N, h, T, T, generator=torch.Generator().manual_seed(1)) < 0.5
    mask |= torch.eye(T, dtype=torch.bool)
    expected, _ = theirs(x, x, x, attn_mask=~mask.flatten(0, 1), need_weights=False)
    assert_same(ours(x, mask), expected, 1e-12, "output")


# --- fewer key/value heads, against the built-in's enable_gqa ------------------------------------


@pytest.mark.parametrize("n_kv_heads", [1, 2, 4])
@pytest.mark.parametrize("cross", [False, True])
def test_grouped_heads_equal_the_builtins(n_kv_heads, cross):
    """Outputs and gradients; 4 heads: neighbouring ones share a key/value head."""
    width = 4 * d_k
    module = spread(MultiHeadAttention(width, 4, dropout=0.0, n_kv_heads=n_kv_heads)).double()
    assert module.key.weight.shape == module.value.weight.shape == (n_kv_heads * d_k, width)
    x, memory = (t.requires_grad_() for t in x_and_memory(width=width))
    source = memory if cross else x
    mask = None if cross else causal_mask(T)
    output = module(x, mask, memory if cross else None)
    heads = F.scaled_dot_product_attention(
        *projected(module, x, source), attn_mask=mask, enable_gqa=True
    )
    inputs = {"x": x, **dict(module.named_parameters())} | ({"memory": memory} if cross else {})
    assert_same_with_gradients(output, merged(module, heads), list(inputs.values()), 1e-12, inputs)


# --- positions inside ----------------------------------------------------------------------------


class Everything(AttentionPositions):
    """All three places at once, each with something that is easy to recognise."""

    bias = random(h, T, T, seed=7)
    extra = random(h, T, d_k, seed=8)

    def rotate(self, x, positions):
        return x * (1 + positions.to(x))[:, None]

    def score_bias(self, q, query_positions, key_positions):
        return self.bias[:, query_positions][:, :, key_positions]

    def value_bias(self, weights, query_positions, key_positions):
        return weights.sum(-1, keepdim=True) * self.extra[:, query_positions]


@pytest.mark.parametrize("masked", [False, True])
def test_positions_enter_scores_as_an_additive_mask_does_and_values_as_a_sum(masked):
    """Queries and keys are rotated, values are not; the score bias is what the built-in takes as a
    float mask; the value bias is added to each head."""
    module = spread(MultiHeadAttention(d_model, h, dropout=0.0, positions=Everything())).double()
    x, _ = x_and_memory()
    mask = causal_mask(T) if masked else None
    q, k, v = projected(module, x, x)
    growth = torch.arange(1, T + 1).double()[:, None]
    additive = Everything.bias.expand(N, -1, -1, -1)
    if masked:
        additive = additive.masked_fill(~mask, -math.inf)
    heads = F.scaled_dot_product_attention(q * growth, k * growth, v, attn_mask=additive)
    assert_same(module(x, mask), merged(module, heads + Everything.extra), 1e-12, "output")


def test_positions_that_do_nothing_change_nothing():
    plain = spread(MultiHeadAttention(d_model, h, dropout=0.0))
    hooked = spread(MultiHeadAttention(d_model, h, dropout=0.0, positions=AttentionPositions()))
    x, _ = x_and_memory(torch.float32)
    assert torch.equal(plain(x), hooked(x))


# --- dropout, dtypes, parameters -----------------------------------------------------------------


def test_dropout_acts_in_training_mode_only():
    module = MultiHeadAttention(d_model, h, dropout=0.5)
    x, _ = x_and_memory(torch.float32)
    torch.manual_seed(0)
    assert not torch.equal(module(x), module(x)), "in training mode two runs should differ"
    module.eval()
    assert torch.equal(module(x), module(x)), "in evaluation mode two runs should be equal"


def test_dropout_falls_on_the_weights_and_scales_up_the_rest():
    """One key of value 1 at each head: each head's output is its realised weight, 0 or 2."""
    module = MultiHeadAttention(d_model, h, dropout=0.5).requires_grad_(False)
    module.value.weight.zero_()
    module.value.bias.fill_(1.0)
    module.output.weight.copy_(torch.eye(d_model))
    module.output.bias.zero_()
    torch.manual_seed(0)
    heads = module(torch.zeros(50, 1, d_model)).unflatten(-1, (h, d_k))
    assert set(heads.unique().tolist()) == {0.0, 2.0}, "a weight is dropped or doubled"
    assert (heads == heads[..., :1]).all(), "one head has one weight for every coordinate"


@pytest.mark.parametrize("dtype", HALF_TOLERANCE)
def test_the_module_works_in_half_precision(dtype):
    module = MultiHeadAttention(d_model, h).eval()
    x, _ = x_and_memory(torch.float32)
    exact = module(x, causal_mask(T))
    output = module.to(dtype)(x.to(dtype), causal_mask(T))
    assert output.dtype == dtype
    assert_same(output.float(), exact, HALF_TOLERANCE[dtype], f"{dtype} output")


INSIDE = {
    "none": lambda: None,
    "rotary": lambda: RotaryPositions(d_k),
    "relative": lambda: RelativePositions(d_k, clip=2),
    "alibi": lambda: ALiBi(h),
}


@pytest.mark.parametrize("positions", INSIDE)
def test_autocast_may_convert_the_input(positions):
    module = MultiHeadAttention(d_model, h, positions=INSIDE[positions]()).eval()
    x, _ = x_and_memory(torch.float32)
    with torch.autocast("cpu", torch.bfloat16):
        output = module(x.bfloat16())
    assert_same(output.float(), module(x), HALF_TOLERANCE[torch.bfloat16], "autocast output")


def test_the_parameters_do_not_depend_on_the_number_of_heads():
    counts = {
        heads: sum(p.numel() for p in MultiHeadAttention(d_model, heads).parameters())
        for heads in (1, 2, 3, 18)
    }
    assert set(counts.values()) == {4 * d_model**2 + 4 * d_model}, counts


# --- a look at the weights -----------------------------------------------------------------------


@pytest.mark.parametrize("cross", [False, True])
def test_recorded_weights_equal_pytorchs(cross):
    ours, theirs, _ = twins()
    x, memory = x_and_memory()
    source = memory if cross else x
    tokens = torch.tensor([[3, 4, 5, 6, 7], [3, 4, 0, 0, 0]])[:, : source.shape[1]]
    with record_weights(ours) as weights:
        ours(x, padding_mask(tokens, pad=0), memory if cross else None)
    _, expected = theirs(
        x, source, source, key_padding_mask=tokens == 0, average_attn_weights=False
    )
    assert set(weights) == {""}, "the module itself has no name"
    assert_same(weights[""], expected, 1e-12, "weights")


def test_every_attention_of_a_block_is_recorded_with_its_own_mask():
    block = DecoderBlock(d_model, h).double()
    x, memory = x_and_memory()
    source_mask = padding_mask(torch.tensor([[3, 4, 5, 6, 7], [3, 4, 0, 0, 0]]), pad=0)
    with record_weights(block) as weights:
        block(x, memory, causal_mask(T), source_mask)
    assert {name: tuple(w.shape) for name, w in weights.items()} == {
        "attention": (N, h, T, T),
        "cross_attention": (N, h, T, S),
    }
    for name, mask in (("attention", causal_mask(T)), ("cross_attention", source_mask)):
        allowed = mask.expand_as(weights[name])
        assert torch.equal(weights[name] > 0, allowed), f"{name}: not zero exactly where masked"
        assert_same(weights[name].sum(-1), torch.ones(N, h, T).double(), 1e-12, f"{name}: sum of a row")


def test_the_weights_are_recorded_before_dropout_without_a_gradient_and_anew_with_each_call():
    model = LanguageModel(7, 12, 3, n_layers=2, d_ff=8, dropout=0.9)
    names = {"stack.blocks.0.attention", "stack.blocks.1.attention"}
    with record_weights(model) as weights:
        for T in (5, 4):
            model(torch.ones(N, T, dtype=torch.long))
            assert {name: w.shape for name, w in weights.items()} == dict.fromkeys(names, (N, 3, T, T))
    for name in names:
        assert not weights[name].requires_grad
        assert_same(weights[name].sum(-1), torch.ones(N, 3, 4), 1e-5, f"{name}: sum of a row")


def test_nothing_is_recorded_afterwards_even_if_the_model_failed():
    module = MultiHeadAttention(d_model, h)
    x, _ = x_and_memory(torch.float32)
    with pytest.raises(ZeroDivisionError), record_weights(module) as weights:
        1 / 0
    module(x)
    assert weights == {}


# --- refusals: each a ValueError that names the value it got ------------------------------------


def call(module=None, **changes):
    """The module's forward with good arguments, but for the changes."""
    x, memory = x_and_memory(torch.float32)
    module = MultiHeadAttention(d_model, h) if module is None else module
    return module(**({"x": x, "memory": memory} | changes))


def with_positions(positions):
    return MultiHeadAttention(d_model, h, positions=positions)


REFUSED = {
    "width not divisible by heads": (lambda: MultiHeadAttention(10, 3), "d_model=10, n_heads=3"),
    "width of zero": (lambda: MultiHeadAttention(0, 1), "got 0"),
    "negative heads": (lambda: MultiHeadAttention(8, -2), "got -2"),
    "heads not whole": (lambda: MultiHeadAttention(8, 2.0), "got 2.0"),
    "key/value heads that do not divide": (
        lambda: MultiHeadAttention(8, 4, n_kv_heads=3),
        "n_heads=4, n_kv_heads=3",
    ),
    "more key/value heads than heads": (
        lambda: MultiHeadAttention(8, 2, n_kv_heads=4),
        "n_heads=2, n_kv_heads=4",
    ),
    "no key/value heads": (lambda: MultiHeadAttention(8, 4, n_kv_heads=0), "n_kv_heads"),
    "dropout of one": (lambda: MultiHeadAttention(8, 2, dropout=1.0), "got 1.0"),
    "dropout a truth value": (lambda: MultiHeadAttention(8, 2, dropout=False), "got False"),
    "dropout negative": (lambda: MultiHeadAttention(8, 2, dropout=-0.1), "got -0.1"),
    "positions by name": (lambda: with_positions("rotary"), "got 'rotary'"),
    "rotary positions of another width": (lambda: with_positions(RotaryPositions(2)), "d_k=2"),
    "relative positions of another width": (lambda: with_positions(RelativePositions(5)), "d_k=5"),
    "slopes of other heads": (lambda: with_positions(ALiBi(1)), "n_heads=1"),
    "positions and a memory": (lambda: call(with_positions(ALiBi(h))), "ALiBi and a memory"),
    "x not 3-D": (lambda: call(x=torch.zeros(T, d_model)), "(4, 18)"),
    "x of wrong width": (lambda: call(x=torch.zeros(N, T, 19)), "(2, 4, 19)"),
    "x no tensor": (lambda: call(x=[1.0]), "list"),
    "memory of another batch": (lambda: call(memory=torch.zeros(3, S, d_model)), "(3, 5, 18)"),
    "memory of another width": (lambda: call(memory=torch.zeros(N, S, 11)), "(2, 5, 11)"),
    "memory not 3-D": (lambda: call(memory=torch.zeros(S, d_model)), "(5, 18)"),
    "memory of another dtype": (lambda: call(memory=torch.zeros(N, S, d_model).half()), "torch.float16"),
    "x of another dtype": (lambda: call(x=torch.zeros(N, T, d_model).double()), "torch.float64"),
    "x of whole numbers": (lambda: call(x=torch.zeros(N, T, d_model).long()), "torch.int64"),
    "empty sequence": (lambda: call(x=torch.zeros(N, 0, d_model)), "(2, 0, 18)"),
    "empty memory": (lambda: call(memory=torch.zeros(N, 0, d_model)), "(2, 0, 18)"),
    "mask not boolean": (lambda: call(mask=torch.ones(T, S)), "torch.float32"),
    "mask no tensor": (lambda: call(mask=[[True]]), "list"),
    "mask of rank 1": (lambda: call(mask=torch.ones(S).bool()), "(5,)"),
    "mask of rank 3": (lambda: call(mask=torch.ones(N, T, S).bool()), "(2, 4, 5)"),
    "mask on another device": (
        lambda: call(mask=torch.ones(T, S, dtype=torch.bool, device="meta")),
        "meta",
    ),
    "padding mask without explicit axes": (lambda: call(mask=torch.ones(N, S).bool()), "(2, 5)"),
    "mask that would widen the scores": (
        lambda: call(mask=torch.ones(5 * N, 1, T, S).bool()),
        "(10, 1, 4, 5)",
    ),
    "mask for other keys": (lambda: call(mask=torch.ones(T, S + 1).bool()), "(4, 6)"),
    "query with no allowed key": (
        lambda: call(mask=torch.ones(T, S).bool().index_fill(0, torch.tensor([2]), False)),
        "row (2,)",
    ),
    "weights of a model without attention": (
        lambda: record_weights(nn.Linear(2, 2)).__enter__(),
        "Linear",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_bad_input_is_refused_and_named(name):
    assert_refused(*REFUSED[name])
