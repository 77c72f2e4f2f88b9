"""The graders, graded: the answers of the bank are graded and given feedback like any other.

A right answer, of whatever style, is handed in and has full marks in every graded cell. A wrong one
loses just the cells its header says, and each of them says why in the words of its diagnosis. All are
asked in this process; some are handed in as well, and their feedback says the same. `WHOLE_BANK=1` hands in
all. (Wrong answers to parts that have nothing to do with one another are handed in together.) No page shows
a line or an expected value of a hidden test, whoever it is for.
"""

import functools
import os
import re
import shutil
from dataclasses import replace
from pathlib import Path

import graders
import nbformat
import pytest
from bank import EXERCISES, Answer, answers, hand_ins, joined, picked
from nbgrader.validator import Validator
from private_lines import leaks, numbers, private_lines, private_values
from small_course import blank, environment, page  # noqa: F401
from traitlets.config import PyFileConfigLoader

from helpers.grading.course import ROOT, Course
from helpers.grading.feedback import unsaid
from helpers.grading.grade import grade_one, register


def check_sentence(cell: str, said: str, answer: Answer) -> None:
    """What a cell says of a wrong answer is in sentences, and names the mistake."""
    assert re.fullmatch(r"[A-Z0-9].{40,}[.?]\)?", said, re.DOTALL), f"{cell} should speak in sentences, but says: {said}"
    assert answer.diagnosis and answer.diagnosis in said, f"{cell} should say that {answer.diagnosis!r}, but says: {said}"


@functools.cache
def private(exercise: str) -> tuple[set[str], set]:
    """The lines of an exercise's hidden tests, and the values that only they hold or compare with."""
    solution = Course().solution(exercise)
    return private_lines(solution, ("HIDDEN TESTS",)), private_values(solution)


def leaked(answer: Answer, text: str) -> tuple[list[str], set]:
    """Which hidden lines and values, the answer's own aside, stand in a text for its student."""
    own, (lines, values) = "\n".join(answer.cells.values()), private(answer.exercise)
    return leaks(text, {line for line in lines if line not in own}), values & numbers(text) - numbers(own)


@pytest.mark.parametrize("wrong", answers("wrong"), ids=str)
def test_a_wrong_answer_fails_just_the_cells_its_header_says_and_is_told_why(wrong):
    verdicts = graders.grade(wrong)
    lost = graders.lost(verdicts)
    assert lost == wrong.loses, f"{wrong.about}\nIt fails {sorted(lost)} instead of {sorted(wrong.loses)}: {verdicts}"
    for cell in sorted(lost):
        said = verdicts[cell].partition(": ")[2]
        check_sentence(cell, said, wrong)
        lines, values = leaked(wrong, said)
        assert not lines and not values, f"what {cell} says shows of the hidden tests: {lines} {values}"


# -- Handed in ---------------------------------------------------------------------------------


class Class:
    """The answers of one exercise as a class: each is handed in once, by a student of its name."""

    def __init__(self, room: Path, exercise: str, blank: Path):
        self.course, self.exercise = Course(room=room), exercise
        room.mkdir()
        shutil.copy(blank, room)
        register(self.course)
        self.config = self.course.settings()

    def grade(self, answer: Answer) -> tuple[dict[str, float], dict[str, float], dict[str, str], str]:
        """Points, their maximum, and the errors of the graded cells; and the text of the feedback, in one line."""
        student = f"{answer.kind}-{answer.name}"
        path = self.course.folder("submitted", student, self.exercise) / f"{self.exercise}.ipynb"
        path.parent.mkdir(parents=True)
        nbformat.write(answer.notebook(), path)
        remarks, final = grade_one(self.course, self.config, student, self.exercise)
        assert final and not remarks, f"{answer} could not be graded like any other: {remarks}"
        with self.course.gradebook() as gradebook:
            grades = gradebook.find_submission(self.exercise, student).notebooks[0].grades
            score = {grade.name: grade.score for grade in grades}
            most = {grade.name: grade.max_score for grade in grades}
        graded = nbformat.read(self.course.folder("autograded", student, self.exercise) / path.name, as_version=4)
        errors = {
            cell.metadata.nbgrader.grade_id: output.evalue
            for cell in graded.cells
            if cell.metadata.get("nbgrader", {}).get("grade")
            for output in cell.outputs
            if output.output_type == "error"
        }
        return score, most, errors, " ".join(page(self.course, student, self.exercise).split())

    def check_leaks(self, answer: Answer, page: str, grade_again: bool = True) -> None:
        lines, values = leaked(answer, page)
        if values and grade_again:  # what a student's function drew can be equal by chance, but not twice
            values &= numbers(self.grade(replace(answer, name=f"{answer.name}-again"))[-1])
        found = lines + sorted(values)
        assert not found, f"the feedback on {answer} shows of the hidden tests: {found}"


@pytest.fixture(scope="class")
def graded(request, tmp_path_factory, blank):
    """The class of the test class's exercise."""
    return Class(tmp_path_factory.mktemp("bank") / "class", request.cls.exercise, blank)


WHOLE_BANK = bool(os.environ.get("WHOLE_BANK"))
# A wrong answer that the visible tests find.
VALIDATED = {"scaling": "no_division", "masks": "polarity_inverted", "permutation": "by_the_permutation"}


def graders_of(name: str) -> type:
    """The tests of one exercise, as a class of their own, so that another worker can have it."""

    class Graders:
        exercise = name

        @pytest.mark.parametrize("answer", answers("right", name), ids=lambda answer: answer.name)
        def test_a_right_answer_has_full_marks_in_every_graded_cell(self, graded, answer):
            score, most, errors, page = graded.grade(answer)
            assert score == most and not errors, f"a right answer ({answer.about}) scores {score} of {most}: {errors}"
            graded.check_leaks(answer, page)

        @pytest.mark.parametrize("wrong", (hand_ins if WHOLE_BANK else picked)(name), ids=lambda wrong: joined(wrong).name)
        def test_a_wrong_answer_loses_just_the_cells_its_header_says_and_is_told_why(self, graded, wrong):
            hand_in = joined(wrong)
            score, most, errors, page = graded.grade(hand_in)
            lost = {cell for cell in score if score[cell] < most[cell]}
            assert lost == hand_in.loses, f"{hand_in.about}\nLost are {sorted(lost)} instead of {sorted(hand_in.loses)}: {errors}"
            assert all(score[cell] == 0 for cell in lost), f"{hand_in} keeps points in cells it fails: {score}"
            for answer, cell in ((answer, cell) for answer in wrong for cell in sorted(answer.loses)):
                said = errors[cell]
                check_sentence(cell, said, answer)
                without = unsaid("AssertionError", said)[1]  # what a function says when a hidden line calls it
                shown = any(" ".join(form.split()) in page for form in (said, without))
                assert shown, f"the feedback leaves out what {cell} says: {said}"
            graded.check_leaks(hand_in, page)

        def test_a_hidden_line_or_value_on_a_page_would_be_seen(self, graded):
            answer = answers("right", name)[0]
            for shown in map(min, private(name)):
                with pytest.raises(AssertionError, match="shows of the hidden tests"):
                    graded.check_leaks(answer, f"Feedback: all is well. {shown} and so on.", grade_again=False)

        def test_validate_says_what_the_feedback_says(self, graded):
            """Where the visible part of a test fails: the same sentence, word for word."""
            assert name in VALIDATED, f"name in VALIDATED a wrong answer to {name} that its visible tests find"
            answer = next(answer for answer in answers("wrong", name) if answer.name == VALIDATED[name])
            path = graded.course.room / f"{name}.ipynb"
            nbformat.write(answer.notebook(), path)
            config = PyFileConfigLoader("nbgrader_config.py", path=str(ROOT / "tools" / "jupyter" / "student")).load_config()
            found = Validator(config=config).validate(str(path))
            _, _, errors, _ = graded.grade(replace(answer, kind="validated"))
            failed = {re.search(r"(test_\w+)\(\)", cell["source"])[1].replace("_", "-"): cell["raw_error"] for cell in found["failed"]}
            assert failed.keys() == answer.loses, f"Validate fails {sorted(failed)} of {answer}, grading {sorted(answer.loses)}"
            for cell, said in errors.items():
                assert said in re.sub(r"\x1b\[[0-9;]*m", "", failed[cell]), f"Validate says of {cell}: {failed[cell]}\nand grading: {said}"

    return Graders


for exercise in EXERCISES:
    globals()[f"Test{exercise.title()}"] = graders_of(exercise)
