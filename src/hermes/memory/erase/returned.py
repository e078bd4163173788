"""What was erased and came back with an older state: found again by its tombstones, taken out."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from hermes.memory.erase.apply import Counts, claim_of, finish, remove
from hermes.memory.erase.plan import Plan, add_derived
from hermes.memory.erase.texts import get_passage, iter_texts
from hermes.memory.erase.tombs import SESSION, Graveyard
from hermes.memory.erase.words import Words, echoes
from hermes.store.base import FactFilter, Store, Tx
from hermes.store.base.erase import Passage, TextKind, Tombstone

ALL = 1 << 40


@dataclass(frozen=True, slots=True)
class Returned:
    """What had come back with an older state and was taken out again, and how it is recognised."""

    counts: Counts
    phrases: tuple[Words, ...] = ()


def reapply(store: Store, yard: Graveyard, stones: Iterable[Tombstone], *, now: int) -> Returned:
    """Take out of a store whatever was erased before: it came back with an older state."""
    plan = store.read(lambda tx: _find_returned(tx, yard))
    kept = list(stones)
    counts = store.write(lambda tx: _reapply(tx, plan, yard, kept, now))
    finish(store, now=now, say=lambda _: None)
    return Returned(counts, tuple(plan.phrases))


def _reapply(tx: Tx, plan: Plan, yard: Graveyard, stones: Sequence[Tombstone], now: int) -> Counts:
    tx.erasures.add_tombstones(stones)
    counts = remove(tx, plan, now=now)
    gone = tx.erasures.drop_unmentioned(find_erased_entities(tx, yard))
    if gone:
        counts["entities"] = counts.get("entities", 0) + gone
    return counts


def find_erased_entities(tx: Tx, yard: Graveyard) -> list[int]:
    """Entities that went with something erased; what mentions one of them now may keep it."""
    rows = iter_texts(tx, TextKind.ENTITY) if yard else iter(())
    return [
        row.id for row in rows if yard.has_entity(row.where, row.texts[0].split("\n"), at=row.at)
    ]


def _find_returned(tx: Tx, yard: Graveyard) -> Plan:
    plan = Plan()
    if not yard:
        return plan
    for kind, was_erased in _TESTS.items():
        for passage in iter_texts(tx, kind):
            if was_erased(yard, passage) or yard.has_words(passage.texts, at=passage.at):
                plan.add(passage)
                if kind in _SAYING:
                    plan.phrases += echoes(passage.texts[0])
    for fact in tx.facts.list(FactFilter(), ALL):
        if yard.has_fact(fact.bank, fact.text, claim_of(fact), at=fact.recorded_at):
            plan.add(get_passage(tx, TextKind.FACT, fact.id))
            plan.phrases += echoes(fact.text)
    add_derived(tx, plan)
    return plan


def _message_erased(yard: Graveyard, row: Passage) -> bool:
    return yard.has_message(row.where, row.at, row.role, row.texts[0])


def _repeats(yard: Graveyard, row: Passage) -> bool:
    return yard.has_echo(row.texts, at=row.at)


def _event_erased(yard: Graveyard, row: Passage) -> bool:
    """By what it says, or because it is about a session that was erased."""
    kind, _, name = row.where.partition(":")
    return _repeats(yard, row) or (kind == SESSION and yard.has_session(name, row.at))


def _never(_: Graveyard, __: Passage) -> bool:
    return False


_SAYING = (TextKind.MESSAGE, TextKind.ARCHIVE, TextKind.REFLECTION)
_TESTS: dict[TextKind, Callable[[Graveyard, Passage], bool]] = {
    TextKind.MESSAGE: _message_erased,
    TextKind.ARCHIVE: _message_erased,
    TextKind.FACT: _never,  # by what it claims as well, below
    TextKind.REFLECTION: lambda yard, row: yard.has_reflection(row.texts[0], at=row.at),
    TextKind.SESSION: lambda yard, row: yard.has_session(row.where, row.at),
    TextKind.EPISODE: _never,
    TextKind.ENTITY: _never,
    TextKind.EVENT: _event_erased,
    TextKind.HELD: _repeats,
    TextKind.JOB: _repeats,
    TextKind.BANK: _never,
}
