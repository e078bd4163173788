"""Erasing what a plan names, in one transaction, and remembering it by tombstones."""

from collections.abc import Callable, Iterable
from functools import partial

from hermes.memory.erase.plan import Plan, iter_texts
from hermes.memory.erase.tombs import (
    FACT,
    MESSAGE,
    PHRASE,
    REFLECTION,
    SESSION,
    Graveyard,
    Marker,
)
from hermes.memory.erase.words import Phrases
from hermes.memory.events import add_event
from hermes.store.base import Store, Tx
from hermes.store.base.erase import Passage, TextKind, Tombstone
from hermes.types import EventKind

REENCODE = 1_000
Counts = dict[str, int]


_REMOVED = {
    TextKind.REFLECTION: "reflections",
    TextKind.ARCHIVE: "archives of compressed episodes",
    TextKind.ENTITY: "entities",
    TextKind.JOB: "jobs",
    TextKind.HELD: "held writes",
}


def list_stones(plan: Plan, marker: Marker, now: int) -> list[Tombstone]:
    """The tombstones of a plan."""
    stones = [Tombstone(marker.session(name), SESSION, now) for name in plan.sessions]
    stones += [Tombstone(marker.phrase(p), PHRASE, now, len(p)) for p in plan.wanted]
    said_rows = [plan.rows.get(kind, {}) for kind in (TextKind.MESSAGE, TextKind.ARCHIVE)]
    for row in (row for rows in said_rows for row in rows.values()):
        said = marker.message(row.where, row.at, row.role, row.texts[0])
        stones.append(Tombstone(said, MESSAGE, now))
    for row in plan.rows.get(TextKind.FACT, {}).values():
        stones.append(Tombstone(marker.fact(row.where, row.texts[0]), FACT, now))
    for row in plan.rows.get(TextKind.REFLECTION, {}).values():
        stones.append(Tombstone(marker.reflection(row.texts[0]), REFLECTION, now))
    return stones


def apply_plan(tx: Tx, plan: Plan, stones: Iterable[Tombstone], *, now: int) -> Counts:
    """Erase all that a plan names; how many of what."""
    _catch_up(tx, plan)
    counts = remove(tx, plan, now=now)
    tx.erasures.add_tombstones(list(stones))
    if counts:
        told = ", ".join(f"{count} {name}" for name, count in sorted(counts.items()))
        add_event(tx, EventKind.MEMORY, f"Erased: {told}", now=now, details=counts)
    return counts


def remove(tx: Tx, plan: Plan, *, now: int) -> Counts:
    erasures = tx.erasures
    counts: Counts = {}
    facts = plan.ids(TextKind.FACT)
    if facts:
        counts["facts"] = erasures.remove_facts(facts, now=now)
    messages = plan.ids(TextKind.MESSAGE)
    if messages:
        counts |= erasures.remove_messages(messages)
    for kind in (TextKind.EPISODE, TextKind.SESSION, TextKind.BANK):
        counts[f"{kind} texts"] = erasures.blank_texts(kind, plan.ids(kind))
    for kind, name in _REMOVED.items():
        counts[name] = counts.get(name, 0) + erasures.remove_rows(kind, plan.ids(kind))
    events = plan.ids(TextKind.EVENT)
    if events:
        tx.events.erase(events, at=now)
        counts["events"] = len(events)
    return {name: count for name, count in counts.items() if count}


def _catch_up(tx: Tx, plan: Plan) -> None:
    """What was recorded since the plan was made, and holds the words as well."""
    phrases = Phrases(plan.wanted)
    if not phrases:
        return
    for kind in (TextKind.MESSAGE, TextKind.FACT, TextKind.EVENT):
        for passage in iter_texts(tx, kind, plan.seen.get(kind, 0)):
            if phrases.is_in_any(passage.texts):
                plan.add(passage)


def finish(store: Store, *, now: int, say: Callable[[str], None]) -> bool:
    """Leave nothing in dictionaries, free pages and the log; false if a reader was in the way."""
    if store.write(lambda tx: tx.erasures.renew_dictionary(now)):
        say("rewriting what shared a dictionary with it")
        after = 0
        while after := store.write(partial(_reencode, after)):
            pass
    say("clearing free pages")
    return store.purge()


def _reencode(after: int, tx: Tx) -> int:
    return tx.erasures.reencode(after, REENCODE)


def reapply(store: Store, yard: Graveyard, stones: Iterable[Tombstone], *, now: int) -> Counts:
    """Take out of a store whatever was erased before: it came back with an older state."""
    plan = store.read(lambda tx: _find_returned(tx, yard))
    kept = list(stones)
    counts = store.write(lambda tx: _reapply(tx, plan, kept, now))
    finish(store, now=now, say=lambda _: None)
    return counts


def _reapply(tx: Tx, plan: Plan, stones: list[Tombstone], now: int) -> Counts:
    tx.erasures.add_tombstones(stones)
    return remove(tx, plan, now=now)


def _find_returned(tx: Tx, yard: Graveyard) -> Plan:
    plan = Plan()
    if not yard:
        return plan
    for kind, was_erased in _TESTS.items():
        for passage in iter_texts(tx, kind):
            if was_erased(yard, passage) or yard.has_words(passage.texts):
                plan.add(passage)
    for fact in tx.erasures.list_facts_from(plan.ids(TextKind.MESSAGE)):
        found = tx.erasures.list_texts(TextKind.FACT, after=fact - 1, limit=1)
        plan.add(found[0])
    return plan


def _message_erased(yard: Graveyard, row: Passage) -> bool:
    return yard.has_message(row.where, row.at, row.role, row.texts[0])


def _never(_: Graveyard, __: Passage) -> bool:
    return False


_TESTS: dict[TextKind, Callable[[Graveyard, Passage], bool]] = {
    TextKind.MESSAGE: _message_erased,
    TextKind.ARCHIVE: _message_erased,
    TextKind.FACT: lambda yard, row: yard.has_fact(row.where, row.texts[0]),
    TextKind.REFLECTION: lambda yard, row: yard.has_reflection(row.texts[0]),
    TextKind.SESSION: lambda yard, row: yard.has_session(row.where, row.at),
    TextKind.EPISODE: _never,
    TextKind.ENTITY: _never,
    TextKind.EVENT: _never,
    TextKind.HELD: _never,
    TextKind.JOB: _never,
    TextKind.BANK: _never,
}
