"""Write down what the bank's wrong answers give: `make mistakes`, with ARGS=EXERCISE for some.

Each wrong answer is run on the probes (`answers/EXERCISE/probes.py`) of the cells it loses, and what
comes out goes into `helpers/mistakes/EXERCISE.json` beside its diagnosis. A mistake that the probes
do not tell from a right answer, or tell by nothing but exceptions, is refused: it needs another probe.
"""

import json
import random
import runpy
import statistics
import sys
from concurrent.futures import ProcessPoolExecutor
from dataclasses import fields
from multiprocessing import get_context
from typing import Any

import nbformat
import numpy as np
import torch
from bank import ANSWERS, EXERCISES, Answer, answers
from IPython.utils.capture import capture_output
from nbgrader.utils import is_grade

from helpers.exercises import part_names
from helpers.grading.course import Course
from helpers.reasons import MISTAKES, Probe, agrees, written

RUNS = 12
WIDTH = 4.5  # standard deviations to either side


def probes(exercise: str) -> dict[str, list[Probe]]:
    """The probes of each graded cell."""
    return runpy.run_path(str(ANSWERS / exercise / "probes.py"))["PROBES"]


def graded(exercise: str) -> dict[str, dict]:
    """What each graded cell is called, and its points: so a copy that has lost one still says of which part."""
    cells = nbformat.read(Course().solution(exercise), as_version=4).cells
    points = {cell.metadata.nbgrader.grade_id: cell.metadata.nbgrader.points for cell in cells if is_grade(cell)}
    return {cell: {"name": name, "points": points[cell]} for cell, name in part_names(cells).items()}


def gives(answer: Answer, of: list[Probe]) -> list:
    """What this answer gives on each probe; what is drawn at random, as a range.

    Each run begins with the answer's cells, so that what they draw, such as a seed, is drawn anew too.
    """
    runs = []
    for seed in range(RUNS if any(probe.repeat for probe in of) else 1):
        random.seed(seed)
        np.random.seed(seed)
        torch.manual_seed(seed)
        with capture_output():
            functions = answer.functions()
            runs.append([probe.behaviour(functions) for probe in of])
    return [_ranges(list(seen)) if probe.repeat else seen[0] for probe, seen in zip(of, zip(*runs))]


def _ranges(runs: list) -> Any:
    """Of averages and scatters the range they fall into; of anything else, the first."""
    if not all(isinstance(run, dict) and "scatter" in run for run in runs):
        return runs[0]
    ranges = {}
    for name in ("mean", "scatter"):
        values = [run[name] for run in runs]
        mean = statistics.fmean(values)
        reach = WIDTH * statistics.stdev(values) + 1e-3 * abs(mean) + 1e-6  # chance, and rounding
        ranges[name] = {"from": written(mean - reach, 4), "to": written(mean + reach, 4)}
    return ranges


def told_apart(known: Any, right: Any) -> bool:
    """Whether no result can be taken for both; of two ranges, whether they are apart."""
    if isinstance(known, dict) and isinstance(right, dict) and known.keys() == right.keys():
        if "from" in known:
            return known["to"] < right["from"] or right["to"] < known["from"]
        return any(told_apart(known[name], right[name]) for name in known)
    if isinstance(known, list) and isinstance(right, list) and len(known) == len(right):
        return any(told_apart(a, b) for a, b in zip(known, right))
    return not agrees(right, known)


def raises_only(seen: list) -> bool:
    """Whether every probe met an exception, which can have any cause; a missing function is a finding."""
    results = [one.get("result", one) if isinstance(one, dict) else None for one in seen]
    return all(isinstance(result, dict) and result.get("raises", "no such function") != "no such function" for result in results)


def record(exercise: str) -> str:
    """The mistakes of an exercise, as JSON with a line for each probe and each mistake."""
    right, cells = answers("right", exercise), []
    called = graded(exercise)
    for cell, of in probes(exercise).items():
        wrong = [answer for answer in answers("wrong", exercise) if answer.known and cell in answer.loses]
        with ProcessPoolExecutor(mp_context=get_context("spawn"), initializer=torch.set_num_threads, initargs=(1,)) as pool:
            every = list(pool.map(gives, right + wrong, [of] * len(right + wrong)))
        rights, known = every[: len(right)], []
        for mistake, seen in zip(wrong, every[len(right) :]):
            alike = [answer.name for answer, one in zip(right, rights) if not told_apart(seen, one)]
            if alike:
                raise SystemExit(f"{cell}: {mistake} looks like right answers ({', '.join(alike[:3])} …): add a probe.")
            if raises_only(seen):
                raise SystemExit(f"{cell}: {mistake} raises on every probe, as many others do: add one on which it returns.")
            found = {"when": mistake.diagnosis, "gives": seen}
            known += [found] if found not in known else []
        cells.append(f" {_json(cell)}: {{\n  {_json(called[cell])[1:-1]},\n{_lines('probes', map(_stored, of))},\n{_lines('mistakes', known)}\n }}")
    return "{\n" + ",\n".join(cells) + "\n}\n"


def _stored(probe: Probe) -> dict:
    default = {field.name: field.default for field in fields(Probe)}
    return {name: written(value, 17) for name, value in vars(probe).items() if value is not default[name]}


def _lines(name: str, items) -> str:
    return f'  "{name}": [\n' + ",\n".join(f"   {_json(item)}" for item in items) + "\n  ]"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


if __name__ == "__main__":
    for exercise in sys.argv[1:] or EXERCISES:
        MISTAKES.mkdir(exist_ok=True)
        (MISTAKES / f"{exercise}.json").write_text(record(exercise), encoding="utf-8")
        print(f"{exercise}: what {len(answers('wrong', exercise))} wrong answers give is written down.")
