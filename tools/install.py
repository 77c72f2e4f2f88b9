"""Sets up .venv: the course and its tools, at the versions constraints.txt locks.

`make install` runs it, and so does every command that needs the course installed; where there is no
make, run `python3 tools/install.py`. A finished set-up is stamped, and as long as nothing it was made
from has changed and no package of it is lost, the next call does nothing and needs no network.
With --again, .venv is made anew whatever is in it.

PyTorch's default package for Linux brings several gigabytes of CUDA, so there PyTorch comes from its
index of CPU packages. TORCH_INDEX, an environment or make variable, names another index to take it
from; empty, it asks for the default package, for a machine with a GPU.

Only the standard library is used, in a syntax that every Python since 2.7 reads: one that is too
old for the course must still get far enough to say so.
"""

from __future__ import print_function

import hashlib
import io
import json
import os
import re
import subprocess
import sys
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
VENV = os.path.join(ROOT, ".venv")
VENV_PYTHON = os.path.join(VENV, *(("Scripts", "python.exe") if os.name == "nt" else ("bin", "python")))
STAMP = os.path.join(VENV, "installed.json")
LOG = os.path.join(ROOT, "install.log")

CPU_INDEX = "https://download.pytorch.org/whl/cpu"
# Gigabytes the set-up takes while it runs: packages, and for a moment their archives beside them.
CPU_SPACE = 2.5
CUDA_SPACE = 15
# Students' copies have no tests, and so no need of what these and the book take.
EXTRAS = "lab,test,book" if os.path.isdir(os.path.join(ROOT, "tests")) else "lab"


class Refusal(Exception):
    """Says in one sentence what stops the set-up and what to do about it."""


def read(name):
    with open(os.path.join(ROOT, name), "rb") as file:
        return file.read()


def version():
    return "%d.%d" % sys.version_info[:2]


def check_python():
    """Refuses a Python outside pyproject.toml's requires-python, the only place that names it."""
    bounds = re.search(br'requires-python = ">=3\.(\d+),<3\.(\d+)"', read("pyproject.toml"))
    oldest, too_new = (3, int(bounds.group(1))), (3, int(bounds.group(2)))
    if not oldest <= sys.version_info[:2] < too_new:
        newest = "3.%d" % (too_new[1] - 1)
        raise Refusal(
            "This is Python %s, and the course runs on Python 3.%d to %s: install one of these and name it, "
            "as in `make lab PYTHON=python%s`." % (version(), oldest[1], newest, newest)
        )


def fingerprint(found):
    """What the set-up asked for is made from; `found` is that of the finished one, if there is one."""
    locked = hashlib.sha256(read("pyproject.toml") + read("constraints.txt")).hexdigest()
    # The scripts in .venv hold their folder's name, so a moved course is set up anew.
    # Where PyTorch came from stays as it was chosen until another choice is made.
    torch_index = os.environ.get("TORCH_INDEX", found.get("torch_index"))
    return {"python": version(), "folder": ROOT, "torch_index": torch_index, "locked": locked}


def stamped():
    """The fingerprint of the finished set-up in .venv, empty if there is none."""
    try:
        with open(STAMP) as file:
            found = json.load(file)
    except (IOError, OSError, ValueError):
        return {}
    return found if os.path.exists(VENV_PYTHON) else {}


def packages():
    """What is in .venv, as pip notes it: NAME-VERSION.dist-info for each package; pip itself is nobody's concern."""
    import sysconfig

    folder = sysconfig.get_path("purelib", "venv", {"base": VENV})
    notes = os.listdir(folder) if os.path.isdir(folder) else []
    return sorted(name for name in notes if name.endswith(".dist-info") and not name.startswith("pip-"))


def check_venv_module():
    try:
        import ensurepip  # noqa: F401 (Debian packs these two apart from Python)
        import venv  # noqa: F401
    except ImportError:
        raise Refusal(
            "This Python has no venv module: install it (on Debian and Ubuntu with "
            "`apt install python3-venv`, or python%s-venv), then try again." % version()
        )


def check_space(needed):
    import shutil

    free = shutil.disk_usage(ROOT).free / 1e9
    if free < needed:
        raise Refusal(
            "The set-up needs %.1f GB of disk and %s has %.1f GB free: make room, then try again."
            % (needed, ROOT, free)
        )


def pip_has_sources():
    """Whether pip's own configuration says where packages come from: a mirror, a folder of wheels."""
    settings = subprocess.check_output([VENV_PYTHON, "-m", "pip", "config", "list"]).decode("utf-8", "replace")
    return bool(re.search(r"^\S*\.(index-url|extra-index-url|find-links|no-index)=", settings, re.MULTILINE))


def torch_index(asked):
    """The index PyTorch itself is taken from, or nothing for pip's own; None asks for the default."""
    if asked is not None:
        return asked
    if not sys.platform.startswith("linux"):
        return ""  # elsewhere the default package is the CPU one
    if pip_has_sources():
        # Whoever configured pip decided where packages come from.
        print(
            "pip is configured with package sources of its own, so PyTorch comes from there too (if they have only "
            "its CUDA package, that takes up to %d GB); "
            "TORCH_INDEX=%s would take its CPU package." % (CUDA_SPACE, CPU_INDEX)
        )
        return ""
    return CPU_INDEX


def run(title, command, log):
    """Runs a command, all its output in the log and a sign of life on the screen; says if it went well."""
    print(title, flush=True)
    log.write("$ %s\n" % " ".join(command))
    process = subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        universal_newlines=True, errors="replace",
    )
    doing = ["starting"]

    def follow():
        for line in process.stdout:
            log.write(line)
            log.flush()
            step = re.match(r"\s*(Collecting|Downloading|Installing)(?: \S*?([^/\s]+)(?= |$))?", line)
            if step:
                doing[0] = "installing" if step.group(1) == "Installing" else " ".join(step.groups(""))

    reader = threading.Thread(target=follow)
    reader.start()
    live = sys.stdout.isatty()
    started = spoke = time.time()
    try:
        while reader.is_alive():
            reader.join(0.2)
            line = "  %3d s  %s" % (time.time() - started, doing[0])
            if live:
                print("\r" + line[:78].ljust(78), end="", flush=True)
            elif time.time() - spoke >= 10:
                spoke = time.time()
                print(line, flush=True)
    except KeyboardInterrupt:
        process.terminate()
        raise
    finally:
        if live:
            print("\r" + " " * 78 + "\r", end="", flush=True)
    return process.wait() == 0


def why(pip_said):
    """The likely cause of a failed installation and its remedy, from what pip said."""
    if "No space left on device" in pip_said:
        return "The disk filled up while packages were being installed: make room, then try again"
    if re.search(r"Retry\(total=0|Could not fetch URL|Network is unreachable", pip_said):
        return (
            "A package index could not be reached: check the network, pip's own settings "
            "and TORCH_INDEX, then try again"
        )
    missing = re.search(r"No matching distribution found for (\S+)", pip_said)
    if missing:
        import platform

        machine = "%s %s" % (platform.system(), platform.machine())
        return (
            "There is no package of %s for Python %s on this machine (%s): use another Python "
            "(PYTHON=...) or another machine" % (missing.group(1), version(), machine)
        )
    error = re.search(r"^ERROR: (.+?)\.?$", pip_said, re.MULTILINE)
    reason = error.group(1) if error else "pip gave no reason"
    return "The packages could not be installed (%s): mend that, then try again" % reason


def make_venv(log):
    if not run("Making .venv with Python %s ..." % version(), [sys.executable, "-m", "venv", "--clear", VENV], log):
        raise Refusal("Python could not make .venv: see in %s what it lacks, install that, then try again." % LOG)


def install_packages(log, asked_index):
    pip = [VENV_PYTHON, "-m", "pip", "--disable-pip-version-check", "--no-input", "install", "--progress-bar", "off"]
    # What has no ready-made package for this Python is refused at once, by name, instead of being
    # compiled on a student's machine.
    pip += ["--only-binary", ":all:", "-c", "constraints.txt"]
    # num2words needs docopt for its command line, and there is no ready-made package of it; it is
    # plain Python, so that nothing is compiled.
    pip += ["--no-binary", "docopt"]
    index = torch_index(asked_index)
    steps = [("Fetching the build tool ...", ["setuptools"])]
    if index:
        # By itself and from nowhere else, so that an index out of reach is an error: as one index
        # among several it would be passed over, and the CUDA package taken in its place.
        steps.append(("Fetching PyTorch from %s ..." % index, ["--no-deps", "--index-url", index, "torch"]))
    # The build tool is the locked one from above; by default pip would take the newest.
    steps.append(("Installing the course (minutes, the first time) ...", ["--no-build-isolation", "-e", ".[%s]" % EXTRAS]))
    for title, arguments in steps:
        if not run(title, pip + arguments, log):
            with io.open(LOG, encoding="utf-8") as text:
                raise Refusal("%s; all that pip said is in %s." % (why(text.read()), LOG))
    # Looked for now, or the first picture in a notebook might come with a warning that it takes long.
    if not run("Looking for fonts ...", [VENV_PYTHON, "-c", "import matplotlib.font_manager"], log):
        raise Refusal("Matplotlib does not start: see in %s why, mend that, then try again." % LOG)


def install(again):
    check_python()
    found = {} if again else stamped()
    brought = found.pop("packages", [])
    lost = sorted(set(brought).difference(packages()))
    wanted = fingerprint(found)
    if found == wanted and brought and not lost:
        return
    if lost:
        print("Missing in .venv: %s." % ", ".join(name.replace(".dist-info", "") for name in lost))
    check_venv_module()
    check_space(CUDA_SPACE if wanted["torch_index"] == "" and sys.platform.startswith("linux") else CPU_SPACE)
    if os.path.exists(STAMP):
        os.remove(STAMP)
    with io.open(LOG, "w", encoding="utf-8", errors="replace") as log:
        # What was finished with this Python in this folder is brought up to date, all else made anew.
        if dict(found, locked="") != dict(wanted, locked=""):
            make_venv(log)
        install_packages(log, wanted["torch_index"])
    with open(STAMP, "w") as stamp:
        json.dump(dict(wanted, packages=packages()), stamp)
    os.remove(LOG)
    print("The course is set up.")


def main(arguments):
    try:
        if arguments not in ([], ["--again"]):
            raise Refusal("The set-up is started without arguments, or with --again to make .venv anew.")
        install(again=bool(arguments))
    except Refusal as refusal:
        print(refusal, file=sys.stderr)
        return 1
    except EnvironmentError as error:
        print("The set-up stopped (%s): mend that, then try again." % error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("Stopped; the same command starts it again.", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
