"""Which facts go with a note on the user that leaves its page, and which are believed on.

What the person takes off, they take back. An agent also takes notes off to make room: it unlearns
only what the person named, or what the note in its place corrects.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from hermes.memory.agreement import holds, read_note, says_only
from hermes.memory.facts.candidate import USER
from hermes.memory.facts.compare import is_part
from hermes.memory.facts.decide import Verdict, decide
from hermes.memory.facts.given import ALL
from hermes.memory.facts.replacement import find_replaced
from hermes.memory.notes import Note
from hermes.store.base import FactFilter, Tx
from hermes.types import Fact


@dataclass(frozen=True, slots=True)
class Leaving:
    """A note that leaves its page, what takes its place, and the notes that are there then.

    `said` is what the person said as an agent took it off; None where they did so themselves.
    """

    text: str
    instead: str
    notes: Sequence[Note]
    said: str | None = None


def part_facts(tx: Tx, bank: str, leaving: Leaving, at: int) -> tuple[list[Fact], list[Fact]]:
    """The facts that only this note says: those that go with it, and those that stay."""
    wanted = FactFilter(bank=bank, subject_key=USER, current=True)
    said = [fact for fact in tx.facts.list(wanted, ALL) if says_only(leaving.text, fact)]
    alone = [fact for fact in said if not any(holds(note.text, fact) for note in leaving.notes)]
    going = [fact for fact in alone if _goes(leaving, fact, at)]
    return going, [fact for fact in alone if fact not in going]


def _goes(leaving: Leaving, fact: Fact, at: int) -> bool:
    if leaving.said is None or is_part(fact.value, leaving.said):
        return True
    return any(_corrects(leaving.instead, fact, at))


def _corrects(note: str, fact: Fact, at: int) -> Iterator[bool]:
    """Whether a note, said as a correction of a fact, would take its place."""
    for read in read_note(note):
        told = replace(read, correction=True, at=at)
        decision = decide(told, [fact], trust=fact.trust, replaced=find_replaced(told, [fact]))
        yield decision.verdict is Verdict.SUPERSEDE
