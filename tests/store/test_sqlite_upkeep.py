"""What is done between changes, so that no commit has to: merging the index, folding in the log."""

import time
from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest

from hermes.memory.record import record_turns
from hermes.store.sqlite import schema
from hermes.store.sqlite.connection import (
    BUSY_TIMEOUT_MS,
    LOG_PAGES,
    Connection,
    Database,
    connect,
    pragma,
    scalar,
)
from hermes.store.sqlite.store import SqliteStore
from hermes.store.sqlite.upkeep import FOLD_PAGES, SEGMENTS, Upkeep
from hermes.types import NewSession, Role, Turn, Utterance

NOW = 1_790_000_000_000
COUNT_SEGMENTS = "SELECT count(DISTINCT id >> 37) FROM message_text_data WHERE id > 10"
MOST_STEPS = 200


@pytest.fixture
def connection(tmp_path: Path) -> Iterator[Connection]:
    opened = connect(Database(tmp_path / "memory.db"), writable=True)
    schema.migrate(opened)
    yield opened
    opened.close()


def commit(connection: Connection, number: int, words: str) -> None:
    """A segment of the index, as each turn that is recorded makes one."""
    sql = "INSERT INTO message_text (rowid, body) VALUES (?, ?)"
    connection.execute(sql, (number, words))


def finish(upkeep: Upkeep) -> int:
    """Let it do all that is due; how many steps that took."""
    for steps in range(MOST_STEPS):
        if not upkeep.is_due:
            return steps
        upkeep.step()
    raise AssertionError("it finds something to do forever")


def test_segments_are_merged_before_a_commit_would_merge_them(connection: Connection) -> None:
    upkeep = Upkeep(connection)
    upkeep.set_up()
    for number in range(1, SEGMENTS + 1):
        commit(connection, number, f"word{number} common")
    assert scalar(connection, COUNT_SEGMENTS) == SEGMENTS
    assert not upkeep.is_due, "nobody said that anything was written"
    upkeep.note_change()
    assert finish(upkeep) > 0
    assert scalar(connection, COUNT_SEGMENTS) == 1
    found = connection.execute("SELECT rowid FROM message_text WHERE message_text MATCH 'common'")
    assert [number for (number,) in found] == list(range(1, SEGMENTS + 1))


def test_few_segments_are_left_as_they_are(connection: Connection) -> None:
    upkeep = Upkeep(connection)
    upkeep.set_up()
    for number in range(1, SEGMENTS):
        commit(connection, number, f"word{number}")
    upkeep.note_change()
    assert finish(upkeep) == 1
    assert scalar(connection, COUNT_SEGMENTS) == SEGMENTS - 1


def test_nothing_is_written_to_a_log_that_was_emptied(
    connection: Connection, tmp_path: Path
) -> None:
    upkeep = Upkeep(connection)
    commit(connection, 1, "word")
    upkeep.set_up()
    upkeep.note_change()
    pragma(connection, "wal_checkpoint(TRUNCATE)")
    assert finish(upkeep) == 1
    assert (tmp_path / "memory.db-wal").stat().st_size == 0


def test_the_log_is_folded_in_before_a_commit_would_do_it(
    connection: Connection, tmp_path: Path
) -> None:
    upkeep = Upkeep(connection)
    file = tmp_path / "memory.db"
    connection.execute("CREATE TABLE filler (content BLOB)")
    before = file.stat().st_size
    connection.execute("INSERT INTO filler VALUES (zeroblob(?))", (FOLD_PAGES * 4096,))
    assert file.stat().st_size == before
    assert finish(upkeep) == 1
    assert file.stat().st_size > before + FOLD_PAGES * 4096


def test_where_another_process_writes_it_is_put_off(connection: Connection, tmp_path: Path) -> None:
    upkeep = Upkeep(connection)
    commit(connection, 1, "word")
    upkeep.note_change()
    other = connect(Database(tmp_path / "memory.db"), writable=True)
    try:
        other.execute("BEGIN IMMEDIATE")
        started = time.monotonic()
        assert finish(upkeep) == 1
        assert time.monotonic() - started < BUSY_TIMEOUT_MS / 2_000, "it waited for the other"
        other.execute("ROLLBACK")
    finally:
        other.close()


class FullDisk(apsw.VFS):
    """Where, once `is_full`, the log can still be written but not the database itself."""

    def __init__(self) -> None:
        super().__init__("full-disk", "")
        self.is_full = False

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> apsw.VFSFile:
        return _File(self, name, flags)


class _File(apsw.VFSFile):
    def __init__(
        self, disk: FullDisk, name: str | apsw.URIFilename | None, flags: list[int]
    ) -> None:
        super().__init__("", name, flags)
        self._disk = disk
        self._is_database = bool(flags[0] & apsw.SQLITE_OPEN_MAIN_DB)

    def xWrite(self, data: bytes, offset: int) -> None:
        if self._is_database and self._disk.is_full:
            raise apsw.FullError("the disk is full")
        super().xWrite(data, offset)


def test_a_commit_stands_though_its_log_cannot_be_folded_in(tmp_path: Path) -> None:
    disk = FullDisk()
    store = SqliteStore(Database(tmp_path / "memory.db", vfs="full-disk"))
    try:
        store.write(lambda tx: list(tx.connection.execute("CREATE TABLE filler (content BLOB)")))
        disk.is_full = True
        sql = "INSERT INTO filler VALUES (zeroblob(?))"
        store.write(lambda tx: list(tx.connection.execute(sql, (LOG_PAGES * 4096,))))
        count = "SELECT count(*) FROM filler"
        assert store.read(lambda tx: scalar(tx.connection, count)) == 1
    finally:
        disk.is_full = False
        store.close()
        disk.unregister()


def test_a_store_looks_after_its_file_by_itself(tmp_path: Path) -> None:
    store = SqliteStore(Database(tmp_path / "memory.db"))
    try:
        for number in range(3 * SEGMENTS):
            said = Utterance(Role.USER, f"message {number}")
            record_turns(store, [Turn(NewSession("one"), (said,))], NOW)
        ends = time.monotonic() + 30
        while _segments(store) >= SEGMENTS:
            assert time.monotonic() < ends, "the index was not merged"
            time.sleep(0.01)
    finally:
        store.close()


def _segments(store: SqliteStore) -> int:
    return store.read(lambda tx: scalar(tx.connection, COUNT_SEGMENTS))
