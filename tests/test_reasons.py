"""What a failing graded cell says beyond its own sentence: the known mistakes that fit, and nothing false."""

import json
import math
import random
import re

import numpy as np
import pytest
import torch
from bank import EXERCISES, notebook
from record_mistakes import graded, raises_only, told_apart
from record_mistakes import probes as probes_of_the_bank

from helpers import reasons
from helpers.reasons import Probe, agrees, explained, named, probes, read, written

PROBES = [
    {"call": "double", "inputs": {"tuple": [3]}, "read": "number"},
    {"call": "double", "inputs": {"tuple": [0]}, "read": "number"},
]
MISTAKES = [
    {"when": "the number is squared", "gives": [{"result": 9}, {"result": 0}]},
    {"when": "the number is multiplied by three", "gives": [{"result": 9}, {"result": 0}]},
    {"when": "two is added", "gives": [{"result": 5}, {"result": 2}]},
    {"when": "an element is taken", "gives": [{"result": 6}, {"result": {"raises": "TypeError", "says": "'int' object is not subscriptable"}}]},
    {"when": "the function has another name", "gives": [{"result": {"raises": "no such function", "says": ""}}] * 2},
]


@pytest.fixture(autouse=True)
def stored(tmp_path, monkeypatch):
    """An exercise `toy`, with the cell `test-double` and known mistakes."""
    (tmp_path / "toy.json").write_text(json.dumps({"test-double": {"probes": PROBES, "mistakes": MISTAKES}}))
    monkeypatch.setattr(reasons, "MISTAKES", tmp_path)
    reasons._known.cache_clear()
    yield
    reasons._known.cache_clear()


def said(answer: str, exercise: str = "toy", test: str = "assert double(4) == 8, 'Four came out wrong.'") -> str:
    """What the graded cell of the toy exercise says to this answer."""
    cell = (
        "import helpers.reasons\n"
        f"@helpers.reasons.explained({exercise!r})\n"
        "def test_double():\n"
        f"    {test}\n"
        "test_double()\n"
    )
    names = {}
    exec(answer, names)
    try:
        exec(cell, names)
    except AssertionError as failure:
        return str(failure)
    return ""


@pytest.mark.parametrize(
    "answer, sentence",
    [
        ("def double(x): return 2 * x", ""),
        ("def double(x): return x + 2", "Four came out wrong. This is what comes out when two is added."),
        ("def double(x): return torch.tensor(x + 2.0)", "Four came out wrong. This is what comes out when two is added."),
        (
            "def double(x): return x**2",
            "Four came out wrong. This fits more than one known mistake: the number is squared; or the number is multiplied by three.",
        ),
        ("def double(x): return x + 1", "Four came out wrong."),
        ("def double(x): return 6 if x == 3 else x[0] if x == 0 else 0", "Four came out wrong. This is what comes out when an element is taken."),
        ("def double(x): return 6 if x == 3 else len(x) if x == 0 else 0", "Four came out wrong."),  # raises the same, says another thing
        ("def double(x): return 2 * x if x < 4 else 0", "Four came out wrong."),
        ("def double(x): return 1 / 0 if x < 4 else 0", "Four came out wrong."),
        ("def double(x): return str(x)", "Four came out wrong."),
        ("def double(x): return twice(x) if x < 4 else 0", "Four came out wrong."),  # it is not double that is missing
    ],
)
def test_a_failing_cell_names_the_known_mistakes_that_fit_all_of_them_and_no_other(answer, sentence):
    assert said(f"import torch\n{answer}") == sentence


def test_a_missing_function_is_told_in_a_sentence():
    assert said("def doubled(x): return 2 * x") == (
        "There is no function double in this notebook; expected one of just this name. Was the cell that defines it"
        " run, and to its end? (A slip of syntax or indentation in it leaves the function undefined.) This is what comes out when the function has another name."
    )


def test_a_name_that_no_student_was_asked_for_stays_the_tests_own_fault():
    with pytest.raises(NameError, match="twice"):
        said("def double(x): return 2 * x", test="twice(2)")


def test_an_exercise_nothing_is_known_of_yet_says_its_own_sentence():
    assert said("def double(x): return x + 2", exercise="new") == "Four came out wrong."


def test_a_slow_function_is_told_no_more_than_the_tests_sentence(monkeypatch):
    monkeypatch.setattr(reasons, "PATIENCE", -1)
    assert said("def double(x): return x + 2") == "Four came out wrong."


def test_what_a_student_prints_while_probed_is_not_shown(capsys):
    said("def double(x):\n    print('called with', x)\n    return x + 2")
    assert capsys.readouterr().out == "called with 4\n", "the test's own call prints, the probes do not"


def test_a_cell_begins_from_its_seed_whatever_came_before_and_all_seeds_hang_on_one_number(monkeypatch):
    @explained("toy")
    def test_double():
        return random.random(), np.random.rand(), torch.rand(1).item()

    @explained("toy")
    def test_other():
        return random.random(), np.random.rand(), torch.rand(1).item()

    first = test_double()
    torch.rand(3), np.random.rand(3), random.random()
    assert test_double() == first, "the same cell drew other numbers the second time"
    assert not set(first) & set(test_other()), "two cells draw the same numbers"
    monkeypatch.setattr(reasons, "SEED", 1)
    assert not set(first) & set(test_double()), "another SEED gave a number again"


def test_named_finds_the_known_mistakes_in_a_text():
    assert named("toy", "… This is what comes out when two is added. And so on") == ["two is added"]
    assert named("toy", "nothing of the kind") == []


# -- Probes ----------------------------------------------------------------------------------


def behaviour(function, *inputs, **how):
    return Probe(function.__name__, inputs, **how).behaviour({function.__name__: function})


def test_a_probe_sees_the_result_or_what_was_raised_or_what_it_is_instead():
    def back(x):
        return x if x is not None else 1 / 0

    assert behaviour(back, {"a": [1.5, 2]}, at=("a", 1), read="number") == {"result": 2.0}
    assert behaviour(back, {"a": torch.tensor([2, 1])}, at=("a",), read="numbers in any order") == {"result": [1.0, 2.0]}
    assert behaviour(back, None) == {"result": {"raises": "ZeroDivisionError", "says": "division by zero"}}
    assert behaviour(back, torch.tensor([[1.0]]), read="number") == {"result": [["a number"]]}
    assert behaviour(back, {"b": 1}, at=("a",)) == {"result": {"dict": [["b", "a number"]]}}
    assert behaviour(lambda: object) == {"result": {"form": "a type, <class 'object'>"}}
    assert behaviour(back, {"a": {"b": [1], "c": (2,)}}, read="names") == {"result": {"dict": [["a", {"dict": [["b", "…"], ["c", "…"]]}]]}}


@pytest.mark.parametrize("row", [
    [0.25, 0.5], torch.tensor([0.25, 0.5]), torch.tensor([0.25, 0.5]).double(), np.array([0.25, 0.5]), list(torch.tensor([0.25, 0.5])),
], ids=["list", "tensor", "float64", "array", "list of tensors"])  # fmt: skip
def test_what_a_result_is_instead_is_the_same_whatever_holds_its_numbers(row):
    def back(x):
        return x

    assert behaviour(back, {"b": row}, at=("a",)) == {"result": {"dict": [["b", ["a number", "a number"]]]}}
    assert behaviour(back, {"b": [row]}, at=("a",)) == {"result": {"dict": [["b", [["a number", "a number"]]]]}}, "nesting is seen"


def test_a_probe_sees_gradients_and_what_is_left_of_the_inputs():
    def fills(x):
        y = 2 * x
        x.zero_()
        return y

    looked = behaviour(fills, torch.ones(2), upstream=torch.tensor([1.0, 3.0]), untouched=True)
    assert looked["gradients"]["tuple"][0]["tensor"] == [2.0, 6.0], looked
    assert looked["inputs"]["tuple"][0]["tensor"] == [0.0, 0.0], looked


def test_what_is_drawn_at_random_is_seen_as_an_average_and_a_scatter():
    values = iter([1.0, 2.0, 3.0, 6.0])
    looked = Probe("draw", (), repeat=4).behaviour({"draw": lambda: next(values)})
    assert looked == {"mean": 3.0, "scatter": pytest.approx(math.sqrt(14 / 3))}, looked
    looked = Probe("draw", (), repeat=2).behaviour({"draw": lambda: math.nan})
    assert looked == "nan", looked


@pytest.mark.parametrize(
    "value",
    [
        None,
        True,
        3,
        1.25,
        -math.inf,
        "word",
        [1, [2.5, "a"]],
        (1, (2,)),
        {"a": [True], "b": {"c": ()}},
        {1: 2},
    ],
    ids=str,
)
def test_what_is_written_reads_as_it_was(value):
    again = read(json.loads(json.dumps(written(value))))
    assert again == value and type(again) is type(value), f"{value!r} came back as {again!r}"


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float64, torch.bool, torch.int64], ids=str)
def test_a_tensor_that_is_written_reads_as_it_was(dtype):
    for tensor in (torch.tensor([[1, 0]]).to(dtype), torch.zeros(2, 0, 3, dtype=dtype), torch.ones((), dtype=dtype)):
        again = read(json.loads(json.dumps(written(tensor))))
        assert again.dtype == dtype and again.shape == tensor.shape and torch.equal(again, tensor), again


@pytest.mark.parametrize(
    "got, known, same",
    [
        (1.0, 1.0004, True),
        (1.0, 1.002, False),
        (math.nan, math.nan, True),
        (math.nan, 1.0, False),
        (1, 1.0, True),
        (True, 1.0, False),
        (0.0, 1e-7, True),
        (0.5, {"from": 0.4, "to": 0.6}, True),
        (0.7, {"from": 0.4, "to": 0.6}, False),
        (None, {"from": 0.4, "to": 0.6}, False),
        ([1.0, 2.0], [1.0], False),
        ("RuntimeError", "ValueError", False),
        (None, None, True),
        (written(torch.tensor([1.0])), written(torch.tensor([1.005])), False),
        (written(torch.tensor([1.0]).half()), written(torch.tensor([1.01]).half()), True),
        (written(torch.tensor([1.0]).half()), written(torch.tensor([1.0])), False),
        (written(torch.ones(1, 2)), written(torch.ones(2)), False),
        (written((1,)), written([1]), False),
        (written(10**400), written(10**400), True),
        (written(10**400), 1.0, False),
    ],
    ids=str,
)
def test_two_results_agree_if_they_are_of_one_form_and_their_numbers_are_close(got, known, same):
    assert agrees(got, known) == same


@pytest.mark.parametrize(
    "known, right, apart",
    [
        ([1.0, 2.0], [1.0, 2.1], True),
        ([1.0, 2.0], [1.0, 2.0], False),
        ([{"mean": {"from": 0, "to": 1}, "scatter": {"from": 0, "to": 1}}], [{"mean": {"from": 0.9, "to": 2}, "scatter": {"from": 0, "to": 1}}], False),
        ([{"mean": {"from": 0, "to": 1}, "scatter": {"from": 0, "to": 1}}], [{"mean": {"from": 1.1, "to": 2}, "scatter": {"from": 0, "to": 1}}], True),
        ([{"mean": {"from": 0, "to": 1}, "scatter": {"from": 0, "to": 1}}], ["nan"], True),
    ],
)
def test_a_mistake_is_told_from_a_right_answer_only_where_no_result_can_be_taken_for_both(known, right, apart):
    assert told_apart(known, right) == apart


# -- What is stored --------------------------------------------------------------------------


@pytest.fixture
def really_stored(monkeypatch):
    monkeypatch.undo()
    reasons._known.cache_clear()


@pytest.mark.parametrize("exercise", EXERCISES)
def test_every_graded_cell_has_the_probes_of_the_bank_and_mistakes(really_stored, exercise):
    cells = [cell.id for cell in notebook("solutions", exercise).cells if cell.metadata.get("nbgrader", {}).get("grade")]
    expected = probes_of_the_bank(exercise)
    assert set(expected) == set(cells), f"probes.py has probes for {set(expected)}, the graded cells are {set(cells)}"
    for cell in cells:
        def look(of):
            return [written(tuple(vars(probe).values()), 17) for probe in of]

        assert look(probes(exercise, cell)) == look(expected[cell]), (
            f"the probes of {cell} in helpers/mistakes are not those of the bank: run `make mistakes ARGS={exercise}`"
        )
        known = reasons._known(exercise)[cell]
        assert known["mistakes"], f"no mistake is known of {cell}"
        called = {"name": known["name"], "points": known["points"]}
        assert called == graded(exercise)[cell], f"{cell} is called {called}: run `make mistakes ARGS={exercise}`"


@pytest.mark.parametrize("exercise", EXERCISES)
def test_a_known_mistake_is_a_clause_that_follows_when(really_stored, exercise):
    for cell, known in reasons._known(exercise).items():
        for mistake in known["mistakes"]:
            assert re.fullmatch(r"([a-z−√0-9`]|True |None |NaN ).{8,200}[^.\s]", mistake["when"]), f"{cell}: {mistake['when']!r} cannot follow 'comes out when'"


@pytest.mark.parametrize("exercise", EXERCISES)
def test_no_mistakes_words_are_part_of_anothers(really_stored, exercise):
    """A text that names the one would seem to name the other."""
    every = {mistake["when"] for known in reasons._known(exercise).values() for mistake in known["mistakes"]}
    within = [(one, other) for one in every for other in every if one != other and one in other]
    assert not within, f"these diagnoses contain each other: {within}"


def test_what_does_nothing_but_raise_is_no_mistake_to_be_known_by_it():
    raises = {"result": {"raises": "ValueError", "says": "no"}}
    assert raises_only([raises, raises])
    assert raises_only([{"raises": "ValueError", "says": "no"}])
    assert not raises_only([raises, {"result": 3}])
    assert not raises_only([{"result": {"raises": "no such function", "says": ""}}])
