"""Damage to the SQLite files is found, named, and ends all writing."""

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from hermes.bench.corpus import turns
from hermes.errors import Corrupt, HermesError
from hermes.store.base import Store
from hermes.store.sqlite.mark import HighWaterMark, mark_file
from hermes.store.sqlite.texts import index_row
from hermes.types import Role
from places import Place
from talk import keep, texts_of, turn

PAGE = 4096
Damage = Callable[[bytearray], None]


def damage(file: Path, change: Damage) -> None:
    content = bytearray(file.read_bytes())
    change(content)
    file.write_bytes(content)


def flip(position: int) -> Damage:
    def change(content: bytearray) -> None:
        content[position] ^= 1

    return change


def cut(size: int) -> Damage:
    def change(content: bytearray) -> None:
        del content[size:]

    return change


@pytest.fixture
def closed(place: Place) -> Place:
    """A store with a few turns, closed: everything is in one file."""
    store = place.open()
    keep(store, *turns(60))
    store.close()
    return place


def test_a_flipped_bit_in_any_page_is_found_and_ends_all_writing(closed: Place) -> None:
    path = Path(closed.where)
    sound = path.read_bytes()
    dice = Random(1)
    for page in range(len(sound) // PAGE):
        path.write_bytes(sound)
        damage(path, flip(page * PAGE + dice.randrange(PAGE)))
        try:
            store = closed.open()
        except Corrupt:
            continue
        assert store.check()[0].level == "failed", f"page {page + 1}"
        with pytest.raises(Corrupt):
            keep(store, turn("must not be written"))
        store.close()
    path.write_bytes(sound)
    store = closed.open()
    assert {finding.level for finding in store.check()} == {"ok"}
    store.close()


def test_a_read_that_meets_damage_says_so_and_ends_all_writing(closed: Place) -> None:
    path = Path(closed.where)
    sound = path.read_bytes()
    met = 0
    for page in range(2, len(sound) // PAGE):
        path.write_bytes(sound)
        damage(path, flip(page * PAGE + 100))
        met += _meets_damage(closed)
    assert met > 5


def _meets_damage(place: Place) -> bool:
    """Whether reading a session meets the damaged page; if so, nothing is written any more."""
    try:
        store = place.open()
    except Corrupt:
        return False
    try:
        texts_of(store, "s1-0")
        return False
    except Corrupt as error:
        assert "damaged" in error.message
        assert "backup" in error.hint
        with pytest.raises(Corrupt):
            keep(store, turn("must not be written"))
        with pytest.raises(Corrupt):
            store.submit(lambda tx: 1).result(30)
        return True
    finally:
        store.close()


def test_damage_done_while_the_store_is_open_is_found_by_a_check(closed: Place) -> None:
    """A check reads the disk, not what a reader has in memory."""
    store = closed.open()
    said = texts_of(store, "s1-0")
    size = Path(closed.where).stat().st_size
    overwrite = ["dd", "if=/dev/zero", f"of={closed.where}", "conv=notrunc", "seek=1"]
    pages = [f"bs={PAGE}", f"count={size // PAGE - 1}", "status=none"]
    subprocess.run([*overwrite, *pages], check=True)  # another process: reading here drops locks
    assert texts_of(store, "s1-0") == said  # from memory
    assert store.check()[0].level == "failed"
    with pytest.raises(Corrupt):
        keep(store, turn("must not be written"))
    store.close()


@pytest.fixture
def live(place: Place) -> Place:
    """A copy of a store as a power cut leaves it: the newest writes only in the log."""
    store, beside = place.open(), place.open()
    keep(store, turn("old"))
    for n in range(20):
        keep(store, turn(f"new {n}"))
    keep(beside, turn("newest"))
    beside.close()  # saves the mark; the log stays, for the other store is open
    folder = Path(place.where).with_name("copy")
    folder.mkdir()
    names = [f"{place.where}{end}" for end in ("", "-wal", ".mark")]
    subprocess.run(["cp", *names, str(folder)], check=True)
    store.close()
    return Place(place.kind, str(folder / "memory.db"), place.key)


def test_the_log_of_a_store_that_was_killed_is_read(live: Place) -> None:
    store = live.open()
    assert len(texts_of(store)) == 22
    store.close()


@pytest.mark.parametrize("kept", [0.0, 0.01, 0.5, 0.95])
def test_a_log_that_was_cut_off_is_found(live: Place, kept: float) -> None:
    log = Path(f"{live.where}-wal")
    damage(log, cut(int(log.stat().st_size * kept)))
    with pytest.raises(Corrupt, match=r"change 22 had been acknowledged|damaged|cannot be read"):
        live.open()


@pytest.mark.parametrize("where", [0.001, 0.3, 0.6, 0.9])
def test_a_flipped_bit_in_the_log_is_found(live: Place, where: float) -> None:
    log = Path(f"{live.where}-wal")
    damage(log, flip(int(log.stat().st_size * where)))
    with pytest.raises(Corrupt, match=r"had been acknowledged|damaged|cannot be read"):
        store = live.open()
        texts_of(store)


def test_a_lost_log_is_found(live: Place) -> None:
    Path(f"{live.where}-wal").unlink()
    with pytest.raises(HermesError):
        live.open()


def test_an_older_copy_in_its_place_is_found_and_can_be_accepted(place: Place) -> None:
    path = Path(place.where)
    store = place.open()
    keep(store, turn("old"))
    store.close()
    shutil.copy(path, path.with_name("older"))
    store = place.open()
    keep(store, turn("new"))
    store.close()
    shutil.copy(path.with_name("older"), path)
    with pytest.raises(Corrupt, match="ends at change 1, but change 2") as caught:
        place.open()
    assert str(mark_file(path)) in caught.value.hint
    mark_file(path).unlink()
    store = place.open()
    assert texts_of(store) == ["old"]
    store.close()


def test_a_new_database_in_the_place_of_one_that_vanished_is_not_taken_for_it(
    closed: Place,
) -> None:
    file = Path(closed.where)
    file.unlink()
    with pytest.raises(Corrupt, match="is missing, but change"):
        closed.open()
    assert not file.exists()
    file.touch()
    with pytest.raises(Corrupt, match="is empty, but change"):
        closed.open()
    assert file.stat().st_size == 0


@pytest.mark.parametrize("content", ["", "rubbish", "12\x00", "-5", "9" * 5000])
def test_a_mark_that_cannot_be_read_stops_no_one(closed: Place, content: str) -> None:
    mark_file(Path(closed.where)).write_text(content)
    store = closed.open()
    keep(store, turn("hi"))
    store.close()
    assert int(mark_file(Path(closed.where)).read_text()) == 2


def test_what_was_submitted_raises_the_mark(place: Place) -> None:
    store = place.open()
    store.submit(lambda tx: tx.changes.record("fact", 1, 1, "add")).result(30)
    store.close()
    assert mark_file(Path(place.where)).read_text() == "1\n"


def test_a_mark_never_goes_back(tmp_path: Path) -> None:
    """A process that has seen less does not undo what another has saved."""
    database = tmp_path / "memory.db"
    behind, ahead = (HighWaterMark.open(database, seq) for seq in (1, 1))
    ahead.raise_to(9)
    ahead.save()
    behind.raise_to(5)
    behind.save()
    assert mark_file(database).read_text() == "9\n"
    assert [file.name for file in tmp_path.iterdir()] == ["memory.db.mark"]


def test_a_mark_that_cannot_be_written_harms_no_write(place: Place) -> None:
    store = place.open()
    mark_file(Path(place.where)).mkdir()
    keep(store, turn("hi"))
    store.close()
    mark_file(Path(place.where)).rmdir()
    store = place.open()
    assert texts_of(store) == ["hi"]
    store.close()


def test_a_missing_index_entry_is_found(store: Store) -> None:
    keep(store, turn("hi"))
    row = index_row(1, "hi", bank=1, session=1, role=Role.USER)
    store.write(lambda tx: tx.texts.remove([row]))  # type: ignore[attr-defined]
    [index] = [finding for finding in store.check() if finding.part == "search index"]
    assert index.level == "failed"
