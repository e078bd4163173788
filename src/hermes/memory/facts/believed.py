"""What is believed of a subject, under whichever of its names it was told."""

from dataclasses import replace

from hermes.memory.entities.names import alias_key
from hermes.memory.facts.candidate import USER
from hermes.memory.facts.given import ALL
from hermes.store.base import FactFilter, Tx
from hermes.types import Fact

Shelf = dict[int, Fact]


class Believed:
    """The facts of a bank that stand, by subject, as they are in one transaction.

    A subject is read once. What changed since is read again, as the history tells: no fact changes
    without a line there.
    """

    def __init__(self, tx: Tx, bank: str) -> None:
        self._tx = tx
        self._bank = bank
        self._shelves: dict[str, Shelf] = {}
        self._upto = tx.changes.latest()

    def of(self, subject: str) -> Shelf:
        """By id, oldest first under each of its names."""
        self._catch_up()
        found: Shelf = {}
        for key in subject_keys(self._tx, self._bank, subject):
            if key not in self._shelves:
                self._shelves[key] = self._read(key)
            found |= self._shelves[key]
        return found

    def _read(self, key: str) -> Shelf:
        wanted = FactFilter(bank=self._bank, subject_key=key, current=True)
        return {fact.id: fact for fact in reversed(self._tx.facts.list(wanted, ALL))}

    def _catch_up(self) -> None:
        latest = self._tx.changes.latest()
        if latest == self._upto:
            return
        lines = self._tx.facts.list_changes_since(self._upto, self._bank)
        changed = self._tx.facts.get_many(list({line.fact_id for line in lines}))
        for fact in sorted(changed.values(), key=lambda each: each.id):
            self._put(fact)
        self._upto = latest

    def _put(self, fact: Fact) -> None:
        place = alias_key(fact.subject) if is_current(fact) else None
        for key, shelf in self._shelves.items():
            if key == place:
                shelf[fact.id] = fact
            else:
                shelf.pop(fact.id, None)


def is_current(fact: Fact) -> bool:
    return fact.retracted_at is None and fact.superseded_by is None


def list_beside(tx: Tx, fact: Fact, *, open_at: int) -> list[Fact]:
    """The other facts of its subject that hold at a time, newest first under each name."""
    wanted = FactFilter(bank=fact.bank, open_at=open_at)
    found = (
        other
        for key in subject_keys(tx, fact.bank, fact.subject)
        for other in tx.facts.list(replace(wanted, subject_key=key), ALL)
    )
    return [other for other in found if other.id != fact.id]


def subject_keys(tx: Tx, bank: str, subject: str) -> tuple[str, ...]:
    """What facts about a subject are filed under: its name, and those of the entity called so.

    A name that several go by says nothing of whose the others are.
    """
    key = alias_key(subject)
    named = [] if key in ("", USER) else tx.entities.list_named(bank, key)
    if len(named) != 1:
        return (key,)
    others = map(alias_key, (named[0].name, *named[0].aliases))
    alone = (other for other in others if len(tx.entities.list_named(bank, other)) == 1)
    return tuple(dict.fromkeys((key, *alone)))
