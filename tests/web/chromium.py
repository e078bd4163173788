"""A real Chromium for tests: Debian's, through Playwright; without one, tests skip loudly.

`BROWSER_SKIP` is what the skip says; the end of every run of tests repeats it (tests/conftest.py).
"""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

BROWSER_SKIP = "no Chromium: install it (apt install chromium) to test the dashboard in a browser"
AXE = Path(__file__).parent / "vendor" / "axe-4.14.0.min.js"
PATIENCE_MS = 30_000  # a busy machine is no failure; Playwright gives up after five seconds


def find_chromium() -> str | None:
    return shutil.which("chromium") or shutil.which("chromium-browser")


@contextmanager
def chromium() -> Iterator[Browser]:
    """A browser that is closed at the end; the test is skipped where there is none."""
    found = find_chromium()
    if found is None:
        pytest.skip(BROWSER_SKIP)
    expect.set_options(timeout=PATIENCE_MS)
    as_root = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=as_root)
        try:
            yield browser
        finally:
            browser.close()


def press(page: Page, *keys: str) -> None:
    """Press keys on a page that is all there: while its scripts load, no key is heard."""
    page.wait_for_load_state("load")
    for key in keys:
        page.keyboard.press(key)
