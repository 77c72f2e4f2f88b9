"""Look at the course's set-up: one line on each thing that has to be right, and what to do where it is not."""

from __future__ import annotations  # an old Python must get as far as to hear that it is too old

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

from helpers.command import ANEW, ROOT, SET_UP, run
from helpers.lab import environment as lab_environment

VENV = ROOT / ".venv"
VENV_PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
FREE = 0.5  # gigabytes
STATUS = "The exit status is 0 if all is right, 1 if not."

# -- What is looked at: each returns what is right, or raises Wrong --------------------------


class Wrong(Exception):
    """What is not right, and what to do about it."""


class NotYet(Wrong):
    """As long as this is not right, nothing else can be."""


def python() -> str:
    bounds = re.search(r'requires-python = ">=3\.(\d+),<3\.(\d+)"', (ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    oldest, newest = int(bounds[1]), int(bounds[2]) - 1
    version = "%d.%d.%d" % sys.version_info[:3]
    if not (3, oldest) <= sys.version_info[:2] <= (3, newest):
        raise NotYet(
            f"Python {version}: install one from 3.{oldest} to 3.{newest}, and set the course up with it: `make lab PYTHON=python3.{newest}`."
        )
    return f"Python {version}"


def environment() -> str:
    if VENV_PYTHON.exists() and (VENV / "installed.json").exists():
        if not in_venv():
            raise Wrong(f"the Python in .venv does not start, or is another's: run {ANEW}.")
        return "the course's own environment, .venv"
    if os.path.lexists(VENV):
        raise NotYet(f"the set-up in .venv is not finished: run {SET_UP}.")
    if not any(map(version, ("torch", "jupyterlab", "nbgrader"))):
        raise NotYet(f"the course is not set up yet: run `make lab` or, without make, {SET_UP} (with conda, see STUDENTS.md).")
    return f"no .venv here; this environment is {sys.prefix}"


def in_venv() -> bool:
    return Path(sys.prefix).resolve() == VENV.resolve()


def version(package: str) -> str:
    """The version that this Python has of a package; empty if it has none."""
    from importlib import metadata

    try:
        return metadata.version(package).partition("+")[0]  # 2.13.0+cpu is a build of 2.13.0
    except metadata.PackageNotFoundError:
        return ""


def packages() -> str:
    dependencies = direct_dependencies()
    installed = {name: version(name) for name in dependencies}
    missing = [name for name in dependencies if not installed[name]]
    differ = [f"{name} is {installed[name]} instead of {locked}" for name, locked in dependencies.items() if installed[name] not in ("", locked)]
    if missing or differ:
        wrong = [f"missing: {', '.join(missing)}"] if missing else []
        raise Wrong(f"packages: {'; '.join(wrong + differ)}; run {SET_UP}.")
    return f"the {len(dependencies)} packages that are used, at the locked versions"


def direct_dependencies() -> dict[str, str]:
    """What pyproject.toml names for reading, running and handing in → the version that is locked."""
    import tomllib  # since Python 3.11

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    pins = re.findall(r"^([\w.-]+)==([^\s;]+)", (ROOT / "constraints.txt").read_text(encoding="utf-8"), re.MULTILINE)
    locked = {plain(name): version for name, version in pins}
    names = [re.match(r"[\w.-]+", line)[0] for line in project["dependencies"] + project["optional-dependencies"]["lab"]]
    return {name: locked.get(plain(name), "a locked version") for name in names}


def plain(name: str) -> str:
    """A package's name as an index has it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def torch() -> str:
    says = output_of(sys.executable, "-c", "import torch; print(torch.__version__, float((torch.ones(2, 3) @ torch.ones(3, 2)).sum()))")
    computed = re.search(r"^(\S+) 12\.0$", says, re.MULTILINE)
    if not computed:
        raise Wrong(f"PyTorch does not compute ({says}): run {ANEW}.")
    return f"PyTorch {computed[1]} computes"


def kernel_spec() -> str:
    from jupyter_client.kernelspec import KernelSpecManager, NoSuchKernel

    try:
        spec = KernelSpecManager().get_kernel_spec("python3")
    except NoSuchKernel:
        raise Wrong(f"Jupyter has no kernel called python3: run {ANEW}.") from None
    starts = spec.argv[0]
    if starts not in ("python", "python3") and not same(starts, sys.executable):  # those two mean this Python
        raise Wrong(
            f"for python3, Jupyter would start {starts}: remove that with `jupyter kernelspec remove python3` (it is in {spec.resource_dir})."
        )
    return "Jupyter's kernel python3 belongs to this environment"


def kernel() -> str:
    from jupyter_client.manager import start_new_kernel

    silent = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    try:
        manager, client = start_new_kernel(kernel_name="python3", cwd=str(ROOT / "notebooks"), startup_timeout=60, **silent)
    except Exception as error:  # whatever a broken installation raises
        raise Wrong(f"no kernel starts ({error}): run {ANEW}.") from None
    try:
        ask = {"where": "__import__('helpers').__file__"}
        reply = client.execute("", user_expressions=ask, reply=True, timeout=60)["content"]
        where = reply["user_expressions"]["where"]
    except Exception as error:
        raise Wrong(f"a kernel starts and does not answer ({error}): are memory or processor busy? Try again.") from None
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)
    if where["status"] == "error":
        raise Wrong(f"a notebook cannot import helpers ({where['ename']}: {where['evalue']}): run {ANEW}.")
    path = where["data"]["text/plain"].strip("'\"")
    if not same(path, ROOT / "helpers" / "__init__.py"):
        raise Wrong(f"a notebook imports helpers from {Path(path).parent}, not from this folder: run {ANEW}.")
    return "a kernel starts, and imports helpers from this folder"


def validate() -> str:
    lab, server = (output_of(sys.executable, "-m", "jupyter", *extensions, "list") for extensions in (("labextension",), ("server", "extension")))
    if "@jupyter/nbgrader" not in lab:
        raise Wrong(f"JupyterLab has no Validate button, as it does not find nbgrader's extension: run {ANEW}.")
    off = re.search(r"@jupyter/nbgrader(?= v\S+ disabled)|@jupyter/nbgrader:validate-assignment", lab)
    if off:
        raise Wrong(f"JupyterLab's Validate button is switched off: `{sys.executable} -m jupyter labextension enable {off[0]}`.")
    if "nbgrader.server_extensions.validate_assignment enabled" not in server:
        raise Wrong("JupyterLab's Validate button gets no answer: "
                    f"`{sys.executable} -m jupyter server extension enable --sys-prefix nbgrader.server_extensions.validate_assignment`.")
    return "nbgrader's Validate button is on in JupyterLab"


def alembic() -> str:
    here = str(Path(sys.executable).parent)
    if not shutil.which("alembic", path=os.pathsep.join([here, os.environ.get("PATH", "")])):
        raise Wrong(f"nbgrader does not find its program alembic, neither in {here} nor on PATH: run {ANEW}.")
    return "nbgrader finds its program alembic"


def disk() -> str:
    free = shutil.disk_usage(ROOT).free / 1e9
    if free < FREE:
        raise Wrong(f"{free:.1f} GB of disk are free: make room, at least {FREE:g} GB.")
    return f"{free:.0f} GB of disk are free"


def folder() -> str:
    for place in (ROOT, ROOT / "notebooks", ROOT / "notebooks" / "exercises"):
        try:
            with tempfile.TemporaryFile(dir=place):
                pass
        except OSError as error:
            raise Wrong(f"nothing can be saved in {place} ({error.strerror}): unpack the course in a folder of your own.") from None
    return f"this folder can be written to: {ROOT}"


def exercises() -> str:
    there = sorted(path for path in (ROOT / "notebooks" / "exercises").glob("[!._]*") if path.is_dir())
    wrong = []
    for path in there:
        try:
            with open(path / f"{path.name}.ipynb", encoding="utf-8-sig") as file:
                json.load(file)["cells"]
        except (OSError, ValueError, KeyError, TypeError):
            wrong.append(f"{path.name}.ipynb is missing or no notebook")
    if wrong or not there:
        raise Wrong(f"{'; '.join(wrong) or 'there is no exercise in notebooks/exercises'}: take it again from the zip you got.")
    return f"the exercises are there: {', '.join(path.name for path in there)}"


# -- Looking ---------------------------------------------------------------------------------


def same(one: str | Path, other: str | Path) -> bool:
    """Whether two paths are one file, however they are spelt; links count as what they are called."""
    return os.path.normcase(os.path.abspath(one)) == os.path.normcase(os.path.abspath(other))


def output_of(*command: str) -> str:
    """What a program says, without colours; of an error, the last line."""
    try:
        ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, errors="replace", timeout=120)
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    said = re.sub(r"\x1b\[[0-9;]*m", "", f"{ran.stdout}\n{ran.stderr}").strip()
    return said if not ran.returncode else said.rpartition("\n")[2] or f"exit status {ran.returncode}"


CHECKS = (python, environment, packages, torch, kernel_spec, kernel, validate, alembic, disk, folder, exercises)


def main(arguments: list[str]) -> int:
    argparse.ArgumentParser(prog="python -m helpers.doctor", description=__doc__, epilog=STATUS).parse_args(arguments)
    if VENV_PYTHON.exists() and not in_venv():
        try:
            print(f"With the course's own Python, {VENV_PYTHON.relative_to(ROOT)}:", flush=True)
            again = "import helpers.command, helpers.doctor; helpers.command.run(helpers.doctor.look)"
            return subprocess.run([VENV_PYTHON, "-c", again], cwd=ROOT).returncode
        except OSError:
            pass  # which is said below
    return look([])


def look(_: list[str]) -> int:
    os.environ.update(lab_environment())  # what JupyterLab goes by
    warnings.simplefilter("ignore")  # what is wrong is said below
    wrong = 0
    for check in CHECKS:
        try:
            print(f"right  {check()}", flush=True)
            continue
        except Wrong as found:
            error, what = found, str(found)
        except Exception as found:  # a missing package, or whatever else is broken in one
            error = found
            why = f"{error.name} is missing" if isinstance(error, ModuleNotFoundError) else f"{type(error).__name__}: {error}"
            what = f"{check.__name__.replace('_', ' ')}: cannot be looked at ({why}): run {ANEW}."
        wrong += 1
        print(f"WRONG  {what}", flush=True)
        if isinstance(error, NotYet):
            break
    print(f"\n{wrong} of these are wrong; begin with the first." if wrong > 1 else "\nOne of these is wrong." if wrong else "\nAll is right.")
    return 1 if wrong else 0


if __name__ == "__main__":
    run(main)
