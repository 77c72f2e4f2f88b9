"""Number words, English and French: a translation task that fits a laptop.

The words come from `num2words`. They are enough of a language to need attention: *ninety seven*
is *quatre vingt dix sept*, four twenties ten seven.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain

import torch
from jaxtyping import Int
from num2words.lang_EN import Num2Word_EN
from num2words.lang_FR import Num2Word_FR
from torch import Tensor

from helpers.inputs import require_positive

PAD, BOS, EOS = 0, 1, 2
"""Tokens that are no words: padding, begin and end of a sentence. Every vocabulary begins so."""

SPECIAL = ["<pad>", "<bos>", "<eos>"]


class _English(Num2Word_EN):
    def set_high_numwords(self, high: list[str]) -> None:
        """No million and beyond: num2words looks through all of them for every number it spells,
        and takes eight times as long with them."""


class _French(Num2Word_FR):
    set_high_numwords = _English.set_high_numwords


SPELLERS = {"en": _English(), "fr": _French()}


def number_words(number: int, language: str) -> list[str]:
    """A number in words: lower case, without hyphens and commas.

    Args:
        number: a whole number below a million.
        language: "en" or "fr".

    Raises:
        ValueError: number is not a whole number or too large, or language is another.
    """
    if isinstance(number, bool) or not isinstance(number, int):
        raise ValueError(f"number must be a whole number, got {number!r}")
    if abs(number) >= 1_000_000:
        raise ValueError(f"number must be below a million, got {number}")
    if language not in SPELLERS:
        raise ValueError(f"language must be one of {[*SPELLERS]}, got {language!r}")
    return _spell(number, language).split()


@cache
def _spell(number: int, language: str) -> str:
    words = SPELLERS[language].to_cardinal(number)
    return words.replace("-", " ").replace(",", " ")


class Vocabulary:
    """A number for each word: PAD 0, BOS 1, EOS 2, then the words in alphabetical order.

    Args:
        sentences: lists of words; each word that occurs in them gets a number.
    """

    words: list[str]
    """The word (or `<pad>`, `<bos>`, `<eos>`) that belongs to each number."""

    def __init__(self, sentences: Iterable[Sequence[str]]):
        self.words = SPECIAL + sorted({word for sentence in sentences for word in sentence})
        self._tokens = {word: token for token, word in enumerate(self.words)}

    def __len__(self) -> int:
        return len(self.words)

    def __contains__(self, word: str) -> bool:
        return word in self._tokens

    def encode(self, sentence: Sequence[str]) -> list[int]:
        """The numbers of these words, and nothing besides: BOS and EOS are for the caller to add.

        Raises:
            ValueError: a word is not in the vocabulary.
        """
        unknown = [word for word in sentence if word not in self]
        if unknown:
            raise ValueError(
                f"every word must be one of the vocabulary's {len(self) - len(SPECIAL)}, "
                f"got {unknown[0]!r}"
            )
        return [self._tokens[word] for word in sentence]

    def decode(self, tokens: Sequence[int] | Int[Tensor, " T"]) -> list[str]:
        """The words up to the first EOS; PAD and BOS are left out.

        Raises:
            ValueError: a token is not in the vocabulary.
        """
        tokens = tokens.tolist() if isinstance(tokens, Tensor) else list(tokens)
        sentence = tokens[: tokens.index(EOS)] if EOS in tokens else tokens
        wrong = [token for token in sentence if not 0 <= token < len(self)]
        if wrong:
            raise ValueError(f"tokens must be from 0 to {len(self) - 1}, got {wrong[0]}")
        return [self.words[token] for token in sentence if token not in (PAD, BOS)]


def pad(sequences: Sequence[Sequence[int]], token: int = PAD) -> Int[Tensor, "N T"]:
    """Sequences of unequal lengths as one tensor, filled up on the right.

    Returns:
        `(N, T)`, T the longest length.

    Raises:
        ValueError: there is no sequence, or one is empty.
    """
    lengths = [len(sequence) for sequence in sequences]
    if not lengths or min(lengths) == 0:
        raise ValueError(f"pad needs sequences of at least one token, got lengths {lengths}")
    T = max(lengths)
    return torch.tensor([[*s, *[token] * (T - len(s))] for s in sequences])


@dataclass(frozen=True)
class Pairs:
    """Sentences and their translations, ready for an encoder–decoder."""

    numbers: list[int]
    """Which numbers the rows are."""

    source: Int[Tensor, "N S"]
    """English words, EOS, padding."""

    target_in: Int[Tensor, "N T"]
    """BOS, French words, padding: what the decoder sees."""

    target_out: Int[Tensor, "N T"]
    """French words, EOS, padding: what it has to answer, position by position."""

    def __len__(self) -> int:
        return len(self.numbers)

    def batch(self, step: int, size: int = 64, seed: int = 0) -> tuple[Tensor, Tensor, Tensor]:
        """`size` different rows, drawn anew at each step: source, target_in, target_out.

        They depend on seed, step and size alone, not on what was drawn before, so that training
        can go on from any step.

        Raises:
            ValueError: size is not a whole number from 1 to the number of rows, or step or seed
                is negative.
        """
        require_positive("size", size)
        if size > len(self):
            raise ValueError(f"size must be at most the number of rows, {len(self)}, got {size}")
        if step < 0 or seed < 0:
            raise ValueError(f"step and seed must not be negative, got step={step}, seed={seed}")
        # A generator looks at 32 bits of its seed: seeds are kept a million steps apart in these.
        generator = torch.Generator().manual_seed((seed * 1_000_003 + step) % 2**32)
        rows = torch.randperm(len(self), generator=generator)[:size]
        return self.source[rows], self.target_in[rows], self.target_out[rows]


class NumberTranslation:
    """The numbers from 0 to `highest` in English and French, dealt out by chance: most to train
    on, others held out.

    A number with a word that would be missing in training is not held out, since nobody could
    know its translation: *zero* is always trained on.

    Args:
        highest: the largest number.
        n_held_out: how many numbers to hold out.
        seed: another one deals otherwise.

    Raises:
        ValueError: highest or n_held_out is not a positive whole number, or so many cannot be held
            out without losing a word.
    """

    english: Vocabulary
    french: Vocabulary
    training: Pairs
    held_out: Pairs

    def __init__(self, highest: int = 9_999, n_held_out: int = 1_000, seed: int = 0):
        require_positive("highest", highest)
        require_positive("n_held_out", n_held_out)
        words = {
            number: {(lang, word) for lang in SPELLERS for word in number_words(number, lang)}
            for number in range(highest + 1)
        }
        left = Counter(chain.from_iterable(words.values()))  # numbers left to train on, by word
        self.english, self.french = (
            Vocabulary([[word for lang, word in left if lang == language]]) for language in SPELLERS
        )
        training, held_out = [], []
        generator = torch.Generator().manual_seed(seed)
        for number in torch.randperm(highest + 1, generator=generator).tolist():
            if len(held_out) < n_held_out and min(left[word] for word in words[number]) > 1:
                left.subtract(words[number])
                held_out.append(number)
            else:
                training.append(number)
        if len(held_out) < n_held_out:
            raise ValueError(
                f"n_held_out must leave every word in training, {len(held_out)} at most of the "
                f"numbers from 0 to {highest}, got {n_held_out}"
            )
        self.training, self.held_out = self.pairs(training), self.pairs(held_out)

    def pairs(self, numbers: Sequence[int]) -> Pairs:
        """Any numbers in both languages, as tensors.

        Raises:
            ValueError: there is none, or one has a word that no number to train on has.
        """
        source = [self.english.encode(number_words(number, "en")) for number in numbers]
        target = [self.french.encode(number_words(number, "fr")) for number in numbers]
        return Pairs(
            list(numbers),
            pad([[*tokens, EOS] for tokens in source]),
            pad([[BOS, *tokens] for tokens in target]),
            pad([[*tokens, EOS] for tokens in target]),
        )
