"""The doctor: each of its lines is true of a set-up that is right, and names what is wrong with one that is not."""

import json
import re
import shutil
import subprocess
import sys
from collections import namedtuple
from pathlib import Path

import pytest

from helpers import doctor
from helpers.command import ANEW, DOCTOR, SET_UP
from helpers.doctor import Wrong

ROOT = Path(__file__).resolve().parents[1]
VERSION = namedtuple("Version", "major minor micro")


def call(python: str | Path = sys.executable, folder: Path = ROOT) -> tuple[int, list[str]]:
    ran = subprocess.run([python, "-m", "helpers.doctor"], cwd=folder, capture_output=True, text=True, timeout=120)
    assert not ran.stderr, ran.stderr
    return ran.returncode, ran.stdout.splitlines()


def test_where_all_is_right_every_line_says_so():
    status, lines = call()
    looked = [line for line in lines if re.match(r"right|WRONG", line)]
    wrong = [line for line in looked if line.startswith("WRONG") and ".venv" not in line]  # the tests may run in another environment
    assert len(looked) == len(doctor.CHECKS) and not wrong, "\n".join(lines)
    assert (status, lines[-1]) == (0, "All is right.") or any(".venv" in line for line in looked), "\n".join(lines)


@pytest.fixture
def unpacked(tmp_path) -> Path:
    """A copy of the course that is not set up."""
    folder = tmp_path / "a copy"
    for name in ("helpers", "notebooks/exercises"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__", ".ipynb_checkpoints"))
    for name in ("pyproject.toml", "constraints.txt"):
        shutil.copy(ROOT / name, folder)
    return folder


def bare(folder: Path) -> Path:
    """A Python with the standard library alone."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    return folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")


def test_where_nothing_is_set_up_one_line_says_so(unpacked, tmp_path):
    status, lines = call(bare(tmp_path / "system"), unpacked)
    assert (status, len(lines), lines[0][:6]) == (1, 4, "right "), lines
    assert lines[1].startswith("WRONG  the course is not set up yet: run `make lab`"), lines
    bare(unpacked / ".venv")
    status, lines = call(tmp_path / "system" / "bin" / "python", unpacked)
    assert (status, len(lines)) == (1, 5) and lines[2] == f"WRONG  the set-up in .venv is not finished: run {SET_UP}.", lines


def test_another_python_leaves_it_to_the_courses_own(unpacked, tmp_path):
    """Here an empty one, which is as finished as its stamp says: what is missing is named."""
    bare(unpacked / ".venv")
    (unpacked / ".venv" / "installed.json").touch()
    status, lines = call(bare(tmp_path / "system"), unpacked)
    text = "\n".join(lines)
    assert status == 1, text
    for line in (
        f"With the course's own Python, {doctor.VENV_PYTHON.relative_to(ROOT)}:",
        "right  the course's own environment, .venv",
        "WRONG  packages: missing: torch, numpy, matplotlib, ",
        f"WRONG  PyTorch does not compute (ModuleNotFoundError: No module named 'torch'): run {ANEW}.",
        f"WRONG  kernel: cannot be looked at (jupyter_client is missing): run {ANEW}.",
        "right  the exercises are there: ",
    ):
        assert line in text, f"{line!r} is not in\n{text}"
    asked_itself = [lines[0], *call(unpacked / ".venv" / "bin" / "python", unpacked)[1]]
    lasting = [[line for line in said if "GB of disk" not in line] for said in (lines, asked_itself)]
    assert lasting[0] == lasting[1], "asked itself, it says something else"


def test_a_command_of_the_course_says_which_python_lacks_what(unpacked, tmp_path):
    for python, says in ((bare(tmp_path / "system"), "is not the course's: it has no "), (bare(unpacked / ".venv"), "The set-up in .venv has no ")):
        ran = subprocess.run([python, "-m", "helpers.check"], cwd=unpacked, capture_output=True, text=True, timeout=60)
        assert ran.returncode == 1 and says in ran.stderr and ran.stderr.endswith(f"; {DOCTOR} says what to do.\n"), ran


def wrong(look) -> str:
    """The sentence about what is not right."""
    with pytest.raises(Wrong) as found:
        look()
    said = str(found.value)
    assert "\n" not in said and said.endswith("."), f"no sentence: {said}"
    return said


@pytest.mark.parametrize("version", [(3, 8, 18), (3, 10, 1), (3, 15, 0), (4, 0, 0)])
def test_a_python_out_of_bounds_is_named_and_nothing_else_is_looked_at(version, monkeypatch, capsys):
    monkeypatch.setattr(sys, "version_info", VERSION(*version))
    assert doctor.main([]) == 1
    lines = capsys.readouterr().out.splitlines()
    name = ".".join(map(str, version))
    assert lines[0].startswith(f"WRONG  Python {name}: install one from 3.11 to 3.14") and len(lines) == 3, lines


@pytest.fixture
def course(tmp_path, monkeypatch) -> Path:
    """A folder that the doctor takes for the course."""
    for name in ("pyproject.toml", "constraints.txt"):
        shutil.copy(ROOT / name, tmp_path)
    (tmp_path / "notebooks" / "exercises" / "toy").mkdir(parents=True)
    (tmp_path / "notebooks" / "exercises" / "toy" / "toy.ipynb").write_text('{"cells": []}')
    monkeypatch.setattr(doctor, "ROOT", tmp_path)
    monkeypatch.setattr(doctor, "VENV", tmp_path / ".venv")
    monkeypatch.setattr(doctor, "VENV_PYTHON", tmp_path / ".venv" / "bin" / "python")
    return tmp_path


def test_another_environment_than_the_courses_or_an_unfinished_one_is_named(course, monkeypatch):
    assert doctor.environment() == f"no .venv here; this environment is {sys.prefix}"
    (course / ".venv" / "bin").mkdir(parents=True)
    assert wrong(doctor.environment) == f"the set-up in .venv is not finished: run {SET_UP}."
    (course / ".venv" / "bin" / "python").touch()
    (course / ".venv" / "installed.json").touch()
    assert wrong(doctor.environment) == f"the Python in .venv does not start, or is another's: run {ANEW}."
    monkeypatch.setattr(sys, "prefix", str(course / ".venv"))
    assert doctor.environment() == "the course's own environment, .venv"


def test_packages_of_other_versions_and_missing_ones_are_named_in_one_line(course):
    assert re.fullmatch(r"the \d\d packages that are used, at the locked versions", doctor.packages())
    lock = (course / "constraints.txt").read_text()
    installed = re.search(r"^tqdm==(\S+)", lock, re.MULTILINE)[1]
    (course / "constraints.txt").write_text(re.sub(r"^tqdm==\S+", "tqdm==0.1", lock, flags=re.MULTILINE))
    project = (course / "pyproject.toml").read_text()
    (course / "pyproject.toml").write_text(project.replace('"pillow>=10"', '"no-such-package>=10"'))
    assert wrong(doctor.packages) == f"packages: missing: no-such-package; tqdm is {installed} instead of 0.1; run {SET_UP}."


def test_a_pytorch_that_does_not_compute_is_named_with_its_reason(monkeypatch):
    assert re.fullmatch(r"PyTorch \S+ computes", doctor.torch())
    monkeypatch.setattr(doctor, "output_of", lambda *_: "OSError: libtorch_cpu.so: cannot open shared object file")
    assert "(OSError: libtorch_cpu.so: cannot open shared object file)" in wrong(doctor.torch)


def kernel_called_python3(folder: Path, monkeypatch, *argv: str) -> None:
    """A user's own kernel that comes before the environment's."""
    spec = folder / "kernels" / "python3"
    spec.mkdir(parents=True)
    (spec / "kernel.json").write_text(json.dumps({"argv": argv, "display_name": "Python 3", "language": "python"}))
    monkeypatch.setenv("JUPYTER_PATH", str(folder))
    monkeypatch.setenv("JUPYTER_PREFER_ENV_PATH", "0")


def test_a_kernel_of_another_python_is_named_with_where_it_is(tmp_path, monkeypatch):
    assert doctor.kernel_spec() == "Jupyter's kernel python3 belongs to this environment"
    kernel_called_python3(tmp_path, monkeypatch, "/opt/other/bin/python", "-m", "ipykernel_launcher", "-f", "{connection_file}")
    said = wrong(doctor.kernel_spec)
    assert "Jupyter would start /opt/other/bin/python" in said and str(tmp_path / "kernels" / "python3") in said, said


def test_a_kernel_that_does_not_start_is_named(tmp_path, monkeypatch):
    kernel_called_python3(tmp_path, monkeypatch, sys.executable, "-c", "raise SystemExit(3)")
    assert wrong(doctor.kernel).startswith("no kernel starts (Kernel died")


def test_a_kernel_that_finds_other_helpers_or_none_is_told_apart(course, tmp_path, monkeypatch):
    assert wrong(doctor.kernel) == f"a notebook imports helpers from {ROOT / 'helpers'}, not from this folder: run {ANEW}."
    (course / "notebooks" / "helpers").mkdir()
    (course / "notebooks" / "helpers" / "__init__.py").write_text("raise ImportError('half of it is missing')")
    assert "a notebook cannot import helpers (ImportError: half of it is missing)" in wrong(doctor.kernel)


LAB = "JupyterLab v4\n/x/labextensions\n        @jupyter/nbgrader v0.9.6 enabled OK\n"
SERVER = "    nbgrader.server_extensions.validate_assignment enabled\n"
EXTENSIONS = {
    "not there": ("JupyterLab v4\n", SERVER, "does not find nbgrader's extension"),
    "off": (LAB.replace("enabled", "disabled"), SERVER, "labextension enable @jupyter/nbgrader`"),
    "one button off": (LAB + "Disabled extensions:\n    @jupyter/nbgrader:validate-assignment\n", SERVER, "enable @jupyter/nbgrader:validate-assignment`"),
    "without the server's side": (LAB, SERVER.replace("enabled", "disabled"), "gets no answer"),
}


@pytest.mark.parametrize("case", EXTENSIONS.values(), ids=EXTENSIONS)
def test_a_validate_button_that_is_off_is_named_with_how_to_switch_it_on(case, monkeypatch):
    lab, server, sentence = case
    monkeypatch.setattr(doctor, "output_of", lambda *command: lab if "labextension" in command else server)
    assert sentence in wrong(doctor.validate)


def test_a_missing_alembic_a_full_disk_and_a_folder_of_others_are_named(course, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setenv("PATH", "")
        patch.setattr(sys, "executable", str(course / "bin" / "python"))
        assert "does not find its program alembic" in wrong(doctor.alembic)
    monkeypatch.setattr(shutil, "disk_usage", lambda folder: namedtuple("Usage", "free")(10**8))
    assert wrong(doctor.disk) == "0.1 GB of disk are free: make room, at least 0.5 GB."
    assert doctor.folder() == f"this folder can be written to: {course}"
    shutil.rmtree(course / "notebooks" / "exercises")
    assert f"nothing can be saved in {course / 'notebooks' / 'exercises'}" in wrong(doctor.folder)


@pytest.mark.parametrize("content", [None, "", "[]", '{"cells'])
def test_an_exercise_that_is_no_notebook_is_named(course, content):
    assert doctor.exercises() == "the exercises are there: toy"
    path = course / "notebooks" / "exercises" / "toy" / "toy.ipynb"
    path.unlink() if content is None else path.write_text(content)
    assert wrong(doctor.exercises) == "toy.ipynb is missing or no notebook: take it again from the zip you got."
