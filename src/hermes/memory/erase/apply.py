"""Erasing what a plan names, in one transaction, and remembering it by tombstones."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from hermes.counted import many_of
from hermes.memory.entities.aliases import SaidAlias, find_aliases, is_telling, unlearn_aliases
from hermes.memory.entities.unsaid import list_mentioned, show_by_said_names
from hermes.memory.erase.archives import find_standing, list_repeating, put_back
from hermes.memory.erase.plan import Plan
from hermes.memory.erase.texts import iter_texts
from hermes.memory.erase.tombs import (
    CLAIM,
    ECHO,
    ENTITY,
    FACT,
    MESSAGE,
    PHRASE,
    REFLECTION,
    SESSION,
    Claim,
    Marker,
)
from hermes.memory.erase.words import Phrases, Words, heads, split_words
from hermes.memory.events import add_event
from hermes.memory.facts.audit import Act, Action, alter
from hermes.memory.payloads import KEEPSAKES
from hermes.store.base import Store, Tx
from hermes.store.base.erase import TextKind, Tombstone
from hermes.types import EventKind, Fact, Trust

REENCODE = 1_000
Counts = dict[str, int]
Remember = Callable[[Sequence[Tombstone]], None]


_REMOVED = {
    TextKind.REFLECTION: "reflections",
    TextKind.ENTITY: "entities",
    TextKind.JOB: "jobs",
}


def list_stones(tx: Tx, plan: Plan, marker: Marker, now: int) -> list[Tombstone]:
    """The tombstones of a plan."""
    stones = [Tombstone(marker.session(name), SESSION, now) for name in plan.sessions]
    stones += [Tombstone(marker.phrase(p), PHRASE, now, len(p)) for p in plan.wanted]
    stones += [Tombstone(marker.echo(p), ECHO, now, len(p)) for p in sorted(heads(plan.phrases))]
    repeating = list_repeating(tx, plan.put_back, plan.messages)
    for row in (*plan.messages.values(), *repeating):
        said = marker.message(row.where, row.at, row.role, row.texts[0])
        stones.append(Tombstone(said, MESSAGE, now))
    for fact in tx.facts.get_many(plan.ids(TextKind.FACT)).values():
        stones.append(Tombstone(marker.fact(fact.bank, fact.text), FACT, now))
        if all(claim := claim_of(fact)):
            stones.append(Tombstone(marker.claim(fact.bank, claim), CLAIM, now))
    for row in plan.rows.get(TextKind.REFLECTION, {}).values():
        stones.append(Tombstone(marker.reflection(row.texts[0]), REFLECTION, now))
    return stones


def apply_plan(tx: Tx, plan: Plan, marker: Marker, remember: Remember, *, now: int) -> Counts:
    """Erase all that a plan names; how many of what.

    `remember` keeps the tombstones outside of the store, before anything is gone from it.
    """
    _catch_up(tx, plan)
    # Prompts frozen with conversations may hold any of it; a resumed one makes its own anew.
    tx.erasures.drop_payloads(KEEPSAKES)
    if plan.is_empty:
        if plan.wanted:  # notes may hold it, and a backup bring them back
            _keep_stones(tx, list_stones(tx, plan, marker, now), remember)
        return {}
    plan.put_back |= find_standing(tx, plan.messages)
    stones = list_stones(tx, plan, marker, now)
    before = _entities(tx)
    counts = remove(tx, plan, now=now)
    after = _entities(tx)
    for bank, name in _gone_names(before, after):
        stones.append(Tombstone(marker.entity(bank, name), ENTITY, now))
    plan.names = _unsaid_names(before, after)
    if lines := _erase_told_names(tx, plan.names, now):
        counts["events"] = counts.get("events", 0) + lines
    _keep_stones(tx, stones, remember)
    if counts:
        told = many_of(dict(sorted(counts.items())))
        add_event(tx, EventKind.MEMORY, f"Erased: {told}", now=now, details=counts)
    return counts


def _keep_stones(tx: Tx, stones: Sequence[Tombstone], remember: Remember) -> None:
    tx.erasures.add_tombstones(stones)
    remember(stones)


def remove(tx: Tx, plan: Plan, *, now: int) -> Counts:
    """Remove all that a plan names, messages behind summaries once they are put back."""
    put_back(tx, plan.put_back, now=now)
    erasures = tx.erasures
    # First: they would go with what they hang on, uncounted.
    counts: Counts = {"held writes": erasures.remove_rows(TextKind.HELD, plan.ids(TextKind.HELD))}
    facts = plan.ids(TextKind.FACT)
    if facts:
        _close_superseded(tx, facts, now)
        counts["facts"] = erasures.remove_facts(facts, now=now)
    messages = plan.ids(TextKind.MESSAGE)
    if messages:
        told, named = _told_aliases(tx, plan), list_mentioned(tx, messages)
        counts |= erasures.remove_messages(messages)
        unlearn_aliases(tx, told)
        show_by_said_names(tx, named)
    for kind in (TextKind.EPISODE, TextKind.SESSION, TextKind.BANK):
        counts[f"{kind} texts"] = erasures.blank_texts(kind, plan.ids(kind))
    for kind, name in _REMOVED.items():
        counts[name] = counts.get(name, 0) + erasures.remove_rows(kind, plan.ids(kind))
    events = plan.ids(TextKind.EVENT)
    if events:
        tx.events.erase(events, at=now)
        counts["events"] = len(events)
    return {name: count for name, count in counts.items() if count}


def claim_of(fact: Fact) -> Claim:
    return fact.subject, fact.attribute, fact.value


def _close_superseded(tx: Tx, facts: Sequence[int], now: int) -> None:
    """What an erased fact had taken the place of is not believed again; its history says why."""
    gone = frozenset(facts)
    act = Act("erase", now, "what took its place was erased")
    for other in (each for fact in facts for each in tx.facts.list_superseded(fact)):
        if other.id not in gone:
            retracted_at = now if other.retracted_at is None else other.retracted_at
            closed = replace(other, superseded_by=None, retracted_at=retracted_at)
            alter(tx, other, closed, Action.SUPERSEDE, act)


def _told_aliases(tx: Tx, plan: Plan) -> list[tuple[str, SaidAlias]]:
    """The other names that messages told which are to go, with their banks."""
    rows = [row for row in plan.messages.values() if is_telling(row.role, Trust.HIGH)]
    # Of a hidden session the trust is not told: a name too few is better than one that stays.
    trusts = {
        number: message.trust
        for number, message in tx.conversations.get_messages([row.id for row in rows]).items()
    }
    told = [
        (row.where, alias)
        for row in rows
        if is_telling(row.role, trusts.get(row.id, Trust.HIGH))
        for alias in find_aliases(row.texts[0])
    ]
    banks = {name: tx.conversations.find_session(name) for name in {name for name, _ in told}}
    return [(there.bank, alias) for name, alias in told if (there := banks[name])]


def _entities(tx: Tx) -> dict[int, set[tuple[str, str]]]:
    """Every name of every entity, with its bank."""
    return {
        row.id: {(row.where, name) for name in row.texts[0].split("\n") if name}
        for row in iter_texts(tx, TextKind.ENTITY)
    }


def _gone_names(
    before: Mapping[int, set[tuple[str, str]]], after: Mapping[int, set[tuple[str, str]]]
) -> list[tuple[str, str]]:
    """The names of entities that went; one that only lost a name must not go when it comes back."""
    here = {name for names in after.values() for name in names}
    gone = {name for number, names in before.items() if number not in after for name in names}
    return sorted(gone - here)


def _unsaid_names(
    before: Mapping[int, set[tuple[str, str]]], after: Mapping[int, set[tuple[str, str]]]
) -> list[Words]:
    """The names of entities with several that none has any more."""
    here = {name for names in after.values() for _, name in names}
    several = {name for names in before.values() if len(names) > 1 for _, name in names}
    return sorted(filter(None, map(split_words, several - here)))


def _erase_told_names(tx: Tx, names: Sequence[Words], now: int) -> int:
    """Take the names out of what the log says of entities; how many lines held one."""
    phrases = Phrases(names)
    lines = iter_texts(tx, TextKind.EVENT) if phrases else ()
    told = [
        line.id
        for line in lines
        if line.where.startswith("entity:") and phrases.is_in_any(line.texts)
    ]
    if told:
        tx.events.erase(told, at=now)
    return len(told)


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
    # Again where something else was erased meanwhile that the new dictionary was learnt from.
    while store.write(lambda tx: tx.erasures.renew_dictionary(now)):
        say("rewriting what shared a dictionary with it")
        after = 0
        while after := store.write(partial(_reencode, after)):
            pass
    say("clearing free pages")
    return store.purge()


def _reencode(after: int, tx: Tx) -> int:
    return tx.erasures.reencode(after, REENCODE)
