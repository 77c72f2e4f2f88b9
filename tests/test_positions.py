"""Positions against closed forms: complex numbers, the papers' equations taken literally, loops."""

import cmath
import math

import pytest
import torch
import torch.nn.functional as F
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import POSITIONS, assert_refused, assert_same, assert_same_with_gradients, random, spread

from helpers import (
    ALiBi,
    EncoderDecoder,
    KeyValueCache,
    LanguageModel,
    LearnedPositions,
    MultiHeadAttention,
    RelativePositions,
    RotaryPositions,
    SinusoidalPositions,
    TransformerEncoder,
    causal_mask,
    sinusoidal_positions,
)

N, h, T, d_k = 2, 3, 7, 4
d_model = h * d_k

# --- added to the embeddings ---------------------------------------------------------------------


@pytest.mark.parametrize("length, width", [(1, 2), (9, 6), (300, 10)])
def test_sinusoids_are_the_parts_of_a_turning_complex_number(length, width):
    """Wave i at position p is exp(i·p/10000^(2i/width)): its imaginary part, then its real one."""
    table = sinusoidal_positions(length, width)
    expected = torch.empty(length, width)
    for p in range(length):
        for i in range(width // 2):
            wave = cmath.exp(1j * p / 10000 ** (2 * i / width))
            expected[p, 2 * i], expected[p, 2 * i + 1] = wave.imag, wave.real
    assert table.dtype == torch.float32
    assert_same(table, expected, 1e-6, "table")


def test_at_position_0_every_sine_is_0_and_every_cosine_1():
    assert sinusoidal_positions(3, 4)[0].tolist() == [0.0, 1.0, 0.0, 1.0]


def test_sinusoids_are_made_on_the_device_asked_for():
    assert sinusoidal_positions(3, 4, device="meta").device.type == "meta"


def test_sinusoids_are_made_in_the_default_dtype():
    torch.set_default_dtype(torch.double)
    try:
        table = sinusoidal_positions(3, 4)
    finally:
        torch.set_default_dtype(torch.float)
    assert table.dtype == torch.double
    assert table[1, 0].item() == pytest.approx(math.sin(1), abs=1e-12)


@pytest.mark.parametrize("start", [0, 2])
@pytest.mark.parametrize("kind", [SinusoidalPositions, LearnedPositions])
def test_position_by_position_a_row_of_the_table_is_added(kind, start):
    positions = kind(9, d_model)
    x = random(N, T, d_model, dtype=torch.float32)
    if kind is SinusoidalPositions:
        table = sinusoidal_positions(9, d_model)
    else:
        table = dict(positions.named_parameters())["table"]
    expected = torch.stack([x[:, t] + table[start + t] for t in range(T)], dim=1)
    assert_same(positions(x, start), expected, 0.0, "sum")


def test_sinusoids_have_no_parameters_and_nothing_to_save():
    positions = SinusoidalPositions(9, d_model)
    assert list(positions.parameters()) == [] and positions.state_dict() == {}


def test_a_learned_row_begins_as_large_as_a_row_of_sinusoids():
    torch.manual_seed(0)
    norms = [
        table.norm(dim=-1).mean().item()
        for table in (LearnedPositions(500, 64).table, sinusoidal_positions(500, 64))
    ]
    assert norms[0] == pytest.approx(norms[1], rel=0.02), f"learned and sinusoidal: {norms}"


def test_only_the_rows_that_were_used_get_a_gradient():
    positions = LearnedPositions(9, d_model)
    positions(torch.zeros(N, T, d_model), 1).sum().backward()
    assert positions.table.grad.sum(-1).tolist() == [0.0] + [float(N * d_model)] * T + [0.0]


# --- rotary --------------------------------------------------------------------------------------

places = st.integers(-500, 500)


def at(x, position, base=10000.0):
    """One vector, rotated as at this position, in double precision."""
    rotary = RotaryPositions(len(x), base)
    return rotary.rotate(x.view(1, 1, 1, -1), torch.tensor([position])).view(-1)


@pytest.mark.parametrize("base", [10000.0, 50])
def test_rotary_positions_multiply_pairs_as_complex_numbers(base):
    x = random(N, h, T, d_k)
    places = torch.arange(5, 5 + T)
    rates = float(base) ** (-torch.arange(d_k // 2).double() * 2 / d_k)
    turn = torch.polar(torch.ones(T, d_k // 2).double(), places[:, None] * rates)
    pairs = torch.view_as_complex(x.unflatten(-1, (d_k // 2, 2)))
    expected = torch.view_as_real(pairs * turn).flatten(-2)
    assert_same(RotaryPositions(d_k, base).rotate(x, places), expected, 1e-12, "rotated")


@settings(max_examples=40, deadline=None)
@given(m=places, n=places, shift=places, pairs=st.integers(1, 5), base=st.sampled_from([2.0, 10000.0]))
def test_a_rotated_product_depends_on_the_offset_alone(m, n, shift, pairs, base):
    """(R_m q)ᵀ(R_n k) = qᵀ R_{n−m} k, wherever the two stand."""
    q, k = random(2 * pairs, seed=1), random(2 * pairs, seed=2)
    product = at(q, m, base) @ at(k, n, base)
    assert_same(product, q @ at(k, n - m, base), 1e-9, "by the offset")
    assert_same(product, at(q, m + shift, base) @ at(k, n + shift, base), 1e-9, "moved together")


def test_position_0_does_not_turn():
    x = random(d_k)
    assert torch.equal(at(x, 0), x)


def test_rotary_attention_turns_queries_and_keys_and_no_values():
    module = inside(RotaryPositions(d_k))
    x = random(N, T, d_model, seed=5)
    q, k, v = projected(module, x)
    rotary = RotaryPositions(d_k)

    def turned(x):
        at_each = [rotary.rotate(x[:, :, t : t + 1], torch.tensor([t])) for t in range(T)]
        return torch.cat(at_each, dim=2)

    heads = F.scaled_dot_product_attention(turned(q), turned(k), v, is_causal=True)
    expected = module.output(heads.transpose(1, 2).reshape(N, T, d_model))
    assert_same(module(x, causal_mask(T)), expected, 1e-12, "output")


# --- Shaw's relative positions -------------------------------------------------------------------


def inside(positions):
    """Attention with positions inside, in double precision."""
    return spread(MultiHeadAttention(d_model, h, dropout=0.0, positions=positions)).double()


def projected(module, x):
    return [
        part(x).view(N, T, h, d_k).transpose(1, 2) for part in (module.query, module.key, module.value)
    ]


@pytest.mark.parametrize("clip", [1, 3, 16])
def test_relative_positions_are_equations_3_and_4_of_shaw_taken_literally(clip):
    """With a T×T table of vectors a_ij; outputs and the gradients of every parameter."""
    module = inside(RelativePositions(d_k, clip))
    x = random(N, T, d_model, seed=5)
    q, k, v = projected(module, x)
    rows = [[max(-clip, min(clip, j - i)) + clip for j in range(T)] for i in range(T)]
    keys, values = (table[torch.tensor(rows)] for table in (module.positions.keys, module.positions.values))
    scores = torch.einsum("nhid,nhijd->nhij", q, k[:, :, None] + keys) / math.sqrt(d_k)
    weights = scores.masked_fill(~causal_mask(T), -math.inf).softmax(-1)
    heads = torch.einsum("nhij,nhijd->nhid", weights, v[:, :, None] + values)
    expected = module.output(heads.transpose(1, 2).reshape(N, T, d_model))
    output = module(x, causal_mask(T))
    names, parameters = zip(*module.named_parameters())
    assert_same_with_gradients(output, expected, parameters, 1e-12, names)


def test_offsets_beyond_the_clip_share_one_vector_and_left_differs_from_right():
    positions = RelativePositions(d_k, clip=2)
    bias = positions.score_bias(torch.ones(1, 1, 1, d_k), torch.tensor([6]), torch.arange(13))
    distinct = bias.flatten().tolist()
    assert len(set(distinct[:5])) == 1 and len(set(distinct[8:])) == 1, f"offsets −6 to 6: {distinct}"
    assert len(set(distinct[4:9])) == 5, f"offsets −2 to 2 have vectors of their own: {distinct[4:9]}"


def test_relative_vectors_begin_at_about_length_1():
    torch.manual_seed(0)
    positions = RelativePositions(64, clip=100)
    for table in (positions.keys, positions.values):
        assert table.std().item() == pytest.approx(64**-0.5, rel=0.05)


# --- ALiBi ---------------------------------------------------------------------------------------

SLOPES = {
    1: [2**-8],
    2: [2**-4, 2**-8],
    3: [2**-4, 2**-8, 2**-2],
    8: [1 / 2, 1 / 4, 1 / 8, 1 / 16, 1 / 32, 1 / 64, 1 / 128, 1 / 256],
    12: [1 / 2, 1 / 4, 1 / 8, 1 / 16, 1 / 32, 1 / 64, 1 / 128, 1 / 256, 2**-0.5, 2**-1.5, 2**-2.5, 2**-3.5],
}


@pytest.mark.parametrize("n_heads", SLOPES)
def test_the_slopes_are_those_of_the_paper(n_heads):
    actual = (-ALiBi(n_heads).score_bias(torch.zeros(1), torch.tensor([1]), torch.tensor([0]))).flatten()
    assert_same(actual, torch.tensor(SLOPES[n_heads]), 1e-7, "slopes")


@pytest.mark.parametrize("causal", [True, False])
def test_alibi_takes_the_distance_times_the_slope_from_each_score(causal):
    module = inside(ALiBi(h))
    x = random(N, T, d_model, seed=5)
    additive = torch.zeros(h, T, T).double()
    for head, slope in enumerate(SLOPES[h]):
        for t in range(T):
            for s in range(T):
                additive[head, t, s] = -math.inf if causal and s > t else -slope * abs(t - s)
    heads = F.scaled_dot_product_attention(*projected(module, x), attn_mask=additive.expand(N, -1, -1, -1))
    expected = module.output(heads.transpose(1, 2).reshape(N, T, d_model))
    assert_same(module(x, causal_mask(T) if causal else None), expected, 1e-12, "output")


def test_alibi_has_no_parameters_and_nothing_to_save():
    assert list(ALiBi(h).parameters()) == [] and ALiBi(h).state_dict() == {}


# --- refusals ------------------------------------------------------------------------------------

SIZES = dict(d_model=8, n_heads=2, n_layers=1, d_ff=8, max_seq_len=5)


def tokens(T):
    return torch.ones(1, T, dtype=torch.long)


def model(kind, positions):
    """One of the models as a function of tokens and a cache."""
    if kind is EncoderDecoder:
        return EncoderDecoder(9, 9, positions=positions, **SIZES).given(tokens(2))
    built = kind(9, positions=positions, **SIZES)
    return built if kind is LanguageModel else lambda x, kept=None: built(x, cache=kept)


@pytest.mark.parametrize("kind", [TransformerEncoder, LanguageModel, EncoderDecoder])
@pytest.mark.parametrize("positions", POSITIONS)
def test_a_model_ends_where_its_longest_sequence_does(kind, positions):
    """At once or going on from a cache: 5 tokens are fine, 6 are refused."""
    run = model(kind, positions)
    run(tokens(5))
    assert_refused(lambda: run(tokens(6)), "max_seq_len=5, got 6")
    kept = KeyValueCache()
    for length in (3, 1, 1):
        run(tokens(length), kept)
    assert_refused(lambda: run(tokens(1), kept), "max_seq_len=5, got 6")


REFUSED = {
    "length below 1": (
        lambda: sinusoidal_positions(0, 4),
        "length must be a whole number of at least 1, got 0",
    ),
    "length not whole": (lambda: sinusoidal_positions(2.0, 4), "got 2.0"),
    "odd width": (lambda: sinusoidal_positions(3, 5), "width must be even"),
    "width below 1": (lambda: sinusoidal_positions(3, 0), "got 0"),
    "odd width of a table": (lambda: SinusoidalPositions(3, 5), "got 5"),
    "beyond the sinusoids": (lambda: SinusoidalPositions(5, 4)(torch.zeros(1, 6, 4)), "positions 0 to 5"),
    "beyond the learned table": (lambda: LearnedPositions(5, 4)(torch.zeros(1, 6, 4)), "max_length=5"),
    "a start beyond it": (lambda: LearnedPositions(5, 4)(torch.zeros(1, 2, 4), 4), "positions 4 to 5"),
    "a start before it": (lambda: LearnedPositions(5, 4)(torch.zeros(1, 2, 4), -2), "positions -2 to -1"),
    "x of another width": (lambda: LearnedPositions(5, 4)(torch.zeros(1, 2, 3)), "(1, 2, 3)"),
    "x not 3-D": (lambda: SinusoidalPositions(5, 4)(torch.zeros(2, 4)), "(2, 4)"),
    "x no tensor": (lambda: SinusoidalPositions(5, 4)([1.0]), "list"),
    "learned table of nothing": (lambda: LearnedPositions(0, 4), "max_length"),
    "learned width of nothing": (lambda: LearnedPositions(4, 0), "width"),
    "odd rotary width": (lambda: RotaryPositions(5), "d_k must be even"),
    "rotary width below 1": (lambda: RotaryPositions(0), "d_k must be a whole number"),
    "base of 1": (lambda: RotaryPositions(4, 1), "got 1"),
    "base a word": (lambda: RotaryPositions(4, "a"), "got 'a'"),
    "base NaN": (lambda: RotaryPositions(4, math.nan), "got nan"),
    "relative width below 1": (lambda: RelativePositions(0), "d_k"),
    "clip below 1": (lambda: RelativePositions(4, 0), "clip"),
    "no heads": (lambda: ALiBi(0), "n_heads"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_bad_input_is_refused_and_named(name):
    assert_refused(*REFUSED[name])
