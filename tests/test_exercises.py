"""The exercises: what they ask for can be answered, is worth what it says, and is asked for in one form.

The bank of right and wrong answers is graded in tests/test_bank.py; the cells run here as
tests/support/graders.py runs them.
"""

import ast
import json
from dataclasses import replace

import pytest
from bank import EXERCISES, Answer, answer, notebook, solved
from graders import grade, graded_cells, lost
from private_lines import REGION

each_exercise = pytest.mark.parametrize("exercise", EXERCISES)


def code_cells(exercise):
    return [cell for cell in notebook("solutions", exercise).cells if cell.cell_type == "code"]


def marks(cell):
    return cell.metadata.get("nbgrader", {})


def solution(exercise):
    return Answer(exercise, "right", "solution", "The solution.", frozenset(), "", solved(exercise))


@each_exercise
def test_the_solution_passes_every_graded_cell_with_and_without_the_hidden_tests(exercise):
    for visible in (False, True):
        verdicts = grade(solution(exercise), visible)
        assert not lost(verdicts), f"{'without' if visible else 'with'} the hidden tests the solution loses {verdicts}"


@each_exercise
def test_an_untouched_exercise_passes_no_graded_cell_and_is_told_what_is_missing(exercise):
    released = {cell.id: cell.source for cell in notebook("notebooks/exercises", exercise).cells if cell.id in solved(exercise)}
    for visible in (False, True):
        verdicts = grade(replace(solution(exercise), cells=released), visible)
        assert lost(verdicts) == set(verdicts), f"untouched, these cells pass all the same: {set(verdicts) - lost(verdicts)}"
        for name, message in verdicts.items():
            assert "is not answered yet" in message, f"{name} does not say that the answer is missing, but: {message}"


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
    verdicts = grade(answer(exercise, "wrong", wrong))
    scored = sum(graded_cells(exercise)[name].points for name in verdicts.keys() - lost(verdicts))
    assert scored == points, f"{wrong} scores {scored} of 10, and should score {points}: {verdicts}"


@each_exercise
def test_an_exercise_is_worth_ten_points_and_its_graded_cells_are_marked_as_nbgrader_wants(exercise):
    points = {name: cell.points for name, cell in graded_cells(exercise).items()}
    assert sum(points.values()) == 10, f"the points are {points}, not 10 in all"
    marked = [cell for cell in code_cells(exercise) if marks(cell)]
    names = [marks(cell).grade_id for cell in marked]
    assert len(names) == len(set(names)), f"a grade_id is used twice: {names}"
    for cell in marked:
        assert cell.id == marks(cell).grade_id, f"{cell.id} has another grade_id, {marks(cell).grade_id}"
        assert ("BEGIN SOLUTION" in cell.source) == marks(cell).solution, f"solution and its mark disagree in {cell.id}"
        assert not marks(cell).grade or (marks(cell).locked and REGION.search(cell.source)), f"{cell.id} should be locked and hold hidden tests"


@each_exercise
def test_a_graded_cell_is_an_import_an_explained_test_of_its_own_name_and_the_call(exercise):
    """The name seeds it and finds its known mistakes; whatever else it defined would take the place of a student's."""
    for name, cell in graded_cells(exercise).items():
        test = name.replace("-", "_")
        kinds = [type(node) for node in cell.tree.body]
        assert kinds == [ast.Import, ast.FunctionDef, ast.Expr], f"{name} should be an import, a function and a call, not {kinds}"
        imported, function, call = cell.tree.body
        assert ast.unparse(imported) == "import helpers.reasons", f"{name} begins with `{ast.unparse(imported)}`"
        assert [ast.unparse(decorator) for decorator in function.decorator_list] == [f"helpers.reasons.explained({exercise!r})"]
        assert (function.name, ast.unparse(call)) == (test, f"{test}()"), f"{name} defines {function.name} and runs `{ast.unparse(call)}`"
        assert "seed" not in {node.attr.rpartition("_")[2] for node in ast.walk(cell.tree) if isinstance(node, ast.Attribute)}, (
            f"{name} seeds a generator; that is the business of helpers.reasons, in one place"
        )


@each_exercise
def test_a_cell_that_shows_results_leaves_only_its_own_name_behind(exercise):
    shown = [cell for cell in code_cells(exercise) if not marks(cell)]
    assert shown, "no cell shows the student's results"
    for cell in shown:
        body = ast.parse(cell.source).body
        kinds = [type(node) for node in body]
        assert kinds == [ast.FunctionDef, ast.Expr], f"{cell.id} should define one function and call it, but holds {kinds}"
        assert body[0].name.startswith("show_"), f"{cell.id} defines {body[0].name}, a name a student might use"


def test_the_solutions_print_the_figures_of_the_course():
    printed = {name: json.dumps([cell.outputs for cell in code_cells(name)]) for name in EXERCISES}
    for figure in ("0.4836", "0.7491", "0.8814", "0.9472", "0.0489", "0.0524", "0.0546", "0.0479", "rising", "flat"):
        assert figure in printed["scaling"], f"the recorded scaling exercise does not show {figure}"
    for figure in ("[1.0, 0.0, 0.0, 0.0]", "[nan, nan, nan, nan]", "[0.25, 0.25, 0.25, 0.25]", "RuntimeError"):
        assert figure in printed["masks"], f"the recorded masks exercise does not show {figure}"
    for figure in ("equal without positions: True", "equal with positions added after shuffling: False"):
        assert figure in printed["permutation"], f"the recorded permutation exercise does not show {figure}"
