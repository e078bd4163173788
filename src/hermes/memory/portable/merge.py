"""Bringing records into a store: all that is new, nothing twice, nothing that was erased.

Into an empty store numbers are taken over as they are; elsewhere rows get new ones, and whatever
refers to them follows.
"""

from collections.abc import Callable, Sequence

from hermes.memory.erase.returned import find_erased_entities
from hermes.memory.erase.tombs import Graveyard
from hermes.memory.portable.arrival import Arrival
from hermes.memory.portable.beliefs import Beliefs
from hermes.memory.portable.report import Report
from hermes.memory.portable.talk import UPTO, Talk
from hermes.store.base import Tx
from hermes.store.base.portable import Record, Section


class Merge:
    def __init__(self, arrival: Arrival) -> None:
        self._arrival = arrival
        self._portable = arrival.portable
        self._talk = Talk(arrival)
        self._beliefs = Beliefs(arrival, self._talk)
        self._merged: list[tuple[int, int]] = []
        self._doubtful: list[int] = []

    @property
    def report(self) -> Report:
        return self._arrival.report

    def add(self, section: Section, records: Sequence[Record]) -> None:
        """Bring in some records; sections come in their order. The log is brought in apart."""
        _ADD[section](self, records)

    def finish(self) -> None:
        """Settle what refers ahead."""
        find = self._arrival.entities.find
        self._portable.link_entities([(e, n) for e, old in self._merged if (n := find(old))])
        self._beliefs.finish()
        self._talk.finish()
        self._portable.finish(*(self._talk.list_upto(name) for name in UPTO))

    def _add_banks(self, records: Sequence[Record]) -> None:
        outcome = self.report.of(Section.BANKS)
        new = [r for r in records if self._portable.find_bank(r["name"]) is None]
        self._arrival.banks.update(r["name"] for r in records)
        self._portable.put(Section.BANKS, new)
        outcome.added += len(new)
        outcome.same += len(records) - len(new)

    def _add_entities(self, records: Sequence[Record]) -> None:
        outcome = self.report.of(Section.ENTITIES)
        new: list[Record] = []
        for record in records:
            self._arrival.expect_bank(record)
            number = self._find_entity(record)
            if number is None:
                number = self._arrival.number("entity", record["id"])
                new.append(record | {"id": number})
                if self._went_along(record):
                    self._doubtful.append(record["id"])
                if "merged_into" in record:
                    self._merged.append((number, record["merged_into"]))
            elif number:
                outcome.same += 1
            else:
                outcome.erased += 1
            self._arrival.entities.add(record["id"], number)
        self._portable.put(Section.ENTITIES, new)
        outcome.added += len(new)

    def _find_entity(self, record: Record) -> int | None:
        """Nought if it was erased, its number if it is there, none if it is new."""
        names = (name["name"] for name in record["names"])
        if self._arrival.was_erased(names, record["created_at"]):
            return 0
        if self._arrival.is_fresh:
            return None
        first = record["names"][0]["key"]
        return self._portable.find_entity(record["bank"], record["kind"], first)

    def _went_along(self, record: Record) -> bool:
        """Whether an entity went with something erased; what mentions it now may keep it."""
        names = [name["name"] for name in record["names"]]
        return self._arrival.yard.has_entity(record["bank"], names, at=record["created_at"])

    def count_dropped(self) -> int:
        """How many new entities would be dropped again, for nothing let in mentions them."""
        return len(set(self._doubtful) - self._arrival.mentioned)

    def _add_blobs(self, records: Sequence[Record]) -> None:
        self._portable.put(Section.BLOBS, records)

    def _add_keys(self, records: Sequence[Record]) -> None:
        outcome = self.report.of(Section.KEYS)
        new: list[Record] = []
        for record in records:
            span = self._span(record)
            if span is None or (
                not self._arrival.is_fresh and self._portable.has_key(record["key"])
            ):
                outcome.same += 1
            else:
                new.append({"key": record["key"], "first": span[0], "last": span[1]})
        self._portable.put(Section.KEYS, new)
        outcome.added += len(new)

    def _span(self, record: Record) -> tuple[int, int] | None:
        """The messages a key stands for, by their numbers here; they may be erased by now."""
        if self._arrival.is_fresh:
            return record["first"], record["last"]
        return self._arrival.messages.span(record["first"], record["last"])

    def _add_summaries(self, records: Sequence[Record]) -> None:
        new: list[Record] = []
        for record in records:
            episode = self._talk.find_episode(record["episode"])
            parts = [
                {"message": m, "last": self._arrival.messages.find(p["last"]) or m}
                for p in record["parts"]
                if (m := self._arrival.messages.find(p["message"]))
            ]
            if episode is not None and parts and self._talk.is_new(record["session"]):
                new.append(record | {"episode": episode, "parts": parts})
                if not self._arrival.is_fresh:
                    new[-1].pop("id")
        self._portable.put(Section.SUMMARIES, new)
        self.report.of(Section.SUMMARIES).added += len(new)


_ADD: dict[Section, Callable[[Merge, Sequence[Record]], None]] = {
    Section.BANKS: Merge._add_banks,
    Section.ENTITIES: Merge._add_entities,
    Section.BLOBS: Merge._add_blobs,
    Section.SESSIONS: lambda merge, records: merge._talk.add_sessions(records),
    Section.EPISODES: lambda merge, records: merge._talk.add_episodes(records),
    Section.MESSAGES: lambda merge, records: merge._talk.add_messages(records),
    Section.KEYS: Merge._add_keys,
    Section.SUMMARIES: Merge._add_summaries,
    Section.FACTS: lambda merge, records: merge._beliefs.add_facts(records),
    Section.REFLECTIONS: lambda merge, records: merge._beliefs.add_reflections(records),
    Section.HELD: lambda merge, records: merge._beliefs.add_held(records),
}


def drop_erased_entities(tx: Tx, yard: Graveyard, report: Report) -> None:
    """Take out again what went with something erased, unless something let in mentions it."""
    note_dropped(report, tx.erasures.drop_unmentioned(find_erased_entities(tx, yard)))


def note_dropped(report: Report, gone: int) -> None:
    """Entities that were let in, and dropped again."""
    outcome = report.of(Section.ENTITIES)
    outcome.erased += gone
    outcome.added -= min(gone, outcome.added)
