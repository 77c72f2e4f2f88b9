"""JupyterLab as `make lab` and `make formgrader` start it, on a copy of the course, and a page on it.

Nothing a test does there is written into the course: not what is typed, not what is graded. The copy
uses the Python that runs the tests as its .venv, so `make` is told that the set-up is done.
"""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from browser import NARROW, ROOT, SCREENS, launched, new_page, screen
from playwright.sync_api import Locator, Page

COPIED = ("Makefile", "instructor.mk", "nbgrader_config.py", "helpers", "notebooks", "solutions", "tools")
# The theme is the browser's, light or dark, so that one page can be looked at in both.
SETTINGS = {"@jupyterlab/apputils-extension/themes.jupyterlab-settings": {"adaptive-theme": True}}
TOKEN = "for-this-test-only"
# Should the tests be killed, so that nobody ends the server: it ends itself and its kernels after half an hour.
LEFT_ALONE = "--ServerApp.shutdown_no_activity_timeout=1800 --MappingKernelManager.cull_idle_timeout=1800"
PATIENCE = 120  # seconds for what takes a few: the machine may be busy


def copy_of_the_course(folder: Path) -> Path:
    """Everything that reading and grading need, in a folder of its own."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in COPIED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, folder / name, ignore=shutil.ignore_patterns(".*", "__pycache__"))
        else:
            shutil.copy2(source, folder / name)
    (folder / ".venv").symlink_to(sys.prefix)
    for name, settings in SETTINGS.items():
        file = folder / "jupyter" / "lab" / "user-settings" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(settings))
    return folder


def make(course: Path, *arguments: str) -> dict:
    """How a command of the course's is started in its copy: what `subprocess` is to be given."""
    # Without what a `make test` above hands down, and with the progress bars that a student sees.
    handed_down = ("MAKEFLAGS", "MFLAGS", "MAKELEVEL", "ARGS", "TQDM_DISABLE")
    environment = {name: value for name, value in os.environ.items() if name not in handed_down}
    environment |= {"JUPYTER_CONFIG_DIR": str(course / "jupyter"), "JUPYTER_RUNTIME_DIR": str(course / "runtime")}
    return {"args": ["make", "--old-file=install", *arguments], "cwd": course, "env": environment}


class Server:
    """One running JupyterLab: where it is, and what it has said."""

    def __init__(self, command: str, course: Path):
        self.log = course / f"{command}.log"
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]  # if another takes it meanwhile, Jupyter takes the next
        arguments = f"ARGS=--no-browser --ip 127.0.0.1 --port {port} --IdentityProvider.token={TOKEN} {LEFT_ALONE}"
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                **make(course, command, arguments), stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                start_new_session=True,
            )
        self.running: dict = {}  # what the server notes of itself
        try:
            self.running = self._wait_for(course / "runtime")
        except BaseException:
            self.stop()
            raise

    def _wait_for(self, runtime: Path) -> dict:
        """What the server notes of itself once it can be spoken to."""
        end = time.monotonic() + PATIENCE
        while self.process.poll() is None and time.monotonic() < end:
            for file in runtime.glob("jpserver-*.json"):
                with suppress(json.JSONDecodeError):  # it is just being written
                    return json.loads(file.read_text())
            time.sleep(0.05)
        raise RuntimeError(f"{' '.join(self.process.args)} did not come up; it said:\n{self.said()}")

    def address(self, path: str) -> str:
        return f"{self.running['url']}{path}{'&' if '?' in path else '?'}token={TOKEN}"

    def said(self) -> str:
        return self.log.read_text(errors="replace")

    def stop(self) -> None:
        """Ends the server, which ends its kernels; what does not end by itself is killed."""
        with suppress(ProcessLookupError, subprocess.TimeoutExpired):
            if self.running:
                os.kill(self.running["pid"], signal.SIGTERM)
                self.process.wait(PATIENCE / 4)
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


@contextmanager
def serving(command: str, course: Path) -> Iterator[Server]:
    """`make COMMAND` in a copy of the course, until the block ends."""
    server = Server(command, course)
    try:
        yield server
    finally:
        server.stop()


class Reader:
    """Somebody at a browser: one page on a server, and what can be done there with mouse and keyboard."""

    def __init__(self, server: Server, page: Page, complaints: list[str]):
        self.server, self.page, self.complaints = server, page, complaints

    @contextmanager
    def at(self, path: str) -> Iterator[Page]:
        """A page of the server's, by its address. Nothing may go wrong on it, said or unsaid.

        An error on it comes with what the server and the browser said meanwhile, and with a screen.
        """
        said = len(self.server.said())
        self.complaints.clear()
        failed = "failed-" + "".join(c if c.isalnum() else "-" for c in path)
        (SCREENS / f"{failed}.png").unlink(missing_ok=True)
        try:
            self.page.goto(self.server.address(path))
            yield self.page
            assert not self.complaints, f"The browser complains: {self.complaints}"
            faults = [line for line in self.server.said()[said:].splitlines() if line.startswith(("[W ", "[E ", "Traceback"))]
            assert not faults, f"The server warns: {faults}"
        except Exception as error:
            with suppress(Exception):
                screen(self.page, failed)
            error.add_note(
                f"At {path}; the screen is build/screens/{failed}.png. The browser complained: {self.complaints}. "
                f"Meanwhile the server said:\n{self.server.said()[said:] or 'nothing'}"
            )
            raise

    @contextmanager
    def reading(self, notebook: str, cells: int) -> Iterator[Page]:
        """A notebook, all on the page, with a kernel that has run nothing yet; ended with the block."""
        try:
            with self.at(f"lab/tree/{notebook}?reset") as page:
                self.wait(f"() => document.querySelectorAll('.jp-Notebook .jp-Cell').length === {cells}")
                # Attached, not seen: in a narrow window it is folded away.
                page.locator('.jp-Notebook-ExecutionIndicator[data-status="idle"]').wait_for(state="attached")
                self.wait("() => [...document.querySelectorAll('.jp-Notebook img')].every(picture => picture.complete)")
                yield page
                dialogs = page.locator(".jp-Dialog, .Toastify__toast").all_inner_texts()
                assert not dialogs, f"JupyterLab asks or announces something: {dialogs}"
        finally:
            # Ended from outside, so that no dialog asks whether to save.
            self.page.goto("about:blank")
            kernels = self.server.address("api/sessions")
            for session in self.page.request.get(kernels).json():
                self.page.request.delete(self.server.address(f"api/sessions/{session['id']}"))

    def look(self, theme: str, width: int) -> None:
        """Has JupyterLab in a theme, light or dark, and the window in a width; in a narrow one without the list of files."""
        page = self.page
        page.emulate_media(color_scheme=theme)
        self.wait(
            f"() => document.body.dataset.jpThemeLight === '{str(theme == 'light').lower()}'"
            " && !document.getElementById('jupyterlab-splash')"
        )
        page.set_viewport_size({"width": width, "height": page.viewport_size["height"]})
        files = page.locator("#jp-left-stack")
        if files.is_visible() == (width == NARROW) and not page.locator(".jp-Dialog").count():
            page.keyboard.press("ControlOrMeta+b")
            files.wait_for(state="hidden" if width == NARROW else "visible")

    def wait(self, condition: str, seconds: float = PATIENCE) -> None:
        """Until a condition in JavaScript holds; asked now and then, not at every frame, which makes the browser draw."""
        self.page.wait_for_function(condition, polling=250, timeout=1000 * seconds)

    def choose(self, menu: str, item: str) -> None:
        self.page.get_by_role("menuitem", name=menu, exact=True).click()
        self.page.locator(".lm-Menu").get_by_role("menuitem", name=item, exact=True).click()

    def run_all(self) -> None:
        """Runs a notebook, its outputs cleared, until no cell waits for its turn any more."""
        self.choose("Edit", "Clear Outputs of All Cells")
        self.choose("Run", "Run All Cells")
        self.wait(
            "() => { const prompts = [...document.querySelectorAll('.jp-Notebook .jp-CodeCell .jp-InputPrompt')].map(p => p.textContent);"
            " return prompts.some(p => /\\d/.test(p)) && !prompts.some(p => p.includes('*')); }",
            seconds=900,
        )

    def answer(self, cell: Locator, old: str, lines: list[str]) -> None:
        """Types lines over those from the one that reads `old` to the end of a cell."""
        cell.locator(".cm-line").filter(has_text=old).first.click()
        keyboard = self.page.keyboard
        keyboard.press("Home")
        keyboard.press("Home")  # the first goes to the line's first letter
        keyboard.press("ControlOrMeta+Shift+End")
        for number, line in enumerate(lines):
            if number:
                keyboard.press("Enter")
                keyboard.press("Shift+Home")  # the indent that the editor has made is typed over
            keyboard.type(line)


@contextmanager
def reader(command: str, course: Path) -> Iterator[Reader]:
    """A reader at what `make COMMAND` shows, in a copy of the course, until the block ends."""
    with serving(command, course) as server, launched() as browser:
        yield Reader(server, *new_page(browser))
