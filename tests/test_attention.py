"""Attention against PyTorch's own: outputs, gradients, dtypes, and every refusal."""

import math

import pytest
import torch
import torch.nn.functional as F
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import nn

from helpers import (
    MultiHeadAttention,
    attention_weights,
    causal_mask,
    combine_masks,
    padding_mask,
    scaled_dot_product_attention,
)

N, h, T, S, d_k, d_v = 2, 3, 4, 5, 6, 7  # all different, so that no axis can stand for another
TOLERANCE = {torch.float32: 1e-5, torch.float64: 1e-12}
HALF_TOLERANCE = {torch.float16: 4e-3, torch.bfloat16: 3e-2}


def operands(dtype=torch.float32, shape=(N, h), lengths=(T, S), widths=(d_k, d_v)):
    generator = torch.Generator().manual_seed(0)
    sizes = [(lengths[0], widths[0]), (lengths[1], widths[0]), (lengths[1], widths[1])]
    tensors = [torch.randn(*shape, *size, generator=generator).to(dtype) for size in sizes]
    return [tensor.requires_grad_() for tensor in tensors]


def some_masks():
    rows = torch.rand(T, S, generator=torch.Generator().manual_seed(1)) < 0.5
    rows[:, 2] = True  # every query keeps a key
    full = torch.rand(N, h, T, S, generator=torch.Generator().manual_seed(2)) < 0.5
    full[..., 0] = True
    padding = padding_mask(torch.tensor([[5, 6, 7, 0, 0], [5, 6, 7, 8, 9]]), pad=0)
    return {"none": None, "(T, S)": rows, "(N, h, T, S)": full, "padding": padding}


def assert_same(ours, theirs, tolerance, what):
    difference = (ours - theirs).abs().max().item()
    assert ours.shape == theirs.shape, f"{what}: shape {ours.shape}, PyTorch's {theirs.shape}"
    assert difference <= tolerance, f"{what}: differs from PyTorch's by {difference}"


# --- the function against torch.nn.functional.scaled_dot_product_attention -----------------------


@pytest.mark.parametrize("dtype", TOLERANCE)
@pytest.mark.parametrize("name", some_masks())
def test_outputs_and_gradients_equal_the_builtin(dtype, name):
    mask = some_masks()[name]
    ours, theirs = operands(dtype), operands(dtype)
    output = scaled_dot_product_attention(*ours, mask)
    expected = F.scaled_dot_product_attention(*theirs, attn_mask=mask)
    assert_same(output, expected, TOLERANCE[dtype], "output")
    probe = torch.randn(expected.shape, generator=torch.Generator().manual_seed(3)).to(dtype)
    (output * probe).sum().backward()
    (expected * probe).sum().backward()
    for letter, our, their in zip("qkv", ours, theirs):
        assert_same(our.grad, their.grad, TOLERANCE[dtype], f"gradient of {letter}")


@pytest.mark.parametrize("dtype", HALF_TOLERANCE)
def test_half_precision_stays_in_its_dtype_and_near_double_precision(dtype):
    q, k, v = (tensor.detach() for tensor in operands(dtype))
    output = scaled_dot_product_attention(q, k, v, some_masks()["(T, S)"])
    exact = scaled_dot_product_attention(
        q.double(), k.double(), v.double(), some_masks()["(T, S)"]
    )
    assert output.dtype == dtype
    assert_same(output.double(), exact, HALF_TOLERANCE[dtype], f"{dtype} output")


@settings(max_examples=40, deadline=None)
@given(
    shape=st.lists(st.integers(1, 3), max_size=2).map(tuple),
    lengths=st.tuples(st.integers(1, 6), st.integers(1, 6)),
    widths=st.tuples(st.integers(1, 8), st.integers(1, 8)),
)
def test_any_lengths_and_widths_equal_the_builtin(shape, lengths, widths):
    q, k, v = (t.detach() for t in operands(torch.float64, shape, lengths, widths))
    expected = F.scaled_dot_product_attention(*(t.view(1, *t.shape) for t in (q, k, v)))[0]
    assert_same(scaled_dot_product_attention(q, k, v), expected, 1e-12, "output")


def test_a_hand_computed_case():
    """Scores (0, ln 3) give weights (1/4, 3/4); values 2 and 6 then give 5."""
    q = torch.tensor([[1.0]])
    k = torch.tensor([[0.0], [math.log(3)]])
    v = torch.tensor([[2.0], [6.0]])
    torch.testing.assert_close(attention_weights(q, k), torch.tensor([[0.25, 0.75]]))
    torch.testing.assert_close(scaled_dot_product_attention(q, k, v), torch.tensor([[5.0]]))


def test_each_row_of_weights_sums_to_one_and_is_exactly_zero_where_masked():
    mask = some_masks()["(T, S)"]
    q, k, _ = operands()
    weights = attention_weights(q, k, mask)
    torch.testing.assert_close(weights.sum(-1), torch.ones(N, h, T))
    assert (weights.masked_select(~mask) == 0).all()


def test_weights_times_values_are_the_output():
    q, k, v = operands()
    torch.testing.assert_close(attention_weights(q, k) @ v, scaled_dot_product_attention(q, k, v))


def test_inputs_are_left_as_they_were():
    q, k, v = (tensor.detach() for tensor in operands())
    mask = some_masks()["(T, S)"]
    before = [tensor.clone() for tensor in (q, k, v, mask)]
    scaled_dot_product_attention(q, k, v, mask, dropout_p=0.5)
    assert all(torch.equal(*pair) for pair in zip(before, (q, k, v, mask)))


def test_it_runs_on_another_device():
    q, k, v = (tensor.detach().to("meta") for tensor in operands())
    assert scaled_dot_product_attention(q, k, v).device.type == "meta"


def test_dropout_scales_up_the_weights_it_keeps():
    torch.manual_seed(0)
    q, k = torch.zeros(500, 1), torch.zeros(4, 1)  # every weight is 1/4
    realised = scaled_dot_product_attention(q, k, torch.eye(4), dropout_p=0.5)
    assert set(realised.unique().tolist()) == {0.0, 0.5}
    assert abs(realised.mean().item() - 0.25) < 0.05


def test_a_hidden_value_must_still_be_finite():
    """0·NaN is NaN: the mask hides the key, not the value's NaN."""
    q, k, v = (tensor.detach() for tensor in operands(shape=()))
    v[-1] = math.nan
    mask = torch.ones(T, S, dtype=torch.bool)
    mask[:, -1] = False
    assert scaled_dot_product_attention(q, k, v, mask).isnan().all()


# --- the module against torch.nn.MultiheadAttention ----------------------------------------------

d_model = h * d_k


def twins(dtype=torch.float32, bias=True):
    """Our module and PyTorch's with the same weights."""
    torch.manual_seed(4)
    theirs = nn.MultiheadAttention(d_model, h, bias=bias, batch_first=True).to(dtype).eval()
    ours = MultiHeadAttention(d_model, h, bias=bias).to(dtype).eval()
    with torch.no_grad():
        parts = (ours.query, ours.key, ours.value)
        for part, weight in zip(parts, theirs.in_proj_weight.chunk(3)):
            part.weight.copy_(weight)
        ours.output.weight.copy_(theirs.out_proj.weight)
        if bias:
            theirs.in_proj_bias.normal_()
            theirs.out_proj.bias.normal_()
            for part, values in zip(parts, theirs.in_proj_bias.chunk(3)):
                part.bias.copy_(values)
            ours.output.bias.copy_(theirs.out_proj.bias)
    return ours, theirs


def inputs(dtype=torch.float32):
    generator = torch.Generator().manual_seed(5)
    x = torch.randn(N, T, d_model, generator=generator).to(dtype)
    memory = torch.randn(N, S, d_model, generator=generator).to(dtype)
    return x, memory


@pytest.mark.parametrize("dtype", TOLERANCE)
@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("kind", ["self", "causal", "cross", "cross with padding"])
def test_the_module_equals_pytorchs_with_copied_weights(dtype, bias, kind):
    ours, theirs = twins(dtype, bias)
    x, memory = inputs(dtype)
    ours_x, theirs_x = x.clone().requires_grad_(), x.clone().requires_grad_()
    cross = kind.startswith("cross")
    mask, options = None, {}
    if kind == "causal":
        mask = causal_mask(T)
        options = {"attn_mask": ~mask}  # there, True = excluded
    if kind == "cross with padding":
        tokens = torch.tensor([[3, 4, 5, 6, 7], [3, 4, 0, 0, 0]])
        mask = padding_mask(tokens, pad=0)
        options = {"key_padding_mask": tokens == 0}
    output = ours(ours_x, mask, memory if cross else None)
    source = memory if cross else theirs_x
    expected, _ = theirs(theirs_x, source, source, need_weights=False, **options)
    assert_same(output, expected, TOLERANCE[dtype], "output")
    probe = torch.randn(expected.shape, generator=torch.Generator().manual_seed(6)).to(dtype)
    (output * probe).sum().backward()
    (expected * probe).sum().backward()
    assert_same(ours_x.grad, theirs_x.grad, TOLERANCE[dtype] * 10, "gradient of x")
    ours_weights = torch.cat([part.weight.grad for part in (ours.query, ours.key, ours.value)])
    assert_same(ours_weights, theirs.in_proj_weight.grad, TOLERANCE[dtype] * 10, "weights' gradient")
    assert_same(
        ours.output.weight.grad, theirs.out_proj.weight.grad, TOLERANCE[dtype] * 10, "output's gradient"
    )


def test_combined_masks_equal_pytorchs_two_masks():
    ours, theirs = twins()
    x, _ = inputs()
    tokens = torch.tensor([[3, 4, 5, 6], [3, 4, 0, 0]])
    mask = combine_masks(padding_mask(tokens, pad=0), causal_mask(T))
    expected, _ = theirs(
        x, x, x, attn_mask=~causal_mask(T), key_padding_mask=tokens == 0, need_weights=False
    )
    assert_same(ours(x, mask), expected, 1e-5, "output")


def test_dropout_acts_in_training_mode_only():
    module = MultiHeadAttention(d_model, h, dropout=0.5)
    x, _ = inputs()
    torch.manual_seed(0)
    assert not torch.equal(module(x), module(x)), "in training mode two runs should differ"
    module.eval()
    assert torch.equal(module(x), module(x)), "in evaluation mode two runs should be equal"


@pytest.mark.parametrize("dtype", HALF_TOLERANCE)
def test_the_module_works_in_half_precision(dtype):
    module = MultiHeadAttention(d_model, h).eval()
    x, _ = inputs()
    exact = module(x, causal_mask(T))
    output = module.to(dtype)(x.to(dtype), causal_mask(T))
    assert output.dtype == dtype
    assert_same(output.float(), exact, 2 * HALF_TOLERANCE[dtype], f"{dtype} output")


def test_autocast_may_convert_the_input():
    module = MultiHeadAttention(d_model, h).eval()
    x, _ = inputs()
    with torch.autocast("cpu", torch.bfloat16):
        output = module(x.bfloat16())
    assert_same(output.float(), module(x), 2 * HALF_TOLERANCE[torch.bfloat16], "autocast output")


def test_the_parameters_do_not_depend_on_the_number_of_heads():
    counts = {
        heads: sum(p.numel() for p in MultiHeadAttention(d_model, heads).parameters())
        for heads in (1, 2, 3, 18)
    }
    assert set(counts.values()) == {4 * d_model**2 + 4 * d_model}


# --- refusals: each a ValueError that names the value it got ------------------------------------


def call(module_or_sizes=None, **changes):
    """The module's forward with good arguments, but for the changes."""
    x, memory = inputs()
    module = MultiHeadAttention(d_model, h) if module_or_sizes is None else module_or_sizes
    return module(**({"x": x, "memory": memory} | changes))


REFUSED = {
    "width not divisible by heads": (lambda: MultiHeadAttention(10, 3), "d_model=10, n_heads=3"),
    "width of zero": (lambda: MultiHeadAttention(0, 1), "got 0"),
    "negative heads": (lambda: MultiHeadAttention(8, -2), "got -2"),
    "heads not whole": (lambda: MultiHeadAttention(8, 2.0), "got 2.0"),
    "dropout of one": (lambda: MultiHeadAttention(8, 2, dropout=1.0), "got 1.0"),
    "dropout negative": (lambda: MultiHeadAttention(8, 2, dropout=-0.1), "got -0.1"),
    "x not 3-D": (lambda: call(x=torch.zeros(T, d_model)), "(4, 18)"),
    "x of wrong width": (lambda: call(x=torch.zeros(N, T, 19)), "(2, 4, 19)"),
    "x no tensor": (lambda: call(x=[1.0]), "list"),
    "memory of another batch": (lambda: call(memory=torch.zeros(3, S, d_model)), "(3, 5, 18)"),
    "memory of another width": (lambda: call(memory=torch.zeros(N, S, 11)), "(2, 5, 11)"),
    "memory not 3-D": (lambda: call(memory=torch.zeros(S, d_model)), "(5, 18)"),
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
    "q and k of other widths": (
        lambda: attention_weights(torch.zeros(T, 3), torch.zeros(S, 4)),
        "(4, 3)",
    ),
    "q and k of other batches": (
        lambda: attention_weights(torch.zeros(2, T, 3), torch.zeros(3, S, 3)),
        "(2,) and (3,)",
    ),
    "q and k of other dtypes": (
        lambda: attention_weights(torch.zeros(T, 3), torch.zeros(S, 3).double()),
        "torch.float64",
    ),
    "q and k on other devices": (
        lambda: attention_weights(torch.zeros(T, 3), torch.zeros(S, 3, device="meta")),
        "meta",
    ),
    "q of whole numbers": (
        lambda: attention_weights(torch.zeros(T, 3).long(), torch.zeros(S, 3)),
        "torch.int64",
    ),
    "q of rank 1": (lambda: attention_weights(torch.zeros(3), torch.zeros(S, 3)), "(3,)"),
    "no keys": (lambda: attention_weights(torch.zeros(T, 3), torch.zeros(0, 3)), "(0, 3)"),
    "fewer values than keys": (
        lambda: scaled_dot_product_attention(*(torch.zeros(n, 3) for n in (T, S, S - 1))),
        "(4, 3)",
    ),
    "dropout_p above one": (
        lambda: scaled_dot_product_attention(*(torch.zeros(S, 3) for _ in "qkv"), dropout_p=1.5),
        "got 1.5",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_bad_input_is_refused_and_named(name):
    attempt, named = REFUSED[name]
    with pytest.raises(ValueError) as refusal:
        attempt()
    assert named in str(refusal.value), f"the message should name {named!r}: {refusal.value}"
