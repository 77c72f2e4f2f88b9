"""Attention by tiles against the dense one: outputs, gradients, refusals, and the memory it saves."""

import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import assert_same_with_gradients, operands, random
from torch.utils.flop_counter import FlopCounterMode

from helpers import causal_mask, padding_mask, scaled_dot_product_attention
from helpers.flash import tiled_attention
from helpers.memory import peak_bytes


def hidden_later(T, S):
    """The causal mask's rows for queries that are the last T of S positions."""
    return causal_mask(S)[S - T :]


def assert_equals_dense(inputs, mask=None, dense_mask=None, **options):
    """Output and gradients by tiles equal those of dense attention."""
    output = tiled_attention(*inputs, mask, **options)
    expected = scaled_dot_product_attention(*inputs, mask if dense_mask is None else dense_mask)
    assert_same_with_gradients(output, expected, inputs, 1e-11)


@st.composite
def problems(draw):
    shape = tuple(draw(st.lists(st.integers(1, 3), max_size=2)))
    T, S, d_k, d_v = (draw(st.integers(1, n)) for n in (9, 11, 5, 6))
    causal = draw(st.booleans()) if T <= S else False
    mask = None
    if draw(st.booleans()):
        full = (*(shape if draw(st.booleans()) else ()), T, S)
        axes = [size if draw(st.booleans()) else 1 for size in full]
        generator = torch.Generator().manual_seed(draw(st.integers(0, 99)))
        mask = torch.rand(axes, generator=generator) < 0.5
        mask[..., 0] = True  # the first key is never later, so that every query keeps one
    return shape, T, S, d_k, d_v, causal, mask, draw(st.integers(1, 13))


@settings(max_examples=120, deadline=None)
@given(problems())
def test_any_shape_tile_and_mask_gives_the_dense_output_and_gradients(problem):
    shape, T, S, d_k, d_v, causal, mask, tile = problem
    dense_mask = mask
    if causal:
        later = hidden_later(T, S)
        dense_mask = later if mask is None else mask & later
    assert_equals_dense(operands(shape, T, S, d_k, d_v), mask, dense_mask, causal=causal, tile=tile)


def test_the_default_tile_is_crossed_too():
    inputs = operands((2, 3), 150, 290, 6, 7)
    assert_equals_dense(inputs)
    assert_equals_dense(inputs, None, hidden_later(150, 290), causal=True)


@pytest.mark.parametrize("causal", [False, True])
def test_gradients_equal_finite_differences(causal):
    mask = padding_mask(torch.tensor([[5, 6, 0, 7, 8], [5, 6, 7, 8, 0]]), pad=0)

    def by_tiles(q, k, v):
        return tiled_attention(q, k, v, mask, causal=causal, tile=2)

    assert torch.autograd.gradcheck(by_tiles, operands((2, 1), 3, 5, 2, 3))


def test_a_row_hidden_in_its_first_tiles_is_no_nan():
    """Its running maximum has met nothing yet: −∞ − (−∞) must not occur."""
    mask = torch.ones(5, 9, dtype=torch.bool)
    mask[1, :7] = False  # three tiles of two without a key, and half of the fourth
    mask[3, 2:] = False  # the other way round
    assert_equals_dense(operands((2,), 5, 9, 3, 4), mask, tile=2)


@pytest.mark.parametrize("first, last", [(-1e3, 1e3), (1e3, -1e3), (-3e4, -2e4)])
def test_scores_far_too_large_for_exp_are_no_overflow(first, last):
    """The maximum rises in every tile, or the first tile has the largest; e^1000 is no float. Scores that
    are all far below 0 must not be lost either: e^−20000 is 0."""
    k = torch.linspace(first, last, 8).double()[:, None]
    inputs = [torch.ones(3, 1).double(), k, random(8, 2)]
    assert_equals_dense([x.requires_grad_() for x in inputs], tile=2)


@pytest.mark.parametrize("dtype, tolerance", [(torch.float16, 2e-3), (torch.bfloat16, 2e-2)])
def test_half_precision_stays_in_its_dtype_and_near_double_precision(dtype, tolerance):
    inputs = operands((2,), 40, 300, 8, 4, dtype)
    exact_inputs = [x.detach().double().requires_grad_() for x in inputs]
    output, exact = tiled_attention(*inputs, tile=16), scaled_dot_product_attention(*exact_inputs)
    assert output.dtype == dtype
    torch.testing.assert_close(output.double(), exact, atol=tolerance, rtol=0)
    for ours, wanted in zip(
        torch.autograd.grad(output.sum(), inputs), torch.autograd.grad(exact.sum(), exact_inputs)
    ):
        assert ours.dtype == dtype
        torch.testing.assert_close(ours.double(), wanted, atol=5 * tolerance, rtol=2 * tolerance)


def test_half_precision_is_added_up_in_single_precision():
    """Half of 1,024 equal keys have value 1. A running sum in bfloat16 would stop at 256 = 256 + 1,
    above the line and below it: 1 instead of 1/2."""
    q, k = torch.zeros(1, 2, dtype=torch.bfloat16), torch.zeros(1024, 2, dtype=torch.bfloat16)
    v = (torch.arange(1024) < 512).bfloat16()[:, None]
    assert tiled_attention(q, k, v, tile=1).item() == 0.5


def test_half_precision_gradients_are_added_up_in_single_precision():
    """Each of 1,024 queries gives ∓1/4 to the keys and 1/2 to the values; in bfloat16, 64 + 1/4 = 64."""
    q, k = torch.ones(1024, 1, dtype=torch.bfloat16), torch.zeros(2, 1, dtype=torch.bfloat16)
    v = torch.tensor([[0.0], [1.0]], dtype=torch.bfloat16)
    output = tiled_attention(q, k.requires_grad_(), v.requires_grad_(), tile=1)
    output.sum().backward()
    assert (k.grad.flatten().tolist(), v.grad.flatten().tolist()) == ([-256.0, 256.0], [512.0, 512.0])


def test_autocast_may_compute_the_products_in_half_precision():
    inputs = operands((2,), 40, 70, 8, 4, torch.float)
    exact = scaled_dot_product_attention(*inputs)
    with torch.autocast("cpu", torch.bfloat16):
        output = tiled_attention(*inputs, tile=16)
    torch.testing.assert_close(output.float(), exact, atol=3e-2, rtol=0)
    wanted = torch.autograd.grad(exact.square().sum(), inputs)
    for ours, theirs in zip(torch.autograd.grad(output.float().square().sum(), inputs), wanted):
        torch.testing.assert_close(ours, theirs, atol=6e-2, rtol=6e-2)


def test_heads_that_are_views_of_one_projection_work_and_get_their_gradients():
    """As in `MultiHeadAttention`: (N, T, h·d_k) seen as (N, h, T, d_k), in memory not in order."""
    T, d, h = 7, 3, 2

    def through(attention, **options):
        x = torch.randn(2, T, h * d, dtype=torch.double, generator=torch.Generator().manual_seed(1))
        x.requires_grad_()
        heads = x.unflatten(2, (h, d)).transpose(1, 2)
        output = attention(heads, heads, heads, **options)
        return output, torch.autograd.grad(output.square().sum(), x)[0]

    for ours, wanted in zip(through(tiled_attention, tile=3), through(scaled_dot_product_attention)):
        torch.testing.assert_close(ours, wanted)


def test_only_the_values_may_want_a_gradient():
    q, k, v = operands((), 4, 6, 3, 2)
    ours = tiled_attention(q.detach(), k.detach(), v, tile=4)
    wanted = scaled_dot_product_attention(q, k, v)
    torch.testing.assert_close(
        torch.autograd.grad(ours.square().sum(), v), torch.autograd.grad(wanted.square().sum(), v)
    )


def test_a_second_derivative_is_refused_not_wrong():
    q, k, v = operands((), 4, 4, 3, 3)
    (first,) = torch.autograd.grad(tiled_attention(q, k, v).square().sum(), q, create_graph=True)
    with pytest.raises(RuntimeError, match="once_differentiable"):
        first.sum().backward()


def test_inputs_are_left_as_they_were():
    inputs = [*operands((2,), 5, 6, 3, 4), torch.ones(5, 6, dtype=torch.bool).tril()]
    before = [x.detach().clone() for x in inputs]
    tiled_attention(*inputs, tile=2).sum().backward()
    assert all(torch.equal(*pair) for pair in zip(before, inputs))


# --- what it saves -------------------------------------------------------------------------------


def test_tiles_above_the_diagonal_are_skipped():
    """Of n×n tiles, the n(n+1)/2 on and below the diagonal are multiplied."""
    n, tile = 6, 4
    q, k, v = (x.detach() for x in operands((), n * tile, n * tile, 3, 5))
    flops = {}
    for causal in (False, True):
        with FlopCounterMode(display=False) as counter:
            tiled_attention(q, k, v, causal=causal, tile=tile)
        flops[causal] = counter.get_total_flops()
    per_tile = 2 * tile * tile * (3 + 5)
    assert flops == {False: n * n * per_tile, True: n * (n + 1) // 2 * per_tile}


LENGTHS = (1024, 2048, 4096)


def peaks(attention, d=8, backward=False, **options):
    """Peak bytes of new tensors at each of the lengths, each twice the one before."""
    found = []
    for T in LENGTHS:
        q, k, v = operands((), T, T, d, d, torch.float)
        if backward:
            found.append(peak_bytes(lambda: attention(q, k, v, **options).sum().backward()))
        else:
            with torch.no_grad():
                found.append(peak_bytes(attention, q, k, v, **options))
    return found


@pytest.mark.parametrize("causal", [False, True])
def test_extra_memory_grows_by_the_output_and_one_number_a_row(causal):
    d, n_bytes = 8, 4
    one, two, four = peaks(tiled_attention, d, causal=causal, tile=256)
    per_row = (d + 1) * n_bytes
    assert (two - one, four - two) == (1024 * per_row, 2048 * per_row)


def test_with_the_backward_pass_extra_memory_still_grows_in_proportion_to_length():
    one, two, four = peaks(tiled_attention, backward=True, tile=256)
    assert four - two == 2 * (two - one), f"peaks {one}, {two}, {four} at T = {LENGTHS}"
    one_matrix = 4 * 4096 * 4096
    assert four < one_matrix / 20, f"peak {four}; one T×T matrix takes {one_matrix}"


@pytest.mark.parametrize("backward", [False, True])
def test_dense_attention_needs_four_times_as_much_at_twice_the_length(backward):
    one, two, four = peaks(scaled_dot_product_attention, backward=backward)
    assert 3.9 < two / one < 4.1 and 3.9 < four / two < 4.1, f"peaks {one}, {two}, {four}"


def test_at_4096_positions_it_needs_less_than_a_fiftieth_of_the_dense_memory():
    q, k, v = (torch.zeros(4096, 64) for _ in "qkv")
    ours, dense = (peak_bytes(f, q, k, v) for f in (tiled_attention, scaled_dot_product_attention))
    assert ours * 50 <= dense, f"tiled {ours} bytes, dense {dense}"


def test_a_padding_mask_is_neither_expanded_nor_combined():
    T = 1024
    q, k, v = (torch.zeros(2, 1, T, 4) for _ in "qkv")
    tokens = torch.ones(2, T, dtype=torch.long)
    tokens[1, -300:] = 0
    mask = padding_mask(tokens, pad=0)
    without = peak_bytes(tiled_attention, q, k, v)
    for causal in (False, True):
        extra = peak_bytes(tiled_attention, q, k, v, mask, causal=causal) - without
        assert extra < T * T / 10, f"{extra} bytes for the mask; {T * T} are one T×S of booleans"


# --- refusals: the same words as dense attention -------------------------------------------------


def bad_inputs():
    q, k, v = (x.detach() for x in operands((2, 3), 4, 5, 6, 7))
    fine = torch.ones(4, 5, dtype=torch.bool)
    empty_row = fine.clone()
    empty_row[2] = False
    return {
        "q of whole numbers": (q.long(), k, v),
        "k no tensor": (q, [1.0], v),
        "v missing": (q, k, None),
        "q of rank 1": (q[0, 0, 0], k, v),
        "q, k and v of rank 5": (q[None], k[None], v[None]),
        "no keys": (q, k[..., :0, :], v[..., :0, :]),
        "other batches": (q, k[:1], v[:1]),
        "other ranks": (q, k[0], v[0]),
        "other dtypes": (q, k, v.float()),
        "other devices": (q, k, v.to("meta")),
        "other widths": (q, k[..., 1:], v),
        "fewer values than keys": (q, k, v[..., 1:, :]),
        "mask of numbers": (q, k, v, fine.float()),
        "mask no tensor": (q, k, v, [[True]]),
        "mask of another rank": (q, k, v, fine[None]),
        "mask of other keys": (q, k, v, fine[:, 1:]),
        "mask with more batches": (q, k, v, fine.expand(4, 3, 4, 5)),
        "mask on another device": (q, k, v, fine.to("meta")),
        "query with no allowed key": (q, k, v, empty_row),
        "no key, axes of length 1": (q, k, v, empty_row[2].view(1, 1, 1, 5)),
    }


@pytest.mark.parametrize("name", bad_inputs())
def test_what_dense_attention_refuses_is_refused_in_the_same_words(name):
    arguments = bad_inputs()[name]
    with pytest.raises(ValueError) as dense:
        scaled_dot_product_attention(*arguments)
    with pytest.raises(ValueError) as tiled:
        tiled_attention(*arguments)
    assert str(tiled.value) == str(dense.value)


@pytest.mark.parametrize("axes", [(4, 5), (1, 5), (2, 1, 1, 5)])
def test_a_query_whose_allowed_keys_are_all_later_is_refused(axes):
    """Queries are positions 1 to 4 of 5; keys 0 to 2 are hidden: positions 1 and 2 see nothing."""
    q, k, v = operands((2, 3), 4, 5, 6, 7)
    mask = torch.ones(axes, dtype=torch.bool)
    mask[..., :3] = False
    assert tiled_attention(q, k, v, mask).isfinite().all()
    with pytest.raises(ValueError, match="allows none that is not later") as refusal:
        tiled_attention(q, k, v, mask, causal=True, tile=2)
    first_row = "0, " * (len(axes) - 2) + ("0,)" if len(axes) == 2 else "0)")
    assert f"row ({first_row}" in str(refusal.value)
    mask[..., 1] = True
    assert tiled_attention(q, k, v, mask, causal=True, tile=2).isfinite().all()


@pytest.mark.parametrize("tile", [0, -3, 2.0, True, "large"])
def test_a_tile_that_is_no_positive_whole_number_is_refused(tile):
    with pytest.raises(ValueError, match="tile must be") as refusal:
        tiled_attention(*operands((), 2, 2, 2, 2), tile=tile)
    assert repr(tile) in str(refusal.value)


def test_causal_with_more_queries_than_positions_is_refused():
    with pytest.raises(ValueError, match="T=6 and S=5"):
        tiled_attention(*operands((), 6, 5, 2, 2), causal=True)


def test_a_hidden_value_must_still_be_finite():
    """0·NaN is NaN here as in dense attention: the mask hides the key, not the value's NaN."""
    q, k, v = (x.detach() for x in operands((), 4, 5, 2, 2))
    v[-1] = math.nan
    mask = torch.ones(4, 5, dtype=torch.bool)
    mask[:, -1] = False
    assert tiled_attention(q, k, v, mask, tile=2).isnan().all()
