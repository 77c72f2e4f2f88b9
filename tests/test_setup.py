"""Set-up: one list of dependencies, one lock, and an installer that says what stops it."""

import ast
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import pytest
from packaging.markers import default_environment
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
EXTRAS = PROJECT["project"]["optional-dependencies"]
OLDEST, TOO_NEW = map(int, re.fullmatch(r">=3\.(\d+),<3\.(\d+)", PROJECT["project"]["requires-python"]).groups())


def read(name: str) -> str:
    return (ROOT / name).read_text()


def locked() -> list[Requirement]:
    lines = (line.split("#")[0].strip() for line in read("constraints.txt").splitlines())
    return [Requirement(line) for line in lines if line]


def version_of(pin: Requirement) -> str:
    (specifier,) = pin.specifier
    assert specifier.operator == "==", f"constraints.txt does not fix {pin.name}: {pin}. Run `make lock`."
    return specifier.version


# -- One list, one lock -----------------------------------------------------------------------


def test_every_direct_dependency_is_in_the_lock_within_its_bounds():
    pins = {canonicalize_name(pin.name): version_of(pin) for pin in locked()}
    direct = PROJECT["project"]["dependencies"] + PROJECT["build-system"]["requires"] + sum(EXTRAS.values(), [])
    for requirement in map(Requirement, direct):
        pin = pins.get(canonicalize_name(requirement.name))
        assert pin and requirement.specifier.contains(pin), (
            f"pyproject.toml asks for {requirement}, constraints.txt has {pin}. Run `make lock`."
        )


def test_what_recorded_outputs_depend_on_is_locked_where_it_is_fixed():
    pins = {canonicalize_name(pin.name): version_of(pin) for pin in locked()}
    fixed = {pin.name: version_of(pin) for pin in map(Requirement, PROJECT["tool"]["uv"]["constraint-dependencies"])}
    assert fixed == {name: pins.get(name) for name in fixed}, "pyproject.toml and constraints.txt differ. Run `make lock`."


def test_the_lock_has_each_package_once_in_a_public_version_and_names_no_address():
    names = [pin.name for pin in locked()]
    assert len(names) == len(set(names)), f"locked twice: {sorted({n for n in names if names.count(n) > 1})}"
    local = [str(pin) for pin in locked() if "+" in version_of(pin)]
    assert not local, f"versions found on one index alone: {local}"
    addresses = re.findall(r".*(?:://|--\w).*", read("constraints.txt"))
    assert not addresses, f"a lock holds versions, not where they came from: {addresses}"


def test_what_is_installed_is_what_is_locked():
    """Follows the project's requirements through the packages as installed here."""
    pins = {}
    for pin in locked():
        if pin.marker is None or pin.marker.evaluate():
            pins[canonicalize_name(pin.name)] = version_of(pin)
    seen, todo = set(), [("transformers-from-scratch", extra) for extra in ("", "lab", "test", "book")]
    different = []
    while todo:
        name, extra = todo.pop()
        if (name, extra) in seen:
            continue
        seen.add((name, extra))
        distribution = metadata.distribution(name)
        installed = distribution.version.split("+")[0]  # torch 2.13.0+cpu is a build of torch 2.13.0
        if name != "transformers-from-scratch" and pins.get(name) != installed:
            different.append(f"{name} {installed}, locked {pins.get(name)}")
        for requirement in map(Requirement, distribution.requires or []):
            if requirement.marker is None or requirement.marker.evaluate(default_environment() | {"extra": extra}):
                todo += [(canonicalize_name(requirement.name), e) for e in ("", *requirement.extras)]
    assert not different, f"installed otherwise than constraints.txt says: {sorted(set(different))}. Run `make install`."
    assert len(seen) > 100, f"only {len(seen)} packages followed: the walk through requirements is broken"


# -- Every path uses them ---------------------------------------------------------------------


def test_conda_and_binder_install_the_course_under_the_lock():
    lines = [line.split("#")[0].strip(" -") for line in read("environment.yml").splitlines()]
    assert f"python=3.{OLDEST}" in lines, f"environment.yml should name the oldest Python, 3.{OLDEST}"
    assert "constraint constraints.txt" in lines, "environment.yml installs without the lock"
    assert "editable .[lab]" in lines, "environment.yml does not install the course"
    assert "extra-index-url https://download.pytorch.org/whl/cpu" in lines, "environment.yml takes torch with CUDA"
    at = lines.index("dependencies:")
    assert lines[at + 1 : at + 4] == [f"python=3.{OLDEST}", "pip", "pip:"], (
        f"conda itself should bring Python and pip alone, the lock has all else: {lines[at + 1:]}"
    )


def test_what_helpers_import_is_a_direct_dependency():
    """Another package may bring it today; nothing says that it will tomorrow."""
    declared = [*PROJECT["project"]["dependencies"], *EXTRAS["lab"]]
    declared = {canonicalize_name(Requirement(line).name) for line in declared}
    providers = metadata.packages_distributions()
    missing = {}
    for path in sorted(ROOT.glob("helpers/**/*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module] if isinstance(node, ast.ImportFrom) and not node.level else []
            for top in {name.partition(".")[0] for name in names} - sys.stdlib_module_names - {"helpers"}:
                if not declared & {canonicalize_name(name) for name in providers[top]}:
                    missing[f"{path.relative_to(ROOT)}: {top}"] = providers[top]
    assert not missing, f"imported, but not named in pyproject.toml: {missing}"


def test_one_named_package_alone_is_not_taken_ready_made():
    """Whoever adds a second one should know that every student's machine then has to build it."""
    exceptions = {
        name: re.findall(r"--no-binary[\s\",]+(\w+)", read(name)) for name in ("instructor.mk", "tools/install.py")
    }
    assert exceptions == {name: ["docopt"] for name in exceptions}
    assert "docopt" in [pin.name for pin in locked()], "docopt is needed no more: make no exception of it"


def test_every_path_takes_torch_from_the_same_cpu_index():
    named = {
        name: set(re.findall(r"https://download\.pytorch\.org/\S+?(?=[\"\s]|$)", read(name)))
        for name in ("Makefile", "environment.yml", "tools/install.py")
    }
    assert set(map(frozenset, named.values())) == {frozenset({"https://download.pytorch.org/whl/cpu"})}, named


def test_ci_here_and_on_a_public_host_runs_make_test_on_the_oldest_and_newest_python():
    workflow = read(".github/workflows/test.yml")
    assert re.findall(r"- run: (.*)", workflow) == ["make test"]
    assert re.search(r"python: (.*)", workflow).group(1) == f'["3.{OLDEST}", "3.{TOO_NEW - 1}"]'
    assert {"ubuntu-latest", "macos-latest"} <= set(re.findall(r"[a-z]+-latest", workflow))
    assert read(".ci/run").splitlines()[-1] == "exec make test"
    assert os.access(ROOT / ".ci/run", os.X_OK), ".ci/run cannot be executed"


def test_ci_names_its_browser_so_that_no_test_is_skipped_for_want_of_one():
    assert re.search(r"^ +CHROMIUM: \$\{\{.*'google-chrome' \}\}$", read(".github/workflows/test.yml"), re.MULTILINE)
    script = read(".ci/run")
    assert "chromium" in re.search(r"^packages=\((.*)\)$", script, re.MULTILINE)[1].split(), "no browser is installed"
    assert "export CHROMIUM=chromium\n" in script


def test_the_lock_is_made_for_the_oldest_python():
    assert re.findall(r"--python-version (\S+)", read("instructor.mk")) == [f"3.{OLDEST}"]


# -- make -------------------------------------------------------------------------------------


def make(*arguments: str, folder: Path = ROOT, **environment: str) -> subprocess.CompletedProcess:
    # Without what a `make test` above hands down to every make below it.
    inherited = {k: v for k, v in os.environ.items() if k not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL", "ARGS")}
    return subprocess.run(
        ["make", *arguments], cwd=folder, env=inherited | environment, capture_output=True, text=True, timeout=60
    )


def test_make_alone_lists_every_command_with_a_line_about_it():
    targets = re.findall(r"^([a-z-]+):(?! export)", read("Makefile") + read("instructor.mk"), re.MULTILINE)
    listed = re.findall(r"^  make ([\w-]+) +\S", make().stdout, re.MULTILINE)
    assert listed == targets
    assert {"help", "install", "lab", "test", "test-graders", "notebooks", "book", "release", "grade", "formgrader", "bench",
            "clean", "lock", "course"} <= set(listed)


def test_without_a_python_make_says_so_in_a_sentence():
    result = make("lab", "PYTHON=no-such-python")
    assert result.returncode != 0
    said = [line for line in result.stderr.splitlines() if not line.startswith("make")]
    assert len(said) == 1 and said[0].startswith("There is no no-such-python here: install Python 3."), result.stderr


@pytest.mark.parametrize("command, starts", [("lab", "helpers.lab"), ("formgrader", "helpers.lab --formgrader")])
def test_make_hands_its_arguments_on_to_jupyterlab(command, starts):
    said = make("--dry-run", command, "ARGS=--no-browser --port 8899").stdout
    assert said.splitlines()[-1] == f".venv/bin/python -m {starts} --no-browser --port 8899"


@pytest.fixture
def set_up(tmp_path) -> Path:
    """A folder with the students' commands that is set up: its Python is this one, with this folder's helpers."""
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools" / "install.py").touch()
    (tmp_path / ".venv" / "bin").mkdir(parents=True)
    python = tmp_path / ".venv" / "bin" / "python"
    python.write_text(f'#!/bin/sh\nPYTHONPATH="{ROOT}" exec "{sys.executable}" "$@"\n')
    python.chmod(0o755)
    shutil.copy(ROOT / "Makefile", tmp_path)
    return tmp_path


@pytest.mark.parametrize("name", [
    "", "  ", "ada`touch ran`", "$(touch ran)", "$(shell touch ran)", "${HOME}", "$HOME", "$$HOME", "a\"b", "a'b;touch ran;'", "-x", "--help", "--",
])  # fmt: skip
def test_a_name_that_is_no_id_is_refused_as_it_was_typed(set_up, name):
    before = sorted(set_up.rglob("*")), sorted(ROOT.glob("handin-*"))
    result = make(f"NAME={name}", "handin", folder=set_up)
    said = [line for line in result.stderr.splitlines() if not line.startswith("make")]
    expected = f"{name!r} cannot be anybody's id: " if name.strip() else "Who hands in? "
    assert result.returncode != 0 and not result.stdout and len(said) == 1 and said[0].startswith(expected), result
    assert (sorted(set_up.rglob("*")), sorted(ROOT.glob("handin-*"))) == before, "refused, and yet something was run or written"


def test_a_name_of_the_systems_is_nobodys(set_up):
    assert "Who hands in? " in make("handin", folder=set_up, NAME="ada").stderr


# In place of the server, what the module leaves for it: arguments, and the settings found.
JUPYTERLAB = """
import json, os, sys
import helpers.lab as lab
from jupyterlab import labapp

def show(arguments):
    print(json.dumps([os.getcwd(), os.environ["JUPYTER_PREFER_ENV_PATH"], "torch" in sys.modules]))
    labapp.LabApp.launch_instance([*arguments, "--show-config-json"])

labapp.main = show
lab.main(sys.argv[1:])
"""


@pytest.mark.parametrize("formgrader", [False, True])
def test_jupyterlab_gets_the_courses_settings_in_any_folder(formgrader, tmp_path):
    command = [sys.executable, "-c", JUPYTERLAB, *["--formgrader"] * formgrader, "--no-browser", "--port", "8899"]
    without = {name: value for name, value in os.environ.items() if not name.startswith("JUPYTER")}
    ran = subprocess.run(command, cwd=tmp_path, env=without | {"PYTHONPATH": str(ROOT)}, capture_output=True, text=True, timeout=60)
    complaints = [line for line in ran.stderr.splitlines() if not line.startswith("[I ")]
    assert (ran.returncode, complaints) == (0, []), f"JupyterLab is to start without warnings:\n{ran.stderr}"
    around, settings = ran.stdout.split("\n", 1)
    settings = json.loads(settings)
    server = settings["ServerApp"]
    assert json.loads(around) == [str(ROOT), "1", False], "folder, this environment first, torch imported"
    assert settings["LabApp"]["extra_labextensions_path"] == [str(ROOT / "tools/jupyter/labextensions")]
    assert (server["port"], server["open_browser"], server.get("allow_root", False)) == (8899, False, os.getuid() == 0)
    without_formgrader = "'nbgrader.server_extensions.formgrader': False" in str(server["jpserver_extensions"])
    assert (without_formgrader, settings["LabApp"].get("default_url"), server.get("root_dir")) == (
        (False, "/formgrader", None) if formgrader else (True, None, str(ROOT / "notebooks"))
    )


def test_the_students_lab_shows_only_what_students_use():
    for pane in ("formgrader", "course-list", "create-assignment"):
        assert f'"@jupyter/nbgrader:{pane}": true' in read("tools/jupyter/student/labconfig/page_config.json")
    assert "validate" not in "".join(p.read_text() for p in (ROOT / "tools/jupyter").rglob("*.json"))


# -- tools/install.py, as it is run, with a stand-in for Python and pip ---------------------------

# Notes how it is called, makes a .venv that holds itself, and is a pip that says what it is told to
# and brings two packages.
PACKAGES = Path(".venv/lib/python%d.%d/site-packages" % sys.version_info[:2])
STAND_IN = """#!/bin/sh
echo "$*" >> calls
case "$*" in *" -e "*) mkdir -p PACKAGES/torch-2.13.0+cpu.dist-info PACKAGES/tqdm-4.67.dist-info ;; esac
case "$*" in
    "-m venv --clear "*) rm -rf "$4"; mkdir -p "$4/bin"; cp "$0" "$4/bin/python"; exit "${VENV_EXITS:-0}" ;;
    *"config list") echo "$PIP_CONFIG" ;;
    *) echo "$PIP_SAYS"; exit "${PIP_EXITS:-0}" ;;
esac
""".replace("PACKAGES", str(PACKAGES))


class Course:
    """A folder with what the installer reads, and runs of the installer in it."""

    def __init__(self, folder: Path):
        self.folder = folder
        (folder / "tools").mkdir(parents=True)
        for name in ("tools/install.py", "pyproject.toml", "constraints.txt"):
            (folder / name).write_text(read(name))
        (folder / "python").write_text(STAND_IN)
        (folder / "python").chmod(0o755)

    def install(self, before: str = "", *arguments: str, **environment: str) -> subprocess.CompletedProcess:
        """Runs the installer after a line of Python that changes the machine it finds."""
        program = (
            "import ensurepip, runpy, shutil, sys, types, venv; sys.executable, sys.platform = './python', 'linux'\n"
            f"{before}\n"
            "runpy.run_path('tools/install.py', run_name='__main__')"
        )
        outer = {k: v for k, v in os.environ.items() if k != "TORCH_INDEX"}
        return subprocess.run(
            [sys.executable, "-c", program, *arguments], cwd=self.folder, env=outer | environment,
            stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60,
        )

    def calls(self) -> list[str]:
        """What the stand-in was asked to do since the last look."""
        file = self.folder / "calls"
        calls = file.read_text().splitlines() if file.exists() else []
        file.unlink(missing_ok=True)
        return calls


@pytest.fixture
def course(tmp_path) -> Course:
    return Course(tmp_path / "a course")


def refused(result: subprocess.CompletedProcess, *parts: str) -> None:
    """The run failed with one sentence on stderr that holds each part."""
    assert result.returncode == 1, f"exit status {result.returncode} instead of 1\n{result.stdout}{result.stderr}"
    said = result.stderr.splitlines()
    assert len(said) == 1 and said[0].endswith("."), f"one sentence expected on stderr, got:\n{result.stderr}"
    missing = [part for part in parts if part not in said[0]]
    assert not missing, f"{missing} expected in: {said[0]}"


@pytest.mark.parametrize("version", [(2, 7, 18), (3, OLDEST - 1, 9), (3, TOO_NEW, 0)])
def test_a_python_too_old_or_too_new_is_refused_by_name(course, version):
    result = course.install(f"sys.version_info = {version}")
    refused(result, "This is Python %d.%d" % version[:2], f"Python 3.{OLDEST} to 3.{TOO_NEW - 1}", "PYTHON=")
    assert course.calls() == []


def test_an_old_python_can_read_the_installer():
    """It has to get as far as its refusal: nothing newer than Python 3.4, and what 2.7 would trip over."""
    source = read("tools/install.py")
    source.encode("ascii")  # Python 2 wants other characters declared
    tree = ast.parse(source, feature_version=(3, 4))
    newer = [node for node in ast.walk(tree) if isinstance(
        node, (ast.JoinedStr, ast.AnnAssign, ast.NamedExpr, ast.Nonlocal, ast.AsyncFunctionDef, ast.Match)
    )] + [node for node in ast.walk(tree) if isinstance(node, ast.arguments) and node.kwonlyargs]
    assert not newer, f"syntax an old Python cannot read, in line {newer[0].lineno}"
    assert "from __future__ import print_function" in source


@pytest.mark.parametrize("module", ["venv", "ensurepip"])
def test_a_missing_venv_module_is_named_with_the_package_that_brings_it(course, module):
    refused(course.install(f"sys.modules['{module}'] = None"), "no venv module", "apt install python3-venv")


def free_bytes(number: int) -> str:
    return f"shutil.disk_usage = lambda folder: types.SimpleNamespace(free={number})"


def test_a_full_disk_is_noticed_before_anything_is_made(course):
    refused(course.install(free_bytes(10**9)), "2.5 GB", "1.0 GB free", "make room")
    assert not (course.folder / ".venv").exists()
    # Asking for PyTorch's default package on Linux is asking for CUDA too.
    refused(course.install(free_bytes(5 * 10**9), TORCH_INDEX=""), "15.0 GB", "5.0 GB free")


def test_a_venv_that_cannot_be_made_leads_to_the_log(course):
    refused(course.install(VENV_EXITS="1"), "could not make .venv", str(course.folder / "install.log"))


@pytest.mark.parametrize("pip_says, cause", [
    ("WARNING: Retrying (Retry(total=0, connect=None)) after connection broken", "could not be reached"),
    ("ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device", "make room"),
    ("ERROR: No matching distribution found for torch==2.13.0", "no package of torch==2.13.0 for Python 3."),
    ("ERROR: Cannot install a and b because they conflict.\nERROR: ResolutionImpossible", "(Cannot install a and b "),
    ("", "pip gave no reason"),
])
def test_a_failing_pip_ends_in_its_cause_and_the_place_of_its_log(course, pip_says, cause):
    log = course.folder / "install.log"
    refused(course.install(PIP_EXITS="1", PIP_SAYS=pip_says), cause, str(log))
    assert pip_says in log.read_text()


def test_a_finished_set_up_is_not_done_again(course):
    assert course.install().returncode == 0
    assert course.calls(), "the first run should have made .venv"
    second = course.install("sys.modules['venv'] = None")
    assert (second.returncode, second.stdout, second.stderr, course.calls()) == (0, "", "", [])


def test_a_changed_lock_is_installed_into_the_venv_there_is(course):
    course.install()
    course.calls()
    with (course.folder / "constraints.txt").open("a") as lock:
        lock.write("# changed\n")
    assert course.install().returncode == 0
    calls = course.calls()
    assert calls and not any("venv" in call for call in calls), calls


@pytest.mark.parametrize("lost, how", [("torch-2.13.0+cpu", "missing"), ("tqdm-4.67", "of another version")])
def test_a_finished_set_up_that_has_lost_a_package_is_made_whole(course, lost, how):
    course.install()
    course.calls()
    notes = course.folder / PACKAGES / f"{lost}.dist-info"
    notes.rename(notes.with_name("tqdm-4.1.dist-info")) if how == "of another version" else notes.rmdir()
    result = course.install()
    assert result.returncode == 0 and f"Missing in .venv: {lost}.\n" in result.stdout, result
    calls = course.calls()
    assert any(" -e ." in call for call in calls) and not any("venv" in call for call in calls), calls
    assert (course.install().stdout, course.calls()) == ("", []), "made whole, and not seen to be"


def test_what_notes_cannot_tell_is_mended_by_making_all_anew(course):
    course.install()
    course.calls()
    assert course.install("", "--again").returncode == 0
    assert course.calls()[0].startswith("-m venv --clear ")
    assert course.install().returncode == 0 and course.calls() == []
    refused(course.install("", "--agian"), "with --again")


@pytest.mark.parametrize("how", [
    "interrupted", "failed", "moved", "of another Python", "without its Python", "with a link to a Python that is gone",
])  # fmt: skip
def test_anything_but_a_finished_set_up_is_made_anew(course, how):
    if how == "interrupted":
        (course.folder / ".venv/bin").mkdir(parents=True)
    else:
        course.install()
    stamp = course.folder / ".venv/installed.json"
    if how == "failed":
        (course.folder / "constraints.txt").write_text("# changed\n")
        refused(course.install(PIP_EXITS="1"), "could not be installed")
    elif how == "moved":
        stamp.write_text(json.dumps(json.loads(stamp.read_text()) | {"folder": "/elsewhere"}))
    elif how == "of another Python":
        stamp.write_text(json.dumps(json.loads(stamp.read_text()) | {"python": "3.0"}))
    elif how.startswith("with"):
        (course.folder / ".venv/bin/python").unlink()
        if "link" in how:
            (course.folder / ".venv/bin/python").symlink_to("/nowhere/python")
    course.calls()
    assert course.install().returncode == 0
    assert course.calls()[0].startswith("-m venv --clear "), f"a set-up that was {how} should be made anew"


CPU = "https://download.pytorch.org/whl/cpu"


@pytest.mark.parametrize("system, pip_config, asked, index", [
    ("linux", "", None, CPU),
    ("darwin", "", None, None),
    ("linux", "", "", None),
    ("linux", "global.timeout='60'", None, CPU),
    ("linux", "global.index-url='https://mirror.example/simple'", None, None),
    ("linux", ":env:.find-links='/wheels'", None, None),
    ("linux", ":env:.find-links='/wheels'", "https://example.org/cu", "https://example.org/cu"),
    ("darwin", "", "https://example.org/cu", "https://example.org/cu"),
])
def test_torch_comes_from_the_cpu_index_unless_pip_or_the_user_says_otherwise(course, system, pip_config, asked, index):
    machine = f"sys.platform = '{system}'; {free_bytes(10**12)}"
    result = course.install(machine, PIP_CONFIG=pip_config, **({} if asked is None else {"TORCH_INDEX": asked}))
    assert result.returncode == 0, result.stderr
    calls = course.calls()
    assert [call for call in calls if "index" in call] == [
        call for call in calls if call.endswith(f"--no-deps --index-url {index} torch")
    ]
    assert any("--index-url" in call for call in calls) == (index is not None), calls
    told = "pip is configured with package sources of its own" in result.stdout
    assert told == (asked is None and bool(re.search("index-url|find-links", pip_config)))


def test_the_choice_of_an_index_stays_until_another_is_made(course):
    elsewhere = "https://example.org/cu"
    course.install(TORCH_INDEX=elsewhere)
    course.calls()
    course.install()
    assert course.calls() == [], "without a word about the index, the finished set-up is good"
    with (course.folder / "constraints.txt").open("a") as lock:
        lock.write("# changed\n")
    course.install()
    assert any(f"--index-url {elsewhere} torch" in call for call in course.calls()), "an update keeps the index"
    course.install(TORCH_INDEX=CPU)
    calls = course.calls()
    assert calls[:1] == [f"-m venv --clear {course.folder / '.venv'}"], "another index needs another .venv"
    assert any(f"--index-url {CPU} torch" in call for call in calls), calls


def test_everything_is_installed_under_the_lock(course):
    course.install()
    installs = [call for call in course.calls() if " install " in call]
    assert installs and all("-c constraints.txt" in call for call in installs), installs
    assert installs[-1].endswith("-e .[lab]"), "a copy without tests needs nothing for them"


def test_where_there_are_tests_their_tools_are_installed(course):
    (course.folder / "tests").mkdir()
    course.install()
    assert course.calls()[-2].endswith("-e .[lab,test,book]")
