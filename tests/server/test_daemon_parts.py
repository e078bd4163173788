"""Parts of the daemon that its process does not show: its log, and the chores it does."""

import logging
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from hermes.app import App, open_app
from hermes.app.chores import VerifyLog
from hermes.config.paths import ProfilePaths
from hermes.server.logs import KEPT, MAX_BYTES, log_file, write_log
from hermes.store.sqlite.tx import SqliteTx
from hermes.types import EventKind


@pytest.fixture
def private() -> Iterator[None]:
    """As the daemon runs: nothing it makes is for others."""
    before = os.umask(0o077)
    yield
    os.umask(before)


def test_the_log_is_private_and_does_not_grow_without_end(tmp_path: Path, private: None) -> None:
    log = logging.getLogger("hermes.test")
    with write_log(tmp_path, to_stderr=False):
        for n in range(8 * MAX_BYTES // 100_000):
            log.info("%d %s", n, "x" * 100_000)
    log.info("after it was closed")
    files = sorted(tmp_path.iterdir())
    assert [file.name for file in files] == [
        "daemon.log",
        *(f"daemon.log.{n + 1}" for n in range(KEPT)),
    ]
    assert all(file.stat().st_mode & 0o777 == 0o600 for file in files)
    assert all(file.stat().st_size <= MAX_BYTES for file in files)
    last = log_file(tmp_path).read_text().splitlines()[-1]
    assert " INFO test: 399 " in last[:60]
    assert "after it was closed" not in log_file(tmp_path).read_text()


def test_a_link_in_place_of_the_log_is_refused(tmp_path: Path) -> None:
    log_file(tmp_path).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(OSError, match="symbolic"), write_log(tmp_path, to_stderr=False):
        pass
    assert not (tmp_path / "elsewhere").exists()


@pytest.fixture
def app(paths: ProfilePaths) -> Iterator[App]:
    with open_app(paths, {}) as opened:
        yield opened


def test_a_changed_log_of_events_is_reported_once(
    app: App, caplog: pytest.LogCaptureFixture
) -> None:
    app.events.record(EventKind.TASK, "one")
    chore = VerifyLog(app)
    chore.run(app.store, 0)
    assert caplog.text == ""
    app.events.record(EventKind.TASK, "two")

    def alter(tx: object) -> None:
        assert isinstance(tx, SqliteTx)
        tx.connection.execute("DROP TRIGGER events_unchanged")
        tx.connection.execute("UPDATE events SET summary = 'none' WHERE id = 2")

    app.store.write(alter)
    chore.run(app.store, 0)
    chore.run(app.store, 0)
    assert caplog.text.count("What event 2 says was altered") == 1
