"""What every part of an import knows: the store, what was erased, how numbers are given."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NoReturn

from hermes.errors import UserError
from hermes.memory.erase.tombs import Graveyard
from hermes.memory.portable.numbering import Numbering
from hermes.memory.portable.report import Report
from hermes.store.base.portable import Portable, Record

_LOWERED = {"none": "none", "low": "low", "medium": "low", "high": "low"}


@dataclass(frozen=True, slots=True)
class Arrival:
    """One import. `is_fresh`: nothing was there, so numbers are taken over as they are."""

    portable: Portable
    yard: Graveyard
    is_fresh: bool
    is_untrusted: bool = False
    report: Report = field(default_factory=Report)
    banks: set[str] = field(default_factory=set)
    entities: Numbering = field(default_factory=lambda: Numbering("entity"))
    messages: Numbering = field(default_factory=lambda: Numbering("message"))
    facts: Numbering = field(default_factory=lambda: Numbering("fact"))

    def number(self, name: str, old: int) -> int:
        return old if self.is_fresh else self.portable.reserve(name, 1)

    def mentions(self, record: Record) -> list[Record]:
        found = [(self.entities.find(m["entity"]), m["key"]) for m in record.get("mentions", ())]
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
