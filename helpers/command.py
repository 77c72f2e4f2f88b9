"""What the students' commands share: they end in a sentence, not in a traceback. Standard library alone."""

from __future__ import annotations  # an old Python must get as far as the doctor

import io
import sys
from collections.abc import Callable


class Refused(Exception):
    """What was asked for cannot be done; the message is one sentence that says why and what to do."""


def run(main: Callable[[list[str]], int]) -> None:
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
        print(
            f"This Python, {sys.executable}, has no {missing.name}: is it the course's? "
            "`python -m helpers.doctor` says what to do.",
            file=sys.stderr,
        )
        status = 1
    except KeyboardInterrupt:
        print("\nStopped.", file=sys.stderr)
        status = 130
    sys.exit(status)
