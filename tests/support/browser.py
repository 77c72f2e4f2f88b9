"""A browser for the tests of what a reader sees: Chromium, without a window and without a network.

Whoever names one in the variable CHROMIUM, as CI does, gets an error where it is not there; otherwise
the tests that need a browser are skipped with a sentence.
"""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, sync_playwright

ROOT = Path(__file__).resolve().parents[2]
SCREENS = ROOT / "build" / "screens"

NAMES = ("chromium", "chromium-browser", "google-chrome", "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome")
WIDE, NARROW = 1400, 700
TIMEOUT = 120_000  # milliseconds for what takes one or two: the machine may be busy


def chromium() -> str | None:
    """The browser's path: the one named by the variable CHROMIUM, or whichever there is."""
    named = os.environ.get("CHROMIUM")
    found = next(filter(None, map(shutil.which, [named] if named else NAMES)), None)
    if named and not found:
        raise FileNotFoundError(f"CHROMIUM names {named}, and there is no such program.")
    return found


needs_chromium = pytest.mark.skipif(
    chromium() is None,
    reason="No Chromium here: install it (`apt install chromium`, or Google Chrome), or name one, as in "
    "`make test CHROMIUM=/path/to/it`.",
)


@contextmanager
def launched() -> Iterator[Browser]:
    """A browser that finds this machine's own pages and no other. It is gone when the block ends."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium(), timeout=TIMEOUT,
            args=["--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost"],
        )
        try:
            yield browser
        finally:
            browser.close()


def new_page(browser: Browser, *, width: int = WIDE, height: int = 900, dark: bool = False) -> tuple[Page, list[str]]:
    """A page with nothing in it yet, and a list to which its complaints are added as they come.

    A complaint is an error on the browser's console, an error that no script of the page caught, or
    an address that could not be had.
    """
    page = browser.new_page(
        viewport={"width": width, "height": height}, color_scheme="dark" if dark else "light", locale="en-US",
        reduced_motion="reduce",
    )
    page.set_default_timeout(TIMEOUT)
    complaints: list[str] = []
    page.on("console", lambda said: complaints.append(f"{said.text} ({said.location['url']})") if said.type == "error" else None)
    page.on("pageerror", lambda error: complaints.append(f"uncaught: {error}"))
    page.on("response", lambda got: complaints.append(f"{got.status} for {got.url}") if got.status >= 400 else None)
    return page, complaints


def screen(seen: Page | Locator, name: str) -> None:
    """Saves what is seen as build/screens/NAME.png, for people to look at."""
    SCREENS.mkdir(parents=True, exist_ok=True)
    seen.screenshot(path=SCREENS / f"{name}.png", animations="disabled", caret="hide")
