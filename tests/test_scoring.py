"""How a hand-in is run and scored, and what its feedback says, on a small course."""

import html
import os
import re
import subprocess
import sys
import time
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from nbgrader.validator import Validator
from small_course import RIGHT, blank, cell, empty, environment, hand_in, run, scores, toy, write_exercise  # noqa: F401
from traitlets.config import PyFileConfigLoader

from helpers.grading import execute, kernels
from helpers.grading.course import ROOT, Course
from helpers.grading.feedback import HideHiddenTests, Summary, found, part_names
from helpers.grading.preprocessors import NO_POINTS, CountPoints

FORKS = pytest.mark.skipif(not kernels.can_fork(), reason="kernels are forked on Linux only")
HALF = cell("half", "def half(x):\n    ### BEGIN SOLUTION\n    return x / 2\n    ### END SOLUTION", solution=True)
HALVES = cell("halves", "assert half(3) == 1.5", grade=True, locked=True, points=5)


def test_cell(name: str, source: str, points: int = 5) -> nbformat.NotebookNode:
    return cell(name, source, grade=True, locked=True, points=points)


test_cell.__test__ = False


def marks(course: Course) -> dict[str, float]:
    return {student: score for (student, _), score in scores(course).items()}


def autograded(course: Course, student: str) -> nbformat.NotebookNode:
    return nbformat.read(course.folder("autograded", student, "toy") / "toy.ipynb", as_version=4)


def page(course: Course, student: str) -> str:
    """The text of a feedback page, as a reader has it."""
    body = (course.folder("feedback", student, "toy") / "toy.html").read_text(encoding="utf-8").partition("<body")[2]
    return html.unescape(re.sub(r"<[^>]+>", "", body))


def own(source: str):
    """Put a cell of the student's own at the start."""
    return lambda notebook: notebook.cells.insert(0, new_code_cell(source, id="own"))


def settings(course: Course, *lines: str) -> None:
    with open(course.root / "nbgrader_config.py", "a", encoding="utf-8") as file:
        file.write("\n" + "\n".join(lines))


# -- Kernels that end ------------------------------------------------------------------------


def test_a_cell_that_ends_the_kernel_or_cannot_be_stopped_costs_its_own_part_alone(toy, tmp_path):
    write_exercise(toy, HALF, HALVES)
    settings(toy, "c.Execute.timeout = 2")
    deaf = "import time\n\nwhile True:\n    try:\n        time.sleep(9)\n    except KeyboardInterrupt:\n        pass"

    def halved(source):
        def change(notebook):
            next(cell for cell in notebook.cells if cell.id == "half").source = source

        return change

    def calls(what):
        return f"def double(x):\n    if x == 'a':\n        {what}\n    return 2 * x"

    right_half = "def half(x):\n    return x / 2"
    hand_in(toy, "exits", RIGHT, halved("import os\nos._exit(0)"))
    hand_in(toy, "crashes", calls("import ctypes; ctypes.string_at(0)"), halved(right_half))
    hand_in(toy, "in-a-test", calls("import os; os._exit(1)"), halved(right_half))
    hand_in(toy, "deaf", RIGHT, halved(deaf))
    hand_in(toy, "sleeps", RIGHT, halved("import time\ntime.sleep(60)"))
    text = run(toy, tmp_path / "in")

    expected = {"exits": 10.0, "crashes": 9.0, "in-a-test": 9.0, "deaf": 10.0, "sleeps": 10.0}
    assert marks(toy) == expected, f"{marks(toy)} instead of {expected}, in\n{text}"
    for remark in (
        "exits/toy: ended the kernel, and all else was run without it: half.",
        "crashes/toy: ended the kernel, and all else was run without it: words.",
        "in-a-test/toy: ended the kernel, and all else was run without it: words.",
        "deaf/toy: stopped after the time a cell may take: half.",
        "sleeps/toy: stopped after the time a cell may take: half.",
    ):
        assert remark in text, f"nothing says {remark!r} in\n{text}"
    for student, sentence in {
        "exits": "This cell ended the kernel",
        "crashes": "This cell ended the kernel",
        "deaf": "This cell took more than 2 seconds, and could not be interrupted.",
        "sleeps": "This cell took more than 2 seconds, and was interrupted.",
    }.items():
        assert sentence in page(toy, student), f"the feedback of {student} does not say {sentence!r}"
    assert run(toy, tmp_path / "in").startswith("0 to grade"), "a hand-in that ended its kernel was graded again"


def test_in_a_new_kernel_what_came_before_is_run_again_and_keeps_what_it_had_shown(toy, tmp_path):
    log = tmp_path / "log.txt"
    note = f"print('run', open({str(log)!r}, 'a').write('x'), len(open({str(log)!r}).read()))"

    moody = f"import os\nif len(open({str(log)!r}).read()) > 1:\n    os._exit(1)"  # whenever it is run again

    def change(notebook):
        notebook.cells[0:0] = [new_code_cell(note, id="note"), new_code_cell(moody, id="moody"), new_code_cell("1 / 0", id="wrong")]
        notebook.cells.insert(4, new_code_cell("import os\nos.kill(os.getpid(), 9)", id="kill"))

    hand_in(toy, "ada", RIGHT, change)
    text = run(toy, tmp_path / "in")
    cells = autograded(toy, "ada").cells
    assert marks(toy) == {"ada": 10.0}, f"what stands before the cell that ended the kernel is not there in the new one: {text}"
    assert log.read_text() == "xxx", f"for a second and a third kernel the first cell was run {len(log.read_text()) - 1} times more"
    assert cells[0].outputs[0].text == "run 1 1\n", f"its output was replaced by that of the second time: {cells[0].outputs}"
    assert [cell.execution_count for cell in cells] == [1, 2, 3, 4, 5, 6, 7], "the cells are not counted as in one go"


def test_there_is_an_end_to_new_kernels(toy, tmp_path):
    def change(notebook):
        notebook.cells += [new_code_cell("import os\nos._exit(1)", id=f"kill-{number}") for number in range(9)]

    hand_in(toy, "ada", RIGHT, change)
    text = run(toy, tmp_path / "in")
    assert marks(toy) == {"ada": 10.0}, f"the parts before the cells that end kernels lost their points: {text}"
    said = [cell.outputs[0].evalue for cell in autograded(toy, "ada").cells[3:]]
    ended = sum("This cell ended the kernel" in sentence for sentence in said)
    assert ended == 2 + execute.SPARE_KERNELS, f"{ended} kernels were ended, for two graded cells: {said}"
    assert all("This cell was not run" in sentence for sentence in said[ended:]), said


def alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def soon(condition) -> bool:
    """Whether it comes true in a few seconds."""
    until = time.monotonic() + 5
    while time.monotonic() < until:
        if condition():
            return True
        time.sleep(0.05)
    return False


@FORKS
@pytest.mark.parametrize("way", ["stays", "exits"])
def test_with_a_kernel_ends_all_that_it_started(toy, tmp_path, way):
    file = tmp_path / "pid.txt"
    start = f"import os, subprocess\nopen({str(file)!r}, 'w').write(str(subprocess.Popen(['sleep', '600']).pid))"
    hand_in(toy, "ada", RIGHT, own(start + ("\nos._exit(0)" if way == "exits" else "")))
    run(toy, tmp_path / "in")
    pid = int(file.read_text())
    assert soon(lambda: not alive(pid)), f"process {pid}, which a hand-in started, is still running"
    assert marks(toy) == {"ada": 10.0}


@FORKS
def test_kernels_are_forked_and_leave_no_process_behind(toy, tmp_path):
    asks = "import os, sys\nprint(os.getppid(), os.getsid(0) == os.getpid(), 'torch' in sys.modules, 'helpers' in sys.modules)"
    hand_in(toy, "ada", RIGHT, own(asks))
    run(toy, tmp_path / "in")
    mother = kernels.ForkingProvisioner.mother.process
    said = autograded(toy, "ada").cells[0].outputs[0].text
    assert said == f"{mother.pid} True True False\n", f"the kernel says {said!r}; the mother is {mother.pid}"
    children = Path(f"/proc/{mother.pid}/task/{mother.pid}/children")
    assert soon(lambda: not children.read_text()), f"the mother still has {children.read_text()}"


@FORKS
def test_two_kernels_draw_different_numbers(toy, tmp_path):
    for student in ("ada", "bob"):
        hand_in(toy, student, RIGHT, own("import random, numpy, torch\nprint(random.random(), numpy.random.rand(), torch.rand(()).item())"))
    run(toy, tmp_path / "in")
    ada, bob = (autograded(toy, student).cells[0].outputs[0].text.split() for student in ("ada", "bob"))
    assert all(a != b for a, b in zip(ada, bob, strict=True)), f"random, NumPy, torch: {ada} and {bob}"


@FORKS
def test_a_mother_that_was_killed_is_replaced(toy, tmp_path):
    hand_in(toy, "ada", RIGHT)
    run(toy, tmp_path / "in")
    first = kernels.ForkingProvisioner.mother.process
    first.kill()
    first.wait()
    hand_in(toy, "bob", RIGHT)
    hand_in(toy, "cid", RIGHT)
    run(toy, tmp_path / "in")
    assert marks(toy) == {"ada": 10.0, "bob": 10.0, "cid": 10.0}
    assert kernels.ForkingProvisioner.mother.process.pid != first.pid


def test_where_no_kernel_can_be_forked_one_is_started(toy, tmp_path, monkeypatch):
    monkeypatch.setattr(kernels, "can_fork", lambda: False)
    hand_in(toy, "ada", RIGHT, own("import os\nprint(os.getppid())"))
    run(toy, tmp_path / "in")
    assert marks(toy) == {"ada": 10.0}
    assert autograded(toy, "ada").cells[0].outputs[0].text == f"{os.getpid()}\n", "the kernel is not this process's own child"


@FORKS
def test_the_mother_and_her_kernels_end_with_the_grader(tmp_path):
    grader = (
        "import asyncio, os, sys, time\n"
        "from helpers.grading.kernels import ForkingKernelManager, ForkingProvisioner\n"
        "async def main():\n"
        "    manager = ForkingKernelManager(kernel_name='python3')\n"
        "    await manager.start_kernel()\n"
        "    print(ForkingProvisioner.mother.process.pid, manager.provisioner.pid, flush=True)\n"
        "    await asyncio.sleep(600)\n"
        "asyncio.run(main())\n"
    )
    process = subprocess.Popen([sys.executable, "-c", grader], stdout=subprocess.PIPE, text=True, cwd=tmp_path)
    pids = [int(pid) for pid in process.stdout.readline().split()]
    assert len(pids) == 2 and all(map(alive, pids)), pids
    process.kill()
    process.wait()
    process.stdout.close()
    assert soon(lambda: not any(map(alive, pids))), f"of {pids}, mother and kernel, {list(filter(alive, pids))} outlived the grader"


# -- Points ----------------------------------------------------------------------------------


def test_the_value_of_a_test_is_its_points_whatever_it_is(toy, tmp_path):
    write_exercise(toy, test_cell("value", "value() if 'value' in dir() else None"))
    values = {
        "2.5": 2.5, "0": 0.0, "5": 5.0, "None": 5.0,  # what nbgrader expects
        "9": 5.0, "-1": 0.0,  # out of range
        "float('nan')": 0.0, "float('inf')": 0.0, "'five'": 0.0, "[1, 2]": 0.0, "True": 0.0,  # no number of points
        "1 / 0": 0.0, "__import__('sys').displayhook(5) or 1 / 0": 0.0,  # an error
        "__import__('sys').displayhook(2) or 3": 0.0,  # two values
    }  # fmt: skip
    students = {f"s{number:02}": value for number, value in enumerate(values)}
    for student, value in students.items():
        hand_in(toy, student, f"{RIGHT}\n\n\ndef value():\n    return {value}")
    text = run(toy, tmp_path / "in")
    found = {value: marks(toy)[student] - 10 for student, value in students.items()}
    assert found == values, f"{found} instead of {values}"

    remarks = {student: re.findall(rf"{student}/toy: (.*)", text) for student in students}
    for student, value in students.items():
        expected = {
            "9": ["value: its value 9 counts as 5."],
            "-1": ["value: its value -1 counts as 0."],
        }.get(value, ["the value is not one finite number, so no points: value."])
        if value in ("2.5", "0", "5", "None") or "1 / 0" in value:
            expected = []
        assert remarks[student] == expected, f"of {value} the remarks are {remarks[student]}, not {expected}"
        if expected and "counts" not in expected[0]:
            assert "not one finite number, so it counts 0 points" in page(toy, student), f"the feedback on {value} says nothing"


def test_nbgraders_own_command_gives_the_same_points(toy, tmp_path):
    write_exercise(toy, test_cell("value", "value"))
    hand_in(toy, "ada", f"{RIGHT}\nvalue = 9")
    hand_in(toy, "bob", "import os\n\n\ndef double(x):\n    return 2 * x if x != 'a' else os._exit(1)\n\n\nvalue = -1")
    hand_in(toy, "cid", RIGHT, lambda notebook: notebook.cells.clear())
    run(toy, tmp_path / "in")
    expected = {"ada": 15.0, "bob": 4.0, "cid": 0.0}
    assert marks(toy) == expected
    with toy.gradebook() as gradebook:
        for student in expected:
            gradebook.remove_submission("toy", student)
    command = [sys.executable, "-m", "nbgrader", "autograde", "toy", "--force"]
    done = subprocess.run(command, cwd=toy.root, capture_output=True, text=True, timeout=120)
    with toy.gradebook() as gradebook:
        submissions = gradebook.find_assignment("toy").submissions
        found = {submission.student.id: submission.score for submission in submissions}
        waiting = [submission.student.id for submission in submissions if submission.needs_manual_grade]
    assert found == expected and not waiting, f"{found}, waiting: {waiting}, after\n{done.stderr}"


def graded_cell(*outputs, points: float = 5, score: float | None = None) -> nbformat.NotebookNode:
    made = test_cell("value", "value()", points)
    made.outputs = list(outputs)
    made.metadata.nbgrader["score"] = points if score is None else score
    return made


def value(text: str) -> nbformat.NotebookNode:
    return new_output("execute_result", data={"text/plain": text, "text/html": f"<b>{text}</b>"}, execution_count=1)


def error(name: str, sentence: str, *frames: str) -> nbformat.NotebookNode:
    return new_output("error", ename=name, evalue=sentence, traceback=[*frames, f"{name}: {sentence}"])


def printed(text: str, name: str = "stdout") -> nbformat.NotebookNode:
    return new_output("stream", name=name, text=text)


def test_an_error_comes_before_a_value_and_a_value_in_range_stays():
    made = graded_cell(value("3"), error("AssertionError", "no"))
    CountPoints().preprocess_cell(made, {}, 0)
    assert [output.output_type for output in made.outputs] == ["error", "execute_result"], made.outputs
    made = graded_cell(value("3"))
    CountPoints().preprocess_cell(made, {}, 0)
    assert made.outputs[0].data == {"text/plain": "3"} and not made.outputs[0].metadata, made.outputs


WARNS = "import warnings\n\n\ndef double(x):\n    warnings.warn('old')\n    __import__('os').write(2, b'noise')\n    return 2 * x"


@pytest.mark.parametrize("config", [".", "tools/jupyter/student"])
def test_validate_finds_no_fault_with_a_passing_test_that_warns(toy, tmp_path, config):
    path = tmp_path / "notebooks" / "exercises" / "toy" / "toy.ipynb"
    released = path.read_bytes()

    def validate(answer: str) -> dict:
        notebook = nbformat.reads(released.decode(), as_version=4)
        next(cell for cell in notebook.cells if cell.id == "answer").source = answer
        nbformat.write(notebook, path)
        loaded = PyFileConfigLoader("nbgrader_config.py", path=str(ROOT / config)).load_config()
        return Validator(config=loaded).validate(str(path))

    assert validate(WARNS) == {}, f"with {config}, Validate calls this failed: {validate(WARNS)}"
    failed = validate("def double(x):\n    return x").get("failed", [])
    assert len(failed) == 2, f"with {config}, Validate finds {len(failed)} failed tests of 2"


# -- What is no longer there -----------------------------------------------------------------


def test_whatever_cells_a_hand_in_lacks_nothing_waits_for_a_manual_grade(toy, tmp_path):
    write_exercise(toy, cell("given", "three = 3", locked=True), HALF, cell("note", "four = 4", locked=True), HALVES)
    both = f"{RIGHT}\n\n\ndef half(x):\n    return x / 2"

    def without(*names):
        return lambda notebook: setattr(notebook, "cells", [cell for cell in notebook.cells if cell.id not in names])

    def stripped(notebook):
        for cell in notebook.cells:
            cell.metadata.clear()

    def as_text(notebook):
        for place, cell in enumerate(notebook.cells):
            if cell.id in ("numbers", "half"):
                notebook.cells[place] = new_markdown_cell(cell.source, id=cell.id, metadata=cell.metadata)

    def other_roles(notebook):
        for cell in notebook.cells:
            cell.metadata.nbgrader.update(grade=False, solution=False, locked=False, points=100)

    def other_names(notebook):
        for cell in notebook.cells:
            cell.metadata.nbgrader["grade_id"] += "-2"

    cases = {
        **{f"no-{name}": (both, without(name), 15.0) for name in ("numbers", "words", "halves", "given", "note", "half")},
        "no-tests": (both, without("numbers", "words", "halves"), 15.0),
        "no-words-nor-answer": (both, without("answer", "words"), 0.0),
        "no-half-nor-halves": (RIGHT, without("half", "halves"), 10.0),
        "no-cells": (both, lambda notebook: notebook.cells.clear(), 0.0),
        "own-cells": (both, lambda notebook: notebook.cells.__setitem__(slice(None), [new_code_cell(both, id="own")]), 15.0),
        "stripped": (both, stripped, 15.0),
        "as-text": (both, as_text, 15.0),
        "other-roles": (both, other_roles, 15.0),
        "other-names": (both, other_names, 15.0),
    }
    for student, (answer, change, _) in cases.items():
        hand_in(toy, student, answer, change)
    text = run(toy, tmp_path / "in")

    expected = {student: score for student, (*_, score) in cases.items()}
    # A hand-in's own `half`, unanswered, stands where it did.
    unanswered = {"as-text", "no-numbers", "no-words", "no-halves", "no-given", "no-note", "no-tests", "stripped", "other-roles", "other-names"}
    expected |= {student: 10.0 for student in unanswered}
    assert marks(toy) == expected, f"{marks(toy)} instead of {expected}, in\n{text}"
    with toy.gradebook() as gradebook:
        for submission in gradebook.find_assignment("toy").submissions:
            grades = [grade for notebook in submission.notebooks for grade in notebook.grades]
            waiting = [grade.name for grade in grades if grade.needs_manual_grade or grade.auto_score is None]
            assert not waiting, f"{submission.student.id}: {waiting} wait for a manual grade"
    for student in cases:
        if student.startswith("no-") and student not in ("no-given", "no-note", "no-half", "no-cells"):
            assert f"{student}/toy: tests were missing and put back" in text, f"nothing says so of {student} in\n{text}"


# -- The feedback page -----------------------------------------------------------------------


def summary(*cells) -> str:
    """The table that a page begins with, as HTML from its Markdown."""
    from nbconvert.filters import markdown2html

    notebook = new_notebook(cells=list(cells))
    Summary().preprocess(notebook, {})
    assert notebook.cells[0].id == "summary", "the page does not begin with the table"
    return markdown2html(notebook.cells[0].source)


def table(*cells) -> list[list[str]]:
    rows = re.findall(r"<tr.*?</tr>", summary(*cells), re.DOTALL)[1:]
    return [[html.unescape(re.sub(r"<[^>]+>", "", entry.replace("<br>", "\n"))) for entry in re.findall(r"<td>(.*?)</td>", row)]
            for row in rows]


def test_the_table_has_part_points_and_what_was_found():
    heading = new_markdown_cell("Some words.\n\n**Test: the `raw` peaks** (3 points)")
    assert table(heading, graded_cell(points=3)) == [["the raw peaks", "3 of 3", "passed"]]
    for outputs, score, expected in [
        ([error("AssertionError", "It came out as 3.\nWhy?")], 0, "It came out as 3.\nWhy?"),
        ([error("ValueError", "bad")], 0, "ValueError: bad"),
        ([error("AssertionError", "")], 0, "AssertionError"),
        ([error(execute.ENDED, "This cell ended the kernel.")], 0, "This cell ended the kernel."),
        ([error("KeyboardInterrupt", ""), error(execute.STUCK, "Too long.")], 0, "Too long."),
        ([error(NO_POINTS, "No number."), value("'x'")], 0, "No number."),
        ([printed("noise\nPartial credit: two of three.\n"), value("2")], 2, "Partial credit: two of three."),
        ([printed("Partial credit: no.\nnoise\n"), value("2")], 2, "Part of the points."),
        ([printed("Partial credit: all.\n"), value("5")], 5, "passed"),
        ([error("AssertionError", "No.")], 4, "No.\nThe points were changed by hand."),
    ]:
        assert table(graded_cell(*outputs, score=score)) == [["value", f"{score} of 5", expected]]


@pytest.mark.parametrize("sentence", [
    "a < b & c > d, *so* _it_ | is `not` $x_1$ \\(y\\)", "<script>alert(1)</script>", "[[6, -6], [1, 2]](x) ![a](b) {{ x }} {% y %}",
    "$$a$$", "\\begin{a}b\\end{a}", "$$\na\n$$", "</td></table>", "~~~\ncode", "<!-- a", "\"quoted\" 'quoted'", "# head", "- item", "one\n\n\ntwo", "x" * 500, "&amp; &#60;", "\x1b[31mred\x1b[0m", "attachment:x files/y",
])  # fmt: skip
def test_a_message_reads_as_it_was_written(sentence):
    [[_, _, text]] = table(graded_cell(error("AssertionError", sentence), score=0))
    expected = re.sub(r"\x1b\[\d+m", "", sentence).strip()
    assert text == expected, f"{text!r} instead of {expected!r}"
    assert "<script" not in summary(graded_cell(error("AssertionError", sentence), score=0))


def test_a_part_is_called_after_the_text_just_before_it():
    cells = [new_markdown_cell("**Test: one**"), test_cell("a", "1"), test_cell("b", "1"), new_markdown_cell("**Test: three**"),
             new_code_cell("2"), test_cell("c", "1"), new_markdown_cell("**Test: four**"), new_markdown_cell("(1 point)"), test_cell("d", "1")]
    assert part_names(cells) == {"a": "one", "b": "b", "c": "c", "d": "four"}


def test_a_part_that_was_never_run_is_marked_by_hand():
    text = new_markdown_cell("My answer.", metadata=graded_cell(score=2).metadata)
    assert found(text) == "Marked by hand."


def test_partial_credit_keeps_its_message_and_nothing_else_that_a_hidden_test_printed():
    def shown(*outputs):
        made = graded_cell(*outputs)
        made.source = "value()\n### BEGIN HIDDEN TESTS\nassert value(17) == 4, 'seventeen'\n### END HIDDEN TESTS"
        made.execution_count = 1
        notebook = new_notebook(cells=[made])
        HideHiddenTests().preprocess(notebook, {})
        return [output.get("text") or output.get("data", {}).get("text/plain") or output.get("evalue") for output in made.outputs]

    assert shown(printed("17\nPartial credit: two of three.\n"), value("2")) == ["Partial credit: two of three.\n", "2"]
    assert shown(printed("Partial credit: two.\n17\n"), value("2")) == ["2"], "what a student's function printed last is shown"
    assert shown(printed("17\n"), value("2")) == ["2"]
    assert shown(printed("Partial credit: 17\n")) == [], "a test that gives all points has no message"
    assert shown(printed("17\n"), error("AssertionError", "Not four.")) == ["Not four."]


def test_no_part_of_a_page_quotes_a_hidden_test(toy, tmp_path):
    test = (
        "def test_more():\n    assert double(3) == 6\n    ### BEGIN HIDDEN TESTS\n"
        "    assert double(12.25) == 24.5, 'Not for every number.'\n    ### END HIDDEN TESTS\n\n\ntest_more()"
    )
    write_exercise(toy, test_cell("more", test))

    def nosy(notebook):
        notebook.cells += [new_code_cell(source, id=f"nosy-{number}") for number, source in enumerate((
            "test_more()", "import inspect; print(inspect.getsource(test_more))", "inspect.getsource(test_more)", "test_more??",
            "In[-6:]", "raise ValueError(inspect.getsource(test_more))",
            "from IPython.display import Code, HTML; Code(inspect.getsource(test_more), language='python')",
            "print('kept')",
        ))]  # fmt: skip

    hand_in(toy, "ada", "def double(x):\n    return 2 * x if x != 12.25 else helper(x)\n\n\ndef helper(x):\n    print('saw', x)\n    return 0", nosy)
    run(toy, tmp_path / "in")
    text = page(toy, "ada")
    letters = re.sub(r"\\n|[\W_]", "", text)
    assert "double1225245" not in letters and "double(12.25" not in text, f"the hidden line is on the page: {text}"
    assert "saw 12.25" not in text, "what a function printed when a hidden test called it is on the page"
    assert text.count("Not for every number.") == 3, "in the table, the test, and the student's own call of it"
    assert "kept" in text


def test_a_page_begins_with_its_table_and_shows_no_frame_of_a_test_or_of_helpers(toy, tmp_path):
    source = "from helpers.observer import observe\n\nobserve(double, [1]).returned()\nassert double([1]) == [1, 1]"
    write_exercise(toy, new_markdown_cell("**Test: lists & more**", id="heading"), test_cell("lists", source))
    hand_in(toy, "ada", "def double(x):\n    return inner(x)\n\n\ndef inner(x):\n    return x * 2 if isinstance(x, list) else x / 0",
            own("from helpers.masks import causal_mask\ncausal_mask(-1)"))  # fmt: skip
    hand_in(toy, "bob", "def double(x):\n    raise KeyError('my $word$')")
    run(toy, tmp_path / "in")
    assert re.search(r"what was found\s+numbers0 of 4ZeroDivisionError.*\s+words0 of 6TypeError.*\s+lists & more5 of 5passed\s",
                     page(toy, "ada")), page(toy, "ada")[:800]  # fmt: skip
    assert "return x * 2 if isinstance" in page(toy, "ada"), "the student's own frame is gone"
    for student in ("ada", "bob"):
        for shown in ("observer.py", "masks.py", "----> 1 assert double"):
            assert shown not in page(toy, student), f"{student}'s page shows {shown}"
    assert "The function double raised KeyError ('my $word$'); expected it to return." in page(toy, "bob")
