"""Make the reading copy: a static site of the lessons, from their recorded outputs. Nothing is executed."""

import argparse
import os
import re
import shutil
import sys
import tempfile
from pathlib import Path

from sphinx.cmd.build import main as sphinx

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent


def start_page() -> str:
    """What README.md says of the course and of its lessons, and in their order the pages that follow."""
    about, *sections = re.split(r"^(?=## )", (ROOT / "README.md").read_text(encoding="utf-8"), flags=re.M)
    lessons = next(section for section in sections if section.startswith("## The lessons\n"))
    pages = "\n".join(re.findall(r"\]\((notebooks/\S+)\.ipynb\)", lessons))
    text = f"{about}{(HERE / 'reading.md').read_text(encoding='utf-8')}\n{lessons}\n```{{toctree}}\n:hidden:\n\n{pages}\n```\n"
    return text.replace("notebooks/", "")


def build(target: Path) -> None:
    """Write the site to `target`, in place of what is there, if all of it could be made."""
    with tempfile.TemporaryDirectory() as scratch:
        pages, site = Path(scratch, "pages"), Path(scratch, "site")
        shutil.copytree(ROOT / "notebooks", pages, ignore=shutil.ignore_patterns(".*"))
        (pages / "index.md").write_text(start_page(), encoding="utf-8")
        options = ["--quiet", "--nitpicky", "--fail-on-warning", "--keep-going", "--doctree-dir", f"{scratch}/doctrees"]
        if sphinx([*options, "--conf-dir", str(HERE), str(pages), str(site)]):
            sys.exit("The book was not made; the lines above say why.")
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(site, target, ignore=shutil.ignore_patterns(".buildinfo", "_sources"))


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m book", description=__doc__)
    parser.add_argument("--target", type=Path, default=ROOT / "build" / "book", help="where it goes")
    target = parser.parse_args(arguments).target
    build(target)
    files = [path for path in target.rglob("*") if path.is_file()]
    size = sum(path.stat().st_size for path in files) / 1e6
    print(f"The book is {os.path.relpath(target / 'index.html')}: {len(files)} files, {size:.1f} MB.")


if __name__ == "__main__":
    main()
