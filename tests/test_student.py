"""The student's way: what is done is said as it is, and what is packed is what grading takes.

The small exercise is run once; every test that looks at it stands in this one file, so that one worker has it.
"""

import errno
import io
import json
import os
import subprocess
import sys
import time
import tempfile
import zipfile
from contextlib import redirect_stdout
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell
from small_course import RIGHT, blank, cell, empty, environment, everything, hand_in, run, scores, test_cell, toy, write_exercise  # noqa: F401

from helpers import check, exercises, handin
from helpers.command import DOCTOR, Refused
from helpers.exercises import parts
from helpers.exercises.parts import DONE, FAILING, OPEN, UNKNOWN, Exercise, Part
from helpers.grading import archives, intake, roster
from helpers.grading.course import ROOT, Course
from helpers.ids import is_id


def blank_function(name: str, body: str = "return 0"):
    """An answer cell that defines one function, as its author has it."""
    return cell(name, f"def {name}(x):\n    ### BEGIN SOLUTION\n    {body}\n    ### END SOLUTION", solution=True)


# Function → what a student writes for it (nothing: left as it is), and its test.
WRITTEN = {
    "stumbles": ("return x / 0", "assert stumbles(1) == 0"),
    "wrong": ("return x + 1", "assert wrong(1) == 3, 'For 1 the result of wrong is 2; expected 3.'"),
    "untouched": (None, "assert untouched(1) == 0"),
    "calls_it": ("return untouched(x)", "assert calls_it(1) == 0"),
    "unfinished": ("return (x", "assert unfinished(1) == 0"),
    "endless": ("while True: pass", "assert endless(1) == 0"),
    "leaves": ("import os; os._exit(1)", "assert leaves(1) == 0"),
    "warns": ("import warnings; warnings.warn('careful'); return 0", "assert warns(1) == 0"),
    "partly": ("return 0", "print('Partial credit: one case of two.')\npartly(1) + 2"),
    "eased": ("return 1", "assert eased(1) == 0"),
    "copied": ("return 0", "assert copied(1) == 0"),
    "made_text": ("return 0", "assert made_text(1) == 0"),
    "own_cell": (None, "assert own_cell(1) == 0"),
}


def fill_in(notebook: nbformat.NotebookNode) -> None:
    cells = {cell.id: cell for cell in notebook.cells}
    for name, (body, _) in WRITTEN.items():
        if body:
            cells[name].source = f"def {name}(x):\n    {body}"
    cells["essay"].source = "What I think of it."
    cells["test-eased"].source = "assert eased(1) == 1"
    place = notebook.cells.index(cells["copied"])
    notebook.cells.insert(place, new_code_cell("def copied(x):\n    return 1", id="copy", metadata=cells["copied"].metadata))
    text = cells["made_text"]
    notebook.cells[notebook.cells.index(text)] = new_markdown_cell(text.source, id=text.id, metadata=text.metadata)
    notebook.cells.insert(place, new_code_cell("while True: pass", id="loop"))
    notebook.cells.insert(place, new_code_cell("import os\nopen('left behind.txt', 'w').write(os.getcwd())", id="writes"))
    notebook.cells.insert(notebook.cells.index(cells["own_cell"]) + 1, new_code_cell("def own_cell(x):\n    return 0", id="another"))
    notebook.cells.remove(cells["words"])


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """notebooks/exercises of a course, with one exercise in it: in every state that a part can be in."""
    root = tmp_path_factory.mktemp("course")
    (root / "nbgrader_config.py").write_bytes((ROOT / "nbgrader_config.py").read_bytes())
    course = Course(root=root, room=root / "class")
    asked = [made for name, (_, test) in WRITTEN.items() for made in (blank_function(name), test_cell(f"test-{name}", test, 2 if name != "partly" else 4))]
    read = [new_markdown_cell("", id=name, metadata=cell(name, "", grade=True, solution=True, points=3).metadata) for name in ("essay", "note")]
    write_exercise(course, *asked, *read)
    path = root / "notebooks" / "exercises" / "toy" / "toy.ipynb"
    notebook = nbformat.read(path, as_version=4)
    fill_in(notebook)
    nbformat.write(notebook, path)
    return path.parents[1]


@pytest.fixture(scope="module")
def before(folder) -> dict[str, bytes]:
    return everything(folder)


@pytest.fixture(scope="module")
def checked(folder, before) -> Exercise:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(parts, "known_tests", lambda name: {"numbers": ("numbers", 4), "words": ("some words", 6)})
        return parts.check(folder, "toy", seconds=1)


def part(checked: Exercise, name: str) -> Part:
    (found,) = [part for part in checked.parts if part.name in (name, f"test-{name}")]
    return found


# -- What is done ----------------------------------------------------------------------------

STATES = {
    "wrong": (FAILING, 0, "For 1 the result of wrong is 2; expected 3."),
    "untouched": (OPEN, 0, "not written yet: untouched"),
    "calls_it": (OPEN, 0, "not written yet: untouched"),
    "unfinished": (FAILING, 0, "The answer's own cell does not run. SyntaxError in line 2, `return (x`: "),
    "stumbles": (FAILING, 0, "ZeroDivisionError in line 2 of the cell of stumbles, `return x / 0`: division by zero"),
    "endless": (FAILING, 0, "This cell took more than 1 seconds, and was interrupted, in line 2 of the cell of endless, `while True: pass`."),
    "leaves": (FAILING, 0, "This cell ended the kernel: it called exit, crashed, or took too much memory."),
    "warns": (DONE, 2, ""),
    "partly": (FAILING, 2, "Partial credit: one case of two."),
    "eased": (UNKNOWN, 0, "This test differs from the released one, which is what grading runs."),
    "copied": (DONE, 2, ""),
    "made_text": (DONE, 2, ""),
    "own_cell": (DONE, 2, ""),
    "some words": (UNKNOWN, 0, "This test is missing; grading puts it back and runs it."),
    "numbers": (OPEN, 0, "not written yet: double"),
    "essay": (DONE, 0, ""),
    "note": (OPEN, 0, "not written yet"),
}


@pytest.mark.parametrize("name", STATES)
def test_each_part_is_said_to_be_what_it_is(checked, name):
    found = part(checked, name)
    state, score, reason = STATES[name]
    assert (found.state, found.score) == (state, score) and found.reason.startswith(reason), f"{found} instead of {STATES[name]}"


def test_a_cell_may_take_as_long_as_in_grading_and_in_validate():
    validate = (ROOT / "tools" / "jupyter" / "student" / "nbgrader_config.py").read_text(encoding="utf-8")
    assert parts.SECONDS == Course().settings().Execute.timeout and f"c.Execute.timeout = {parts.SECONDS} " in validate


def test_what_is_odd_besides_is_remarked(checked):
    assert checked.remarks == [
        "cell copied is there 2 times; the last one counts.",
        "This cell took more than 1 seconds, and was interrupted, in line 1, `while True: pass`. It begins: while True: pass",
    ], checked.remarks


def test_a_check_writes_nothing_into_the_students_folder(folder, before, checked):
    assert everything(folder) == before, f"there is now {sorted(everything(folder))}, or a file was changed"
    assert checked.content == before["toy/toy.ipynb"], "what is packed is not what was run"


def test_the_same_notebook_graded_has_the_points_that_the_check_gives(folder, checked, blank, tmp_path):
    """But for what only grading knows: the tests that were changed or are missing, and the hidden ones."""
    notebook = exercises.parse(checked.content)
    for cell in notebook.cells:
        if cell.id in ("loop", "endless", "leaves"):  # which take their time: test_execute.py
            cell.source = ""
    course = Course(root=folder.parents[1], room=tmp_path / "class")
    for place in (course.room, tmp_path / "in" / "ada" / "toy"):
        place.mkdir(parents=True)
    (course.room / "gradebook.db").write_bytes(blank.read_bytes())
    nbformat.write(notebook, tmp_path / "in" / "ada" / "toy" / "toy.ipynb")
    run(course, tmp_path / "in")
    with course.gradebook() as gradebook:
        graded = {grade.name: grade.score for grade in gradebook.find_submission("toy", "ada").notebooks[0].grades}
    seen = {f"test-{name}": part(checked, name).score for name in WRITTEN}
    different = {name: (seen[name], graded[name]) for name in seen if seen[name] != graded[name]}
    assert not different, f"(the check gives, grading gives): {different}"


def test_the_report_has_a_line_for_each_part_and_the_points(folder, checked, monkeypatch, capsys):
    monkeypatch.setattr(parts, "check", lambda *_: checked)
    monkeypatch.setenv("COLUMNS", "80")
    check.report(folder, ["toy"])
    said = capsys.readouterr().out.splitlines()
    assert said[0] == "toy", said
    for line in (
        "  open     test-untouched     0/2   not written yet: untouched",
        "  done     test-copied        2/2",
        "  unknown  some words         ?/6",
        "  unknown  test-eased         ?/2",
        "           For 1 the result of wrong is 2; expected 3.",
        "  Note: cell copied is there 2 times; the last one counts.",
        "The tests you see give 10 of 38 points; 8 cannot be known without their tests. Grading runs more tests than these.",
    ):
        assert line in said, f"{line!r} is not among\n" + "\n".join(said)
    assert max(map(len, said[:-1])) <= 80, f"wider than the terminal: {max(said[:-1], key=len)}"


def test_of_a_long_reason_the_first_sentence_and_the_known_mistake_are_shown():
    reason = "For d = 16 raw came out as 0.05. Expected is about 0.50. Is it divided? This is what comes out when all scores are divided by d."
    assert check.short(reason) == ["For d = 16 raw came out as 0.05. Expected is about 0.50.", "This is what comes out when all scores are divided by d."]
    assert check.short("Got 1. Expected 2. Look there.") == ["Got 1. Expected 2."]
    assert check.short("") == []
    reason = "It is 1. Is it so? Expected 2: as there are two. Look (see above). (Part 1, hints 2 and 3.) This is what comes out when one is lost."
    assert check.short(reason) == ["It is 1. Expected 2: as there are two.", "This is what comes out when one is lost. (Part 1, hints 2 and 3.)"]
    assert check.short("It is 1; expected 2, not 1. Is it? (Part 3, hint 1.)") == ["It is 1; expected 2, not 1. Is it? (Part 3, hint 1.)"]


@pytest.mark.parametrize("said", [
    "The answer's own cell does not run. SyntaxError in line 3, `if x = 1:`: invalid syntax. Maybe you meant '==' or ':=' instead of '='?",
    "TypeError in line 2 of the cell of f, `x + 'a'`: Got an int. Expected a str. A str is a text.",
    "The function f raised ValueError (line 2, `f(x). A`: No (such. Thing. There); expected it to return.",
])
def test_what_an_exception_says_is_shown_whole(said):
    assert check.short(said) == [said]
    assert check.short(f"{said} And more." if "raised" in said else said) == [f"{said} And more." if "raised" in said else said]


def test_a_reason_that_never_ends_does_not_take_the_screen(monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")
    assert len(check.wrapped("word " * 500, 11)) == 3
    for reason in ("word " * 999, "TypeError: " + "word " * 999, "Got 1. Expected " + "word " * 999 + "This is what comes out when " + "word " * 999):
        lines = [line for sentence in check.short(reason) for line in check.wrapped(sentence, 11, lines=None)]
        assert len(lines) <= 8, lines


def test_a_check_that_takes_long_says_that_it_is_running(folder, checked, monkeypatch, capsys):
    monkeypatch.setattr(parts, "check", lambda *_: (time.sleep(0.5), checked)[1])
    check.report(folder, ["toy"])
    assert not capsys.readouterr().err
    monkeypatch.setattr(check, "SILENCE", 0.2)
    check.report(folder, ["toy"])
    said = capsys.readouterr().err
    assert 1 <= said.count("\n") == said.count("running toy") <= 2, said


def test_a_notebook_that_is_not_looked_at_and_an_exercise_that_is_missing_are_named(tmp_path):
    folder = tmp_path / "exercises"
    for name in ("scaling/scaling.ipynb", "scaling/scaling-Copy1.ipynb", "scaling-copy/scaling.ipynb", "scaling (1).ipynb", "masks/masks.ipynb",
                 "mine/try.ipynb", "scaling/.ipynb_checkpoints/scaling-checkpoint.ipynb", "masks/.ipynb_checkpoints/scaling.ipynb"):  # fmt: skip
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).touch()
    counts = Path("scaling/scaling.ipynb")
    assert exercises.passed_over(folder, "masks") == []
    assert set(exercises.passed_over(folder, "scaling")) == {
        f"{Path(name)} is not looked at; the one that counts is {counts}."
        for name in ("scaling (1).ipynb", "scaling/scaling-Copy1.ipynb", "scaling-copy/scaling.ipynb")}
    assert exercises.missing(folder) == ["the exercise permutation is missing: take its folder again from the zip you got."]
    with pytest.raises(Refused, match="permutation is not in .*: take its folder again from the zip you got."):
        exercises.exercise_names(folder, ["permutation"])
    assert exercises.missing(tmp_path) == [], "the small course of a test has other exercises"


def test_an_exercise_can_be_named_by_its_path(tmp_path, monkeypatch):
    folder = one_exercise(tmp_path / "exercises", b"")
    monkeypatch.chdir(tmp_path)
    for name in ("toy", "exercises/toy", "exercises/toy/", "exercises/toy/toy.ipynb", str(folder / "toy" / "toy.ipynb")):
        assert exercises.exercise_names(folder, [name]) == ["toy"], name
    with pytest.raises(Refused, match="There is no exercise 'elsewhere/toy.ipynb'"):
        exercises.exercise_names(folder, ["elsewhere/toy.ipynb"])


# -- What grading would refuse ---------------------------------------------------------------


def no_notebook(**changes) -> bytes:
    return json.dumps({"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5} | changes).encode()


def with_mark(mark) -> bytes:
    return no_notebook(cells=[{"cell_type": "markdown", "id": "a", "metadata": {"nbgrader": mark}, "source": ""}])


UNREADABLE = {
    "empty": (b"", "the file is not a notebook (not JSON)"),
    "not text": (b"\xff\xfe{}", "the file is not text, so no notebook"),
    "cut off": (b'{"cells": [', "the file is not a notebook (not JSON): perhaps a download that was cut off"),
    "JSON alone": (b"[1, 2]", "the file is JSON, but not a notebook"),
    "without cells": (b'{"nbformat": 4, "nbformat_minor": 5, "metadata": {}}', "the file is JSON, but not a notebook"),
    "of a format to come": (no_notebook(nbformat=5), "the file is JSON, but not a notebook"),
    "with broken marks": (with_mark("text"), "the file is JSON, but not a notebook"),
    "with marks of a list": (with_mark({"grade_id": ["a"]}), "the file is JSON, but not a notebook"),
}


def one_exercise(folder: Path, content: bytes, name: str = "toy.ipynb") -> Path:
    (folder / "toy").mkdir(parents=True)
    (folder / "toy" / name).write_bytes(content)
    return folder


def refusal(folder: Path, *asked: str) -> str:
    """What is said where a hand-in is refused, having written nothing: in the list, and in the one sentence at the end."""
    room = folder.parent / "zips"
    room.mkdir(exist_ok=True)
    printed = io.StringIO()
    with pytest.raises(Refused) as refused, redirect_stdout(printed):
        handin.hand_in(folder, exercises.exercise_names(folder, list(asked)), "ada", room)
    assert not list(room.iterdir()), f"refused, and yet written: {list(room.iterdir())}"
    said = str(refused.value)
    assert said.endswith(".") and "\n" not in said, f"no sentence: {said}"
    listed = " ".join(printed.getvalue().split())
    assert not listed or listed not in said and said not in listed, f"said twice: {listed}"
    return f"{listed} {said}".strip()


@pytest.mark.parametrize("case", UNREADABLE.values(), ids=UNREADABLE)
def test_a_file_that_grading_could_not_read_is_refused(case, tmp_path):
    content, sentence = case
    assert sentence in refusal(one_exercise(tmp_path / "exercises", content))


def test_what_is_refused_is_what_grading_gives_nothing_for_with_the_same_words(toy, tmp_path):
    for name, (content, _) in UNREADABLE.items():
        one_exercise(tmp_path / "in" / name.replace(" ", "-"), content)
    text = run(toy, tmp_path / "in")
    assert set(scores(toy).values()) == {0.0}, f"refused to students, and graded all the same: {scores(toy)}"
    for name, (_, sentence) in UNREADABLE.items():
        assert f"{name.replace(' ', '-')}/toy: {sentence}" in text, f"of {name}, grading does not say {sentence!r}:\n{text}"


def test_a_byte_order_mark_is_no_reason_to_refuse():
    assert exercises.parse(b"\xef\xbb\xbf" + no_notebook()).cells == []


def test_a_notebook_under_another_name_or_none_is_refused(tmp_path):
    for number, (name, sentence) in enumerate({
        "masks (1).ipynb": "only masks (1).ipynb; rename the one that counts.",
        "Masks.ipynb": "only Masks.ipynb; rename the one that counts.",  # also where upper and lower case are one
        "notes.txt": "take it again from the zip you got.",
    }.items()):
        folder = tmp_path / str(number) / "exercises"
        (folder / "masks").mkdir(parents=True)
        (folder / "masks" / name).write_bytes(no_notebook())
        assert f"masks: there is no file masks.ipynb in {folder / 'masks'}, {sentence}" in refusal(folder)


def test_a_folder_of_a_students_own_among_the_exercises_is_left_alone(tmp_path):
    folder = one_exercise(tmp_path / "exercises", no_notebook())
    for name in ("toy - a copy", ".ipynb_checkpoints", "my notes"):
        (folder / name).mkdir()
        (folder / name / "toy.ipynb").write_bytes(no_notebook())
    assert exercises.exercise_names(folder, []) == ["toy"]


def test_a_file_larger_than_grading_reads_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(exercises, "LARGEST_FILE", 2**20)
    assert "toy.ipynb is larger than 1 MB" in refusal(one_exercise(tmp_path / "exercises", b" " * (2**20 + 1)))
    assert (archives.LARGEST_FILE, intake.LARGEST_FILE) == (20 * 2**20,) * 2


def test_an_exercise_that_is_not_there_is_refused_by_name(tmp_path):
    assert refusal(one_exercise(tmp_path / "exercises", b""), "scalling") == "There is no exercise 'scalling'; there are toy."
    (tmp_path / "empty").mkdir()
    assert "There is no exercise in" in refusal(tmp_path / "empty")


def test_where_nothing_is_answered_there_is_nothing_to_hand_in(tmp_path, toy):
    assert "nothing that is saved is answered in toy." in refusal(toy.root / "notebooks" / "exercises")


def test_where_no_kernel_starts_the_doctor_is_named(tmp_path, toy, monkeypatch):
    (tmp_path / "ipykernel_launcher.py").write_text("raise SystemExit(1)")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    assert f"cannot be run (Kernel died before replying to kernel_info); {DOCTOR} says what to do." in refusal(
        toy.root / "notebooks" / "exercises")


# -- What is packed --------------------------------------------------------------------------


@pytest.fixture
def several(monkeypatch, tmp_path) -> Path:
    """A folder of three exercises: one done, one half done, one not begun; as a check finds them."""
    def found(folder, name, seconds=0):
        states = {"full": [DONE, DONE], "half": [DONE, FAILING], "none": [OPEN]}[name]
        return Exercise(name, name.encode(), [Part(state, 1, float(state == DONE), state) for state in states], [], name != "none")

    monkeypatch.setattr(parts, "check", found)
    for name in ("full", "half", "none"):
        (tmp_path / "exercises" / name).mkdir(parents=True)
        (tmp_path / "exercises" / name / f"{name}.ipynb").touch()
    return tmp_path / "exercises"


def test_what_is_answered_is_packed_done_or_not_and_the_rest_is_named(several, capsys):
    path = handin.hand_in(several, ["full", "half", "none"], "ada", several.parent)
    assert path == several.parent / "handin-ada.zip" and {file.name for file in several.parent.iterdir()} == {"exercises", path.name}
    with zipfile.ZipFile(path) as archive:
        assert {name: archive.read(name) for name in archive.namelist()} == {"ada/full/full.ipynb": b"full", "ada/half/half.ipynb": b"half"}
    said = capsys.readouterr().out
    for line in ("in it     full: 2 of 2 parts done", "in it     half: 1 of 2 parts done", "left out  none: nothing is answered in it", f"{path}"):
        assert line in said, f"{line!r} is not in\n{said}"
    handin.hand_in(several, ["half"], "ada", several.parent)
    with zipfile.ZipFile(path) as archive:
        assert archive.namelist() == ["ada/half/half.ipynb"], "an earlier zip is replaced, by what was asked for"


def test_a_zip_that_cannot_be_written_or_is_too_large_leaves_the_earlier_one(several, monkeypatch):
    path = handin.hand_in(several, ["full"], "ada", several.parent)
    earlier = path.read_bytes()
    with monkeypatch.context() as patch, pytest.raises(Refused, match="larger than 0 MB"):
        patch.setattr(exercises, "LARGEST_HAND_IN", 100)
        handin.hand_in(several, ["full", "half"], "ada", several.parent)
    with pytest.raises(Refused, match="cannot be written"):
        handin.hand_in(several, ["full"], "ada", several.parent / "nowhere")
    with monkeypatch.context() as patch, pytest.raises(Refused, match="cannot be written [(]Read-only file system[)]"):
        patch.setattr(os, "replace", read_only)
        patch.setattr(Path, "unlink", read_only)
        handin.hand_in(several, ["full"], "ada", several.parent)
    for unfinished in several.parent.glob(".handin-*"):
        unfinished.unlink()  # as could not be done then
    assert path.read_bytes() == earlier and len(list(several.parent.glob("*handin*"))) == 1


def read_only(*_, **__):
    raise OSError(errno.EROFS, os.strerror(errno.EROFS))


def test_where_no_zip_can_be_written_nothing_is_checked(several, monkeypatch, capsys):
    monkeypatch.setattr(tempfile, "TemporaryFile", read_only)
    with pytest.raises(Refused, match=r"handin-ada.zip cannot be written \(Read-only file system\)\."):
        handin.hand_in(several, ["full"], "ada", several.parent)
    assert capsys.readouterr().out == "", "minutes were spent before it was said"


@pytest.mark.parametrize("name", ["", "  ", ".ada", "../ada", "a/b", "a\\b", "a\nb", "ada:1", "__MACOSX", "x" * 101, "@ada"])
def test_a_name_that_grading_takes_nothing_from_is_refused(name):
    assert not is_id(name), f"{name!r} is an id, then why refuse it?"
    with pytest.raises(Refused) as refused:
        handin.student_id(name)
    assert str(refused.value).count("\n") == 0, refused.value


@pytest.mark.parametrize("name", [
    "ada", " ada ", "Ada Lovelace", "ada_l", "O'Neill", "ada@x.org", "4711", "group-1", "x.zip", "toy", "handin-ada", "Jose\u0301", "Жанна",
])  # fmt: skip
def test_whoever_hands_in_is_who_grading_takes_it_from(name, tmp_path):
    student = handin.student_id(name)
    (tmp_path / "in").mkdir()
    zipped = tmp_path / "in" / f"handin-{student}.zip"
    zipped.write_bytes(handin.archive(student, {"toy": b"1", "masks": b"2"}))
    for path in (zipped, zipped.parent):
        with archives.opened(path) as opened:
            found = intake.collect(opened, ["masks", "toy"], roster.Roster())
        assert [(hand_in.student, hand_in.exercise) for hand_in in found.hand_ins] == [(student, "masks"), (student, "toy")], found
        assert not found.remarks and not any(hand_in.remarks for hand_in in found.hand_ins), found


# -- The commands ----------------------------------------------------------------------------


def command(*arguments: str, python: tuple[str, ...] = (), **environment: str) -> subprocess.CompletedProcess:
    return subprocess.run([sys.executable, *python, "-m", *arguments], cwd=ROOT, capture_output=True, timeout=60,
                          env=os.environ | {"COLUMNS": "100"} | environment)


@pytest.mark.parametrize("name", ["check", "handin", "doctor"])
def test_each_command_says_how_it_is_used(name):
    result = command(f"helpers.{name}", "--help")
    assert result.returncode == 0 and b"exit status is 0 if" in result.stdout, result


def test_a_terminal_that_cannot_show_a_letter_shows_another():
    result = command("helpers.handin", "√", PYTHONIOENCODING="cp1252")
    assert result.returncode == 1 and result.stderr.startswith(b"'?' cannot be anybody's id"), result.stderr


@pytest.mark.parametrize("name", ["check", "handin"])
def test_in_a_python_without_the_course_the_doctor_is_named(name):
    result = command(f"helpers.{name}", "ada", python=("-S",))
    assert result.returncode == 1 and result.stderr.count(b"\n") == 1, result.stderr.decode()
    assert f"has no nbformat; {DOCTOR} says what to do." in result.stderr.decode(), result.stderr.decode()


def test_a_name_that_is_no_id_is_refused_before_anything_slow_is_imported():
    result = command("helpers.handin", "a/b", python=("-S",))  # a Python without packages
    assert result.returncode == 1 and result.stderr.startswith(b"'a/b' cannot be anybody's id: "), result


def test_the_exit_status_says_whether_all_is_done(several, monkeypatch, capsys):
    monkeypatch.setattr(parts, "EXERCISES", several)
    status = {name: check.main([name]) for name in ("full", "half", "none")}
    assert status == {"full": 0, "half": 1, "none": 1} and check.main([]) == 1, status
    monkeypatch.setattr(parts, "check", lambda folder, name: parts.read(folder, name))
    assert check.main(["full"]) == 1, "an exercise that cannot be read is not done"
    assert "full: the file is not a notebook (not JSON)" in capsys.readouterr().out
