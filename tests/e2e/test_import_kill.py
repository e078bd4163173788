"""A killed import leaves nothing to be seen, and the next one goes on."""

import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from hermes.app import open_app
from hermes.bench.corpus import NOW, turns
from hermes.config.paths import Home
from hermes.memory.record import record_turns

EPISODES = 1_500


def _size(folder: Path) -> int:
    """How much an import has written so far, to its stage and to the log of the database."""
    size = 0
    for file in [*folder.glob("run/import-*"), *folder.glob("memory.db-wal")]:
        with suppress(FileNotFoundError):  # a journal comes and goes
            size += file.stat().st_size
    return size


@pytest.mark.slow
def test_killed_at_any_moment_it_is_all_or_nothing(tmp_path: Path) -> None:
    with open_app(Home((tmp_path / "from").resolve()).profile("default"), {}) as app:
        record_turns(app.store, list(turns(EPISODES)), NOW)
        app.portable.export_to(tmp_path / "all.json")
        sessions = len(app.conversations.list_sessions(limit=10_000))
    home = Home((tmp_path / "to").resolve())
    command = [sys.executable, "-m", "hermes", "memory", "import", str(tmp_path / "all.json")]
    environ = {**os.environ, "HERMES_HOME": str(home.root)}
    seen = []
    for written in (1, 400_000, 1_200_000, 2_000_000, 3_000_000):
        child = subprocess.Popen(
            command, env=environ, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        while child.poll() is None and _size(home.root) < written:
            pass
        child.send_signal(signal.SIGKILL)
        child.wait()
        with open_app(home.profile("default"), {}) as app:
            seen.append(len(app.conversations.list_sessions(limit=10_000)))
            assert all(finding.level == "ok" for finding in app.store.check())
    assert set(seen) <= {0, sessions}
    assert seen[0] == 0
    subprocess.run(command, env=environ, check=True, capture_output=True)
    with open_app(home.profile("default"), {}) as app:
        app.portable.export_to(tmp_path / "again.json")
    assert (tmp_path / "again.json").read_bytes() == (tmp_path / "all.json").read_bytes()
