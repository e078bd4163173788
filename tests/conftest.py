"""What tests of several folders share: a home, the command line run in it, and stores.

The only conftest: test folders are no packages, so a second file of this name would be the same
module to mypy.
"""

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import settings

from hermes.app import App, open_app
from hermes.cli.main import main
from hermes.clock import FixedClock
from hermes.config.paths import Home, ProfilePaths, ensure_layout
from hermes.store.base import Store
from places import KINDS, Place, new_place

# Hundreds of tests start the program. Where it may keep no bytecode, each start compiles it anew:
# three times the work.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# A busy machine is no failure; pytest-timeout catches what hangs.
settings.register_profile("hermes", deadline=None)
settings.load_profile("hermes")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a command line left behind."""

    code: int
    out: str
    err: str


Hermes = Callable[..., Outcome]


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """A home that does not exist yet."""
    return Home((tmp_path / "home").resolve())


@pytest.fixture
def paths(home: Home) -> ProfilePaths:
    """The default profile of a home, laid out."""
    paths = home.profile("default")
    ensure_layout(paths)
    return paths


@pytest.fixture
def app(home: Home) -> Iterator[App]:
    """The default profile of that home, opened; nothing is embedded."""
    flags = {"memory.embeddings.provider": "none"}
    with open_app(home.profile("default"), {}, flags=flags) as opened:
        yield opened


@pytest.fixture
def hermes(home: Home, capsys: pytest.CaptureFixture[str]) -> Hermes:
    """Runs one command line; keyword arguments are environment variables."""

    def run(*argv: str, **environ: str) -> Outcome:
        capsys.readouterr()
        code = main(argv, {"HERMES_HOME": str(home.root), **environ})
        captured = capsys.readouterr()
        return Outcome(code, captured.out, captured.err)

    return run


@pytest.fixture
def clock() -> FixedClock:
    """A clock that stands at 2026-01-05 09:00 until it is moved."""
    return FixedClock()


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """Where the encrypted SQLite store of this test lies; nothing is there yet."""
    return new_place("sqlite", tmp_path)


@pytest.fixture
def store(place: Place) -> Iterator[Store]:
    """An empty, encrypted SQLite store."""
    opened = place.open()
    yield opened
    opened.close()


@pytest.fixture(params=KINDS)
def any_place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    """A place for each kind of store: contract tests run once on every one."""
    return new_place(request.param, tmp_path)


@pytest.fixture
def any_store(any_place: Place) -> Iterator[Store]:
    """An empty store of each kind."""
    opened = any_place.open()
    yield opened
    opened.close()


LOUD_SKIPS = {
    "no Chromium": (
        "THE DASHBOARD WAS NOT TESTED IN A BROWSER",
        "there is no Chromium on this machine.\nInstall it (apt install chromium)",
    ),
    "NOT TESTED WITH A REAL MODEL": (
        "THE AGENT WAS NOT TESTED WITH A REAL MODEL",
        "there is no llama.cpp here.\nInstall it with a small model (make model)",
    ),
}


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say at the very end what was left out for want of a real part: nobody reads skips."""
    skipped = [str(report.longrepr) for report in terminalreporter.stats.get("skipped", [])]
    for mark, (title, cause) in LOUD_SKIPS.items():
        if count := sum(mark in reason for reason in skipped):
            terminalreporter.section(title, sep="!", yellow=True)
            terminalreporter.line(f"{count} tests were skipped: {cause} and run the tests again.")
