"""tests/support/repro.py, as `make repro` runs it, on a notebook whose cells hang on what must not matter."""

import re
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook, new_output

ROOT = Path(__file__).resolve().parents[1]
HOURS = "import time\nprint(time.strftime('%H %M', time.gmtime(0)), time.strftime('%H', time.localtime(0)))"
CELLS = {
    "steady": ("print(6 * 7)", "42\n"),
    "threads": ("import os\nprint(os.environ['OMP_NUM_THREADS'])", "8\n"),
    "instructions": ("import os\nprint(os.environ['ATEN_CPU_CAPABILITY'])", "none\n"),
    "time-zone": (HOURS, "00 00 00\n"),
    "language": ("import locale\nprint(locale.setlocale(locale.LC_ALL, '') == locale.setlocale(locale.LC_ALL, 'C'))", "True\n"),
    "home": ("from pathlib import Path\nprint(any(Path.home().glob('.bash*')), Path.home().name)", "False root\n"),
    "order-of-a-set": ("print(*{'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'})", "a b c d e f g h\n"),
    "ends": ("raise ValueError('no')", ""),
}


@pytest.fixture(scope="module")
def ran(tmp_path_factory) -> subprocess.CompletedProcess:
    folder = tmp_path_factory.mktemp("notebooks")
    cells = [
        new_code_cell(source, id=name, execution_count=number,
                      outputs=[new_output("stream", text=text)] if text else [])
        for number, (name, (source, text)) in enumerate(CELLS.items(), start=1)
    ]  # fmt: skip
    nbformat.write(new_notebook(cells=cells), folder / "hangs.ipynb")
    nbformat.write(new_notebook(cells=cells[:1]), folder / "steady.ipynb")
    return subprocess.run(
        [sys.executable, ROOT / "tests/support/repro.py", folder / "hangs.ipynb", folder / "steady.ipynb",
         "--capability", "default", "--threads", "1", "--results", folder / "results"],
        capture_output=True, text=True, timeout=120,
    )  # fmt: skip


def test_each_cell_that_hangs_on_the_machine_is_named_with_both_texts(ran):
    assert (ran.returncode, ran.stderr) == (1, ""), ran.stdout + ran.stderr
    named = re.findall(r"^hangs\.ipynb, cell ([\w-]+), under default × 1:$", ran.stdout, re.MULTILINE)
    assert named == [name for name in CELLS if name != "steady"], ran.stdout
    assert "-text: 8\n+text: 1" in ran.stdout, "what was recorded and what came should stand side by side"


def test_the_table_counts_the_differing_cells_of_each_notebook(ran):
    rows = dict(re.findall(r"^(\w+\.ipynb) +(\d+)$", ran.stdout, re.MULTILINE))
    assert rows == {"hangs.ipynb": str(len(CELLS) - 1), "steady.ipynb": "0"}, ran.stdout
