"""Window and linear attention against the dense formulas they stand for, and what they cost."""

import pytest
import torch
import torch.nn.functional as F
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import assert_refused, assert_same_with_gradients, operands
from torch.utils.flop_counter import FlopCounterMode

from helpers import scaled_dot_product_attention
from helpers.efficient import BLOCK, linear_attention, window_attention
from helpers.memory import peak_bytes

SHAPES = st.lists(st.integers(1, 3), max_size=2).map(tuple)
WIDTHS = st.tuples(st.integers(1, 5), st.integers(1, 6))
# A few positions, or enough to cross the borders of some blocks.
LENGTHS = st.one_of(st.integers(1, 9), st.integers(BLOCK - 2, 5 * BLOCK))


def dense_window(q, k, v, window, causal=False):
    """The band as a mask of dense attention."""
    T = q.shape[-2]
    band = torch.ones(T, T, dtype=torch.bool).tril(0 if causal else window).triu(-window)
    return scaled_dot_product_attention(q, k, v, band)


def dense_linear(q, k, v, causal=False):
    """φ(q)ᵀφ(k) for every pair, each row divided by its sum."""
    weights = (F.elu(q) + 1) @ (F.elu(k) + 1).mT  # (…, T, S)
    weights = weights.tril() if causal else weights
    return weights / weights.sum(-1, keepdim=True) @ v


# --- a window ------------------------------------------------------------------------------------


@settings(max_examples=80, deadline=None)
@given(SHAPES, LENGTHS, WIDTHS, st.integers(0, 150), st.booleans())
def test_window_attention_is_dense_attention_under_a_band(shape, T, widths, window, causal):
    inputs = operands(shape, T, T, *widths)
    output = window_attention(*inputs, window, causal=causal)
    assert_same_with_gradients(output, dense_window(*inputs, window, causal), inputs, 1e-10)


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("window", [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK + 5])
def test_windows_around_the_size_of_a_block_see_neither_more_nor_less(window, causal):
    inputs = operands((2,), 5 * BLOCK + 3, 5 * BLOCK + 3, 3, 4)
    output = window_attention(*inputs, window, causal=causal)
    assert_same_with_gradients(output, dense_window(*inputs, window, causal), inputs, 1e-10)


@pytest.mark.parametrize("window", [1, 2 * BLOCK])
def test_a_block_of_queries_meets_its_own_block_of_keys_and_those_beside_it(window):
    """n blocks: three meetings each but for the two at the ends; causal, two but for the first."""
    n, block = 6, max(window, BLOCK)
    q, k, v = (x.detach() for x in operands((), n * block, n * block, 3, 5))
    flops = {}
    for causal in (False, True):
        with FlopCounterMode(display=False) as counter:
            window_attention(q, k, v, window, causal=causal)
        flops[causal] = counter.get_total_flops()
    meeting = 2 * block * block * (3 + 5)
    assert flops == {False: (3 * n - 2) * meeting, True: (2 * n - 1) * meeting}


# --- linear --------------------------------------------------------------------------------------


@settings(max_examples=60, deadline=None)
@given(SHAPES, LENGTHS, LENGTHS, WIDTHS)
def test_linear_attention_is_its_weights_written_out(shape, T, S, widths):
    inputs = operands(shape, T, S, *widths)
    assert_same_with_gradients(linear_attention(*inputs), dense_linear(*inputs), inputs, 1e-10)


@settings(max_examples=60, deadline=None)
@given(SHAPES, LENGTHS, WIDTHS)
def test_causal_linear_attention_is_its_lower_triangle_written_out(shape, T, widths):
    inputs = operands(shape, T, T, *widths)
    output = linear_attention(*inputs, causal=True)
    assert_same_with_gradients(output, dense_linear(*inputs, causal=True), inputs, 1e-10)


def test_causal_linear_attention_is_a_recurrent_network():
    """A state of fixed size, updated by one key and value at a time (equations 18 to 20)."""
    q, k, v = (x.detach() for x in operands((), BLOCK + 5, BLOCK + 5, 3, 4))
    state, normaliser = torch.zeros(3, 4).double(), torch.zeros(3).double()
    for t, output in enumerate(linear_attention(q, k, v, causal=True)):
        phi_q, phi_k = F.elu(q[t]) + 1, F.elu(k[t]) + 1
        state += torch.outer(phi_k, v[t])
        normaliser += phi_k
        torch.testing.assert_close(output, phi_q @ state / (phi_q @ normaliser))


def test_very_negative_queries_and_keys_keep_their_weights():
    """elu(x) + 1 is e^x there; added to 1 in float32 it would be rounded to 0, and 0/0 is NaN."""
    q, k, v = (x.detach().float() for x in operands((), 5, 6, 3, 4))
    q, k = q - 30, k - 30
    weights = q.double().exp() @ k.double().exp().mT
    expected = weights / weights.sum(-1, keepdim=True) @ v.double()
    torch.testing.assert_close(linear_attention(q, k, v).double(), expected, atol=1e-5, rtol=1e-5)


def test_the_gradient_at_zero_is_that_of_elu():
    zeros = [torch.zeros(3, 2, dtype=torch.double, requires_grad=True) for _ in "qk"]
    inputs = [*zeros, operands((), 3, 3, 2, 4)[2]]
    assert_same_with_gradients(linear_attention(*inputs), dense_linear(*inputs), inputs, 1e-10)


@pytest.mark.parametrize("dtype, tolerance", [(torch.float16, 2e-3), (torch.bfloat16, 2e-2)])
@pytest.mark.parametrize("causal", [False, True])
def test_long_sums_do_not_overflow_half_precision(dtype, tolerance, causal):
    """3,000 weights of about 40 add up to more than float16 can hold."""
    q, k, v = (x.detach() for x in operands((), 3000, 3000, 16, 4, dtype))
    output = linear_attention(q, k, v, causal=causal)
    expected = dense_linear(q.float(), k.float(), v.float(), causal)
    assert output.dtype == dtype
    torch.testing.assert_close(output.float(), expected, atol=tolerance, rtol=tolerance)


# --- both ----------------------------------------------------------------------------------------

ATTENTIONS = {
    "window": lambda q, k, v: window_attention(q, k, v, 32),
    "causal window": lambda q, k, v: window_attention(q, k, v, 32, causal=True),
    "linear": linear_attention,
    "causal linear": lambda q, k, v: linear_attention(q, k, v, causal=True),
}


@pytest.mark.parametrize("name", ATTENTIONS)
def test_arithmetic_and_memory_grow_in_proportion_to_length(name):
    flops, peaks = [], []
    for T in (512, 1024, 2048):
        inputs = operands((), T, T, 8, 8, torch.float)
        with FlopCounterMode(display=False) as counter:
            ATTENTIONS[name](*inputs)
        flops.append(counter.get_total_flops())
        peaks.append(peak_bytes(lambda: ATTENTIONS[name](*inputs).sum().backward()))
    for what, (one, two, four) in (("FLOPs", flops), ("peak bytes", peaks)):
        assert four - two == pytest.approx(2 * (two - one), rel=0.05), f"{what} {one}, {two}, {four}"
    one_matrix = 4 * 2048 * 2048
    assert peaks[-1] < one_matrix / 4, f"peak {peaks[-1]}; one T×T matrix takes {one_matrix}"


@pytest.mark.parametrize("name", ATTENTIONS)
def test_inputs_are_left_as_they_were(name):
    inputs = operands((2,), 70, 70, 3, 4)
    before = [x.detach().clone() for x in inputs]
    ATTENTIONS[name](*inputs).sum().backward()
    assert all(torch.equal(*pair) for pair in zip(before, inputs))


q, k, v = (x.detach() for x in operands((2, 3), 4, 4, 6, 7))

REFUSED = {
    "window below zero": (lambda: window_attention(q, k, v, -1), "got -1"),
    "window not whole": (lambda: window_attention(q, k, v, 2.0), "got 2.0"),
    "window a truth value": (lambda: window_attention(q, k, v, True), "got True"),
    "window, more keys than queries": (lambda: window_attention(q[..., 1:, :], k, v, 2), "(2, 3, 3, 6)"),
    "window, fewer values": (lambda: window_attention(q, k, v[..., 1:, :], 2), "(2, 3, 3, 7)"),
    "window, other dtypes": (lambda: window_attention(q, k, v.float(), 2), "torch.float32"),
    "causal linear, more keys than queries": (
        lambda: linear_attention(q[..., 1:, :], k, v, causal=True),
        "(2, 3, 3, 6)",
    ),
    "linear, q of whole numbers": (lambda: linear_attention(q.long(), k, v), "torch.int64"),
    "linear, q of rank 5": (lambda: linear_attention(q[None], k[None], v[None]), "of rank 2, 3 or 4"),
    "linear, other widths": (lambda: linear_attention(q, k[..., 1:], v), "(2, 3, 4, 5)"),
    "linear, other batches": (lambda: linear_attention(q, k, v[:1]), "(2, 3) and (1, 3)"),
    "linear, fewer values": (lambda: linear_attention(q, k, v[..., 1:, :]), "(2, 3, 3, 7)"),
    "linear, no keys": (lambda: linear_attention(q, k[..., :0, :], v[..., :0, :]), "(2, 3, 0, 6)"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_bad_input_is_refused_and_named(name):
    assert_refused(*REFUSED[name])
