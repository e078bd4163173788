"""Text on disk: compressed with a learnt dictionary, readable by everyone, whatever was undone."""

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hermes.bench.corpus import turns
from hermes.errors import Corrupt
from hermes.store.base import Tx
from hermes.store.codec import SAMPLES, TextCodec, train
from hermes.store.sqlite import SqliteStore, open_store
from hermes.store.sqlite.connection import scalar
from hermes.types import Turn
from places import Place
from talk import NOW, keep, texts_of, turn

HISTORY = list(turns(SAMPLES // 2 + 300, per_session=10_000))
LEARNING = HISTORY[: SAMPLES // 2]
LATER = HISTORY[SAMPLES // 2 :]


def said(history: list[Turn]) -> list[str]:
    return [message.text for turn in history for message in turn.messages]


def dictionaries(store: SqliteStore) -> int:
    return store.read(lambda tx: scalar(tx.connection, "SELECT count(*) FROM dictionaries"))


def kinds(store: SqliteStore) -> dict[str, int]:
    sql = "SELECT typeof(text), count(*) FROM messages GROUP BY 1"
    return store.read(lambda tx: dict(tx.connection.execute(sql)))


@pytest.fixture
def sqlite(place: Place) -> Iterator[SqliteStore]:
    store = open_store(place.database())
    yield store
    store.close()


def test_a_dictionary_is_learnt_from_two_thousand_messages(sqlite: SqliteStore) -> None:
    keep(sqlite, *LEARNING[:-1])
    keep(sqlite, *LEARNING[-1:])
    assert dictionaries(sqlite) == 0
    keep(sqlite, *LATER)
    assert dictionaries(sqlite) == 1
    assert kinds(sqlite)["text"] >= SAMPLES
    assert kinds(sqlite)["blob"] > len(LATER)
    assert texts_of(sqlite, "s1-0") == said(HISTORY)
    keep(sqlite, *LATER[:1])
    assert dictionaries(sqlite) == 1


def test_compressed_text_takes_half_the_room(sqlite: SqliteStore) -> None:
    keep(sqlite, *LEARNING)
    keep(sqlite, *LATER)
    sql = "SELECT sum(length(text)) FROM messages WHERE id > ?"
    stored = sqlite.read(lambda tx: scalar(tx.connection, sql, (SAMPLES,)))
    assert stored < 0.6 * sum(len(text) for text in said(LATER))


def test_old_and_new_rows_are_read_after_opening_again(place: Place) -> None:
    store = place.open()
    keep(store, *LEARNING)
    keep(store, *LATER)
    store.close()
    store = place.open()
    assert texts_of(store, "s1-0") == said(HISTORY)
    found = store.read(lambda tx: tx.conversations.list_episodes("", limit=5))
    assert [m.text for m in found[0].messages] == said(HISTORY[-1:])
    store.close()


def test_a_store_opened_before_reads_what_was_compressed_since(
    sqlite: SqliteStore, place: Place
) -> None:
    """And goes on seeing what is written after: reading a dictionary must hold no snapshot."""
    before = open_store(place.database())
    keep(sqlite, *LEARNING)
    assert len(texts_of(before, "s1-0")) == SAMPLES
    keep(sqlite, *LATER)
    assert texts_of(before, "s1-0") == said(HISTORY)
    for n in range(3):
        keep(sqlite, turn(f"afterwards {n}"))
        assert texts_of(before)[-1] == f"afterwards {n}"
    keep(before, turn("x" * 100 + "from the other"))
    assert texts_of(sqlite)[-1] == "x" * 100 + "from the other"
    before.close()


def test_a_dictionary_that_was_undone_is_not_used(sqlite: SqliteStore, place: Place) -> None:
    """Texts must never be compressed with bytes that were not kept."""

    def undone(tx: Tx) -> None:
        other = list(turns(SAMPLES // 2, seed=99, per_session=10_000))
        tx.conversations.record(other, NOW)
        tx.conversations.record(LATER[:5], NOW)
        raise LookupError("changed my mind")

    with pytest.raises(LookupError):
        sqlite.write(undone)
    assert dictionaries(sqlite) == 0
    keep(sqlite, *LEARNING)
    keep(sqlite, *LATER)
    assert kinds(sqlite)["blob"] > 0
    sqlite.close()
    again = open_store(place.database())
    assert texts_of(again, "s1-0") == said(HISTORY)
    again.close()


def test_texts_with_nothing_in_common_teach_nothing_and_are_kept(sqlite: SqliteStore) -> None:
    keep(sqlite, *(turn(f"{n}") for n in range(SAMPLES)))
    keep(sqlite, turn("short"), turn("long enough to be compressed " * 9))
    assert dictionaries(sqlite) == 0
    assert len(texts_of(sqlite)) == SAMPLES + 2


def test_a_missing_dictionary_is_corruption(sqlite: SqliteStore) -> None:
    keep(sqlite, *LEARNING)
    keep(sqlite, *LATER)
    sqlite.write(lambda tx: list(tx.connection.execute("DELETE FROM dictionaries")))
    with pytest.raises(Corrupt, match="Dictionary 1 is missing"):
        texts_of(sqlite, "s1-0")
    with pytest.raises(Corrupt):
        keep(sqlite, turn("no"))


DICTIONARY = train(said(LEARNING)) or b""


@settings(max_examples=300, suppress_health_check=[HealthCheck.too_slow])
@given(st.text(st.characters(exclude_categories=["Cs"])), st.integers(1, 200))
def test_whatever_is_encoded_is_decoded(text: str, times: int) -> None:
    codec = TextCodec(lambda number: DICTIONARY)
    for told in (text, text * times, " ".join(said(LEARNING[:3])) + text):
        assert codec.decode(codec.encode(told, 1)) == told
        assert codec.encode(told, 0) == told


@given(st.binary(max_size=200))
def test_rubbish_is_corruption_and_nothing_else(content: bytes) -> None:
    codec = TextCodec(lambda number: DICTIONARY)
    try:
        codec.decode(b"\x01" + content)
    except Corrupt:
        pass
