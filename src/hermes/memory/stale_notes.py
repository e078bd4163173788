"""Which notes on the user say what no longer holds since facts were changed, and which come back.

Reads only. A note falls with the fact it says, or by a new fact that stands against it as it would
against a fact. Who may take it off the page follows: what an agent wrote goes with the fact; what
the person wrote goes only where they said the change themselves; and what tells more than the fact
stays, and is marked.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from hermes.memory.agreement import covers, read_note, says_only
from hermes.memory.entities.names import alias_key
from hermes.memory.facts.audit import Action
from hermes.memory.facts.candidate import USER, Candidate
from hermes.memory.facts.change import read_change
from hermes.memory.facts.decide import Verdict, decide
from hermes.memory.facts.given import PERSON
from hermes.memory.facts.history import rolled_back
from hermes.memory.notelog import find_gone, is_by_agent, is_newer, list_gone_before
from hermes.memory.notes import Note
from hermes.store.base import FactChange, Tx
from hermes.types import Fact, Origin, Trust

_CLOSED = ("superseded_by", "retracted_at")


@dataclass(frozen=True, slots=True)
class Fallen:
    """A note, the fact whose words it has as they were, and whether it may be taken off."""

    note: Note
    fact: Fact
    may_go: bool


@dataclass(frozen=True, slots=True)
class Moved:
    """One change of a fact about the user: as it was before and as it is since."""

    before: Fact
    after: Fact
    change: FactChange

    @property
    def is_end(self) -> bool:
        """Whether what the fact said before is no longer said by it."""
        if self.change.action in {Action.ADD, Action.MERGE}:  # merged, it is said by the other
            return False
        closed = any(getattr(self.after, name) is not None for name in _CLOSED)
        return closed or self.before.text != self.after.text


def list_unsettled(tx: Tx, bank: str) -> tuple[list[FactChange], int]:
    """The changes of facts that the notes were not brought up to yet, newest first; up to where.

    The order in which they were written counts, not their times: a program that was slow to write,
    or was killed right after, leaves none out.
    """
    return tx.facts.list_changes_since(tx.notes.get_settled(), bank), tx.changes.latest()


def list_moved(tx: Tx, found: Sequence[FactChange]) -> list[Moved]:
    """What changes made of facts about the user, newest first."""
    changes = [each for each in found if _alters(each)]
    facts = tx.facts.get_many(list({change.fact_id for change in changes}))
    moved: list[Moved] = []
    for change in changes:
        after = facts.get(change.fact_id)
        if after is not None and alias_key(after.subject) == USER:
            before = rolled_back(after, change.before)
            moved.append(Moved(before, after, change))
            facts[change.fact_id] = before
    return moved


def _alters(change: FactChange) -> bool:
    return bool(change.before) or change.action == Action.ADD


def list_fallen(
    tx: Tx, notes: Sequence[Note], moved: Sequence[Moved], standing: Sequence[Fact]
) -> list[Fallen]:
    """The notes that say what the changes ended, and no standing fact says."""
    found: dict[str, Fallen] = {}
    for each in moved:
        said = _by_end(tx, notes, each) if each.is_end else _by_news(notes, each)
        for note, fact, by_user in said:
            if any(covers(note.text, other) for other in standing):
                continue
            if note.id not in found and not is_newer(tx, note.id, each.change.at):
                may = says_only(note.text, fact) and (by_user or is_by_agent(tx, note.id))
                found[note.id] = Fallen(note, fact, may)
    return list(found.values())


def _by_end(tx: Tx, notes: Sequence[Note], moved: Moved) -> Iterator[tuple[Note, Fact, bool]]:
    by_user = moved.change.by == PERSON or _is_users(_successor(tx, moved.after))
    for note in notes:
        if covers(note.text, moved.before):
            yield note, moved.before, by_user


def _successor(tx: Tx, fact: Fact) -> Fact | None:
    number = fact.superseded_by
    return tx.facts.get_many([number]).get(number) if number is not None else None


def _is_users(fact: Fact | None) -> bool:
    """Whether a fact is in the person's own, trusted words."""
    return fact is not None and fact.origin is Origin.USER and fact.trust is Trust.HIGH


def _by_news(notes: Sequence[Note], moved: Moved) -> Iterator[tuple[Note, Fact, bool]]:
    """Notes that a new fact would close if they were facts."""
    new = moved.after
    if moved.change.action != Action.ADD or not new.sources or new.held or new.ended:
        return
    for note in notes:
        for said in _as_facts(note, new):
            decision = decide(_as_told(new), [said], trust=new.trust)
            if decision.verdict is Verdict.SUPERSEDE:
                yield note, replace(said, number=new.number), _is_users(new)
                break


def _as_facts(note: Note, beside: Fact) -> Iterator[Fact]:
    """What a note says, as facts that were known before another."""
    for read in read_note(note.text):
        yield Fact(
            id=0,
            number=0,
            bank=beside.bank,
            text=read.text,
            kind=read.kind,
            recorded_at=0,
            attribute=read.attribute,
            value=read.value,
            single=read.single,
            subject=USER,
            trust=beside.trust,
        )


def _as_told(fact: Fact) -> Candidate:
    source = fact.sources[0]
    return Candidate(
        fact.text,
        fact.kind,
        attribute=fact.attribute,
        value=fact.value,
        quote=source.quote,
        at=source.at,
        single=fact.single,
        change=read_change(source.quote),
        message_id=source.message_id,
    )


def list_returned(tx: Tx, moved: Sequence[Moved]) -> list[str]:
    """The ids of the notes that went with facts which were brought back since."""
    back = [each.after for each in moved if each.change.action == Action.RESTORE]
    ids = dict.fromkeys(note for fact in back for note in list_gone_before(tx, fact))
    return [each for each in ids if find_gone(tx, each) is not None]
