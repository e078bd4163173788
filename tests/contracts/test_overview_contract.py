"""Looking over a whole memory: what every store counts and lists alike."""

from dataclasses import replace

import pytest

from hermes.clock import DAY_MS, HOUR_MS
from hermes.errors import Conflict, NotFound
from hermes.memory.facts import keeping, revising
from hermes.memory.facts.audit import Act
from hermes.memory.facts.clauses.statement import parse_statement
from hermes.memory.facts.given import Given, Kept
from hermes.store.base import HeldWrite, SessionFilter, Store, Tx
from hermes.store.base.overview import Window
from hermes.store.base.texts import TextScope
from hermes.types import Entity, EntityKind, FactSource, Reflection
from talk import NOW, at, keep, turn

HOUR = NOW - NOW % HOUR_MS


def believe(store: Store, text: str, said_at: int = NOW, bank: str = "default") -> Kept:
    candidate = parse_statement(text, NOW)
    given = Given(bank, FactSource(candidate.quote, at=said_at))
    return store.write(lambda tx: keeping.believe(tx, candidate, given, Act("person", NOW)))


def test_turns_are_counted_by_when_they_began(any_store: Store) -> None:
    keep(any_store, at(NOW, turn("one")), at(NOW + 60_000, turn("two", session="s2")))
    keep(any_store, at(NOW + DAY_MS, turn("three", session="s3", bank="work")))
    keep(any_store, at(-HOUR_MS - 1, turn("before 1970", session="s4")))

    def count(window: Window) -> dict[int, int]:
        return any_store.read(lambda tx: tx.overview.count_turns(window, HOUR_MS))

    assert count(Window()) == {-2 * HOUR_MS: 1, HOUR: 2, HOUR + DAY_MS: 1}
    assert count(Window(bank="work")) == {HOUR + DAY_MS: 1}
    assert count(Window(bank="nowhere")) == {}
    assert count(Window(since_at=NOW, before_at=NOW + DAY_MS)) == {HOUR: 2}


def test_turns_of_hidden_sessions_do_not_count(any_store: Store) -> None:
    keep(any_store, at(NOW, turn("one")), at(NOW, turn("two", session="s2")))
    any_store.write(lambda tx: tx.conversations.hide_session("s2", NOW))
    assert any_store.read(lambda tx: tx.overview.count_turns(Window(), HOUR_MS)) == {HOUR: 1}


def test_sessions_are_listed_by_whom_they_mention(any_store: Store) -> None:
    slow, _ = keep(any_store, turn("Atlas is slow"), turn("nothing", session="s2"))
    (fast,) = keep(any_store, turn("Atlas is fast", session="s3", bank="work"))

    def mention(tx: Tx) -> int:
        atlas = tx.entities.add(Entity(0, "default", "Atlas", EntityKind.PRODUCT), [], NOW)
        for message in (slow.message_ids[0], fast.message_ids[0]):
            tx.entities.mention_in_message(message, [(atlas.id, "atlas")])
        return atlas.id

    atlas = any_store.write(mention)

    def listed(wanted: SessionFilter) -> list[str]:
        found = any_store.read(lambda tx: tx.conversations.list_sessions(wanted, 10))
        return sorted(session.id for session in found)

    assert listed(SessionFilter(entity_id=atlas)) == ["s1", "s3"]
    assert listed(SessionFilter(entity_id=atlas, bank="work")) == ["s3"]
    assert listed(SessionFilter(entity_id=atlas + 1)) == []


def test_facts_come_with_when_they_were_first_said(any_store: Store) -> None:
    believe(any_store, "User lives in Lisbon", NOW - DAY_MS)
    believe(any_store, "User prefers tea", NOW)
    gone = believe(any_store, "User likes golf", NOW).fact
    assert gone is not None
    any_store.write(lambda tx: revising.forget(tx, gone.number, Act("person", NOW)))

    listed = any_store.read(lambda tx: tx.overview.list_facts(Window(), 10))
    assert [(said, fact.text) for said, fact in listed] == [
        (NOW, "User prefers tea"),
        (NOW - DAY_MS, "User lives in Lisbon"),
    ]
    early = Window(before_at=NOW)
    assert any_store.read(lambda tx: tx.overview.count_facts(early, DAY_MS)) == {
        NOW - DAY_MS - NOW % DAY_MS: 1
    }


def test_entities_that_are_mentioned_together(any_store: Store) -> None:
    believe(any_store, "Wei works with PostgreSQL")
    believe(any_store, "Wei knows Priya")
    found = any_store.read(lambda tx: tx.entities.list())
    ids = {entity.name: entity.id for entity in found}
    pairs = any_store.read(lambda tx: tx.overview.list_pairs(list(ids.values()), 10))
    told = {(pair.one, pair.other): pair.together for pair in pairs}
    one, other = sorted((ids["Wei"], ids["PostgreSQL"]))
    assert told[one, other] == 1
    assert all(pair.one < pair.other for pair in pairs)
    assert any_store.read(lambda tx: tx.overview.list_pairs([], 10)) == []


def test_entities_by_how_a_name_begins(any_store: Store) -> None:
    believe(any_store, "Wei works with PostgreSQL")
    begun = any_store.read(lambda tx: tx.overview.list_begun("", "postg", 5))
    assert [entity.name for entity in begun] == ["PostgreSQL"]
    assert any_store.read(lambda tx: tx.overview.list_begun("work", "postg", 5)) == []
    assert any_store.read(lambda tx: tx.overview.list_begun("", "", 5)) == []


def test_messages_in_a_window(any_store: Store) -> None:
    (first,) = keep(any_store, at(NOW, turn("one")))
    (second,) = keep(any_store, at(NOW + DAY_MS, turn("two", session="s2")))
    ids = [*first.message_ids, *second.message_ids]
    late = Window(since_at=NOW + 1)
    found = any_store.read(lambda tx: tx.overview.find_messages(ids, late))
    assert found == set(second.message_ids)
    any_store.write(lambda tx: tx.conversations.hide_session("s2", NOW))
    assert any_store.read(lambda tx: tx.overview.find_messages(ids, late)) == set()


def test_copies_are_counted(any_store: Store) -> None:
    kept = believe(any_store, "User prefers tea").fact
    assert kept is not None

    def copy(tx: Tx) -> None:
        number, short = tx.facts.reserve()
        twin = replace(kept, id=number, number=short, sources=())
        tx.facts.add(twin, subject_key="user")

    assert any_store.read(lambda tx: tx.overview.count_copies()) == 0
    any_store.write(copy)
    assert any_store.read(lambda tx: tx.overview.count_copies()) == 1


def test_a_deleted_reflection_comes_back_as_it_was(any_store: Store) -> None:
    new = Reflection(0, "default", "deploy", "Check the queue first", created_at=NOW)
    kept = any_store.write(lambda tx: tx.reflections.add(new, lesson_key="check"))
    any_store.write(lambda tx: tx.reflections.delete(kept.id, at=NOW))
    assert any_store.read(lambda tx: tx.reflections.list()) == []

    assert any_store.write(lambda tx: tx.reflections.restore(kept.id)) == kept
    words = any_store.read(lambda tx: tx.reflections.texts.postings("queue", TextScope(), 5).ids)
    assert words == [kept.id]
    with pytest.raises(NotFound):
        any_store.write(lambda tx: tx.reflections.restore(kept.id))


def test_a_rejected_write_can_wait_again(any_store: Store) -> None:
    write = HeldWrite(0, "default", "notes", "use tabs", "came by web", NOW)
    held = any_store.write(lambda tx: tx.pending.add(write))
    with pytest.raises(Conflict):
        any_store.write(lambda tx: tx.pending.reopen(held.id))
    any_store.write(lambda tx: tx.pending.decide(held.id, "rejected", at=NOW))
    any_store.write(lambda tx: tx.pending.reopen(held.id))
    assert any_store.read(lambda tx: tx.pending.find(held.id)) == held
