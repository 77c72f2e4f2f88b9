"""The instructor's loop, on the sample class and on a small course of its own.

The class is graded once; everything that needs it stands in this one file, so that one worker has it.
"""

import codecs
import html
import logging
import re
import shutil
import zipfile
from dataclasses import replace
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell
from nbgrader.apps.api import NbGraderAPI
from private_lines import leaks, private_lines
from renew_submissions import hand_ins, renewed
from small_course import RIGHT, blank, cell, empty, environment, everything, hand_in, page, rows, run, scores, toy, write_exercise  # noqa: F401

from helpers.command import Refused
from helpers.grading.__main__ import main
from helpers.grading.course import ROOT, Course
from helpers.grading.grade import grade
from helpers.grading.release import release
from helpers.grading.results import fingerprint

SAMPLE = Path(__file__).resolve().parent / "submissions"
# What each hand-in says of itself: in its first cell, or anywhere in a file that is no notebook.
EXPECTED = {
    (path.parent.parent.name, path.parent.name): float(re.search(r"Expected score: (\d+) of 10", path.read_text(encoding="utf-8"))[1])
    for path in sorted(SAMPLE.glob("*/*/*"))
}


# -- The sample class ------------------------------------------------------------------------


@pytest.fixture(scope="module")
def graded(tmp_path_factory) -> Course:
    """The sample class, and the solutions themselves as a hand-in of one more."""
    folder = tmp_path_factory.mktemp("class") / "submissions"
    shutil.copytree(SAMPLE, folder)
    shutil.copytree(ROOT / "solutions", folder / "reference", ignore=shutil.ignore_patterns(".*"))
    course = Course(room=folder.parent / "class")
    (folder.parent / "said.txt").write_text(run(course, folder), encoding="utf-8")
    return course


def submissions(course: Course) -> Path:
    return course.room.parent / "submissions"


def said(course: Course) -> str:
    return (course.room.parent / "said.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize(("student", "exercise"), EXPECTED, ids=str)
def test_a_sample_hand_in_scores_what_it_says_it_should(graded, student, exercise):
    score = scores(graded)[student, exercise]
    assert score == EXPECTED[student, exercise], (
        f"{student}/{exercise} scores {score:g} and says {EXPECTED[student, exercise]:g}: look at {graded.room}/feedback. "
        "Does a test of the exercise refuse a right answer, or pass a wrong one?"
    )


@pytest.mark.parametrize("exercise", Course().exercises)
def test_the_solution_has_full_marks(graded, exercise):
    assert scores(graded)["reference", exercise] == 10, f"the solution of {exercise} fails its own tests when graded"


@pytest.mark.parametrize("exercise", Course().exercises)
def test_the_sample_class_has_full_marks_none_and_some(exercise):
    marks = {score for (_, name), score in EXPECTED.items() if name == exercise}
    assert {0.0, 10.0} < marks, f"the sample scores of {exercise} are {sorted(marks)}: add a hand-in at 0, at 10 or between"


@pytest.mark.parametrize("path", hand_ins(), ids=lambda path: f"{path.parent.parent.name}/{path.parent.name}")
def test_a_sample_hand_in_is_the_present_exercise_with_answers(path):
    assert path.read_text(encoding="utf-8") == renewed(path), (
        f"{path.relative_to(ROOT)} was made from an earlier exercise: run `make sample-class`"
    )


def test_grading_shows_a_table_and_names_each_hand_in_that_could_not_be_graded(graded):
    text = said(graded)
    assert re.search(r"^student +masks +permutation +scaling +total$", text, re.MULTILINE), f"no table in\n{text}"
    assert re.search(r"^turing +10 +10 +10 +30$", text, re.MULTILINE), f"no row of turing's in\n{text}"
    assert "euler/scaling: the folder is empty; zero points." in text, text
    assert "fermat/scaling: the file is not a notebook" in text, text


def test_every_hand_in_gets_feedback_with_its_score(graded):
    for (student, exercise), score in EXPECTED.items():
        page = graded.folder("feedback", student, exercise) / f"{exercise}.html"
        assert page.is_file(), f"{student} gets no feedback on {exercise}"
        shown = re.search(rf"{exercise} \(Score: ([\d.]+) / 10.0\)", page.read_text(encoding="utf-8"))
        assert shown and float(shown[1]) == score, f"{page} shows {shown and shown[1]}, not {score}"


def test_feedback_shows_no_hidden_test(graded):
    for exercise in graded.exercises:
        hidden = private_lines(graded.solution(exercise), ("HIDDEN TESTS",))
        for student in sorted(student for student, name in EXPECTED if name == exercise):
            page = graded.folder("feedback", student, exercise) / f"{exercise}.html"
            text = html.unescape(re.sub(r"<[^>]+>", "", page.read_text(encoding="utf-8").partition("<body")[2]))
            found = leaks(text, hidden)
            assert not found, f"{page} shows hidden lines: {found[:5]}"


def test_feedback_says_what_a_failed_test_found(graded):
    page = (graded.folder("feedback", "babbage", "scaling") / "scaling.html").read_text(encoding="utf-8")
    assert re.search(r"AssertionError: For d = 16, \d+ draws and 200 keys scaled came out as", page), (
        "the failed test's own sentence is not in the feedback"
    )


def test_the_class_at_a_glance_counts_the_sample_class_and_names_nobody(graded):
    page = (graded.room / "overview.html").read_text(encoding="utf-8")
    n = sum(exercise == "permutation" for _, exercise in EXPECTED) + 1
    assert f"<p>{n} hand-ins.</p>" in page, "the page does not count permutation's hand-ins"
    for mistake in ("the scores are not divided by √d", "the rows are shuffled once more instead of back"):
        assert mistake in page, f"a mistake of the sample class is not named: {mistake}"
    named = sorted({student for student, _ in EXPECTED if student in page})
    assert not named, f"a page for the lecture names {named}"


def test_the_same_class_again_in_any_form_runs_nothing_and_writes_the_same_grades(graded, tmp_path):
    before = everything(graded.room)
    folder = submissions(graded)
    files = {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*.ipynb")}
    flat = {"{0}_12345_{number}_{1}.ipynb".format(*name.split("/"), number=number): content
            for number, (name, content) in enumerate(files.items())}
    (tmp_path / "flat").mkdir()
    for name, content in flat.items():
        (tmp_path / "flat" / name).write_bytes(content)
    for name, entries in (("class.zip", {f"Class 3/{name}": content for name, content in files.items()}), ("flat.zip", flat)):
        with zipfile.ZipFile(tmp_path / name, "w") as archive:
            for entry, content in entries.items():
                archive.writestr(entry, content)

    count = len(EXPECTED) + len(graded.exercises)
    for form in (folder, tmp_path / "class.zip", tmp_path / "flat", tmp_path / "flat.zip"):
        text = run(graded, form)
        assert text.startswith(f"0 to grade, {count} unchanged\n"), f"{form.name} was graded anew:\n{text}"
        after = everything(graded.room)
        changed = sorted(name for name in before.keys() | after.keys()
                         if before.get(name) != after.get(name) and not name.startswith("records/"))
        assert not changed, f"grading the same class as {form.name} changed {changed}"


def test_a_corrected_file_is_graded_anew_and_no_other(graded, tmp_path):
    course = replace(graded, room=tmp_path / "class")
    shutil.copytree(graded.room, course.room)
    shutil.copytree(SAMPLE / "turing" / "scaling", tmp_path / "late" / "fermat" / "scaling")
    text = run(course, tmp_path / "late")
    assert text.startswith(f"1 to grade, {len(EXPECTED) + len(graded.exercises) - 1} unchanged\n"), text
    expected = scores(graded) | {("fermat", "scaling"): 10.0}
    assert scores(course) == expected, f"{scores(course)} instead of {expected}"


def test_the_formgrader_lists_the_class_with_its_scores(graded):
    api = NbGraderAPI(config=graded.settings(), log_level=logging.CRITICAL)
    for exercise in graded.exercises:
        listed = {entry["student"]: (entry["score"], entry["autograded"]) for entry in api.get_submissions(exercise)}
        expected = {student: (score, True) for (student, name), score in EXPECTED.items() if name == exercise}
        expected["reference"] = (10.0, True)
        assert listed == expected, f"the formgrader lists {listed} for {exercise}, not {expected}"


def test_a_roster_gives_every_enrolled_student_a_row_and_names_who_is_not_on_it(graded, tmp_path):
    course = replace(graded, room=tmp_path / "class")
    shutil.copytree(graded.room, course.room)
    roster = tmp_path / "roster.csv"
    enrolled = sorted({student for student, _ in scores(graded)} - {"galois", "reference"})
    roster.write_text("id;name;e-mail\n" + "".join(f"{student};Some {student.title()};{student}@x.org\n" for student in [*enrolled, "abel"]))
    text = run(course, submissions(graded), roster)
    assert text.startswith("0 to grade"), text
    assert "not on the roster, graded all the same: galois, reference." in text, text
    absent = [row for row in rows(course) if row["student_id"] == "abel"]
    assert [(row["last_name"], row["email"], row["score"]) for row in absent] == [("Abel", "abel@x.org", "0.0")] * len(course.exercises), absent
    assert re.search(r"^abel +– +– +– +0$", text, re.MULTILINE), text


def test_grades_csv_has_nbgraders_columns(graded):
    assert list(rows(graded)[0]) == [
        "assignment", "duedate", "timestamp", "student_id", "last_name", "first_name", "email",
        "raw_score", "late_submission_penalty", "score", "max_score",
    ]  # fmt: skip


# -- Refusals --------------------------------------------------------------------------------


def refused_cases(folder: Path) -> dict[str, list[str]]:
    (folder / "empty").mkdir()
    (folder / "text.zip").write_text("no zip")
    with zipfile.ZipFile(folder / "no-notebooks.zip", "w") as archive:
        archive.writestr("ada/masks/notes.txt", "")
    (folder / "other" / "ada" / "permutations").mkdir(parents=True)
    (folder / "other" / "ada" / "permutations" / "permutations.ipynb").write_text("{}")
    (folder / "roster.csv").write_text("name\nAda\n")
    return {
        "does not exist": ["--submissions", str(folder / "nowhere")],
        "holds no notebook": ["--submissions", str(folder / "empty")],
        "neither a folder nor a zip file": ["--submissions", str(folder / "text.zip")],
        "it holds no notebook": ["--submissions", str(folder / "no-notebooks.zip")],
        "no hand-in for masks or permutation or scaling": ["--submissions", str(folder / "other")],
        "no column called id": ["--roster", str(folder / "roster.csv")],
        "no such file": ["--roster", str(folder / "nobody.csv")],
    }


def test_what_cannot_be_graded_is_refused_in_one_sentence_and_changes_nothing(graded, tmp_path, capsys):
    before = everything(graded.room)
    for sentence, arguments in refused_cases(tmp_path).items():
        for room in (graded.room, tmp_path / "new"):
            with pytest.raises(Refused) as refused:
                main(["grade", *arguments, "--room", str(room)])
            out, said = capsys.readouterr().out, str(refused.value)
            assert not out, f"{arguments} was refused, but not before it said {out!r}"
            assert sentence in said and "\n" not in said and said.endswith("."), f"{arguments} was refused with {said!r}"
        assert everything(graded.room) == before, f"{arguments} was refused, but changed the class"
        assert not (tmp_path / "new").exists(), f"{arguments} was refused, but left a room behind"


# -- What can go wrong, on a small course ----------------------------------------------------


def test_whatever_one_hand_in_does_the_others_are_graded(toy, tmp_path, monkeypatch):
    def copy_answer(notebook):
        notebook.cells.insert(0, nbformat.from_dict(notebook.cells[0] | {"id": "copy", "source": "1 / 0"}))

    def delete_test(notebook):
        notebook.cells = [cell for cell in notebook.cells if cell.id != "words"]

    def edit_test(notebook):
        next(cell for cell in notebook.cells if cell.id == "numbers").source = "assert True"

    def other_kernel(notebook):
        notebook.metadata.kernelspec = {"name": "conda-env-mine", "display_name": "Mine", "language": "python"}

    def no_marks(notebook):
        for cell in notebook.cells:
            cell.metadata.pop("nbgrader", None)

    def pasted_anew(notebook):
        notebook.cells = [new_code_cell(RIGHT, id="own")]

    def no_kernel_nor_ids(notebook):
        notebook.metadata.clear()
        notebook.nbformat_minor = 4
        for cell in notebook.cells:
            del cell["id"]

    # The instructor's own IPython would answer for the student.
    profile = tmp_path / "ipython" / "profile_default" / "startup"
    profile.mkdir(parents=True)
    (profile / "mine.py").write_text(RIGHT)
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    monkeypatch.setenv("PYTHONSTARTUP", str(profile / "mine.py"))

    hand_in(toy, "bea", "import os\nos._exit(1)")
    hand_in(toy, "cid", RIGHT, copy_answer)
    hand_in(toy, "dan", RIGHT, delete_test)
    hand_in(toy, "eve", "def double(x):\n    return x + x if isinstance(x, str) else 4", edit_test)
    hand_in(toy, "gil", RIGHT, no_kernel_nor_ids)
    hand_in(toy, "hal", "import warnings\n\ndef double(x):\n    warnings.warn('old')\n    return 2 * x")
    hand_in(toy, "ida", None)
    hand_in(toy, "Jo é 1", RIGHT, other_kernel)
    hand_in(toy, "ola", RIGHT, no_marks)
    hand_in(toy, "pat", RIGHT, pasted_anew)
    hand_in(toy, "quy", RIGHT)
    marked = tmp_path / "in" / "quy" / "toy" / "toy.ipynb"
    marked.write_bytes(codecs.BOM_UTF8 + marked.read_bytes())
    for student, content in (("kay", b""), ("lea", b"[1, 2]"), ("moe", b"\xff\xfe"), ("ned", b'{"cells": [], "nbformat": 4}')):
        (tmp_path / "in" / student / "toy").mkdir(parents=True)
        (tmp_path / "in" / student / "toy" / "toy.ipynb").write_bytes(content)
    text = run(toy, tmp_path / "in")

    expected = dict.fromkeys(["cid", "dan", "gil", "hal", "Jo é 1", "ola", "pat", "quy"], 10.0) | {"eve": 6.0}
    expected |= dict.fromkeys(["bea", "ida", "kay", "lea", "moe", "ned"], 0.0)
    found = {student: score for (student, _), score in scores(toy).items()}
    assert found == expected, f"{found} instead of {expected}, in\n{text}"
    for remark in (
        "bea/toy: ended the kernel, and all else was run without it: answer.",
        "cid/toy: cell answer is there 2 times; the last one counts.",
        "dan/toy: tests were missing and put back: words.",
        "pat/toy: answer cells were missing, and count if another cell answers: answer.",
        "eve/toy: tests differ from the exercise's, which count: numbers.",
        "kay/toy: the file is not a notebook",
        "lea/toy: the file is JSON, but not a notebook; zero points.",
        "moe/toy: the file is not text, so no notebook; zero points.",
    ):
        assert remark in text, f"nothing says {remark!r} in\n{text}"
    for clean in ("gil", "hal", "ida", "Jo é 1"):
        assert f"  {clean}/toy" not in text, f"{clean} did nothing odd, and yet:\n{text}"
    assert run(toy, tmp_path / "in").startswith("0 to grade, 15 unchanged"), "the same class was graded again"


def test_a_changed_exercise_regrades_the_class(toy, tmp_path):
    hand_in(toy, "ada", RIGHT)
    hand_in(toy, "bob", "def double(x):\n    return x + x if x != 8 else 17")
    run(toy, tmp_path / "in")
    assert scores(toy) == {("ada", "toy"): 10.0, ("bob", "toy"): 10.0}
    with toy.gradebook() as gradebook:
        gradebook.update_or_create_assignment("toy", duedate="2031-02-03 04:05:06")

    write_exercise(toy, hidden="assert double(8) == 16, 'eight'")
    text = run(toy, tmp_path / "in")
    assert text.startswith("2 to grade") and scores(toy)["bob", "toy"] == 6.0, text

    write_exercise(toy, cell("lists", "assert double([1]) == [1, 1]", grade=True, locked=True, points=5))
    text = run(toy, tmp_path / "in")
    assert scores(toy) == {("ada", "toy"): 15.0, ("bob", "toy"): 15.0}, text
    assert "toy: its graded cells changed" in text, text
    assert rows(toy)[0]["duedate"] == "2031-02-03 04:05:06", "the due date was lost with the old cells"


def test_a_grade_depends_on_what_graded_cells_use_however_deep_and_on_no_command(toy):
    def changed(path: str) -> bool:
        before = fingerprint(toy, "toy")
        file = toy.root / "helpers" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("x = 1")
        return fingerprint(toy, "toy") != before

    used = dict.fromkeys(["masks.py", "observer.py", "checks/causality.py", "exercises/scoring.py", "new.py"], True)
    others = dict.fromkeys(["check.py", "doctor.py", "lab.py", "explore/live.py", "grading/grade.py"], False)
    assert {path: changed(path) for path in used | others} == used | others


def test_marks_and_comments_by_hand_come_into_the_feedback_and_stay_with_a_remark(toy, tmp_path, monkeypatch):
    for student in ("ada", "bob"):
        hand_in(toy, student, "def double(x):\n    return 4")
    run(toy, tmp_path / "in")
    with toy.gradebook() as gradebook:
        gradebook.find_grade("words", "toy", "toy", "ada").manual_score = 5
        gradebook.find_comment("answer", "toy", "toy", "ada").manual_comment = "Nearly."
        gradebook.db.commit()
    text = run(toy, tmp_path / "in")
    assert text.startswith("0 to grade, 2 unchanged, 1 of them marked by hand\n"), text
    assert scores(toy) == {("ada", "toy"): 5.0, ("bob", "toy"): 0.0}, text
    for said in ("5 of 6", "The points were changed by hand.", "Nearly."):
        assert said in page(toy, "ada"), f"the feedback does not say {said!r}"
    assert run(toy, tmp_path / "in").startswith("0 to grade, 2 unchanged\n"), "the same page was written again"

    hand_in(toy, "ada", RIGHT)
    text = run(toy, tmp_path / "in")
    assert "ada/toy: words: the mark given by hand, 5, stays, where the test now gives 6." in text, text
    assert scores(toy)["ada", "toy"] == 9.0, text

    with toy.gradebook() as gradebook:
        gradebook.find_grade("words", "toy", "toy", "bob").manual_score = 1
        gradebook.db.commit()
    with monkeypatch.context() as broken:
        broken.setattr("helpers.grading.grade.GenerateFeedback.convert_single_notebook", lambda *_: 1 / 0)
        text = run(toy, tmp_path / "in")
    assert "bob/toy: its feedback could not be written (ZeroDivisionError: division by zero)." in text, text
    run(toy, tmp_path / "in")
    assert "1 of 6" in page(toy, "bob"), "a page that could not be written once is not written again"


def test_an_empty_hand_in_does_not_replace_an_earlier_one(toy, tmp_path):
    hand_in(toy, "ada", RIGHT)
    run(toy, tmp_path / "in")
    (tmp_path / "in" / "ada" / "toy" / "toy.ipynb").unlink()
    hand_in(toy, "bob", None)
    text = run(toy, tmp_path / "in")
    assert scores(toy) == {("ada", "toy"): 10.0, ("bob", "toy"): 0.0}, text
    assert "ada/toy: the file handed in earlier counts." in text, text


def test_a_failure_that_is_not_the_hand_ins_is_tried_again(toy, tmp_path, monkeypatch):
    hand_in(toy, "ada", RIGHT)
    with monkeypatch.context() as broken:
        broken.setattr("helpers.grading.grade.Autograde.convert_single_notebook", lambda *_: 1 / 0)
        text = run(toy, tmp_path / "in")
    assert "ada/toy: nbgrader could not grade it, grade again to retry (ZeroDivisionError: division by zero)" in text, text
    assert scores(toy) == {("ada", "toy"): 0.0}, text
    text = run(toy, tmp_path / "in")
    assert text.startswith("1 to grade") and scores(toy) == {("ada", "toy"): 10.0}, text


def test_a_timestamp_counts_and_goes_when_a_newer_file_has_none(toy, tmp_path):
    hand_in(toy, "ada", RIGHT)
    stamp = tmp_path / "in" / "ada" / "toy" / "timestamp.txt"
    stamp.write_text("2031-02-03 04:05:06 UTC")
    run(toy, tmp_path / "in")
    assert rows(toy)[0]["timestamp"] == "2031-02-03 04:05:06"
    stamp.unlink()
    run(toy, tmp_path / "in")
    assert rows(toy)[0]["timestamp"] == "", "the hand-in has no timestamp any more"


def test_a_class_whose_folder_was_removed_begins_anew(toy, tmp_path, blank):
    hand_in(toy, "ada", RIGHT)
    run(toy, tmp_path / "in")
    hand_in(toy, "bob", RIGHT)
    shutil.rmtree(tmp_path / "in" / "ada")
    shutil.rmtree(toy.room)
    toy.room.mkdir()
    shutil.copy(blank, toy.room)
    assert "No remarks." in run(toy, tmp_path / "in"), "something of the class before was found again"
    assert scores(toy) == {("bob", "toy"): 10}


def test_a_course_without_exercises_is_refused(tmp_path):
    shutil.copy(ROOT / "nbgrader_config.py", tmp_path)
    for command in (lambda: release(Course(root=tmp_path)), lambda: grade(Course(root=tmp_path), tmp_path)):
        with pytest.raises(Refused, match="There is no exercise in"):
            command()
