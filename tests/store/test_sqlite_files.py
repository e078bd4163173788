"""The SQLite files: private, encrypted, ours, and opened the way they must be."""

import os
import sqlite3
import subprocess
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import apsw
import pytest

from hermes.errors import Conflict, Corrupt, HermesError, Refused, Unavailable
from hermes.store.sqlite import Database, SqliteStore, open_store
from hermes.store.sqlite.connection import APPLICATION_ID, connect, pragma
from hermes.store.sqlite.store import IDLE_READERS
from hermes.store.sqlite.tx import SqliteTx
from places import Place
from talk import keep, texts_of, turn

SECRET = "the crown jewels are under the third flagstone"


@pytest.fixture
def loose_umask() -> Iterator[None]:
    before = os.umask(0)
    yield
    os.umask(before)


@pytest.fixture
def sqlite(place: Place) -> Iterator[SqliteStore]:
    store = open_store(place.database())
    yield store
    store.close()


def test_readers_of_a_rush_are_not_kept_for_ever(sqlite: SqliteStore, place: Place) -> None:
    rush = 3 * IDLE_READERS
    together = threading.Barrier(rush, timeout=60)
    with ThreadPoolExecutor(rush) as pool:
        list(pool.map(lambda _: sqlite.read(lambda tx: together.wait()), range(rush)))
    still_open = [each for each in apsw.connections() if each.filename == place.where]
    assert len(still_open) == IDLE_READERS + 1  # and the writer


def copy_live(place: Place) -> list[Path]:
    """The files of an open database, copied elsewhere: reading them here would drop its locks."""
    folder = Path(place.where).with_name("copy")
    folder.mkdir()
    files = sorted(map(str, Path(place.where).parent.glob("memory.db*")))
    subprocess.run(["cp", *files, str(folder)], check=True)
    return sorted(folder.iterdir())


def modes(folder: Path) -> dict[str, int]:
    return {file.name: file.stat().st_mode & 0o777 for file in folder.iterdir()}


@pytest.mark.usefixtures("loose_umask")
def test_files_are_private_under_a_loose_umask(tmp_path: Path, place: Place) -> None:
    deep = tmp_path / "a" / "b" / "memory.db"
    store = open_store(replace(place.database(), path=deep))
    keep(store, turn("hi"))
    texts_of(store)
    assert set(modes(deep.parent)) >= {"memory.db", "memory.db-wal", "memory.db-shm"}
    assert set(modes(deep.parent).values()) == {0o600}
    store.close()
    assert set(modes(deep.parent).values()) == {0o600}
    assert [folder.stat().st_mode & 0o777 for folder in deep.parents[:2]] == [0o700, 0o700]
    assert os.umask(0) == 0  # the caller's umask is as it was


def test_loose_files_are_made_private_again(place: Place) -> None:
    place.open().close()
    Path(place.where).chmod(0o644)
    store = place.open()
    assert Path(place.where).stat().st_mode & 0o777 == 0o600
    assert {f.level for f in store.check() if f.part == "permissions"} == {"ok"}
    Path(place.where).chmod(0o640)
    [loose] = [f for f in store.check() if f.part == "permissions"]
    assert loose.level == "warning"
    assert loose.hint.startswith(f"chmod 600 {place.where}")
    store.close()


def test_a_symbolic_link_is_refused(tmp_path: Path, place: Place) -> None:
    place.open().close()
    link = tmp_path / "link.db"
    link.symlink_to(place.where)
    with pytest.raises(Refused, match="symbolic link"):
        open_store(replace(place.database(), path=link))
    link.unlink()
    link.symlink_to(tmp_path / "nowhere")
    with pytest.raises(Refused):
        open_store(replace(place.database(), path=link))
    assert not (tmp_path / "nowhere").exists()


def test_neither_text_nor_header_is_on_disk_in_the_clear(place: Place) -> None:
    store = place.open()
    keep(store, turn(SECRET))
    for file in copy_live(place):
        content = file.read_bytes()
        assert b"jewels" not in content, file
        assert b"SQLite format 3" not in content, file
    store.close()


def test_a_wrong_key_is_named_as_such(place: Place) -> None:
    place.open().close()
    for key in (b"x" * 32, None):
        with pytest.raises(Corrupt, match="cannot be read with this key") as caught:
            open_store(replace(place.database(), key=key))
        assert "key" in caught.value.hint
    place.open().close()  # the attempts have harmed nothing


def test_a_database_without_encryption_is_opened_without_a_key(tmp_path: Path) -> None:
    plain = Database(tmp_path / "plain.db")
    store = open_store(plain)
    keep(store, turn(SECRET))
    assert not store.status().encrypted
    store.close()
    assert b"jewels" in plain.path.read_bytes()
    with pytest.raises(Corrupt):
        open_store(replace(plain, key=b"k" * 32))
    store = open_store(plain)
    assert texts_of(store) == [SECRET]
    store.close()


@pytest.mark.parametrize("content", [b"hello, I am text\n" * 99, b"\x00" * 8192, b"x", b"y" * 511])
def test_a_file_that_is_no_database_is_left_alone(place: Place, content: bytes) -> None:
    Path(place.where).write_bytes(content)
    with pytest.raises(HermesError):
        place.open()
    assert Path(place.where).read_bytes() == content


def test_the_database_of_another_program_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    other = sqlite3.connect(path)
    other.execute("CREATE TABLE theirs (a)")
    other.commit()
    other.close()
    with pytest.raises(Conflict, match="another program"):
        open_store(Database(path))
    other = sqlite3.connect(path)
    tables = [name for (name,) in other.execute("SELECT name FROM sqlite_schema")]
    other.close()
    assert tables == ["theirs"]


def test_an_empty_file_becomes_a_database(place: Place) -> None:
    Path(place.where).touch()
    store = place.open()
    keep(store, turn("hi"))
    store.close()


def test_a_folder_in_the_way_is_an_error_with_a_hint(place: Place) -> None:
    Path(place.where).mkdir()
    with pytest.raises(Unavailable) as caught:
        place.open()
    assert caught.value.hint


PRAGMAS = {
    "journal_mode": "wal",
    "synchronous": 2,
    "foreign_keys": 1,
    "secure_delete": 1,
    "page_size": 4096,
    "temp_store": 2,
    "application_id": APPLICATION_ID,
}


def pragmas(tx: SqliteTx) -> dict[str, object]:
    return {name: pragma(tx.connection, name)[0][0] for name in (*PRAGMAS, "query_only")}


def test_the_pragmas_are_really_in_force(sqlite: SqliteStore) -> None:
    assert sqlite.write(pragmas) == {**PRAGMAS, "query_only": 0}
    assert sqlite.read(pragmas) == {**PRAGMAS, "query_only": 1}
    cipher = sqlite.write(lambda tx: pragma(tx.connection, "cipher"))
    assert cipher == [("aegis",)]


def test_without_wal_every_commit_still_reaches_the_disk(place: Place) -> None:
    store = open_store(replace(place.database(), wal=False))
    assert store.write(pragmas) == {**PRAGMAS, "journal_mode": "delete", "query_only": 0}
    keep(store, turn("hi"))
    assert texts_of(store) == ["hi"]
    store.close()


def test_a_reader_makes_no_database(place: Place) -> None:
    with pytest.raises(HermesError, match="no database"):
        connect(place.database(), writable=False)
    assert not Path(place.where).exists()


def test_a_lock_held_elsewhere_is_waited_for_once_then_named(
    sqlite: SqliteStore, place: Place
) -> None:
    keep(sqlite, turn("before"))
    sqlite.write(lambda tx: tx.connection.set_busy_timeout(300))
    other = connect(place.database(), writable=True)
    other.execute("BEGIN IMMEDIATE")
    futures = [sqlite.submit(lambda tx: tx.changes.latest()) for _ in range(200)]
    for future in futures:
        with pytest.raises(Unavailable, match="locked by another process"):
            future.result(30)
    other.execute("ROLLBACK")
    other.close()
    keep(sqlite, turn("after"))
    assert texts_of(sqlite) == ["before", "after"]


def test_a_full_disk_loses_nothing_that_was_acknowledged(sqlite: SqliteStore) -> None:
    keep(sqlite, turn("before"))
    sqlite.write(lambda tx: pragma(tx.connection, "max_page_count = 120"))
    with pytest.raises(Unavailable, match="full"):
        keep(sqlite, turn("x" * 2_000_000))
    sqlite.write(lambda tx: pragma(tx.connection, "max_page_count = 100000"))
    keep(sqlite, turn("after"))
    assert texts_of(sqlite) == ["before", "after"]
    assert {finding.level for finding in sqlite.check()} == {"ok"}


def test_status_tells_what_is_there(sqlite: SqliteStore, place: Place) -> None:
    keep(sqlite, turn("hi", "hello"))
    status = sqlite.status()
    assert (status.backend, status.location, status.encrypted) == ("sqlite", place.where, True)
    assert status.counts == {"sessions": 1, "episodes": 1, "messages": 2}
    assert status.size_bytes > 4096
    assert status.seq == 1
