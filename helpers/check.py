"""Say which parts of the exercises are done, which fail and why, and which are not written yet.

Each exercise is run from its first cell, in a kernel and a folder of its own, with the tests you see;
your files are read, not written. Save first: what is not saved is not seen.
"""

import argparse
import re
import shutil
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING

from helpers.command import Refused, run
from helpers.phrases import MANY_FIT, ONE_FITS

if TYPE_CHECKING:
    from helpers.exercises.parts import Exercise

STATUS = "The exit status is 0 if every part is done, 1 if not."


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m helpers.check", description=__doc__, epilog=STATUS)
    parser.add_argument("exercises", nargs="*", metavar="EXERCISE", help="such as scaling; all if none is named")
    asked = parser.parse_args(arguments).exercises

    from helpers.exercises import exercise_names
    from helpers.exercises.parts import EXERCISES

    names = exercise_names(EXERCISES, asked)
    checked, refused = report(EXERCISES, names)
    return 0 if not refused and all(exercise.done for exercise in checked) else 1


def report(folder: Path, names: list[str]) -> tuple[list["Exercise"], list[str]]:
    """Check exercises one after the other, and print what is found; and the names of those that cannot be read."""
    from helpers.exercises.parts import check

    checked, refused = [], []
    for name in names:
        print(name, flush=True)
        try:
            checked.append(check(folder, name))
            print(*told(checked[-1]), sep="\n", end="\n\n", flush=True)
        except Refused as refusal:
            refused.append(name)
            print(*wrapped(str(refusal), 2, lines=None), sep="\n", end="\n\n", flush=True)
    score = sum(part.score for exercise in checked for part in exercise.parts)
    points = sum(part.points for exercise in checked for part in exercise.parts)
    if checked:
        print(f"The tests you see give {score:g} of {points:g} points. Grading runs more tests than these.", flush=True)
    return checked, refused


def told(exercise: "Exercise") -> list[str]:
    """Lines on an exercise: one for each part, with the reason below if it fails, and remarks."""
    width = max((len(part.name) for part in exercise.parts), default=0)
    lines = []
    for part in exercise.parts:
        points = f"{part.score:g}/{part.points:g}" if part.points else "–"
        line = f"  {part.state:8} {part.name:{width}}  {points:>5}"
        if part.open:
            lines.append(f"{line}   {part.reason}")
        else:
            lines += [line, *(line for sentence in short(part.reason) for line in wrapped(sentence, 11))]
    lines += [line for remark in exercise.remarks for line in wrapped(f"Note: {remark}", 2)]
    return lines or ["  There is no test in it."]


def short(reason: str) -> list[str]:
    """The first sentence of what a test says, and the known mistake that fits, if it names one."""
    from nbconvert.filters import strip_ansi

    plain = " ".join(strip_ansi(reason).split())
    says, *mistake = re.split(f" (?={ONE_FITS} |{MANY_FIT})", plain, maxsplit=1)
    sentences = re.split(r"(?<=[.?!]) (?=[A-Z])", says)
    return [sentence for sentence in (sentences[0] if mistake else " ".join(sentences[:2]), *mistake) if sentence]


def wrapped(text: str, indent: int, lines: int | None = 3) -> list[str]:
    """A text in at most so many lines of the terminal's width."""
    width = min(shutil.get_terminal_size((100, 24)).columns, 110)
    margin = " " * indent
    return textwrap.wrap(text, max(width, 40), initial_indent=margin, subsequent_indent=margin, max_lines=lines, placeholder=" …",
                         break_on_hyphens=False)  # a path stays whole


if __name__ == "__main__":
    run(main)
