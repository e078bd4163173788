"""What every part of an import knows: the store, what was erased, how numbers are given."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NoReturn, Protocol

from hermes.errors import UserError
from hermes.memory.erase.tombs import Graveyard
from hermes.memory.portable.numbering import Numbering
from hermes.memory.portable.report import Report
from hermes.store.base.portable import KnownSession, Record, Section

_LOWERED = {"none": "none", "low": "low", "medium": "low", "high": "low"}


class Doorway(Protocol):
    """What an import asks of a store, and what it gives to it: at once, or collected for later."""

    def put(self, section: Section, records: Sequence[Record]) -> None: ...
    def link_entities(self, pairs: Sequence[tuple[int, int]]) -> None: ...
    def link_facts(self, pairs: Sequence[tuple[int, int]]) -> None: ...
    def add_contradictions(self, pairs: Sequence[tuple[int, int, int]]) -> None: ...
    def finish(self, extracted: Mapping[str, int], reflected: Mapping[str, int]) -> None: ...
    def find_session(self, session_id: str) -> KnownSession | None: ...
    def list_session(self, session_id: str) -> list[Record]: ...
    def find_bank(self, name: str) -> Record | None: ...
    def find_entity(self, bank: str, kind: str, key: str) -> int | None: ...
    def find_fact(self, bank: str, text: str, recorded_at: int) -> int | None: ...
    def has_reflection(self, bank: str, task_type: str, lesson_key: str) -> bool: ...
    def has_event(self, content: str) -> bool: ...
    def has_key(self, key: str) -> bool: ...
    def has_held(self, record: Record) -> bool: ...


@dataclass(frozen=True, slots=True)
class Arrival:
    """One import. `is_fresh`: nothing was there, so numbers are taken over as they are.

    `renumber` gives the number here of what had another there; `put_facts` keeps facts that are
    new.
    """

    portable: Doorway
    yard: Graveyard
    is_fresh: bool
    renumber: Callable[[str, int], int]
    put_facts: Callable[[Sequence[Record]], None]
    is_untrusted: bool = False
    report: Report = field(default_factory=Report)
    banks: set[str] = field(default_factory=set)
    entities: Numbering = field(default_factory=lambda: Numbering("entity"))
    messages: Numbering = field(default_factory=lambda: Numbering("message"))
    facts: Numbering = field(default_factory=lambda: Numbering("fact"))
    mentioned: set[int] = field(default_factory=set)  # entities that something let in speaks of

    def number(self, name: str, old: int) -> int:
        return old if self.is_fresh else self.renumber(name, old)

    def mentions(self, record: Record) -> list[Record]:
        told = record.get("mentions", ())
        self.mentioned.update(mention["entity"] for mention in told)
        found = [(self.entities.find(m["entity"]), m["key"]) for m in told]
        return [{"entity": entity, "key": key} for entity, key in found if entity]

    def believed(self, record: Record) -> Record:
        """How far a record is trusted: a file of doubtful origin cannot say so of itself."""
        if not self.is_untrusted:
            return {}
        return {"trust": _LOWERED[record["trust"]], "origin": "import"}

    def expect_bank(self, record: Record) -> None:
        if record["bank"] not in self.banks:
            refuse(f"bank {record['bank']!r} is referred to, and not in it")

    def was_erased(self, texts: Iterable[str], at: int) -> bool:
        """Whether a phrase was erased, after `at`, that one of the texts holds."""
        return self.yard.has_words(texts, at=at)


def refuse(what: str) -> NoReturn:
    raise UserError(f"The file does not hold together: {what}.", "Export it anew.")
