"""The key/value cache: whatever the chunks, the same as one pass, and no larger than it must be."""

from functools import cache

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import POSITIONS, assert_refused, assert_same, random, spread

from helpers import EncoderDecoder, KeyValueCache, LanguageModel, MultiHeadAttention

N, S, T, VOCABULARY, WIDTH, HEADS, KV_HEADS, LAYERS = 3, 5, 7, 11, 24, 4, 2, 2
d_k = WIDTH // HEADS
SIZES = dict(d_model=WIDTH, n_heads=HEADS, n_layers=LAYERS, d_ff=16, max_seq_len=20, dropout=0.0)


@cache
def language_model(positions="sinusoidal", n_kv_heads=KV_HEADS):
    model = LanguageModel(VOCABULARY, positions=positions, n_kv_heads=n_kv_heads, **SIZES)
    return spread(model).double().requires_grad_(False)


@cache
def encoder_decoder(positions="sinusoidal"):
    model = EncoderDecoder(VOCABULARY + 1, VOCABULARY, positions=positions, n_kv_heads=KV_HEADS, **SIZES)
    return spread(model).double().requires_grad_(False)


def tokens(length=T, seed=0, rows=N):
    return torch.randint(1, VOCABULARY, (rows, length), generator=torch.Generator().manual_seed(seed))


SOURCE = tokens(S, seed=1).index_put((torch.tensor([0, 0, 2]), torch.tensor([3, 4, 4])), torch.tensor(0))


def in_chunks(model, target, sizes, kept):
    """The outputs of one call for each chunk, side by side."""
    return torch.cat([model(chunk, kept) for chunk in target.split(sizes, dim=1)], dim=1)


@pytest.mark.parametrize("positions", POSITIONS)
@settings(max_examples=12, deadline=None)
@given(sizes=st.lists(st.integers(1, 5), min_size=1, max_size=4))
def test_a_language_model_in_chunks_of_any_sizes_equals_one_pass(positions, sizes):
    model, target, kept = language_model(positions), tokens(sum(sizes)), KeyValueCache()
    assert_same(in_chunks(model, target, sizes, kept), model(target), 1e-11, f"chunks {sizes}")
    assert kept.length == sum(sizes)


@pytest.mark.parametrize("positions", POSITIONS)
@pytest.mark.parametrize("sizes", [(1,) * T, (3, 1, 3), (2, 5)], ids=str)
def test_a_decoder_in_chunks_equals_one_pass_with_padded_sources(positions, sizes):
    model, target = encoder_decoder(positions), tokens()
    output = in_chunks(model.given(SOURCE), target, sizes, KeyValueCache())
    assert_same(output, model(SOURCE, target), 1e-11, f"chunks {sizes}")


@pytest.mark.parametrize("n_kv_heads", [1, 4])
def test_other_numbers_of_key_value_heads_are_kept_as_well(n_kv_heads):
    model, target = language_model(n_kv_heads=n_kv_heads), tokens()
    assert_same(in_chunks(model, target, (4, 1, 2), KeyValueCache()), model(target), 1e-11, "logits")


def test_the_memory_is_projected_once():
    model = encoder_decoder()
    calls = []
    hooks = [
        part.register_forward_hook(lambda *_, name=f"{i}.{name}": calls.append(name))
        for i, block in enumerate(model.blocks)
        for name, part in (("key", block.cross_attention.key), ("value", block.cross_attention.value))
    ]
    in_chunks(model.given(SOURCE), tokens(), (1,) * T, KeyValueCache())
    for hook in hooks:
        hook.remove()
    assert sorted(calls) == ["0.key", "0.value", "1.key", "1.value"], f"{T} steps projected {calls}"


def test_each_call_projects_only_the_new_positions():
    model = language_model()
    lengths = []
    hook = model.stack.blocks[1].attention.key.register_forward_hook(
        lambda _, inputs, output: lengths.append(output.shape[1])
    )
    in_chunks(model, tokens(), (4, 1, 2), KeyValueCache())
    hook.remove()
    assert lengths == [4, 1, 2]


@pytest.mark.parametrize("rows", [(2, 0, 1), (1, 1, 1), (2, 2, 0, 1, 0)], ids=str)
def test_reordered_rows_go_on_from_the_rows_they_name(rows):
    """As beam search does it: rows change places, some are dropped, others doubled."""
    model, prompt, rows = language_model(), tokens(4), torch.tensor(rows)
    further = tokens(3, seed=2, rows=len(rows))
    kept = KeyValueCache()
    model(prompt, kept)
    kept.reorder(rows)
    expected = model(torch.cat([prompt[rows], further], dim=1))[:, 4:]
    assert_same(model(further, kept), expected, 1e-11, f"logits of rows {rows.tolist()}")


def test_reordering_takes_what_was_made_of_the_memory_along():
    model, prompt, rows = encoder_decoder(), tokens(4), torch.tensor([2, 0, 0])
    further, kept = tokens(3, seed=2), KeyValueCache()
    model.given(SOURCE)(prompt, kept)
    kept.reorder(rows)
    given_new = model.given(SOURCE[rows])
    expected = given_new(torch.cat([prompt[rows], further], dim=1))[:, 4:]
    assert_same(given_new(further, kept), expected, 1e-11, "logits")


def test_it_counts_positions_and_bytes():
    """Self-attention 2·layers·N·kv heads·T·d_k numbers; cross-attention the same with S for T."""
    kept = KeyValueCache()
    assert (kept.length, kept.n_bytes) == (0, 0)
    model = encoder_decoder().given(SOURCE)
    for length in (4, 7):
        model(tokens(length - kept.length), kept)
        numbers = 2 * LAYERS * N * KV_HEADS * d_k * (length + S)
        assert (kept.length, kept.n_bytes) == (length, 8 * numbers), "double precision: 8 bytes a number"
    kept.reorder(torch.tensor([0]))
    assert kept.n_bytes == 8 * numbers // N, "one row of three is left"


def test_grouped_heads_keep_a_share_of_the_bytes():
    sizes = {}
    for n_kv_heads in (1, 2, 4):
        kept = KeyValueCache()
        language_model(n_kv_heads=n_kv_heads)(tokens(), kept)
        sizes[n_kv_heads] = kept.n_bytes
    assert sizes[4] == 2 * sizes[2] == 4 * sizes[1] == 8 * 2 * LAYERS * N * WIDTH * T, sizes


def test_gradients_flow_through_a_cache():
    model = spread(MultiHeadAttention(WIDTH, HEADS, dropout=0.0)).double()
    x = random(N, T, WIDTH, seed=4).requires_grad_()
    kept = KeyValueCache()
    outputs = [model(part, cache=kept) for part in x.split((4, 3), dim=1)]
    mask = torch.ones(T, T, dtype=torch.bool)
    mask[:4, 4:] = False  # the first chunk could not see the second
    expected = torch.autograd.grad(model(x, mask).square().sum(), x)[0]
    actual = torch.autograd.grad(torch.cat(outputs, dim=1).square().sum(), x)[0]
    assert_same(actual, expected, 1e-11, "gradient of x")


def test_gradients_flow_through_what_was_made_of_the_memory():
    model = spread(MultiHeadAttention(WIDTH, HEADS, dropout=0.0)).double()
    x, memory = random(N, T, WIDTH, seed=4), random(N, S, WIDTH, seed=5).requires_grad_()
    kept = KeyValueCache()
    outputs = [model(part, memory=memory, cache=kept) for part in x.split((4, 3), dim=1)]
    expected = torch.autograd.grad(model(x, memory=memory).square().sum(), memory)[0]
    actual = torch.autograd.grad(torch.cat(outputs, dim=1).square().sum(), memory)[0]
    assert_same(actual, expected, 1e-11, "gradient of the memory")


def after(length):
    """A cache that has seen tokens of that length."""
    kept = KeyValueCache()
    language_model()(tokens(length), kept)
    return kept


def attend_twice(first, second):
    module, kept = MultiHeadAttention(WIDTH, HEADS), KeyValueCache()
    for memory in (first, second):
        module(torch.zeros(len(memory), T, WIDTH), memory=memory, cache=kept)


REFUSED = {
    "another batch": (
        lambda: language_model()(tokens(1, rows=2), after(3)),
        "it holds 3 sequences, got 2",
    ),
    "another batch of memories": (
        lambda: attend_twice(torch.zeros(3, S, WIDTH), torch.zeros(2, S, WIDTH)),
        "it holds 3 sequences, got 2",
    ),
    "another memory": (
        lambda: attend_twice(torch.zeros(3, S, WIDTH), torch.zeros(3, 4, WIDTH)),
        "it holds one of length 5, got 4",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_misuse_is_refused_and_named(name):
    assert_refused(*REFUSED[name])


def test_a_refused_call_leaves_the_cache_as_it_was():
    kept = after(19)
    size = kept.n_bytes
    with pytest.raises(ValueError, match="got 21 tokens"):
        language_model()(tokens(2), kept)
    assert (kept.length, kept.n_bytes) == (19, size)
