"""What can be done with held writes: see them, approve them, reject them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hermes.errors import UserError
from hermes.guard.origin import Target
from hermes.memory.notekeeping import Outcome
from hermes.memory.pending import approve, reject
from hermes.store.base import HeldWrite
from hermes.types import Fact

if TYPE_CHECKING:
    from hermes.app.root import App

_REF = re.compile(r"(?:held:)?(\d{1,18})", re.I)
Held = list[HeldWrite]


@dataclass(frozen=True, slots=True)
class Approved:
    """A held write that was made, and what that did to notes and to facts that went with them."""

    write: HeldWrite
    notes: Outcome

    @property
    def gone(self) -> tuple[str, ...]:
        """The ids of the notes that left their page and can be brought back."""
        if self.notes.change is None:
            return ()
        stand = {note.id for note in self.notes.change.notes} | set(self.notes.lost)
        return tuple(note.id for note in self.notes.change.before if note.id not in stand)


class PendingActions:
    def __init__(self, app: App) -> None:
        self._app = app

    def list(self, bank: str = "", *, decided: bool = False, limit: int = 1_000) -> Held:
        """Those that wait, oldest first; with `decided`, those that do not, newest first."""
        return self._app.store.read(lambda tx: tx.pending.list(bank, decided=decided, limit=limit))

    def facts_of(self, held: Sequence[HeldWrite]) -> Mapping[int, Fact]:
        """The facts that wait with these, by their keys: they tell where it was said."""
        ids = [write.fact_id for write in held if write.fact_id is not None]
        return self._app.store.read(lambda tx: tx.facts.get_many(ids)) if ids else {}

    def count(self) -> int:
        return self._app.store.read(lambda tx: tx.pending.count())

    def find_of_fact(self, fact: Fact) -> HeldWrite | None:
        """What waits for the person's word before a fact is believed."""
        write = self.find_last_of_fact(fact)
        return write if write is not None and not write.verdict else None

    def find_last_of_fact(self, fact: Fact) -> HeldWrite | None:
        """What waits for the person's word on a fact, or waited and was decided last."""
        return self._app.store.read(lambda tx: tx.pending.find_of_fact(fact.id))

    def approve(self, ref: str) -> Approved:
        """Make a held write."""
        done = [Outcome()]
        appliers = {
            Target.NOTES.value: lambda write: done.append(self._app.notes.apply(write)),
            Target.PROCEDURES.value: self._app.reflections.apply,
        }
        write = approve(self._app.store, parse_held(ref), self._app.clock.now(), appliers)
        self._app.user.project()
        return Approved(write, done[-1])

    def reject(self, ref: str) -> HeldWrite:
        """Refuse a held write; what it was stays to be seen."""
        return reject(self._app.store, parse_held(ref), self._app.clock.now())

    def refuse(self, ref: str) -> HeldWrite:
        """Reject what an agent wanted to write; a fact that rests on its word alone is deleted."""
        write = self.reject(ref)
        if number := write.payload.get("fact"):
            fact = self._app.facts.get(f"fact:{number}")
            if fact.retracted_at is None and all(s.message_id is None for s in fact.sources):
                self._app.facts.forget(f"fact:{number}")
        return write


def parse_held(text: str) -> int:
    """The number in `held:7` or `7`."""
    found = _REF.fullmatch(text.strip())
    if found is None:
        raise UserError(f"{text[:80]!r} names no held write.", "See `hermes memory pending`.")
    return int(found[1])
