"""The graded cells, graded: right answers of many styles pass, wrong ones lose the cells they should.

`answers/EXERCISE/right` and `wrong` hold what students might write. A file replaces the functions it
defines; the rest is the solution's. A wrong one says in its first lines which graded cells it loses.

Here the cells run in this process. Each runs alone, and instead of a student's functions it
meets `Stranger`s, which take nothing but plain data.
"""

import ast
import functools
import json
import re
from pathlib import Path

import pytest
import torch

ROOT = Path(__file__).parents[1]
ANSWERS = ROOT / "tests" / "answers"
EXERCISES = ("scaling", "masks", "permutation")
SOLUTION = re.compile(r"^( *)### BEGIN SOLUTION\n.*?### END SOLUTION", re.DOTALL | re.MULTILINE)
HIDDEN = re.compile(r"^ *### BEGIN HIDDEN TESTS\n.*?### END HIDDEN TESTS\n?", re.DOTALL | re.MULTILINE)
# Where a file leaves average_peaks alone, a quick right answer stands in for the solution's loop.
QUICK = {"scaling": "right/keys_shared_by_all_queries.py"}


@functools.cache
class Exercise:
    def __init__(self, name):
        path = ROOT / "solutions" / name / f"{name}.ipynb"
        self.name = name
        self.cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        marked = [cell for cell in self.cells if "nbgrader" in cell["metadata"]]
        kinds = [(cell["metadata"]["nbgrader"], "".join(cell["source"])) for cell in marked]
        self.provided = [source for kind, source in kinds if not kind["grade"] and not kind["solution"]]
        self.solution = [source for kind, source in kinds if kind["solution"]]
        self.shown = {
            cell["id"]: "".join(cell["source"])
            for cell in self.cells
            if cell["cell_type"] == "code" and "nbgrader" not in cell["metadata"]
        }
        self.tests = {kind["grade_id"]: source for kind, source in kinds if kind["grade"]}
        self.points = {kind["grade_id"]: kind["points"] for kind, _ in kinds if kind["grade"]}


each_exercise = pytest.mark.parametrize("exercise", [Exercise(name) for name in EXERCISES], ids=EXERCISES)


class Stranger:
    """A student's function as a graded cell may know it: by its name, and by a call with plain data."""

    def __init__(self, function):
        self.__name__ = function.__name__
        self.__function = function

    def __call__(self, *inputs):
        for value in inputs:
            assert is_plain(value), f"a graded cell handed {self.__name__} a {type(value).__name__}: only plain data may pass"
        return self.__function(*inputs)


def is_plain(value):
    if isinstance(value, list | tuple):
        return all(map(is_plain, value))
    if isinstance(value, dict):
        return all(map(is_plain, value)) and all(map(is_plain, value.values()))
    return type(value) in (bool, int, float, str, type(None), torch.Tensor)


def grade(exercise, *answers, tests=None):
    """What each graded cell says of these answers; None if it says nothing."""
    student = {}
    for source in (*exercise.provided, *exercise.solution, *answers):
        exec(source, student)
    asked_for = [node.name for source in exercise.solution for node in ast.parse(source).body]
    verdict = {}
    for name, source in (tests or exercise.tests).items():
        try:
            exec(source, {function: Stranger(student[function]) for function in asked_for})
            verdict[name] = None
        except Exception as error:
            verdict[name] = f"{type(error).__name__}: {error}"
    return verdict


def lost(verdict):
    return {name for name, message in verdict.items() if message}


def answers(kind):
    return [
        pytest.param(Exercise(exercise), path, id=f"{exercise}-{path.stem}")
        for exercise in EXERCISES
        for path in sorted(ANSWERS.glob(f"{exercise}/{kind}/*.py"))
    ]


def read(exercise, path):
    """The sources to run: the file's, and before it the quick stand-in where there is one."""
    quick = QUICK.get(exercise.name)
    return [*([(ANSWERS / exercise.name / quick).read_text()] if quick else []), path.read_text()]


@each_exercise
def test_the_solution_passes_every_graded_cell_with_and_without_the_hidden_tests(exercise):
    visible = {name: HIDDEN.sub("", source) for name, source in exercise.tests.items()}
    for tests in (exercise.tests, visible):
        verdict = grade(exercise, tests=tests)
        assert not lost(verdict), f"the solution loses {lost(verdict)}: {verdict}"


@each_exercise
def test_an_untouched_exercise_passes_no_graded_cell_and_is_told_what_is_missing(exercise):
    untouched = [SOLUTION.sub(r"\1raise NotImplementedError()", source) for source in exercise.solution]
    assert untouched != exercise.solution, "the answer cells hold no solution to take out"
    verdict = grade(exercise, *untouched)
    assert lost(verdict) == set(exercise.tests), f"untouched, these cells pass all the same: {set(exercise.tests) - lost(verdict)}"
    for name, message in verdict.items():
        assert "is not answered yet" in message, f"{name} does not say that the answer is missing, but: {message}"


@pytest.mark.parametrize("exercise, path", answers("right"))
def test_a_right_answer_passes_every_graded_cell(exercise, path):
    verdict = grade(exercise, *read(exercise, path))
    assert not lost(verdict), f"a right answer ({ast.get_docstring(ast.parse(path.read_text()))}) loses {verdict}"


@pytest.mark.parametrize("exercise, path", answers("wrong"))
def test_a_wrong_answer_loses_just_the_cells_its_header_says(exercise, path):
    header = ast.get_docstring(ast.parse(path.read_text()))
    expected = set(re.search(r"^Loses: (.+)$", header, re.MULTILINE)[1].split(", "))
    verdict = grade(exercise, *read(exercise, path))
    assert lost(verdict) == expected, f"{header}\nIt loses {sorted(lost(verdict))} instead: {verdict}"
    for name in expected:
        assert re.fullmatch(r"AssertionError: [A-Z0-9].{40,}[.?]", verdict[name], re.DOTALL), (
            f"{name} should say in a sentence what it got, what it expected and where to look, but says: {verdict[name]}"
        )


@pytest.mark.parametrize(
    "exercise, wrong, points",
    [
        ("scaling", "no_division", 5),  # raw peaks and trends
        ("scaling", "trends_reversed", 8),
        ("masks", "polarity_inverted", 5),  # all of parts 1 and 2
        ("masks", "additive_inf_nan_to_num", 8),
        ("permutation", "by_the_permutation", 4),  # all but attention and the moved mask rests on it
        ("permutation", "softmax_over_queries", 6),
        ("permutation", "positions_permuted_along", 8),
    ],
)
def test_what_is_half_right_gets_half_the_points(exercise, wrong, points):
    exercise = Exercise(exercise)
    verdict = grade(exercise, *read(exercise, ANSWERS / exercise.name / "wrong" / f"{wrong}.py"))
    scored = sum(exercise.points[name] for name, message in verdict.items() if not message)
    assert scored == points, f"{wrong} scores {scored} of 10, and should score {points}: {verdict}"


@each_exercise
def test_an_exercise_is_worth_ten_points_and_its_graded_cells_are_marked_as_nbgrader_wants(exercise):
    assert sum(exercise.points.values()) == 10, f"the points are {exercise.points}, not 10 in all"
    names = [cell["metadata"]["nbgrader"]["grade_id"] for cell in exercise.cells if "nbgrader" in cell["metadata"]]
    assert len(names) == len(set(names)), f"a grade_id is used twice: {names}"
    for cell in exercise.cells:
        kind, source = cell["metadata"].get("nbgrader", {}), "".join(cell["source"])
        assert ("BEGIN SOLUTION" in source) == kind.get("solution", False), f"solution and its mark disagree in {cell['id']}"
        assert not kind.get("grade") or (kind["locked"] and HIDDEN.search(source)), f"{cell['id']} should be locked and hold hidden tests"


@each_exercise
def test_a_cell_of_ours_leaves_only_its_own_name_behind(exercise):
    """Whatever else it defined would take the place of a student's function of that name."""
    assert exercise.shown, "no cell shows the student's results"
    for name, source in {**exercise.tests, **exercise.shown}.items():
        body = ast.parse(source).body
        assert [type(node) for node in body] == [ast.FunctionDef, ast.Expr], (
            f"{name} should define one function and call it, but holds {[type(node).__name__ for node in body]}"
        )
        assert body[0].name.startswith(("test_", "show_")), f"{name} defines {body[0].name}, a name a student might use"


def test_the_solutions_print_the_figures_of_the_course():
    printed = {name: json.dumps([cell.get("outputs") for cell in Exercise(name).cells]) for name in EXERCISES}
    for figure in ("0.4836", "0.7491", "0.8814", "0.9472", "0.0489", "0.0524", "0.0546", "0.0479", "rising", "flat"):
        assert figure in printed["scaling"], f"the recorded scaling exercise does not show {figure}"
    for figure in ("[1.0, 0.0, 0.0, 0.0]", "[nan, nan, nan, nan]", "[0.25, 0.25, 0.25, 0.25]", "RuntimeError"):
        assert figure in printed["masks"], f"the recorded masks exercise does not show {figure}"
    for figure in ("equal without positions: True", "equal with positions added after shuffling: False"):
        assert figure in printed["permutation"], f"the recorded permutation exercise does not show {figure}"
