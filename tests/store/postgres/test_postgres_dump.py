"""A profile as one file, and back into another: everything, and nothing of anyone else."""

from pathlib import Path

import pytest

from hermes.errors import Conflict, Corrupt
from hermes.store.base import Store
from hermes.store.base.portable import Section
from hermes.store.base.texts import TextScope
from hermes.store.postgres import Server, open_store
from hermes.store.postgres.dump import check_dump
from postgres_server import new_database
from talk import keep, turn


def records(store: Store) -> list[object]:
    return store.read(
        lambda tx: (
            [tx.portable.list_records(s, (), limit=100) for s in Section]
            + [tx.texts.postings_all(["tea"], TextScope(), 9), tx.portable.get_numbers()]
        )
    )


def test_a_dump_is_put_back_as_it_was(tmp_path: Path) -> None:
    address = new_database()
    mine, theirs = open_store(Server(address, "mine")), open_store(Server(address, "theirs"))
    keep(theirs, turn("not mine"))
    keep(
        mine,
        turn("green tea\x00", "or black tea", key="k"),
        turn("tea at five", bank="home", session="h"),
    )
    copied = mine.copy_to(tmp_path / "dump")
    assert copied.counts["messages"] == 3
    assert check_dump(tmp_path / "dump") == copied
    assert b"not mine" not in (tmp_path / "dump").read_bytes()
    other = open_store(Server(new_database(), "elsewhere"))
    keep_nothing = records(other)
    assert other.load_from(tmp_path / "dump") == copied
    assert records(other) == records(mine) != keep_nothing
    assert {finding.level for finding in other.check()} == {"ok"}
    assert keep(other, turn("green tea\x00", "or black tea", key="k"))[0].duplicate
    with pytest.raises(Conflict, match="not empty"):
        other.load_from(tmp_path / "dump")
    for store in (mine, theirs, other):
        store.close()


def test_a_damaged_dump_is_told_from_a_whole_one(tmp_path: Path) -> None:
    store = open_store(Server(new_database()))
    keep(store, *(turn(f"message {n} " * 20) for n in range(50)))
    store.copy_to(tmp_path / "dump")
    store.close()
    whole = bytearray((tmp_path / "dump").read_bytes())
    for place in range(100, len(whole), len(whole) // 7):
        damaged = bytes(whole[:place]) + bytes([whole[place] ^ 0xFF]) + bytes(whole[place + 1 :])
        (tmp_path / "damaged").write_bytes(damaged)
        try:
            assert check_dump(tmp_path / "damaged").counts["messages"] == 50  # a byte of no account
        except Corrupt:
            continue
    (tmp_path / "cut").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(Corrupt):
        check_dump(tmp_path / "cut")
