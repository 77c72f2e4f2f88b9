"""The benchmarks run and tell what they measured. How fast anything is, no test asks."""

import re
from types import SimpleNamespace

import pytest
import torch.nn.functional as F

from benchmarks import works
from benchmarks.__main__ import main
from benchmarks.measure import Result, in_turn, ratios, table
from benchmarks.works import WORKS
from helpers.data import EOS, PAD, NumberTranslation


def test_two_sides_are_measured_in_turn_and_the_one_that_begins_alternates():
    seen = []

    def side(name, figures):
        return lambda: seen.append(name) or next(figures)

    figures = in_turn(side("a", iter((9.0, 1.0, 2.0, 3.0))), side("b", iter((9.0, 2.0, 2.0, 2.0))), 3)
    assert "".join(seen) == "ba" "ab" "ba" "ab"
    assert figures == ([1.0, 2.0, 3.0], [2.0, 2.0, 2.0]), "what was measured to warm up must not count"
    assert ratios(figures) == [0.5, 1.0, 1.5]


def test_a_row_tells_median_spread_and_whether_the_aim_was_reached():
    figures = [0.9, 5.0, 1.0, 1.1, 1.2]
    reached, missed, told = (Result("ours", "theirs", figures, aim) for aim in (1.1, 1.0, None))
    assert (reached.median, reached.spread) == (1.1, (1.0, 1.2))
    assert [row.verdict for row in (reached, missed, told)] == ["reached", "missed", "–"]
    assert "| ours | theirs | 1.10 (1.00 – 1.20) | 5 | ≤ 1.00 | missed |" in table([missed])


def test_a_translation_counts_if_every_word_is_right():
    data = NumberTranslation(99, 20)
    right = data.held_out.target_out
    one_wrong_word = right.clone()
    one_wrong_word[3, 0] += 1
    longest = right[:, -1] != PAD
    longest_too_short = right.masked_fill(longest[:, None], EOS)

    def share_right(answers):
        """Of a model that says these, word by word."""
        def decode(tokens, cache=None):
            return F.one_hot(answers[:, : tokens.shape[1]], len(data.french)).double()

        return works.exact_match(SimpleNamespace(given=lambda source: decode), data)

    assert share_right(right) == 1.0
    assert share_right(one_wrong_word) == 19 / 20
    assert share_right(longest_too_short) == (~longest).double().mean().item() > 0


def test_a_translator_that_misses_its_goal_gets_no_time(monkeypatch):
    monkeypatch.setattr(works, "train", lambda *args, **options: None)
    monkeypatch.setattr(works, "exact_match", lambda model, data: -0.01)
    with pytest.raises(RuntimeError, match="EncoderDecoder, seed 0: -1.0% exact match after 100 steps"):
        works.translator(quick=True)


def test_every_benchmark_runs_at_toy_size_and_fills_its_row(tmp_path, capsys):
    main(["--quick", "--picture", str(tmp_path / "bench.png")])
    printed = capsys.readouterr().out
    rows = re.findall(r"^\| (?!work|-)(.+?) \| (.+?) \| (\S+) \((\S+) – (\S+)\) \|", printed, re.M)
    named = " ".join(row[0] for row in rows)
    for part in (
        "MultiHeadAttention", "TransformerEncoder", "translator", "generating", "tiled attention", "import",
    ):
        assert part in named, f"no row for {part}:\n{printed}"
    for row in rows:
        median, low, high = map(float, row[2:])
        assert 0 < low <= median <= high, f"this is no ratio with its spread: {row}"
    assert (tmp_path / "bench.png").stat().st_size > 10_000


def test_an_unknown_name_is_refused_with_those_there_are(capsys):
    with pytest.raises(SystemExit):
        main(["speed"])
    assert f"no benchmark 'speed'; there are {', '.join(WORKS)}" in capsys.readouterr().err
