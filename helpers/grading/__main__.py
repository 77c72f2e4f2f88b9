"""`python -m helpers.grading COMMAND`: release, grade, course."""

import argparse
from pathlib import Path

from helpers.command import run
from helpers.grading.course import ROOT, Course


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m helpers.grading", description="The instructor's side of the course.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    commands.add_parser("release", help="write notebooks/exercises/ from solutions/")
    grading = commands.add_parser("grade", help="grade a folder or zip of hand-ins into class/")
    grading.add_argument("--submissions", type=Path, default=ROOT / "tests" / "submissions", metavar="PATH",
                         help="the zips of `make handin`, STUDENT/EXERCISE/EXERCISE.ipynb, or a learning platform's export; "
                              "in a folder or a zip (default: the sample class)")
    grading.add_argument("--roster", type=Path, metavar="FILE", help="CSV file of who is enrolled: id, name, e-mail")
    grading.add_argument("--room", type=Path, default=ROOT / "class", metavar="FOLDER", help="where to grade into (default: class/)")
    commands.add_parser("course", help="pack what students get: dist/transformers-from-scratch.zip")
    chosen = parser.parse_args(arguments)

    if chosen.command == "release":
        from helpers.grading.release import release

        print("Released:", ", ".join(release(Course())))
    elif chosen.command == "grade":
        from helpers.grading.grade import grade

        grade(Course(room=chosen.room.resolve()), chosen.submissions, chosen.roster)
    else:
        from helpers.grading.pack import pack

        print("Packed:", pack(Course()))
    return 0


if __name__ == "__main__":
    run(main, stopped="Stopped; the same command goes on from here.")
