"""Open the lessons in JupyterLab with the course's settings, those in `tools/jupyter`, from whatever folder.

What else is written behind it goes to JupyterLab, as in `--no-browser --port 8899`.
"""

from __future__ import annotations  # the doctor reads this module, also in an old Python

import argparse
import os

from helpers.command import ROOT, run

SETTINGS = ROOT / "tools" / "jupyter"


def environment(formgrader: bool = False) -> dict[str, str]:
    """What Jupyter goes by: the course's settings, without the teachers' pages unless they are asked for."""
    folders = [SETTINGS] if formgrader else [SETTINGS / "student", SETTINGS]
    return {
        "JUPYTER_CONFIG_PATH": os.pathsep.join(map(str, folders)),
        # This environment's kernel and extensions come before a user's own of the same name.
        "JUPYTER_PREFER_ENV_PATH": "1",
    }


def options(formgrader: bool = False) -> list[str]:
    """What JupyterLab is told."""
    page = ["--LabApp.default_url=/formgrader"] if formgrader else [f"--ServerApp.root_dir={ROOT / 'notebooks'}"]
    # It refuses to run as root, as it does in a container, unless told that it may.
    root = ["--allow-root"] if hasattr(os, "getuid") and os.getuid() == 0 else []
    return ["--log-level", "WARN", *root, *page]


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m helpers.lab", description=__doc__, allow_abbrev=False)
    parser.add_argument("--formgrader", action="store_true", help="for who teaches: nbgrader's pages on the graded class")
    chosen, others = parser.parse_known_args(arguments)
    os.chdir(ROOT)  # where nbgrader looks for its settings
    os.environ.update(environment(chosen.formgrader))

    from jupyterlab.labapp import main as jupyterlab

    jupyterlab([*options(chosen.formgrader), *others])
    return 0


if __name__ == "__main__":
    run(main)
