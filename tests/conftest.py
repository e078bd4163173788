"""What tests of several folders share: a home of their own, and the command line run in it.

The only conftest: test folders are no packages, so a second file of this name would be the same
module to mypy.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import settings

from hermes.cli.main import main
from hermes.config.paths import Home, ProfilePaths, ensure_layout

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
def hermes(home: Home, capsys: pytest.CaptureFixture[str]) -> Hermes:
    """Runs one command line; keyword arguments are environment variables."""

    def run(*argv: str, **environ: str) -> Outcome:
        capsys.readouterr()
        code = main(argv, {"HERMES_HOME": str(home.root), **environ})
        captured = capsys.readouterr()
        return Outcome(code, captured.out, captured.err)

    return run
