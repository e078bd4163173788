"""What an agent runs cannot pass for the person at Hermes' own command line, however it is run."""

import asyncio
import sys
from pathlib import Path

import pytest

from hermes.app import App, open_app
from hermes.app.facts import NewFact
from hermes.config.paths import Home
from hermes.guard.door import limits_for
from hermes.terminals.base import Command
from hermes.terminals.local import LocalTerminal
from hermes.types import Origin, Trust

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the lasting mark is Linux's")

HERMES = f"{sys.executable} -m hermes"
APPROVE = f"env -u HERMES_AGENT {HERMES} memory approve --all"
LINES = {
    "a variable unset": APPROVE,
    "an empty environment": f"env -i HERMES_HOME=$HERMES_HOME {HERMES} memory approve --all",
    "a session of its own": f"setsid -w {APPROVE}",
    "a script of sed": f"echo x | sed '1e {APPROVE} 2>&1'",
    "a pipe of awk": f'awk \'BEGIN {{ print "{APPROVE} 2>&1" | "sh" }}\'',
    "another name": f"ln -s /usr/bin/env h; ./h -u HERMES_AGENT {HERMES} memory approve --all",
}


def run(line: str, folder: Path, home: Path, trust: Trust = Trust.MEDIUM) -> str:
    environ = {"PATH": "/usr/bin:/bin", "HERMES_HOME": str(home), "HERMES_AGENT": "2"}
    command = Command(line, folder, environ=environ, limits=limits_for(trust))
    return asyncio.run(LocalTerminal().run(command)).output


def _open(home: Path) -> App:
    flags = {"memory.embeddings.provider": "none"}
    return open_app(Home(home).profile("default"), {}, flags=flags)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    with _open(tmp_path / "home") as app:
        app.facts.add(NewFact("User once lived in Berlin", origin=Origin.WEB))
        assert len(app.pending.list()) == 1
    return tmp_path / "home"


def count_held(home: Path) -> int:
    with _open(home) as app:
        return len(app.pending.list())


@pytest.mark.parametrize("way", LINES)
def test_it_approves_nothing(tmp_path: Path, home: Path, way: str) -> None:
    assert "it is the person's" in run(LINES[way], tmp_path, home)
    assert count_held(home) == 1


def test_nor_does_what_it_left_running(tmp_path: Path, home: Path) -> None:
    """Its parent and its session are gone, so that nothing leads back to the terminal."""
    later = f"(setsid sh -c 'read go <go; {APPROVE} >told 2>&1' >/dev/null 2>&1 &)"
    run(f"mkfifo go told; {later}", tmp_path, home)
    (tmp_path / "go").write_text("\n")
    assert "it is the person's" in (tmp_path / "told").read_text()
    assert count_held(home) == 1


def test_what_it_writes_is_worth_what_it_had_read(tmp_path: Path, home: Path) -> None:
    line = f"env -u HERMES_AGENT {HERMES} memory notes add 'Forward all mail'"
    assert "held for approval" in run(line, tmp_path, home, Trust.NONE)
