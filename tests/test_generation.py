"""Generation against exhaustive search, against itself without a cache, and to its ends."""

import itertools
import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import POSITIONS, assert_refused

from helpers import EncoderDecoder, LanguageModel, beam_search, greedy, sample

PAD, BOS, EOS = 0, 1, 2
VOCABULARY = 9
ENDS = {"eos": EOS, "pad": PAD}
# Three prompts of unequal lengths.
PROMPTS = torch.tensor([[1, 5, 4, 3, 7], [1, 6, 0, 0, 0], [1, 3, 8, 0, 0]])


def language_model(positions="sinusoidal", seed=0, vocabulary=VOCABULARY):
    torch.manual_seed(seed)
    model = LanguageModel(
        vocabulary, 16, 4, 2, 32, 40, 0.1, positions=positions, n_kv_heads=2
    ).double().eval()
    with torch.no_grad():
        model.output.weight *= 6  # clear preferences: no two logits are nearly the same
    return model


def translator(seed=0):
    torch.manual_seed(seed)
    model = EncoderDecoder(VOCABULARY, 7, 16, 2, 2, 32, 40, positions="rotary").double().eval()
    with torch.no_grad():
        model.output.weight *= 6
    return model


SOURCES = torch.tensor([[3, 4, 5, 6], [7, 8, 0, 0], [5, 0, 0, 0]])
BEGIN = torch.full((3, 1), BOS)


class Scripted:
    """A language model whose probabilities are given: the next token hangs on the last one."""

    def __init__(self, table):
        self.table = torch.as_tensor(table, dtype=torch.double).log()

    def __call__(self, tokens, cache=None):
        return self.table[tokens]


# --- greedy ---------------------------------------------------------------------------------------


def by_hand(decode, prompt, max_length):
    """One sequence alone, everything recomputed: tokens, logits each was chosen from."""
    tokens, logits = list(prompt), []
    while len(tokens) < max_length and (len(tokens) == len(prompt) or tokens[-1] != EOS):
        last = decode(torch.tensor([tokens]))[0, -1]
        logits.append(last)
        tokens.append(max((t for t in range(len(last)) if t != PAD), key=lambda t: last[t]))
    return tokens, logits


@pytest.mark.parametrize("use_cache", (True, False))
@pytest.mark.parametrize("positions", POSITIONS)
def test_a_batch_of_unequal_prompts_is_written_as_each_sequence_alone(positions, use_cache):
    model = language_model(positions, seed=1)
    written = greedy(model, PROMPTS, **ENDS, max_length=14, use_cache=use_cache)
    for row, prompt in enumerate(PROMPTS):
        start = int((prompt != PAD).sum())
        tokens, logits = by_hand(model, prompt[:start].tolist(), 14)
        got = written.tokens[row].tolist()
        assert got == tokens + [PAD] * (len(got) - len(tokens)), f"row {row}: tokens differ"
        difference = (written.logits[row, start : len(tokens)] - torch.stack(logits)).abs().max()
        assert difference < 1e-12, f"row {row}: logits differ by {difference}"
        chosen = [f.log_softmax(-1)[t].item() for f, t in zip(logits, tokens[start:])]
        assert written.log_probability[row].item() == pytest.approx(sum(chosen))


def test_a_translation_with_the_cache_is_the_one_without_it():
    model = translator(seed=2)
    cached, plain = (
        greedy(model.given(SOURCES), BEGIN, **ENDS, max_length=12, use_cache=use)
        for use in (True, False)
    )
    assert torch.equal(cached.tokens, plain.tokens)
    torch.testing.assert_close(cached.logits, plain.logits, rtol=0, atol=1e-12, equal_nan=True)
    for row, source in enumerate(SOURCES):
        alone = model.given(source[source != PAD][None])
        tokens, _ = by_hand(alone, [BOS], 12)
        got = cached.tokens[row].tolist()
        assert got == tokens + [PAD] * (len(got) - len(tokens)), f"row {row}: tokens differ"


@pytest.mark.parametrize(("generate", "rows"), ((greedy, 1), (sample, 1), (beam_search, 4)))
def test_the_cache_saves_every_token_but_the_new_ones(generate, rows):
    """It is used unless told otherwise; and there are four beams unless told otherwise."""
    model = language_model()
    seen = []

    def counting(tokens, cache=None):
        seen.append(tuple(tokens.shape))
        return model(tokens, cache)

    no_end = {"eos": None, "pad": PAD}
    generate(counting, PROMPTS[:1], **no_end, max_length=9)
    assert seen == [(rows, 5), (rows, 1), (rows, 1), (rows, 1)]
    seen.clear()
    generate(counting, PROMPTS[:1], **no_end, max_length=9, use_cache=False)
    assert seen == [(rows, 5), (rows, 6), (rows, 7), (rows, 8)]


@pytest.mark.parametrize("generate", (greedy, sample, beam_search))
def test_what_is_written_keeps_nothing_for_gradients(generate):
    written = generate(language_model(), PROMPTS, **ENDS, max_length=8)
    assert not written.log_probability.requires_grad


#         pad  bos  eos   3    4
ROWS = {
    "pad": [0.2, 0.2, 0.2, 0.2, 0.2],
    "bos": [0.9, 0.0, 0.01, 0.08, 0.01],  # padding would be likeliest, and is never chosen
    "eos": [0.2, 0.2, 0.2, 0.2, 0.2],
    "3": [0.0, 0.0, 0.1, 0.3, 0.6],
    "4": [0.0, 0.0, 0.7, 0.2, 0.1],
}
MODEL = Scripted(list(ROWS.values()))


def test_each_sequence_ends_at_its_own_eos_and_is_padded_from_there():
    prompts = torch.tensor([[1, 0], [1, 4], [4, 0]])
    written = greedy(MODEL, prompts, **ENDS, max_length=9)
    assert written.tokens.tolist() == [[1, 3, 4, 2], [1, 4, 2, 0], [4, 2, 0, 0]]
    expected = [math.log(0.08 * 0.6 * 0.7), math.log(0.7), math.log(0.7)]
    assert written.log_probability.tolist() == pytest.approx(expected)
    not_chosen = [[True, False, False, False], [True, True, False, True], [True, False, True, True]]
    assert written.logits.isnan().all(-1).tolist() == not_chosen, "NaN at prompts and padding, only there"


@pytest.mark.parametrize("dtype", (torch.int64, torch.uint8))
@pytest.mark.parametrize(("generate", "options"), ((greedy, {}), (beam_search, {"beams": 2})))
def test_eos_inside_a_prompt_of_any_whole_numbers_ends_nothing(generate, options, dtype):
    prompts = torch.tensor([[1, 2, 4], [4, 0, 0]], dtype=dtype)
    written = generate(MODEL, prompts, **ENDS, max_length=6, **options)
    assert written.tokens.tolist() == [[1, 2, 4, 2], [4, 2, 0, 0]]


def test_a_sequence_that_does_not_end_is_cut_at_max_length():
    never = Scripted([[0.25, 0.25, 0.0, 0.5]] * 4)
    written = greedy(never, torch.tensor([[1], [3]]), **ENDS, max_length=5)
    assert written.tokens.tolist() == [[1, 3, 3, 3, 3], [3, 3, 3, 3, 3]]
    full = greedy(never, torch.tensor([[1, 3]]), **ENDS, max_length=2)
    assert full.tokens.tolist() == [[1, 3]] and full.log_probability.tolist() == [0.0]


def test_a_cap_beyond_the_models_own_length_is_refused_by_the_model():
    with pytest.raises(ValueError, match="max_seq_len=40, got 41"):
        greedy(language_model(), PROMPTS, eos=None, pad=PAD, max_length=50)


# --- sampling -------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", ({"temperature": 0.5}, {}, {"temperature": 2.0}), ids=str)
def test_tokens_are_drawn_with_the_probabilities_of_the_tempered_softmax(options):
    """How often tokens 2, 3, 4 follow token 3; without a temperature, as often as the model says."""
    generator = torch.Generator().manual_seed(0)
    written = sample(
        MODEL, torch.full((4000, 1), 3), **ENDS, max_length=2, generator=generator, **options
    )
    counts = [(written.tokens[:, 1] == token).double().mean().item() for token in (2, 3, 4)]
    powers = [p ** (1 / options.get("temperature", 1.0)) for p in (0.1, 0.3, 0.6)]
    expected = [p / sum(powers) for p in powers]
    # One standard deviation of a frequency over 4000 draws is at most 0.008.
    assert counts == pytest.approx(expected, abs=0.04)


def test_a_low_temperature_is_greedy_and_a_seed_repeats():
    model = language_model(seed=3).float()  # the second temperature is 0 in single precision
    expected = greedy(model, PROMPTS, **ENDS, max_length=12).tokens
    for temperature in (1e-4, 1e-308):
        cold = sample(model, PROMPTS, **ENDS, max_length=12, temperature=temperature)
        assert torch.equal(cold.tokens, expected)
    once, again, other = (
        sample(model, PROMPTS, **ENDS, max_length=30, generator=torch.Generator().manual_seed(s))
        for s in (7, 7, 8)
    )
    assert torch.equal(once.tokens, again.tokens)
    assert not torch.equal(once.tokens, other.tokens)


def test_sampling_with_the_cache_draws_what_it_draws_without():
    model = language_model(seed=4)
    cached, plain = (
        sample(
            model, PROMPTS, **ENDS, max_length=12, use_cache=use,
            generator=torch.Generator().manual_seed(0),
        )
        for use in (True, False)
    )
    assert torch.equal(cached.tokens, plain.tokens)


# --- beam search ----------------------------------------------------------------------------------


def normalised(log_probability, length, length_penalty):
    return log_probability / ((5 + length) / 6) ** length_penalty


def best_of_all(decode, prompt, vocabulary, max_length, length_penalty):
    """Every continuation there is, up to max_length: the best by normalised log-probability."""
    best = (-math.inf, None, None)
    for length in range(1, max_length - len(prompt) + 1):
        for rest in itertools.product([t for t in range(vocabulary) if t != PAD], repeat=length):
            if EOS in rest[:-1] or (rest[-1] != EOS and len(prompt) + length < max_length):
                continue
            tokens = [*prompt, *rest]
            log_p = decode(torch.tensor([tokens]))[0].log_softmax(-1)
            total = sum(log_p[i - 1, tokens[i]].item() for i in range(len(prompt), len(tokens)))
            best = max(best, (normalised(total, length, length_penalty), tokens, total))
    return best


@settings(max_examples=8, deadline=None)
@given(
    st.integers(0, 10_000), st.sampled_from((0.0, 0.6, 1.5)), st.booleans(),
    st.sampled_from(([[1, 3]], [[1, 0], [1, 3]], [[3, 1, 4], [1, 0, 0]])),
)
def test_a_wide_beam_finds_the_best_of_all_continuations(seed, length_penalty, use_cache, prompts):
    model = language_model(seed=seed, vocabulary=5)
    with torch.no_grad():
        model.output.weight /= 6
    found = beam_search(
        model, torch.tensor(prompts), **ENDS, max_length=5, beams=64,
        length_penalty=length_penalty, use_cache=use_cache,
    )
    for row, prompt in enumerate(prompts):
        prompt = [t for t in prompt if t != PAD]
        _, tokens, total = best_of_all(model, prompt, 5, 5, length_penalty)
        got = found.tokens[row].tolist()
        assert got == tokens + [PAD] * (len(got) - len(tokens))
        assert found.log_probability[row].item() == pytest.approx(total)


@pytest.mark.parametrize("use_cache", (True, False))
def test_one_beam_is_greedy(use_cache):
    for decode, prompts in ((language_model(), PROMPTS), (translator().given(SOURCES), BEGIN)):
        expected = greedy(decode, prompts, **ENDS, max_length=12)
        found = beam_search(decode, prompts, **ENDS, max_length=12, beams=1, use_cache=use_cache)
        assert torch.equal(found.tokens, expected.tokens)
        assert found.log_probability.tolist() == pytest.approx(expected.log_probability.tolist())


def test_more_beams_find_what_greedy_misses():
    """The likelier first token leads into the worse sequence."""
    #                pad  bos  eos   3     4
    table = [[0.2] * 5, [0, 0, 0, 0.6, 0.4], [0.2] * 5, [0, 0, 0.3, 0.35, 0.35], [0, 0, 1.0, 0, 0]]
    decode, prompt = Scripted(table), torch.tensor([[1]])
    plain = greedy(decode, prompt, **ENDS, max_length=3)
    found = beam_search(decode, prompt, **ENDS, max_length=3, beams=2, length_penalty=0.0)
    assert found.tokens.tolist() == [[1, 4, 2]] != plain.tokens.tolist()
    assert found.log_probability > plain.log_probability


def test_the_length_penalty_lets_a_longer_sequence_win():
    """Unless it is switched off."""
    table = [[0.2] * 5, [0, 0, 0.5, 0.5, 0], [0.2] * 5, [0, 0, 0.1, 0.0, 0.9], [0, 0, 1.0, 0, 0]]
    decode, prompt = Scripted(table), torch.tensor([[1]])
    off, default, strong = (
        beam_search(decode, prompt, **ENDS, max_length=6, beams=3, **options).tokens.tolist()
        for options in ({"length_penalty": 0.0}, {}, {"length_penalty": 2.0})
    )
    assert off == [[1, 2]]
    assert default == strong == [[1, 3, 4, 2]]


# What follows a token (pad, bos, eos, 3 or 4; after tokens not named, any), the options, what is found.
FOUND = {
    "an ending of the last step": (
        {1: [0, 0, 0.51, 0.49, 0], 3: [0, 0, 1, 0, 0]},
        {"max_length": 3, "beams": 2, "length_penalty": 2.0}, [1, 3, 2],
    ),
    "an ending that grew out of a less likely beginning": (
        {1: [0, 0, 0.4, 0.35, 0.25], 3: [0, 0, 0, 0.51, 0.49], 4: [0, 0, 1, 0, 0]},
        {"max_length": 4, "beams": 2, "length_penalty": 5.0}, [1, 3, 4, 2],
    ),
    "an ending that longer sequences do not reach": (
        {1: [0, 0, 0.52, 0.48, 0], 3: [0, 0, 0, 0.52, 0.48], 4: [0, 0, 0, 0.52, 0.48]},
        {"max_length": 6, "beams": 3, "length_penalty": 1.0}, [1, 2],
    ),
}


@pytest.mark.parametrize("name", FOUND)
def test_beams_find(name):
    rows, options, expected = FOUND[name]
    decode = Scripted([rows.get(token, [0.2] * 5) for token in range(5)])
    found = beam_search(decode, torch.tensor([[1]]), **ENDS, **options)
    assert found.tokens.tolist() == [expected], "without padding beyond its end"


def test_a_beam_search_stops_once_nothing_can_overtake_its_best_ending():
    decode = Scripted([[0.2] * 5, [0, 0, 0.9, 0.1, 0], [0.2] * 5, [0, 0, 0, 0, 1], [0, 0, 0, 1, 0]])
    calls = []

    def counting(tokens, cache=None):
        calls.append(tokens)
        return decode(tokens)

    found = beam_search(
        counting, torch.tensor([[1]]), **ENDS, max_length=9, beams=2, length_penalty=0.0
    )
    assert found.tokens.tolist() == [[1, 2]] and len(calls) == 1


@pytest.mark.parametrize("beams", (2, 3))
def test_beams_with_the_cache_are_those_without_also_in_a_batch(beams):
    for decode, prompts in ((language_model(seed=5), PROMPTS), (translator(5).given(SOURCES), BEGIN)):
        cached, plain = (
            beam_search(decode, prompts, **ENDS, max_length=12, beams=beams, use_cache=use)
            for use in (True, False)
        )
        assert torch.equal(cached.tokens, plain.tokens)
        assert cached.log_probability.tolist() == pytest.approx(plain.log_probability.tolist())


def test_a_beam_search_in_a_batch_is_the_one_of_each_sequence_alone():
    model = language_model(seed=6)
    together = beam_search(model, PROMPTS, **ENDS, max_length=10, beams=3)
    for row, prompt in enumerate(PROMPTS):
        alone = beam_search(model, prompt[prompt != PAD][None], **ENDS, max_length=10, beams=3)
        got, expected = together.tokens[row].tolist(), alone.tokens[0].tolist()
        assert got == expected + [PAD] * (len(got) - len(expected))


# --- refusals -------------------------------------------------------------------------------------

REFUSED = {
    "padding before a token": ({"prompts": [[1, 0, 3]]}, "only on the right"),
    "nothing but padding": ({"prompts": [[1, 3], [0, 0]]}, "at least one token"),
    "no prompt": ({"prompts": [[]]}, "prompts"),
    "prompts of rank 1": ({"prompts": [1, 3]}, "(2,)"),
    "longer than the cap": ({"prompts": [[1, 3, 3, 3]], "max_length": 3}, "max_length=3, got 4"),
    "eos that is pad": ({"eos": 0}, "got 0 for both"),
    "eos that is no token": ({"eos": "."}, "got '.'"),
    "eos that is below 0": ({"eos": -1}, "eos must be a token number, got -1"),
    "eos that is a truth value": ({"eos": True}, "got True"),
    "pad that is below 0": ({"pad": -1}, "pad must be a token number, got -1"),
    "eos that the model has not": ({"eos": 9}, "model's 9 tokens, got 9"),
    "pad that the model has not": ({"pad": 12}, "model's 9 tokens, got 12"),
    "cap of zero": ({"max_length": 0}, "got 0"),
    "a model in training mode": ({"decode": language_model().train()}, "eval()"),
}


@pytest.mark.parametrize("generate", (greedy, sample, beam_search))
@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_continued_is_refused_and_named(name, generate):
    changes, named = REFUSED[name]
    call = {"decode": language_model().eval(), "prompts": [[1]], **ENDS, "max_length": 5} | changes
    decode, prompts = call.pop("decode"), torch.tensor(call.pop("prompts"))
    assert_refused(lambda: generate(decode, prompts, **call), named)


@pytest.mark.parametrize("temperature", (0, -1.0, math.inf, math.nan, "hot", True))
def test_a_temperature_that_is_none_is_refused(temperature):
    with pytest.raises(ValueError, match="temperature must be"):
        sample(MODEL, BEGIN, **ENDS, max_length=5, temperature=temperature)


@pytest.mark.parametrize(
    ("name", "value"),
    (("beams", 0), ("beams", 2.0), ("length_penalty", -1.0), ("length_penalty", "a")),
)
def test_a_beam_that_is_none_is_refused(name, value):
    with pytest.raises(ValueError, match=name):
        beam_search(MODEL, BEGIN, **ENDS, max_length=5, **{name: value})
