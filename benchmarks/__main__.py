"""Measure, print a table, draw it."""

import argparse
import os
from pathlib import Path

from benchmarks.measure import picture, table
from benchmarks.works import WORKS

PICTURE = Path(__file__).resolve().parents[1] / "build" / "bench.png"


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(WORKS)}; all if none")
    parser.add_argument("--quick", action="store_true", help="toy sizes, to see that all of it runs")
    parser.add_argument("--picture", type=Path, default=PICTURE, help="where the picture goes")
    chosen = parser.parse_args(arguments)
    unknown = [name for name in chosen.names if name not in WORKS]
    if unknown:
        parser.error(f"there is no benchmark {unknown[0]!r}; there are {', '.join(WORKS)}")
    results = []
    for name in chosen.names or WORKS:
        print(f"measuring {name} …", flush=True)
        results += WORKS[name](chosen.quick)
    print(f"\n{table(results)}\n")
    chosen.picture.parent.mkdir(parents=True, exist_ok=True)
    picture(results).savefig(chosen.picture, dpi=110, facecolor="white")
    print(f"The picture is in {os.path.relpath(chosen.picture)}.")


if __name__ == "__main__":
    main()
