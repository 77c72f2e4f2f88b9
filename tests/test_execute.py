"""How a hand-in is run: to its end, whatever it does to its kernel, and nothing of it is left."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from nbformat.v4 import new_code_cell
from small_course import HALF, HALVES, RIGHT, autograded, blank, empty, environment, hand_in, marks, own, page, run, toy, write_exercise  # noqa: F401

from helpers.exercises import execution
from helpers.grading import kernels

FORKS = pytest.mark.skipif(not kernels.can_fork(), reason="kernels are forked on Linux only")


def test_a_cell_that_ends_the_kernel_or_cannot_be_stopped_costs_its_own_part_alone(toy, tmp_path):
    write_exercise(toy, HALF, HALVES)
    with open(toy.root / "nbgrader_config.py", "a", encoding="utf-8") as file:
        file.write("\nc.Execute.timeout = 2\n")
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
    assert ended == 2 + execution.SPARE_KERNELS, f"{ended} kernels were ended, for two graded cells: {said}"
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


def test_a_picture_that_a_cell_draws_is_in_the_graded_notebook(toy, tmp_path, monkeypatch):
    monkeypatch.setenv("MPLBACKEND", "agg")  # the instructor's
    hand_in(toy, "ada", RIGHT, own("import matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.show()"))
    run(toy, tmp_path / "in")
    shown = {kind for output in autograded(toy, "ada").cells[0].outputs for kind in output.get("data", {})}
    assert "image/png" in shown, f"the cell shows {autograded(toy, 'ada').cells[0].outputs}"


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
