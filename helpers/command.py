"""What all commands share: they end in a sentence, not in a traceback. Standard library alone."""

from __future__ import annotations  # an old Python must get as far as the doctor

import io
import os
import sys
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PYTHON = "python" if os.name == "nt" else "python3"  # how a system calls the one that it has
DOCTOR = f"`{PYTHON} -m helpers.doctor`"
SET_UP = f"`{PYTHON} tools/install.py`"  # as `make lab` does by itself
ANEW = f"`{PYTHON} tools/install.py --again`"


class Refused(Exception):
    """What was asked for cannot be done; the message is one sentence that says why and what to do."""


def run(main: Callable[[list[str]], int], stopped: str = "Stopped.") -> None:
    """Run a command with the arguments it was given, and end with its exit status."""
    for stream in (sys.stdout, sys.stderr):  # a terminal that cannot show √ shows ? instead
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    try:
        status = main(sys.argv[1:])
    except Refused as refusal:
        print(refusal, file=sys.stderr)
        status = 1
    except ModuleNotFoundError as missing:
        own = Path(sys.prefix).resolve() == (ROOT / ".venv").resolve()
        where = "The set-up in .venv" if own else f"This Python, {sys.executable}, is not the course's: it"
        print(f"{where} has no {missing.name}; {DOCTOR} says what to do.", file=sys.stderr)
        status = 1
    except KeyboardInterrupt:
        print(f"\n{stopped}", file=sys.stderr)
        status = 130
    sys.exit(status)
