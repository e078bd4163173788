"""What every store promises of the log: lines are added in order, bound, and stay."""

import pytest

from hermes.clock import FixedClock
from hermes.errors import Conflict, NotFound
from hermes.store.base import Store, Tx
from hermes.store.base.events import EventFilter
from hermes.store.chain import START, Head
from hermes.types import Event, EventKind

NOW = FixedClock().now()


def add(store: Store, summary: str, kind: str = "task", at: int = NOW, ref: str = "") -> Event:
    return store.write(
        lambda tx: tx.events.add(kind, summary, at=at, details={"b": [1], "a": "ö"}, ref=ref)
    )


def summaries(store: Store, wanted: EventFilter, limit: int = 99) -> list[str]:
    return [event.summary for event in store.read(lambda tx: tx.events.list(wanted, limit))]


def test_a_line_is_kept_as_it_was_said(any_store: Store) -> None:
    said = add(any_store, "fixed the bug", "result", ref="session:s")
    assert said == Event(
        1, NOW, EventKind.RESULT, "fixed the bug", {"b": [1], "a": "ö"}, "session:s"
    )
    assert any_store.read(lambda tx: tx.events.find(1)) == said
    assert any_store.read(lambda tx: tx.events.find(2)) is None


def test_an_unknown_kind_is_refused(any_store: Store) -> None:
    with pytest.raises(ValueError, match="gossip"):
        add(any_store, "x", "gossip")


def test_numbers_leave_no_gap_when_a_write_fails(any_store: Store) -> None:
    def fail(tx: Tx) -> None:
        tx.events.add("task", "never", at=NOW)
        raise Conflict("no")

    add(any_store, "one")
    with pytest.raises(Conflict):
        any_store.write(fail)
    assert add(any_store, "two").id == 2


def test_listing_is_newest_first_and_narrowed(any_store: Store) -> None:
    add(any_store, "a", "decision", NOW)
    add(any_store, "b", "task", NOW + 10, ref="fact:1")
    add(any_store, "c", "decision", NOW + 20)
    assert summaries(any_store, EventFilter()) == ["c", "b", "a"]
    assert summaries(any_store, EventFilter(), 2) == ["c", "b"]
    assert summaries(any_store, EventFilter(kinds=("decision",))) == ["c", "a"]
    assert summaries(any_store, EventFilter(since_at=NOW + 10)) == ["c", "b"]
    assert summaries(any_store, EventFilter(before_at=NOW + 10)) == ["a"]
    assert summaries(any_store, EventFilter(ref="fact:1")) == ["b"]
    assert summaries(any_store, EventFilter(before_id=3)) == ["b", "a"]


def test_the_head_follows_the_last_line(any_store: Store) -> None:
    assert any_store.read(lambda tx: tx.events.head()) == Head(0, START)
    add(any_store, "one")
    add(any_store, "two")
    links = any_store.read(lambda tx: tx.events.list_links(0, 10))
    assert [link.id for link in links] == [1, 2]
    assert any_store.read(lambda tx: tx.events.head()) == Head(2, links[1].hash)
    assert any_store.read(lambda tx: tx.events.list_links(1, 10)) == links[1:]


def test_erasing_takes_the_content_and_says_so(any_store: Store) -> None:
    add(any_store, "secret", ref="session:s")
    add(any_store, "open")
    before = any_store.read(lambda tx: tx.events.list_links(0, 1))[0]
    note = any_store.write(lambda tx: tx.events.erase([1], at=NOW + 5))
    assert note.details == {"erases": [1]}
    assert any_store.read(lambda tx: tx.events.find(1)) == Event(
        1, NOW, EventKind.TASK, "", erased_at=NOW + 5
    )
    after = any_store.read(lambda tx: tx.events.list_links(0, 1))[0]
    assert (after.content, after.hash) == (before.content, before.hash)
    assert after.said.salt == b""
    with pytest.raises(NotFound):
        any_store.write(lambda tx: tx.events.erase([1], at=NOW))
    with pytest.raises(NotFound):
        any_store.write(lambda tx: tx.events.erase([99], at=NOW))
