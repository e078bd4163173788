"""What every store promises of erasing and of copies: nothing is left, and nothing else is lost."""

import random
from pathlib import Path

import pytest
from test_summaries_contract import compress, rich

from hermes.errors import Conflict, Unavailable
from hermes.memory.erase.apply import finish
from hermes.memory.erase.traces import Traces
from hermes.memory.erase.words import is_short, parse_phrase
from hermes.store.base import Store
from hermes.store.base.erase import Look, ScanReport, TextKind, Tombstone
from hermes.store.base.texts import TextScope
from hermes.store.base.tidying import Watch
from hermes.store.base.vectors import NewVector, VectorKind
from hermes.types import Role, Turn, Utterance
from places import Place
from talk import NOW, keep, messages_of, texts_of, turn

SECRET = "the quixotic zeppelin is parked behind the observatory"


def scan(store: Store, text: str) -> ScanReport:
    words = parse_phrase(text)
    traces = Traces([words])
    in_page = None if is_short(words) else traces.is_in_bytes
    return store.scan(Look([" ".join(words)], traces.is_in, traces.is_in_bytes, in_page))


def found(store: Store, word: str) -> list[int]:
    return store.read(lambda tx: tx.texts.postings(word, TextScope(), 100).ids)


def remove(store: Store, *ids: int) -> dict[str, int]:
    counts = store.write(lambda tx: tx.erasures.remove_messages(ids))
    assert finish(store, now=NOW, say=lambda _: None)
    return counts


def test_a_removed_message_is_nowhere(any_store: Store) -> None:
    kept = keep(any_store, turn("hello there", SECRET, "and bye"))[0].message_ids
    assert scan(any_store, SECRET).found
    assert remove(any_store, kept[1]) == {"messages": 1}
    report = scan(any_store, SECRET)
    assert report.found == ()
    assert report.pages > 0
    own_pages = any_store.status().backend == "sqlite"  # those of a server it alone can read
    assert (report.skipped == "") == own_pages
    assert scan(any_store, "quixotic").found == ()
    assert texts_of(any_store) == ["hello there", "and bye"]
    assert found(any_store, "zeppelin") == []
    assert found(any_store, "hello") == [kept[0]]
    assert all(finding.level == "ok" for finding in any_store.check())
    session = any_store.read(lambda tx: tx.conversations.find_session("s1"))
    assert session is not None
    assert session.messages == 2


def test_a_long_tool_result_leaves_the_index_as_it_came(any_store: Store) -> None:
    text = "quixotic " + "plain words " * 3_000 + "zeppelin"
    from hermes.memory.record import record_turns

    said = (Utterance(Role.USER, "run"), Utterance(Role.TOOL, text))
    number = record_turns(any_store, [Turn(turn("x").session, said)], NOW)[0].message_ids[1]
    assert found(any_store, "quixotic") == [number]
    remove(any_store, number)
    assert found(any_store, "quixotic") == found(any_store, "plain") == []
    assert all(finding.level == "ok" for finding in any_store.check())


def test_the_last_message_takes_episode_and_session(any_store: Store) -> None:
    ids = keep(any_store, turn("one", "two"), turn("three", session="s2"))
    counts = remove(any_store, *ids[0].message_ids)
    assert counts == {"messages": 2, "episodes": 1, "sessions": 1}
    assert any_store.read(lambda tx: tx.conversations.find_session("s1")) is None
    assert texts_of(any_store, "s2") == ["three"]


def test_vectors_go_with_their_message(any_store: Store) -> None:
    ids = keep(any_store, turn("one", "two"))[0].message_ids

    def embed(tx):  # type: ignore[no-untyped-def]
        space = tx.vectors.ensure_space("test", "tiny", 4, NOW)
        rows = [NewVector(VectorKind.MESSAGE, item, 1, bytes(8)) for item in ids]
        return tx.vectors.add(space.id, rows).id

    space = any_store.write(embed)
    remove(any_store, ids[0])
    left = any_store.read(lambda tx: tx.vectors.list_rows(space, 0, 10))
    assert [row.item for row in left] == [ids[1]]


def test_the_raw_rows_behind_a_summary_are_found(any_store: Store) -> None:
    keep(any_store, *rich())
    before = messages_of(any_store)
    summary = compress(any_store)
    rows = any_store.read(lambda tx: tx.erasures.list_texts(TextKind.ARCHIVE, after=0, limit=100))
    assert [(row.id, row.texts[0]) for row in rows] == [(m.id, m.text) for m in before[:5]]
    assert {(row.behind, row.where) for row in rows} == {(summary.id, "s1")}
    assert scan(any_store, "What is Atlas").found


def test_tombstones_are_kept_once(any_store: Store) -> None:
    stones = [Tombstone(bytes(32), "message", 5), Tombstone(b"\x01" * 32, "phrase", 6, 3)]
    any_store.write(lambda tx: tx.erasures.add_tombstones(stones))
    any_store.write(lambda tx: tx.erasures.add_tombstones(stones[:1]))
    assert any_store.read(lambda tx: tx.erasures.list_tombstones()) == stones


def _long_talk(store: Store, count: int = 2_400) -> list[str]:
    """Enough for a dictionary to be learnt, much of it from one phrase."""
    texts = [f"{SECRET}, as was said for the {n}th time in this talk" for n in range(count)]
    for start in range(0, count, 400):
        keep(store, turn(*texts[start : start + 400]))
    keep(store, turn("an honest remark about something else altogether, quite long", session="s2"))
    return texts


def test_a_dictionary_that_learnt_from_it_goes(any_store: Store) -> None:
    texts = _long_talk(any_store)
    ids = [message.id for message in messages_of(any_store)]
    any_store.write(lambda tx: tx.erasures.remove_messages(ids[:-3]))
    assert any("dictionaries" in place for place in scan(any_store, SECRET).found)
    finish(any_store, now=NOW, say=lambda _: None)
    left = scan(any_store, SECRET).found
    assert texts_of(any_store) == texts[-3:]
    assert texts_of(any_store, "s2")[0].startswith("an honest remark")
    remove(any_store, *ids[-3:])
    assert left
    assert scan(any_store, SECRET).found == ()
    keep(any_store, turn("more is said after all of that, in words of some length", session="s2"))
    assert texts_of(any_store, "s2")[1].startswith("more is said")


def test_a_renewal_that_was_cut_short_goes_on(any_place: Place) -> None:
    store = any_place.open()
    texts = _long_talk(store)
    ids = [message.id for message in messages_of(store)]
    store.write(lambda tx: tx.erasures.remove_messages(ids[:1]))
    assert store.write(lambda tx: tx.erasures.renew_dictionary(NOW))
    store.write(lambda tx: tx.erasures.reencode(0, 500))
    store.close()
    store = any_place.open()
    finish(store, now=NOW, say=lambda _: None)
    assert texts_of(store) == texts[1:]
    assert not store.write(lambda tx: tx.erasures.renew_dictionary(NOW))
    store.close()


def _misfit(store: Store) -> list[int]:
    """A memory whose dictionary is too large for what is left; the messages that tell the secret.

    They are among the last, so that whatever is learnt next is learnt from them.
    """
    words = random.Random(1)
    for _ in range(30):
        texts = (" ".join(f"w{words.randrange(3_000):04}" for _ in range(40)) for _ in range(100))
        keep(store, turn(*texts))
    texts = (f"{SECRET}, as was said for the {n}th time" for n in range(300))
    told = keep(store, turn(*texts, session="s2"))[0].message_ids
    ids = [message.id for message in messages_of(store)]
    remove(store, *ids[:-700])
    return list(told)


def test_what_is_erased_while_a_dictionary_is_fitted_is_in_none(any_store: Store) -> None:
    told = _misfit(any_store)
    stops = iter((False,))
    any_store.tidy(Watch(lambda: next(stops, True)))
    assert any("dictionaries" in place for place in scan(any_store, SECRET).found)
    remove(any_store, *told)
    assert scan(any_store, SECRET).found == ()
    assert len(texts_of(any_store)) == 700


def test_erasing_between_two_steps_of_tidying_leaves_no_text_without_its_dictionary(
    any_store: Store,
) -> None:
    told = _misfit(any_store)
    before = texts_of(any_store)
    steps: list[str] = []

    def erase(step: str) -> None:
        steps.append(step)
        if len(steps) == 2:
            any_store.write(lambda tx: tx.erasures.remove_messages(told))
            assert any_store.write(lambda tx: tx.erasures.renew_dictionary(NOW))

    any_store.tidy(Watch(on_step=erase))
    assert len(steps) > 2
    assert texts_of(any_store) == before
    assert finish(any_store, now=NOW, say=lambda _: None)
    assert texts_of(any_store) == before
    assert scan(any_store, SECRET).found == ()


def test_a_copy_holds_everything_and_is_checked(any_store: Store, tmp_path: Path) -> None:
    keep(any_store, turn("one", "two"))
    if any_store.status().backend != "sqlite":  # a shared database is backed up by its records
        with pytest.raises(Unavailable, match="not copied page by page"):
            any_store.copy_to(tmp_path / "copy.db")
        return
    copied = any_store.copy_to(tmp_path / "copy.db")
    assert copied.counts["messages"] == 2
    assert copied.seq > 0
    with pytest.raises(Conflict):
        any_store.copy_to(tmp_path / "copy.db")


def test_writers_go_on_while_a_copy_is_made(any_store: Store, tmp_path: Path) -> None:
    import threading

    if any_store.status().backend != "sqlite":
        pytest.skip("a shared database is backed up by its records, in a snapshot of its own")
    for n in range(40):
        keep(any_store, *[turn(f"text {n} {m} " * 20, session=f"s{n}") for m in range(50)])
    made = threading.Event()
    failure: list[BaseException] = []

    def copy() -> None:
        try:
            for n in range(5):
                any_store.copy_to(tmp_path / f"copy{n}.db")
        except BaseException as error:
            failure.append(error)
        finally:
            made.set()

    thread = threading.Thread(target=copy)
    thread.start()
    count = 0
    while not made.is_set():
        keep(any_store, turn("meanwhile", session="w"))
        count += 1
    thread.join()
    assert not failure
    assert count > 0
    assert len(texts_of(any_store, "w")) == count
