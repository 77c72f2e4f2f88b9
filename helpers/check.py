"""Say which parts of the exercises are done, which fail and why, and which are not written yet.

Each exercise is run from its first cell, in a kernel and a folder of its own, with the tests you see;
your files are read, not written. Save first: what is not saved is not seen.
"""

import argparse
import re
import shutil
import sys
import textwrap
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from helpers.command import Refused, run
from helpers.phrases import MANY_FIT, ONE_FITS, RETURN_EXPECTED

if TYPE_CHECKING:
    from helpers.exercises.parts import Exercise

SILENCE = 10  # seconds before it is said that an exercise is still running
STATUS = "The exit status is 0 if every part is done, 1 if not."


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m helpers.check", description=__doc__, epilog=STATUS)
    parser.add_argument("exercises", nargs="*", metavar="EXERCISE", help="such as scaling; all if none is named")
    asked = parser.parse_args(arguments).exercises

    from helpers.exercises.parts import EXERCISES

    checked, refused = report(EXERCISES, asked)
    return 0 if not refused and all(exercise.done for exercise in checked) else 1


def report(folder: Path, asked: list[str]) -> tuple[list["Exercise"], list[str]]:
    """Check exercises one after the other, those asked for or all, and print what is found.

    Returns:
        The exercises as they ran, and the names of those that cannot be read.

    Raises:
        Refused: there is no exercise of a name that was asked for.
    """
    from helpers.exercises import exercise_names, missing
    from helpers.exercises.parts import check

    checked, refused = [], []
    for name in exercise_names(folder, asked):
        print(name, flush=True)
        try:
            with patience(name):
                checked.append(check(folder, name))
            print(*told(checked[-1]), sep="\n", end="\n\n", flush=True)
        except Refused as refusal:
            refused.append(name)
            print(*wrapped(str(refusal), 2, lines=None), sep="\n", end="\n\n", flush=True)
    for remark in [] if asked else missing(folder):
        print(f"Note: {remark}", flush=True)
    parts = [part for exercise in checked for part in exercise.parts]
    score, points = sum(part.score for part in parts), sum(part.points for part in parts)
    unknown = sum(part.points for part in parts if part.unknown)
    if checked:
        without = f"; {unknown:g} cannot be known without their tests" if unknown else ""
        print(f"The tests you see give {score:g} of {points:g} points{without}. Grading runs more tests than these.", flush=True)
    return checked, refused


@contextmanager
def patience(name: str) -> Iterator[None]:
    """Say that an exercise is still running when it takes long, each ten seconds; on a terminal in one line, which goes again."""
    over, live, started = threading.Event(), sys.stderr.isatty(), time.monotonic()

    def say() -> None:
        wait = SILENCE
        while not over.wait(wait):
            said = f"  {time.monotonic() - started:3.0f} s  running {name} (a cell may take 30 s)"
            print(f"\r{said}" if live else said, end="" if live else "\n", file=sys.stderr, flush=True)
            wait = 1 if live else SILENCE
        if live and wait == 1:
            print(f"\r{' ' * 79}\r", end="", file=sys.stderr, flush=True)

    teller = threading.Thread(target=say, daemon=True)
    teller.start()
    try:
        yield
    finally:
        over.set()
        teller.join()


def told(exercise: "Exercise") -> list[str]:
    """Lines on an exercise: one for each part, with the reason below if it fails, and remarks."""
    width = max((len(part.name) for part in exercise.parts), default=0)
    lines = []
    for part in exercise.parts:
        score = "?" if part.unknown else f"{part.score:g}"
        points = f"{score}/{part.points:g}" if part.points else "–"
        line = f"  {part.state:8} {part.name:{width}}  {points:>5}"
        if part.open:
            lines.append(f"{line}   {part.reason}")
        else:
            lines += [line, *(line for sentence in short(part.reason) for line in wrapped(sentence, 11, lines=None))]
    lines += [line for remark in exercise.remarks for line in wrapped(f"Note: {remark}", 2)]
    return lines or ["  There is no test in it."]


def short(reason: str) -> list[str]:
    """Of what a test says: the first sentence, what is expected, the known mistake if it names one, and the hint to look at.

    What an exception says is one sentence, whatever stands in it.
    """
    from nbconvert.filters import strip_ansi

    plain = " ".join(strip_ansi(reason).split())
    says, *mistake = re.split(f" (?={ONE_FITS} |{MANY_FIT})", plain, maxsplit=1)
    hint = re.search(r" \(Part \d+, hints? [^()]*\.\)", says)
    says = says.replace(hint[0], "") if hint else says
    exception = re.match(rf"(.*? raised \w+ \(.*\); {RETURN_EXPECTED}\.|(The answer's own cell does not run\. )?\w+( in line .*`)?: .*)", says)
    first = exception[0] if exception else re.match(r".*?([.?!](?= [A-Z])|$)", says)[0]
    others = re.split(r"(?<=[.?!]) (?=[A-Z])", says[len(first) :].strip())
    expected = [sentence for sentence in others if sentence.startswith("Expected ")] or ([] if mistake else others)
    head = [textwrap.shorten(first, 300 if exception else 200, placeholder=" …"), *(textwrap.shorten(one, 200, placeholder=" …") for one in expected[:1])]
    told = [" ".join(head).strip(), *(textwrap.shorten(one, 300, placeholder=" …") for one in mistake)]
    told[-1] += hint[0] if hint else ""
    return [text for text in told if text]


def wrapped(text: str, indent: int, lines: int | None = 3) -> list[str]:
    """A text in at most so many lines of the terminal's width."""
    width = min(shutil.get_terminal_size((100, 24)).columns, 110)
    margin = " " * indent
    return textwrap.wrap(text, max(width, 40), initial_indent=margin, subsequent_indent=margin, max_lines=lines, placeholder=" …",
                         break_on_hyphens=False, break_long_words=False)  # a path stays whole


if __name__ == "__main__":
    run(main)
