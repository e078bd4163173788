"""The log of events on its way in: whole, or it is none.

An event is known by its hash. Into an empty store the chain is taken over; elsewhere what is new is
appended to the log that is there.
"""

from collections.abc import Collection, Sequence

from hermes.memory.erase.tombs import Graveyard
from hermes.memory.portable.arrival import Doorway, refuse
from hermes.memory.portable.report import Report
from hermes.store.base import Tx
from hermes.store.base.portable import Record, Section
from hermes.store.chain import START, EventContent, Head, hash_content, hash_link


class Log:
    """One log on its way in; `is_fresh` where none was begun, and the chain is taken over."""

    def __init__(self, tx: Tx, yard: Graveyard, portable: Doorway, *, is_fresh: bool) -> None:
        self._tx = tx
        self._yard = yard
        self._portable = portable
        self.is_fresh = is_fresh and not tx.events.head().count
        self.report = Report()
        self._log = Head(0, START)
        self.blank: set[int] = set()

    def sift(self, records: Sequence[Record]) -> list[Record]:
        """The lines that are to be kept, once each was found to be what was written."""
        outcome = self.report.of(Section.EVENTS)
        kept: list[Record] = []
        for record in records:
            self._check_link(record)
            if self.is_fresh:
                if "erased_at" not in record and self._was_erased(record):
                    self.blank.add(record["id"])
                    outcome.erased += 1
                kept.append(record)
            elif self._is_worth(record):
                kept.append(record)
            else:
                outcome.same += 1
        outcome.added += len(kept)
        return kept

    def _check_link(self, record: Record) -> None:
        """The log in a file must be whole, or it is none."""
        content = bytes.fromhex(record["content"])
        link = hash_link(self._log, record["at"], record["kind"], content)
        said = EventContent(
            record.get("summary", ""),
            record.get("details", "{}"),
            record.get("ref", ""),
            bytes.fromhex(record.get("salt", "")),
        )
        is_told = "erased_at" in record or hash_content(said) == content
        if record["id"] != self._log.count + 1 or link.hex() != record["hash"] or not is_told:
            refuse(f"event {record['id']} is not what was written")
        self._log = Head(record["id"], link)

    def _is_worth(self, record: Record) -> bool:
        """Whether a line is new here and still says something."""
        if "erased_at" in record or self._portable.has_event(record["content"]):
            return False
        is_eraser = '"erases"' in record.get("details", "")
        return not is_eraser and not self._was_erased(record)

    def _was_erased(self, record: Record) -> bool:
        """Whether a line repeats something erased, or is about a session that was."""
        yard, at = self._yard, record["at"]
        kind, _, name = record.get("ref", "").partition(":")
        if kind == "session" and yard.has_session(name, at):
            return True
        return yard.has_echo([record.get("summary", ""), record.get("details", "")], at=at)


def append_lines(tx: Tx, records: Sequence[Record], blank: Collection[int], *, now: int) -> None:
    """Keep lines at the end of the log as it then is: as they were linked if they go on from it,
    else linked anew. What was erased here before, `blank` by their numbers in the file, is blanked.
    """
    head = tx.events.head()
    kept: list[Record] = []
    gone: list[int] = []
    for record in records:
        content = bytes.fromhex(record["content"])
        head = Head(head.count + 1, hash_link(head, record["at"], record["kind"], content))
        kept.append(record | {"id": head.count, "hash": head.hash.hex()})
        if record["id"] in blank:
            gone.append(head.count)
    tx.portable.put(Section.EVENTS, kept)
    if gone:
        tx.events.erase(gone, at=now)
