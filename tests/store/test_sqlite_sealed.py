"""A memory on a read-only file system, or in a folder one may not write: it is still read."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from hermes.errors import Unavailable
from hermes.memory.anchor import Anchor
from hermes.store.chain import Head
from hermes.store.sqlite import Database, open_store
from hermes.store.sqlite.sealed import find_seal, sealed_address
from talk import keep, texts_of, turn

KEY = bytes(range(32))


@contextmanager
def sealed(folder: Path) -> Iterator[None]:
    """Nothing can be written to a folder: root is bound only by a mount, others by its mode."""
    if os.geteuid():
        folder.chmod(0o500)
        yield
        folder.chmod(0o700)
        return
    _mount("--bind", str(folder), str(folder))
    try:
        _mount("-o", "remount,bind,ro", str(folder))
        yield
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


def _mount(*arguments: str) -> None:
    done = subprocess.run(["mount", *arguments], capture_output=True, check=False)
    if done.returncode:
        pytest.skip("nothing may be mounted here, and to root no mode is a bound")


@pytest.fixture(params=[None, KEY], ids=["plain", "encrypted"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Database:
    folder = tmp_path / "a place"
    folder.mkdir()
    database = Database(folder / "memory.db", request.param)
    store = open_store(database)
    keep(store, turn("Lisbon it is"))
    store.close()
    return database


def test_what_is_kept_is_read_where_nothing_can_be_written(database: Database) -> None:
    with sealed(database.path.parent):
        store = open_store(database)
        assert texts_of(store) == ["Lisbon it is"]
        assert store.status().counts["messages"] == 1
        findings = {finding.part: finding for finding in store.check()}
        store.close()
    assert findings["database"].level == "ok"
    assert findings["place"].level == "warning"
    assert find_seal(database.path) is None


def test_a_write_is_refused_by_the_true_reason(database: Database) -> None:
    with sealed(database.path.parent):
        store = open_store(database)
        with pytest.raises(Unavailable, match=r"read-only file system|may not write") as refused:
            keep(store, turn("Porto"))
        store.close()
    assert "free space" not in refused.value.hint
    assert "HERMES_HOME" in refused.value.hint


def test_changes_not_folded_in_are_read_or_named_and_never_left_out(database: Database) -> None:
    copy = database.path.parent.with_name("copy")
    store = open_store(database)
    keep(store, turn("and Porto"))
    shutil.copytree(database.path.parent, copy)  # as a crash leaves it
    store.close()
    there = Database(copy / "memory.db", database.key)
    assert (copy / "memory.db-wal").stat().st_size
    with sealed(copy):
        store = open_store(there)
        assert texts_of(store) == ["Lisbon it is", "and Porto"]
        store.close()
    (copy / "memory.db-shm").unlink()
    with sealed(copy), pytest.raises(Unavailable, match="-shm, which"):
        open_store(there)


def test_a_new_memory_cannot_be_made_there_and_that_is_said(tmp_path: Path) -> None:
    with sealed(tmp_path), pytest.raises(Unavailable, match="Nothing can be kept"):
        open_store(Database(tmp_path / "memory.db"))


def test_a_file_someone_has_open_is_not_taken_for_unchanging(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    assert sealed_address(path).endswith("?immutable=1")
    Path(f"{path}-wal").touch()
    assert sealed_address(path).endswith("?immutable=1")
    Path(f"{path}-shm").touch()
    assert sealed_address(path).endswith("?mode=ro")


def test_the_anchor_stays_behind_where_nothing_can_be_written(tmp_path: Path) -> None:
    anchor = Anchor(tmp_path / "memory.db.anchor")
    with sealed(tmp_path):
        anchor.save(Head(3, bytes(32)))
    assert anchor.load().count == 0
    anchor.save(Head(3, bytes(32)))
    assert anchor.load().count == 3
