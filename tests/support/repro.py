"""Every notebook run again under other conditions, and all it shows compared: `make repro`.

What a lesson prints must not hang on the machine. So lessons and solutions run with the processor's
newer instructions kept from PyTorch, its libraries and NumPy (`default`: none of them, `avx2`,
`avx512`: all), with 1, 2 and 4 threads; each time in another order, from a fresh home folder, in
another language and time zone. Text is compared exactly, pictures as in pictures.py. A table says how
many cells of each notebook differ under each setting, and below it stands which, and in what.
"""

import argparse
import copy
import difflib
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellTimeoutError, DeadKernelError
from nbformat import NotebookNode

import pictures

ROOT = Path(__file__).resolve().parents[2]
THREADS = (1, 2, 4)
# What each library is told to leave unused. NumPy wants the names of what to switch off.
CAPABILITIES = {
    "default": {"ONEDNN_MAX_CPU_ISA": "SSE41", "MKL_ENABLE_INSTRUCTIONS": "SSE4_2", "OPENBLAS_CORETYPE": "Nehalem"},
    "avx2": {"ONEDNN_MAX_CPU_ISA": "AVX2", "MKL_ENABLE_INSTRUCTIONS": "AVX2", "OPENBLAS_CORETYPE": "Haswell"},
    "avx512": {},
}
NUMPY_KEEPS = {"default": (), "avx2": ("X86_V3",)}
# Places whose numbers, dates and days are written in another way than here.
LANGUAGE, TIME_ZONE = "de_DE", "Pacific/Chatham"


@dataclass(frozen=True)
class Setting:
    capability: str
    threads: int

    def __str__(self) -> str:
        return f"{self.capability} × {self.threads}"


@dataclass(frozen=True)
class Difference:
    """What one cell shows otherwise under one setting than was recorded."""

    notebook: str
    setting: Setting
    cell: str
    what: str


def _run(code: str, **environment: str) -> str:
    command = [sys.executable, "-W", "ignore", "-c", code]
    return subprocess.run(
        command, env=os.environ | environment, capture_output=True, text=True, check=True
    ).stdout.strip()


def capabilities() -> dict[str, dict[str, str]]:
    """The environment of each capability that this processor has."""
    found = json.loads(_run("import json, numpy; print(json.dumps(numpy.show_config('dicts')['SIMD Extensions']))"))
    had = {}
    for name, settings in CAPABILITIES.items():
        used = _run("import torch; print(torch.backends.cpu.get_cpu_capability())", ATEN_CPU_CAPABILITY=name)
        if used.casefold() != name:
            print(f"{name}: not on this processor, left out.")
            continue
        off = " ".join(f for f in found.get("found", ()) if name in NUMPY_KEEPS and f not in NUMPY_KEEPS[name])
        had[name] = {"ATEN_CPU_CAPABILITY": name, **settings, **({"NPY_DISABLE_CPU_FEATURES": off} if off else {})}
    return had


def language(room: Path) -> dict[str, str]:
    """The environment of another language: made for the purpose, or one that is installed."""
    target = room / f"{LANGUAGE}.UTF-8"
    if shutil.which("localedef"):
        made = subprocess.run(["localedef", "-i", LANGUAGE, "-f", "UTF-8", target], capture_output=True)
        if made.returncode == 0:
            return {"LOCPATH": str(room), "LC_ALL": target.name}
    installed = subprocess.run(["locale", "-a"], capture_output=True, text=True).stdout.split()
    other = [name for name in installed if name.casefold() not in ("c", "posix", os.environ.get("LANG", "").casefold())]
    return {"LC_ALL": sorted(other, key=lambda name: name.startswith(("C", "en")))[0] if other else "C"}


def executed(recorded: NotebookNode, folder: Path, environment: dict[str, str]) -> NotebookNode | str:
    """The notebook as it runs from a fresh kernel in that environment; or why it did not get to its end."""
    notebook = copy.deepcopy(recorded)
    client = NotebookClient(
        notebook, kernel_name="python3", resources={"metadata": {"path": str(folder)}},
        timeout=1200, allow_errors=True, coalesce_streams=True,
    )  # fmt: skip
    client.create_kernel_manager().transport_encryption = "auto"
    try:
        client.execute(env=environment)
    except (CellTimeoutError, DeadKernelError) as error:
        return f"{type(error).__name__}: {error}"
    return notebook


def differing(recorded: NotebookNode, run: NotebookNode, results: Path) -> Iterator[tuple[str, str]]:
    """Each cell that shows something else than was recorded, by its id, and what."""
    for was, now in zip(recorded.cells, run.cells, strict=True):
        if was.cell_type != "code":
            continue
        texts = [_texts(cell.outputs) for cell in (was, now)]
        if texts[0] != texts[1]:
            lines = difflib.unified_diff(*texts, "recorded", "run again", lineterm="", n=0)
            yield was.id, "\n".join(lines)
        for fault in pictures.faults(was.outputs, now.outputs, results / was.id):
            yield was.id, fault


def _texts(outputs: list[NotebookNode]) -> list[str]:
    """All that a cell shows but its pictures, line by line."""
    lines = []
    for output in outputs:
        shown = {key: value for key, value in output.items() if key not in ("metadata", "data")}
        shown |= {kind: value for kind, value in output.get("data", {}).items() if not kind.startswith("image/")}
        for key, value in sorted(shown.items()):
            value = "\n".join(value) if isinstance(value, list) else str(value)
            lines += [f"{key}: {line}" for line in value.splitlines()]
    return lines


def under(
    setting: Setting, environment: dict[str, str], paths: list[Path], results: Path, workers: int
) -> list[Difference]:
    """The differences of all notebooks, run in random order, a few at a time, under one setting."""
    with tempfile.TemporaryDirectory(prefix="repro-") as scratch:
        home = Path(scratch) / "home"
        home.mkdir()
        environment = {
            **{key: value for key, value in os.environ.items() if key in ("PATH", "SYSTEMROOT", "VIRTUAL_ENV")},
            **environment,
            "HOME": str(home),
            "TZ": TIME_ZONE,
            "TQDM_DISABLE": "1",  # a progress bar tells times
            "OMP_NUM_THREADS": str(setting.threads),
            "OPENBLAS_NUM_THREADS": str(setting.threads),
            "OMP_WAIT_POLICY": "passive",
        }
        environment["PYTHONHASHSEED"] = str(random.randrange(2**32))

        def one(path: Path) -> list[Difference]:
            name = str(path.relative_to(ROOT)) if path.is_relative_to(ROOT) else path.name
            recorded = nbformat.read(path, as_version=4)
            run = executed(recorded, path.parent, environment)
            if isinstance(run, str):
                return [Difference(name, setting, "", run)]
            found = differing(recorded, run, results / f"{setting.capability}-{setting.threads}" / path.stem)
            return [Difference(name, setting, *each) for each in found]

        with ThreadPoolExecutor(workers) as pool:
            return [difference for found in pool.map(one, random.sample(paths, len(paths))) for difference in found]


def table(paths: list[str], settings: list[Setting], differences: list[Difference]) -> str:
    """How many cells of each notebook differ under each setting."""
    width = max(map(len, paths)) + 2
    lines = ["differing cells".ljust(width) + "".join(f"{setting!s:>13}" for setting in settings)]
    for path in paths:
        counts = [len({d.cell for d in differences if (d.notebook, d.setting) == (path, s)}) for s in settings]
        lines.append(path.ljust(width) + "".join(f"{count:13}" for count in counts))
    return "\n".join(lines)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="make repro", description=__doc__.partition("\n")[0])
    parser.add_argument("notebooks", nargs="*", type=Path, help="which ones (default: all lessons and solutions)")
    parser.add_argument("--capability", nargs="+", choices=CAPABILITIES, default=[*CAPABILITIES])
    parser.add_argument("--threads", nargs="+", type=int, default=THREADS)
    parser.add_argument("--seed", type=int, default=random.randrange(10**6), help="of the order of the notebooks")
    parser.add_argument("--results", type=Path, default=ROOT / "build" / "repro",
                        help="where pictures that differ are saved (default: build/repro)")
    chosen = parser.parse_args(arguments)
    paths = [path.resolve() for path in chosen.notebooks]
    paths = paths or sorted([*ROOT.glob("notebooks/*.ipynb"), *ROOT.glob("solutions/*/*.ipynb")])
    random.seed(chosen.seed)
    shutil.rmtree(chosen.results, ignore_errors=True)

    environments = {name: each for name, each in capabilities().items() if name in chosen.capability}
    settings = [Setting(capability, threads) for capability in environments for threads in chosen.threads]
    differences, cores = [], os.cpu_count() or 1
    with tempfile.TemporaryDirectory(prefix="locale-") as room:
        spoken = language(Path(room))
        print(f"{len(paths)} notebooks, order from seed {chosen.seed}, language {spoken['LC_ALL']}, time zone {TIME_ZONE}", flush=True)
        for setting in settings:
            environment = environments[setting.capability] | spoken
            found = under(setting, environment, paths, chosen.results, max(1, cores // setting.threads))
            print(f"{setting}: {len(found)} differences", flush=True)
            differences += found
    names = [str(path.relative_to(ROOT)) if path.is_relative_to(ROOT) else path.name for path in paths]
    print(table(names, settings, differences))
    for difference in differences:
        print(f"\n{difference.notebook}, cell {difference.cell or '?'}, under {difference.setting}:\n{difference.what}")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
