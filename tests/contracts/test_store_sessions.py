"""Sessions, banks and the change sequence, on every store."""

from dataclasses import replace

import pytest

from hermes.errors import NotFound
from hermes.store.base import SessionFilter, Store
from hermes.types import NewSession
from talk import NOW, at, keep, messages_of, texts_of, turn


def listed(store: Store, wanted: SessionFilter | None = None, limit: int = 100) -> list[str]:
    found = store.read(lambda tx: tx.conversations.list_sessions(wanted or SessionFilter(), limit))
    return [session.id for session in found]


def test_sessions_are_listed_by_their_newest_activity(any_store: Store) -> None:
    for n, name in enumerate(("a", "b", "c")):
        keep(any_store, at(NOW + n, turn("hi", session=name)))
    keep(any_store, at(NOW + 10, turn("again", session="a")))
    assert listed(any_store) == ["a", "c", "b"]
    assert listed(any_store, limit=2) == ["a", "c"]


def test_sessions_of_one_moment_are_listed_newest_made_first(any_store: Store) -> None:
    keep(any_store, *(at(NOW, turn("hi", session=name)) for name in ("a", "b", "c")))
    assert listed(any_store) == ["c", "b", "a"]


def test_no_session_is_lost_between_two_pages(any_store: Store) -> None:
    keep(any_store, *(at(NOW, turn("hi", session=name)) for name in "abcde"))
    keep(any_store, at(NOW - 5, turn("hi", session="z")))
    assert listed(any_store, SessionFilter(before_id="d"), 2) == ["c", "b"]
    assert listed(any_store, SessionFilter(before_id="b"), 2) == ["a", "z"]
    assert listed(any_store, SessionFilter(before_id="z")) == []


def test_a_page_goes_on_after_a_session_that_was_spoken_in_since(any_store: Store) -> None:
    keep(any_store, *(at(NOW, turn("hi", session=name)) for name in "abcd"))
    keep(any_store, at(NOW + 5, turn("again", session="c")))
    assert listed(any_store, SessionFilter(before_id="c")) == ["d", "b", "a"]
    assert listed(any_store, SessionFilter(before_id="c", seen_at=NOW)) == ["b", "a"]


def test_a_page_after_a_session_that_is_gone_is_refused_not_empty(any_store: Store) -> None:
    kept = keep(any_store, *(at(NOW, turn("hi", session=name)) for name in "abc"))
    any_store.write(lambda tx: tx.erasures.remove_messages(kept[1].message_ids))
    for gone in ("b", "never"):
        with pytest.raises(NotFound, match="to list those after it") as raised:
            listed(any_store, SessionFilter(before_id=gone))
        assert "first page" in raised.value.hint
    any_store.write(lambda tx: tx.conversations.hide_session("c", NOW))
    assert listed(any_store, SessionFilter(before_id="c")) == ["a"]


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        (SessionFilter(bank="work"), ["c", "b"]),
        (SessionFilter(bank="nowhere"), []),
        (SessionFilter(platform="slack"), ["b"]),
        (SessionFilter(identity="ada"), ["c"]),
        (SessionFilter(parent_id="a"), ["c"]),
        (SessionFilter(since_at=NOW + 1), ["c", "b"]),
        (SessionFilter(before_at=NOW + 2), ["b", "a"]),
        (SessionFilter(since_at=NOW + 1, before_at=NOW + 2), ["b"]),
        (SessionFilter(bank="work", platform="slack"), ["b"]),
        (SessionFilter(deleted=True), []),
    ],
)
def test_a_filter_gives_what_it_asks_for(
    any_store: Store, wanted: SessionFilter, expected: list[str]
) -> None:
    for n, new in enumerate(
        (
            NewSession("a"),
            NewSession("b", "work", "slack"),
            NewSession("c", "work", identity="ada", parent_id="a"),
        )
    ):
        keep(any_store, at(NOW + n, replace(turn("hi"), session=new)))
    assert listed(any_store, wanted) == expected


def test_an_ended_session_is_opened_by_the_next_turn(any_store: Store) -> None:
    keep(any_store, turn("hi"))
    any_store.write(lambda tx: tx.conversations.end_session("s1", NOW + 5))
    ended = any_store.read(lambda tx: tx.conversations.find_session("s1"))
    assert ended is not None
    assert ended.ended_at == NOW + 5
    keep(any_store, turn("again"))
    opened = any_store.read(lambda tx: tx.conversations.find_session("s1"))
    assert opened is not None
    assert opened.ended_at is None


def test_a_title_can_be_changed(any_store: Store) -> None:
    keep(any_store, turn("hi"))
    any_store.write(lambda tx: tx.conversations.retitle_session("s1", "Späti"))
    found = any_store.read(lambda tx: tx.conversations.find_session("s1"))
    assert found is not None
    assert found.title == "Späti"


def test_a_hidden_session_is_nowhere_and_comes_back_whole(any_store: Store) -> None:
    [receipt] = keep(any_store, turn("hi", "hello", bank="work"))
    keep(any_store, turn("other", session="s2", bank="work"))
    before = messages_of(any_store)

    any_store.write(lambda tx: tx.conversations.hide_session("s1", NOW))
    assert listed(any_store) == ["s2"]
    assert listed(any_store, SessionFilter(deleted=True)) == ["s1"]
    assert texts_of(any_store) == []
    assert any_store.read(lambda tx: tx.conversations.find_session("s1")) is None
    ids = receipt.message_ids
    assert any_store.read(lambda tx: tx.conversations.get_messages(ids)) == {}
    episodes = any_store.read(lambda tx: tx.conversations.list_episodes("work", limit=9))
    assert [episode.session_id for episode in episodes] == ["s2"]
    bank = any_store.read(lambda tx: tx.banks.find("work"))
    assert bank is not None
    assert bank.sessions == 1

    any_store.write(lambda tx: tx.conversations.restore_session("s1"))
    assert messages_of(any_store) == before
    assert set(listed(any_store)) == {"s1", "s2"}


@pytest.mark.parametrize("name", ["nobody", "", "a'b\"c", "x" * 10_000, "nul\x00"])
def test_a_session_that_is_not_there_is_named_in_the_error(any_store: Store, name: str) -> None:
    with pytest.raises(NotFound, match="no session"):
        any_store.write(lambda tx: tx.conversations.retitle_session(name, "t"))
    with pytest.raises(NotFound, match="no session"):
        any_store.write(lambda tx: tx.conversations.hide_session(name, NOW))
    with pytest.raises(NotFound, match="no session"):
        any_store.write(lambda tx: tx.conversations.end_session(name, NOW))
    with pytest.raises(NotFound, match="no session"):
        any_store.write(lambda tx: tx.conversations.restore_session(name))
    assert any_store.read(lambda tx: tx.conversations.find_session(name)) is None
    assert any_store.read(lambda tx: tx.conversations.list_messages(name)) == []


def test_banks_are_made_once_and_described(any_store: Store) -> None:
    any_store.write(lambda tx: tx.banks.ensure("work", NOW))
    any_store.write(lambda tx: tx.banks.ensure("work", NOW + 1))
    any_store.write(lambda tx: tx.banks.describe("work", "What I am paid for"))
    keep(any_store, turn("hi", bank="home"), turn("ho", session="s2", bank="home"))
    home, work = any_store.read(lambda tx: tx.banks.list())
    assert (home.name, home.sessions) == ("home", 2)
    assert (work.name, work.created_at, work.sessions) == ("work", NOW, 0)
    assert work.description == "What I am paid for"
    assert any_store.read(lambda tx: tx.banks.find("nowhere")) is None
    with pytest.raises(NotFound, match="nowhere"):
        any_store.write(lambda tx: tx.banks.describe("nowhere", "x"))


def test_every_write_moves_the_change_sequence(any_store: Store) -> None:
    assert any_store.read(lambda tx: tx.changes.latest()) == 0
    [receipt] = keep(any_store, turn("hi", "hello"))
    first = any_store.read(lambda tx: tx.changes.since(0))
    assert [(c.kind, c.first, c.last, c.op) for c in first] == [
        ("message", *receipt.message_ids, "add")
    ]
    seen = first[-1].seq
    any_store.write(lambda tx: tx.conversations.hide_session("s1", NOW))
    [hidden] = any_store.read(lambda tx: tx.changes.since(seen))
    assert (hidden.kind, hidden.op) == ("session", "change")
    assert any_store.read(lambda tx: tx.changes.latest()) == hidden.seq > seen


def test_a_retry_that_keeps_nothing_is_no_change(any_store: Store) -> None:
    keep(any_store, turn("hi", key="k"))
    latest = any_store.read(lambda tx: tx.changes.latest())
    keep(any_store, turn("hi", key="k"))
    assert any_store.read(lambda tx: tx.changes.latest()) == latest


def test_changes_are_read_in_pieces(any_store: Store) -> None:
    for n in range(5):
        any_store.write(lambda tx, n=n: tx.changes.record("fact", n, n, "add"))  # type: ignore[misc]
    first = any_store.read(lambda tx: tx.changes.since(0, limit=3))
    rest = any_store.read(lambda tx: tx.changes.since(first[-1].seq, limit=3))
    assert [change.first for change in (*first, *rest)] == [0, 1, 2, 3, 4]
