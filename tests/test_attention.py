"""Attention against PyTorch's own: outputs, gradients, dtypes, and every refusal."""

import math

import pytest
import torch
import torch.nn.functional as F
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import assert_refused, assert_same, assert_same_with_gradients, operands, random

from helpers import attention_weights, padding_mask, scaled_dot_product_attention

N, h, T, S, d_k, d_v = 2, 3, 4, 5, 6, 7  # all different, so that no axis can stand for another
SIZES = (N, h), T, S, d_k, d_v
TOLERANCE = {torch.float32: 1e-5, torch.float64: 1e-12}
HALF_TOLERANCE = {torch.float16: 4e-3, torch.bfloat16: 3e-2}


def some_masks():
    rows = torch.rand(T, S, generator=torch.Generator().manual_seed(1)) < 0.5
    rows[:, 2] = True  # every query keeps a key
    full = torch.rand(N, h, T, S, generator=torch.Generator().manual_seed(2)) < 0.5
    full[..., 0] = True
    padding = padding_mask(torch.tensor([[5, 6, 7, 0, 0], [5, 6, 7, 8, 9]]), pad=0)
    return {"none": None, "(T, S)": rows, "(N, h, T, S)": full, "padding": padding}


# --- the function against torch.nn.functional.scaled_dot_product_attention -----------------------


@pytest.mark.parametrize("dtype", TOLERANCE)
@pytest.mark.parametrize("name", some_masks())
def test_outputs_and_gradients_equal_the_builtin(dtype, name):
    mask, inputs = some_masks()[name], operands(*SIZES, dtype)
    output = scaled_dot_product_attention(*inputs, mask)
    expected = F.scaled_dot_product_attention(*inputs, attn_mask=mask)
    assert_same_with_gradients(output, expected, inputs, TOLERANCE[dtype])


@pytest.mark.parametrize("dtype", HALF_TOLERANCE)
def test_half_precision_stays_in_its_dtype_and_near_double_precision(dtype):
    q, k, v = (tensor.detach() for tensor in operands(*SIZES, dtype))
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
    q, k, v = (t.detach() for t in operands(shape, *lengths, *widths))
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
    q, k, _ = operands(*SIZES)
    weights = attention_weights(q, k, mask)
    torch.testing.assert_close(weights.sum(-1), torch.ones(N, h, T).double())
    assert (weights.masked_select(~mask) == 0).all()


def test_weights_times_values_are_the_output():
    q, k, v = operands(*SIZES)
    torch.testing.assert_close(attention_weights(q, k) @ v, scaled_dot_product_attention(q, k, v))


def test_inputs_are_left_as_they_were():
    q, k, v = (tensor.detach() for tensor in operands(*SIZES))
    mask = some_masks()["(T, S)"]
    before = [tensor.clone() for tensor in (q, k, v, mask)]
    scaled_dot_product_attention(q, k, v, mask, dropout_p=0.5)
    assert all(torch.equal(*pair) for pair in zip(before, (q, k, v, mask)))


def test_it_runs_on_another_device():
    q, k, v = (tensor.detach().to("meta") for tensor in operands(*SIZES))
    assert scaled_dot_product_attention(q, k, v).device.type == "meta"


def test_dropout_scales_up_the_weights_it_keeps():
    torch.manual_seed(0)
    q, k = torch.zeros(500, 1), torch.zeros(4, 1)  # every weight is 1/4
    realised = scaled_dot_product_attention(q, k, torch.eye(4), dropout_p=0.5)
    assert set(realised.unique().tolist()) == {0.0, 0.5}
    assert abs(realised.mean().item() - 0.25) < 0.05


def test_a_hidden_value_must_still_be_finite():
    """0·NaN is NaN: the mask hides the key, not the value's NaN."""
    q, k, v = (tensor.detach() for tensor in operands((), T, S, d_k, d_v))
    v[-1] = math.nan
    mask = torch.ones(T, S, dtype=torch.bool)
    mask[:, -1] = False
    assert scaled_dot_product_attention(q, k, v, mask).isnan().all()


# --- a bias on the scores ------------------------------------------------------------------------

BIASES = {
    "(T, S)": (T, S), "(h, T, S)": (h, T, S), "(N, h, T, S)": (N, h, T, S), "(N, 1, 1, S)": (N, 1, 1, S)
}


@pytest.mark.parametrize("masked", [False, True])
@pytest.mark.parametrize("name", BIASES)
def test_a_bias_equals_the_builtins_additive_mask(name, masked):
    """Added after the scaling and before the mask; gradients reach it."""
    mask = some_masks()["padding"] if masked else None
    inputs, bias = operands(*SIZES), random(*BIASES[name], seed=7).requires_grad_()
    output = scaled_dot_product_attention(*inputs, mask, bias=bias)
    additive = bias if mask is None else bias.masked_fill(~mask, -math.inf)
    expected = F.scaled_dot_product_attention(*inputs, attn_mask=additive)
    assert_same_with_gradients(output, expected, [*inputs, bias], 1e-12, ["q", "k", "v", "bias"])


def test_no_bias_brings_back_what_the_mask_hides():
    q, k, _ = operands(*SIZES)
    mask = some_masks()["(T, S)"]
    weights = attention_weights(q, k, mask, torch.full((T, S), 1e4).double().masked_fill(mask, 0.0))
    torch.testing.assert_close(weights, attention_weights(q, k, mask))


# --- refusals: each a ValueError that names the value it got ------------------------------------


def attend(**changes):
    """The function with good arguments, but for the changes."""
    q, k, v = (tensor.detach() for tensor in operands(*SIZES, torch.float))
    return scaled_dot_product_attention(**({"q": q, "k": k, "v": v} | changes))


REFUSED = {
    "q and k of other widths": (lambda: attend(k=torch.zeros(N, h, S, 11)), "(2, 3, 5, 11)"),
    "q and k of other batches": (lambda: attend(k=torch.zeros(4, h, S, d_k)), "(4, 3)"),
    "q and k of other ranks": (lambda: attend(k=torch.zeros(S, d_k)), "(5, 6)"),
    "q and k of other dtypes": (lambda: attend(k=torch.zeros(N, h, S, d_k).double()), "torch.float64"),
    "q and k on other devices": (lambda: attend(k=torch.zeros(N, h, S, d_k, device="meta")), "meta"),
    "q of whole numbers": (lambda: attend(q=torch.zeros(N, h, T, d_k).long()), "torch.int64"),
    "q of rank 1": (lambda: attention_weights(torch.zeros(3), torch.zeros(S, 3)), "(3,)"),
    "q of rank 5": (
        lambda: attention_weights(torch.zeros(1, N, h, T, 3), torch.zeros(1, N, h, S, 3)),
        "q must be of rank 2, 3 or 4, (…, length, width), got shape (1, 2, 3, 4, 3)",
    ),
    "q no tensor": (lambda: attend(q=[[1.0]]), "list"),
    "no keys": (lambda: attend(k=torch.zeros(N, h, 0, d_k)), "(2, 3, 0, 6)"),
    "fewer values than keys": (lambda: attend(v=torch.zeros(N, h, S - 1, d_v)), "(2, 3, 4, 7)"),
    "values of another batch": (lambda: attend(v=torch.zeros(4, h, S, d_v)), "(4, 3)"),
    "values of another dtype": (lambda: attend(v=torch.zeros(N, h, S, d_v).half()), "torch.float16"),
    "dropout_p above one": (lambda: attend(dropout_p=1.5), "got 1.5"),
    "dropout_p negative": (lambda: attend(dropout_p=-0.1), "got -0.1"),
    "dropout_p a word": (lambda: attend(dropout_p="a"), "got 'a'"),
    "bias no tensor": (lambda: attend(bias=0.5), "float"),
    "bias a mask": (lambda: attend(bias=torch.ones(T, S).bool()), "torch.bool"),
    "bias of another dtype": (lambda: attend(bias=torch.zeros(T, S).double()), "torch.float64"),
    "bias on another device": (lambda: attend(bias=torch.zeros(T, S, device="meta")), "meta"),
    "bias for other keys": (lambda: attend(bias=torch.zeros(T, S + 1)), "(4, 6)"),
    "bias that would widen the scores": (lambda: attend(bias=torch.zeros(8, 1, 1, T, S)), "(8, 1, 1, 4, 5)"),
    "bias for another batch": (lambda: attend(bias=torch.zeros(5, 1, T, S)), "(5, 1, 4, 5)"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_bad_input_is_refused_and_named(name):
    assert_refused(*REFUSED[name])
