"""Number words, vocabularies, padding, and a split in which no test number is trained on."""

import re

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from num2words import num2words
from oracles import assert_refused

from helpers.data import BOS, EOS, PAD, NumberTranslation, Vocabulary, number_words, pad

# Typed by hand, from a grammar of each language.
BY_HAND = {
    0: ("zero", "zéro"),
    1: ("one", "un"),
    21: ("twenty one", "vingt et un"),
    71: ("seventy one", "soixante et onze"),
    80: ("eighty", "quatre vingts"),
    81: ("eighty one", "quatre vingt un"),
    97: ("ninety seven", "quatre vingt dix sept"),
    100: ("one hundred", "cent"),
    200: ("two hundred", "deux cents"),
    201: ("two hundred and one", "deux cent un"),
    1000: ("one thousand", "mille"),
    1234: ("one thousand two hundred and thirty four", "mille deux cent trente quatre"),
    2080: ("two thousand and eighty", "deux mille quatre vingts"),
    9999: (
        "nine thousand nine hundred and ninety nine",
        "neuf mille neuf cent quatre vingt dix neuf",
    ),
}


@pytest.fixture(scope="module")
def translation() -> NumberTranslation:
    return NumberTranslation(highest=499, n_held_out=100)


@pytest.fixture(scope="module")
def default() -> NumberTranslation:
    return NumberTranslation()


@pytest.mark.parametrize("number", BY_HAND)
def test_numbers_are_spelled_as_the_two_languages_do(number):
    assert tuple(" ".join(number_words(number, lang)) for lang in ("en", "fr")) == BY_HAND[number]


def test_words_are_those_of_num2words_up_to_its_first_word_that_is_left_out():
    """We leave out million and beyond, which its own function would look through for every number."""
    for number in (-5, 999, 80_000, 123_456, 200_000, 999_999):
        for language in ("en", "fr"):
            expected = re.findall(r"\w+", num2words(number, lang=language))
            assert number_words(number, language) == expected


def test_whoever_changes_a_list_of_words_changes_their_own():
    number_words(7, "en").append("up")
    assert number_words(7, "en") == ["seven"]


# -- Vocabulary -------------------------------------------------------------------------------


def test_a_vocabulary_begins_with_padding_begin_and_end_and_goes_on_alphabetically():
    vocabulary = Vocabulary([["two", "one"], ["two", "and"]])
    assert vocabulary.words == ["<pad>", "<bos>", "<eos>", "and", "one", "two"]
    assert (PAD, BOS, EOS) == (0, 1, 2)
    assert len(vocabulary) == 6
    assert vocabulary.encode(["two", "and", "two"]) == [5, 3, 5]


def test_what_is_encoded_is_decoded_to_the_same_words():
    words = [number_words(number, "fr") for number in range(120)]
    vocabulary = Vocabulary(words)
    assert [vocabulary.decode(vocabulary.encode(sentence)) for sentence in words] == words


@pytest.mark.parametrize("tokens, words", [
    ([BOS, 3, 4, EOS, 3, PAD], ["and", "one"]),
    ([3, PAD, 4], ["and", "one"]),
    ([EOS, 3], []),
    ([], []),
    (torch.tensor([4, EOS]), ["one"]),
])
def test_decoding_stops_at_the_first_end_and_leaves_out_begin_and_padding(tokens, words):
    assert Vocabulary([["one", "and"]]).decode(tokens) == words


# -- Padding ----------------------------------------------------------------------------------


def test_padding_fills_up_on_the_right():
    assert pad([[5, 6, 7], [8]]).tolist() == [[5, 6, 7], [8, 0, 0]]
    assert pad([[5], [6, 7]], token=9).tolist() == [[5, 9], [6, 7]]
    assert pad([[5]]).dtype == torch.long


# -- The split --------------------------------------------------------------------------------


@settings(max_examples=25, deadline=None)
@given(
    highest=st.integers(30, 300), n_held_out=st.integers(1, 200), seed=st.integers(0, 2**32 - 1)
)
def test_no_held_out_number_is_trained_on_and_each_of_its_words_is(highest, n_held_out, seed):
    try:
        split = NumberTranslation(highest, n_held_out, seed)
    except ValueError as refusal:
        assert f"got {n_held_out}" in str(refusal)
        assert n_held_out > highest // 3, "so few can be held out without losing a word"
        return
    training, held_out = set(split.training.numbers), set(split.held_out.numbers)
    assert len(split.held_out) == len(held_out) == n_held_out, "a number is held out twice"
    assert not training & held_out, f"trained on and held out: {training & held_out}"
    assert sorted([*split.training.numbers, *held_out]) == list(range(highest + 1))
    for language, vocabulary in (("en", split.english), ("fr", split.french)):
        trained = {word for number in training for word in number_words(number, language)}
        tested = {word for number in held_out for word in number_words(number, language)}
        assert tested <= trained, f"never seen in training: {tested - trained}"
        assert set(vocabulary.words[3:]) == trained


def test_the_same_seed_deals_the_same_and_another_otherwise():
    deal = [NumberTranslation(200, 20, *seed).held_out.numbers for seed in ((), (0,), (1,))]
    assert deal[0] == deal[1] != deal[2], "the first is the default"


def test_the_range_is_dealt_out_by_chance_not_in_order(default):
    """Held out in one piece, the highest numbers would be another task."""
    numbers = default.held_out.numbers
    thousands = [sum(number // 1000 == thousand for number in numbers) for thousand in range(10)]
    # 100 are expected of each, with a standard deviation of 9.
    assert all(55 <= count <= 145 for count in thousands), thousands


def test_by_default_a_thousand_numbers_are_held_out_and_every_word_up_to_9999_is_known(default):
    assert (len(default.training), len(default.held_out)) == (9_000, 1_000)
    # English: 20 below twenty, 8 tens, hundred, thousand, and. French: 17 to seize, vingt to
    # soixante, and vingts, cent, cents, mille, et.
    assert (len(default.english), len(default.french)) == (3 + 31, 3 + 27)
    assert 0 in default.training.numbers, "no other number has the word zero"


# -- Pairs ------------------------------------------------------------------------------------


def test_a_pair_is_source_and_end_then_begin_and_target_then_target_and_end(translation):
    pairs = translation.pairs([97, 4])
    english, french = translation.english, translation.french
    names = lambda tokens, vocabulary: [[vocabulary.words[t] for t in row] for row in tokens.tolist()]
    assert names(pairs.source, english) == [
        ["ninety", "seven", "<eos>"],
        ["four", "<eos>", "<pad>"],
    ]
    assert names(pairs.target_in, french) == [
        ["<bos>", "quatre", "vingt", "dix", "sept"],
        ["<bos>", "quatre", "<pad>", "<pad>", "<pad>"],
    ]
    assert names(pairs.target_out, french) == [
        ["quatre", "vingt", "dix", "sept", "<eos>"],
        ["quatre", "<eos>", "<pad>", "<pad>", "<pad>"],
    ]
    assert pairs.numbers == [97, 4]


def test_a_batch_holds_different_rows_of_the_pairs_each_with_its_own_translation(translation):
    pairs = translation.training
    source, target_in, target_out = pairs.batch(step=3, size=50)
    rows = [tuple(torch.cat(row).tolist()) for row in zip(source, target_in, target_out)]
    all_rows = {
        tuple(torch.cat(row).tolist())
        for row in zip(pairs.source, pairs.target_in, pairs.target_out)
    }
    assert len(set(rows)) == 50, "a row is there twice"
    assert set(rows) <= all_rows, "a row is put together from several"


def test_a_batch_depends_on_seed_and_step_and_on_nothing_drawn_before(translation):
    pairs = translation.training
    first = pairs.batch(step=7, size=8, seed=1)[0]
    torch.manual_seed(5)
    pairs.batch(step=6, size=8, seed=1)
    assert torch.equal(pairs.batch(step=7, size=8, seed=1)[0], first)
    for other in (dict(step=8, seed=1), dict(step=7, seed=2), dict(step=1, seed=7)):
        assert not torch.equal(pairs.batch(**other, size=8)[0], first), f"the same for {other}"


def test_by_default_64_rows_are_drawn_with_seed_0(translation):
    pairs = translation.training
    assert torch.equal(pairs.batch(step=3)[0], pairs.batch(step=3, size=64, seed=0)[0])


def test_drawing_a_batch_leaves_pytorchs_own_random_numbers_alone(translation):
    before = torch.get_rng_state()
    translation.training.batch(step=0, size=8)
    assert torch.equal(torch.get_rng_state(), before)


def test_many_batches_reach_every_training_number(translation):
    pairs = translation.training
    seen = {tuple(row) for step in range(100) for row in pairs.batch(step)[0].tolist()}
    # 100 batches of 64 out of 400: one number is missed with probability 0.84¹⁰⁰, about 3 in 10⁸.
    assert len(seen) == len(pairs)


REFUSED = {
    "a number not whole": (lambda t: number_words(2.5, "en"), "got 2.5"),
    "a truth value": (lambda t: number_words(True, "en"), "got True"),
    "an unknown language": (lambda t: number_words(2, "la"), "got 'la'"),
    "an unknown word": (lambda t: t.english.encode(["one", "zillion"]), "'zillion'"),
    "a number with an unknown word": (lambda t: t.pairs([5, 1_000]), "'thousand'"),
    "a million": (lambda t: number_words(1_000_000, "fr"), "got 1000000"),
    "a million below zero": (lambda t: number_words(-1_000_000, "en"), "got -1000000"),
    "a token too large": (lambda t: Vocabulary([["one"]]).decode([3, 4]), "from 0 to 3, got 4"),
    "a token below 0": (lambda t: Vocabulary([["one"]]).decode([-1]), "got -1"),
    "nothing to pad": (lambda t: pad([]), "got lengths []"),
    "an empty sequence": (lambda t: pad([[1], []]), "got lengths [1, 0]"),
    "no numbers": (lambda t: t.pairs([]), "got lengths []"),
    "a batch of nothing": (lambda t: t.training.batch(0, size=0), "got 0"),
    "a batch of more than there is": (lambda t: t.training.batch(0, size=401), "400, got 401"),
    "a step before the first": (lambda t: t.training.batch(-1), "step=-1"),
    "a negative seed": (lambda t: t.training.batch(0, seed=-1), "seed=-1"),
    "a range too small": (  # 1, 20, and 2 or 22, in whatever order they are dealt
        lambda t: NumberTranslation(22, 20), "3 at most of the numbers from 0 to 22, got 20"
    ),
    "nothing to hold out": (lambda t: NumberTranslation(n_held_out=0), "n_held_out must be"),
    "no range": (lambda t: NumberTranslation(highest=-3), "highest must be"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_bad_input_is_refused_and_named(name, translation):
    attempt, named = REFUSED[name]
    assert_refused(lambda: attempt(translation), named)
