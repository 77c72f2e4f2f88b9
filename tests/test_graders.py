"""The tools behind `make test-graders`, on toy cells: what they should find, they find."""

import ast
from dataclasses import dataclass

import graders
import pytest
from graders import Cell, draws, judge, under_seeds
from mutants import mutants

from helpers import observer

DOUBLED = """
import helpers.reasons


@helpers.reasons.explained("toy")
def test_doubled():
    from helpers.observer import observe

    def check(x, expected):
        found = observe(doubled, x).returned()
        assert found == expected, f"For {x} it says {found}."

    check(1, 2)
    ### BEGIN HIDDEN TESTS
    check(3, 6)
    ### END HIDDEN TESTS


test_doubled()
"""


@dataclass(frozen=True)
class Toy:
    """An answer that is one function."""

    function: object

    def __str__(self):
        return self.function.__name__

    def functions(self):
        return {"doubled": self.function}


def toys(*functions):
    return [Toy(function) for function in functions]


def cell(source=DOUBLED, name="test-doubled"):
    return Cell("toy", name, source, asked=frozenset({"doubled"}))


def asserting(*lines, hidden=()):
    """A toy cell of these lines."""
    below = ["### BEGIN HIDDEN TESTS", *hidden, "### END HIDDEN TESTS"] if hidden else []
    body = "\n    ".join(["import math", "import torch", "import helpers.observer", *lines, *below])
    return cell(f'import helpers.reasons\n\n\n@helpers.reasons.explained("toy")\ndef test_doubled():\n    {body}\n\n\ntest_doubled()')


def twice(x):
    return 2 * x


def squared_and_one(x):
    return x * x + 1  # right for 1 alone


def always_six(x):
    return 6


def unchanged(x):
    return x


def alive(judged):
    return [mutant.what for mutant in judged.survivors]


def test_an_assertion_that_some_wrong_answer_needs_is_killed_and_one_that_none_needs_survives():
    judged = judge(cell(), toys(squared_and_one, always_six, unchanged), toys(twice))
    assert alive(judged) == [], f"each of the three is needed, but these are said to survive: {alive(judged)}"
    assert (judged.by_verdict, judged.by_score) == (2, 1), f"the visible call and the assertion count by verdict, not {judged}"
    judged = judge(cell(), toys(always_six, unchanged), toys(twice))
    assert alive(judged) == ["deleted: check(3, 6)"], f"without squared_and_one nothing needs the hidden call, but alive are {alive(judged)}"


def test_what_the_visible_part_misses_and_the_score_needs_is_killed_by_the_score():
    needed_below = asserting(
        "def check(x, expected):",
        "    assert doubled(x) == expected",
        "    assert type(doubled(x)) is int",
        "check(1, 2)",
        hidden=["check(1000000, 2000000)"],
    )
    judged = judge(needed_below, toys(lambda x: 2 * x if x < 1000 else 2.0 * x, unchanged), toys(twice))
    assert judged.by_score == 2, f"expected the check of the type and the hidden call to be killed by the score alone, not {judged}"
    assert alive(judged) == []


def test_an_answer_that_is_right_by_chance_kills_no_mutant():
    coin = asserting("assert doubled(1) == 2")
    heads, tails = (lambda x: 2 + int(observer.torch.rand(()) < 0.5)), (lambda x: 2 + int(observer.torch.rand(()) >= 0.5))
    judged = judge(coin, toys(heads, tails), toys(twice))
    assert len(alive(judged)) == 1, f"one of the two fails under the first seed, but neither under each: {judged}"
    assert len(judged.lucky) == 2, f"both should be told as not sure to lose the cell: {judged}"


def test_an_input_that_looks_like_cases_is_set_aside_and_not_counted():
    unpacked = asserting("a, b = (doubled(x) for x in (1, 2))", "assert (a, b) == (2, 4)")
    judged = judge(unpacked, toys(unchanged), toys(twice))
    assert len(judged.no_weaker) == 2, f"neither 1 nor 2 can be dropped from what is unpacked: {judged}"
    assert (judged.all, alive(judged)) == (1, [])


@pytest.mark.parametrize(
    "line, expected",
    [
        ("assert x and y", ["deleted: assert x and y", "without `x`", "without `y`"]),
        ("assert not (x or y)", ["deleted: assert not (x or y)", "without `x`", "without `y`"]),
        ("assert x or y", ["deleted: assert x or y"]),
        ("assert x == y == 3", ["deleted: assert x == y == 3", "without `x == y`", "without `y == 3`"]),
        ("assert x < y", ["deleted: assert x < y", "the bound y of `x < y` is 4 times as wide"]),
        ("assert 3 < x", ["deleted: assert 3 < x", "the bound 3 of `3 < x` is 4 times as wide"]),
        ("assert 0 < x", ["deleted: assert 0 < x"]),
        ("assert {1} <= set(x)", ["deleted: assert {1} <= set(x)"]),
        ("assert all(a for a in x)", ["deleted: assert all((a for a in x))", "some is enough in `all((a for a in x))`"]),
        ("assert not x.any()", ["deleted: assert not x.any()", "not every is enough in `x.any()`"]),
        ("assert near(x, atol=1e-5)", ["deleted: assert near(x, atol=1e-05)", "atol=1e-05 is 100 times as much"]),
        ("raise AssertionError('no')", ["deleted: raise AssertionError('no')"]),
        ("raise ValueError('no')", []),
        ("check(x)", ["deleted: check(x)"]),
        ("other(x)", []),
        ("for x in [1, 2]: pass", ["the case 1 is deleted", "the case 2 is deleted"]),
        ("for i, x in enumerate((1, 2)): pass", ["the case 1 is deleted", "the case 2 is deleted"]),
        ("for x in [1]: pass", []),
        ("cases = [1, 2]; [x for x in cases]", ["the case 1 is deleted", "the case 2 is deleted"]),
        ("y = check([(1, 2), (3, 4)])", ["the case (1, 2) is deleted", "the case (3, 4) is deleted"]),
        ("y = check([1, 2])", []),
        ("for x in {'a': 1, 'b': 2}.items(): pass", ["the case 'a' is deleted", "the case 'b' is deleted"]),
    ],
)
def test_the_mutants_of_a_line_are_these(line, expected):
    source = f"def test_x():\n    def check(known):\n        for one in known: pass\n    {line}\n\n\ntest_x()"
    found = list(mutants(source))
    assert [mutant.what for mutant in found] == expected, f"{line!r} has the mutants {[str(mutant) for mutant in found]}"
    assert {mutant.line for mutant in found} <= {4}, f"the mutants are on line 4, not on {[mutant.line for mutant in found]}"


@pytest.mark.parametrize(
    "assertion, passes, fails",
    [
        ("x <= 2", "x = 8", "x = 9"),
        ("x > 2", "x = 1", "x = 0.5"),
        ("x > -2", "x = -7", "x = -8"),
        ("x < -2", "x = -1", "x = -0.5"),
        ("2 < x", "x = 1", "x = 0.5"),
        ("not x > 2", "x = 8", "x = 9"),
        ("all(a < 2 for a in x)", "x = [7, 7]", "x = [1, 9]"),
    ],
)
def test_a_widened_bound_is_four_times_as_wide_and_no_wider(assertion, passes, fails):
    (wider,) = [mutant for mutant in mutants(f"def test_x():\n    assert {assertion}\ntest_x()") if "wide" in mutant.what]
    code = compile(wider.tree, "mutant", "exec")
    for values, raises in ((passes, False), (fails, True)):
        names = {}
        exec(values, names)
        try:
            exec(code, names)
            raised = False
        except AssertionError:
            raised = True
        assert raised == raises, f"`{assertion}` widened is {ast.unparse(wider.tree)}, and with {values} it {'fails' if raised else 'passes'}"


def test_what_is_true_of_nothing_stays_true_when_all_becomes_some():
    for mutant in mutants("def test_x():\n    assert all(x)\n    assert not y.any()\ntest_x()"):
        exec(compile(mutant.tree, "mutant", "exec"), graders.NAMES | {"x": [], "y": observer.torch.zeros(0)})


def test_a_right_answer_that_fails_under_a_single_seed_is_found():
    once = asserting("draw = torch.rand(())", "assert doubled(1) == 2 and draw > 0.02, 'unlucky'")
    found = under_seeds(once, Toy(twice), range(200))
    expected = [f"twice, seed {seed}" for seed in range(200) if drawn(seed) <= 0.02]
    assert expected, "no seed below 200 draws so little: choose a larger bound"
    assert [failure.partition(":")[0] for failure in found.failures] == expected, f"the failures are {found.failures}"
    assert found.runs == 200


def drawn(seed):
    with graders.replaced(graders.reasons, "SEED", seed):
        observer.torch.manual_seed(graders.reasons.seed("test-doubled"))
        return observer.torch.rand(()).item()


@pytest.mark.parametrize(
    "assertion, share",
    [
        ("abs(8 - 10) <= 8", 0.75),
        ("6 <= 9 <= 14", 0.75),
        ("14 >= 9 >= 6", 0.75),
        ("3 > 2", 0.5),
        ("2 < doubled(2)", 1.0),
        ("all(x < 10 for x in (1, 9, 2))", 0.1),
        ("not 12 < 10", 0.2),
        ("5 > 0", None),
        ("5 == 5", None),
        ("math.inf > 5", None),
    ],
)
def test_the_margin_of_a_comparison_is_its_distance_to_the_bound(assertion, share):
    found = under_seeds(asserting(f"assert {assertion}"), Toy(twice), [0])
    assert not found.failures, f"`{assertion}` is true, but measured it fails: {found.failures}"
    margin = found.margins.closest.get("comparison", (None,))[0]
    assert margin == (None if share is None else pytest.approx(share)), f"`{assertion}` has {share} left, not {margin}"


def test_the_smallest_margin_is_told_with_its_line_answer_and_seed():
    found = under_seeds(asserting("assert 1 < 4", "assert 3 < 4"), Toy(twice), [0, 1])
    found += under_seeds(asserting("assert 2 < 4"), Toy(unchanged), [0])
    assert found.margins.closest == {"comparison": (0.25, "line 10 `3 < 4`, twice, seed 0")}, found.margins
    assert found.runs == 3


def test_the_margin_of_a_mismatch_is_what_is_left_of_its_tolerance():
    def off_by(share):
        rtol = observer.torch.finfo(observer.torch.double).eps ** 0.5
        return under_seeds(
            asserting(
                f"got = torch.tensor([0.0, 4 * (1 + {share * rtol!r}), math.nan], dtype=torch.double)",
                "assert not helpers.observer.mismatch(got, torch.tensor([0.0, 4.0, math.nan], dtype=torch.double))",
            ),
            Toy(twice),
            [0],
        )

    found = off_by(0.7)
    assert found.margins.closest["mismatch"][0] == pytest.approx(0.3, abs=1e-3) and not found.failures, found
    assert off_by(1.1).failures, "a mismatch beyond its tolerance has to fail while it is watched"
    close = observer.mismatch(observer.torch.tensor([1.0]), observer.torch.tensor([1.0]))
    assert close == "" and observer.mismatch.__module__ == "helpers.observer", "what was watched is not put back"


def test_only_a_cell_that_draws_with_some_right_answer_needs_many_seeds():
    assert not draws(cell(), toys(twice, unchanged)), "nothing is drawn in this cell"
    assert draws(cell(), toys(twice, lambda x: 2 * x + 0 * observer.torch.rand(()))), "an answer draws"
    assert draws(asserting("torch.rand(())"), toys(twice)), "the cell draws"


def test_a_cell_hands_on_plain_data_alone_and_meets_no_function_that_is_not_there(monkeypatch):
    monkeypatch.setattr(graders.reasons, "_reason", lambda *_: "")
    monkeypatch.setattr(graders.reasons, "probes", lambda *_: [])
    handed = asserting("doubled(lambda: 1)")
    verdict = handed.verdict(handed.tree, {"doubled": twice})
    assert "only plain data may pass" in verdict, f"a function was handed to an answer, and the verdict is {verdict}"
    verdict = handed.verdict(handed.tree, {"twice": twice})
    assert verdict and "doubled" in verdict, f"there is no function doubled, and the verdict is {verdict}"
