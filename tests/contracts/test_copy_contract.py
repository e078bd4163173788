"""Copying a memory from any kind of store to any other: all of it, proved, to a new one only."""

from collections.abc import Callable
from pathlib import Path

import pytest

from hermes.errors import Conflict, Corrupt
from hermes.memory.portable.copying import copy_store, prove_equal
from hermes.store.base import Store, Tx
from hermes.store.base.erase import Tombstone
from hermes.store.base.vectors import NewVector, StoredVector, VectorKind
from hermes.types import Fact, FactKind, FactSource, Trust
from places import KINDS, new_place
from talk import NOW, keep, turn

PAIRS = [(old, new) for old in KINDS for new in KINDS]
Opened = Callable[[str, str], Store]


def _quietly(_: str, __: int) -> None:
    return None


@pytest.fixture
def opened(tmp_path: Path, request: pytest.FixtureRequest) -> Opened:
    def open_kind(kind: str, name: str) -> Store:
        (tmp_path / name).mkdir()
        store = new_place(kind, tmp_path / name).open()
        request.addfinalizer(store.close)
        return store

    return open_kind


def fill(store: Store) -> None:
    """A memory with a little of everything."""
    kept = keep(
        store,
        turn("Lena leads Atlas \x00 會議", "noted", key="k1"),
        turn("I live in Lisbon", "good", session="s2", bank="trips"),
        turn("long story", session="s3"),
    )
    store.write(lambda tx: _believe(tx, kept[1].message_ids[0], kept[1].episode_id))
    store.write(lambda tx: tx.events.add("decision", "moved to Lisbon", at=NOW, ref="fact:1"))
    store.write(lambda tx: tx.erasures.add_tombstones([Tombstone(b"t" * 32, "phrase", NOW, 2)]))
    store.write(lambda tx: _embed(tx, kept[0].message_ids[0], kept[2].message_ids[0]))


def _believe(tx: Tx, message: int, episode: int) -> None:
    number, short = tx.facts.reserve()
    source = FactSource("I live in Lisbon", message, episode, "s2", NOW, 0, 16, Trust.HIGH)
    fact = Fact(
        number,
        short,
        "trips",
        "User lives in Lisbon",
        FactKind.IDENTITY,
        recorded_at=NOW,
        subject="user",
        sources=(source,),
    )
    tx.facts.add(fact, subject_key="user")


def _embed(tx: Tx, first: int, second: int) -> None:
    space = tx.vectors.ensure_space("test", "words", 4, NOW)
    bank = tx.vectors.find_bank("default") or 0
    tx.vectors.add(
        space.id,
        [
            NewVector(VectorKind.MESSAGE, first, bank, b"\x01" * 8),
            NewVector(VectorKind.MESSAGE, second, bank, b"\x02" * 8, 0),
            NewVector(VectorKind.MESSAGE, second, bank, b"\x03" * 8, 1),
        ],
    )
    tx.vectors.set_mean(space.id, b"\x00" * 16)


def vectors(store: Store) -> list[tuple[VectorKind, int, bytes]]:
    def read(tx: Tx) -> list[StoredVector]:
        space = tx.vectors.find_current()
        assert space is not None
        return tx.vectors.list_rows(space.id, 0, 100)

    return [(row.kind, row.item, row.row) for row in store.read(read)]


def copied(old: Store, new: Store, folder: Path) -> int:
    stage = new.open_stage(folder / "stage.db")
    try:
        return sum(p.count for p in copy_store(old, new, stage, now=NOW, advance=_quietly))
    finally:
        stage.discard()


@pytest.mark.parametrize(("kind", "other"), PAIRS)
def test_everything_is_there_afterwards(
    kind: str, other: str, opened: Opened, tmp_path: Path
) -> None:
    old, new = opened(kind, "old"), opened(other, "new")
    fill(old)
    assert copied(old, new, tmp_path) > 8
    assert vectors(new) == vectors(old)
    assert new.read(lambda tx: tx.erasures.list_tombstones()) == old.read(
        lambda tx: tx.erasures.list_tombstones()
    )
    assert new.read(lambda tx: tx.portable.get_numbers()) == old.read(
        lambda tx: tx.portable.get_numbers()
    )


@pytest.mark.parametrize(("kind", "other"), PAIRS)
def test_there_and_back_is_the_same(kind: str, other: str, opened: Opened, tmp_path: Path) -> None:
    old, new, back = opened(kind, "old"), opened(other, "new"), opened(kind, "back")
    fill(old)
    copied(old, new, tmp_path)
    copied(new, back, tmp_path)
    prove_equal(old, back, _quietly)


@pytest.mark.parametrize(("kind", "other"), PAIRS)
def test_a_copy_cut_short_goes_on(kind: str, other: str, opened: Opened, tmp_path: Path) -> None:
    old, new = opened(kind, "old"), opened(other, "new")
    fill(old)

    def cut(step: str, _: int) -> None:
        if step == "vectors":
            raise KeyboardInterrupt

    stage = new.open_stage(tmp_path / "stage.db")
    with pytest.raises(KeyboardInterrupt):
        copy_store(old, new, stage, now=NOW, advance=cut)
    stage.close()
    copied(old, new, tmp_path)
    assert vectors(new) == vectors(old)


@pytest.mark.parametrize(("kind", "other"), PAIRS)
def test_a_store_with_a_memory_of_its_own_is_refused(
    kind: str, other: str, opened: Opened, tmp_path: Path
) -> None:
    old, new = opened(kind, "old"), opened(other, "new")
    fill(old)
    keep(new, turn("mine"))
    with pytest.raises(Conflict, match="memory of its own"):
        copied(old, new, tmp_path)


@pytest.mark.parametrize(("kind", "other"), PAIRS)
def test_a_difference_is_found(kind: str, other: str, opened: Opened, tmp_path: Path) -> None:
    old, new = opened(kind, "old"), opened(other, "new")
    fill(old)
    copied(old, new, tmp_path)
    new.write(lambda tx: tx.conversations.retitle_session("s1", "changed"))
    with pytest.raises(Corrupt, match="differs in sessions"):
        prove_equal(old, new, _quietly)
