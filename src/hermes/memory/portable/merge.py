"""Bringing records into a store: all that is new, nothing twice, nothing that was erased.

Into an empty store numbers are taken over as they are; elsewhere rows get new ones, and whatever
refers to them follows. A fact is known by its bank, text and time, an event by its hash.
"""

from collections.abc import Callable, Sequence

from hermes.memory.erase.tombs import Graveyard
from hermes.memory.portable.arrival import Arrival, refuse
from hermes.memory.portable.report import Report
from hermes.memory.portable.talk import Talk
from hermes.store.base import Tx
from hermes.store.base.portable import Record, Section
from hermes.store.chain import START, EventContent, Head, hash_content, hash_link


class Merge:
    def __init__(self, tx: Tx, yard: Graveyard, *, now: int, is_untrusted: bool = False) -> None:
        self._tx = tx
        self._now = now
        self._portable = tx.portable
        self._arrival = Arrival(tx.portable, yard, tx.portable.is_empty(), is_untrusted)
        self._talk = Talk(self._arrival)
        self._merged: list[tuple[int, int]] = []
        self._successors: list[tuple[int, int]] = []
        self._rivals: list[tuple[int, int, int]] = []
        self._log = Head(0, START)
        self._blank: list[int] = []

    @property
    def report(self) -> Report:
        return self._arrival.report

    def add(self, section: Section, records: Sequence[Record]) -> None:
        """Bring in some records; sections come in their order."""
        _ADD[section](self, records)

    def finish(self, numbers: dict[str, int]) -> None:
        """Settle what refers ahead; in a store that was empty, count on from where the file was."""
        arrival = self._arrival
        entity, fact = arrival.entities.find, arrival.facts.find
        self._portable.link_entities([(e, n) for e, old in self._merged if (n := entity(old))])
        self._portable.link_facts([(f, n) for f, old in self._successors if (n := fact(old))])
        rivals = [(f, n, at) for f, old, at in self._rivals if (n := fact(old))]
        self._portable.add_contradictions(rivals)
        self._talk.finish()
        self._portable.finish(self._talk.list_extracted())
        if arrival.is_fresh:
            self._portable.raise_numbers(numbers)
        if self._blank:
            self._tx.events.erase(self._blank, at=self._now)

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
        if self._arrival.was_erased(name["name"] for name in record["names"]):
            return 0
        if self._arrival.is_fresh:
            return None
        first = record["names"][0]["key"]
        return self._portable.find_entity(record["bank"], record["kind"], first)

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

    def _add_facts(self, records: Sequence[Record]) -> None:
        outcome = self.report.of(Section.FACTS)
        new: list[Record] = []
        for record in records:
            self._arrival.expect_bank(record)
            settled = self._settle_fact(record)
            if settled is None:
                outcome.erased += 1
                self._arrival.facts.add(record["id"], 0)
            elif (known := self._find_fact(record)) is not None:
                outcome.same += 1
                self._arrival.facts.add(record["id"], known)
            else:
                new.append(self._number_fact(settled))
                self._arrival.facts.add(record["id"], new[-1]["id"])
                outcome.note(record["text"])
        self._portable.put(Section.FACTS, new)
        outcome.added += len(new)

    def _find_fact(self, record: Record) -> int | None:
        if self._arrival.is_fresh:
            return None
        told = (record["bank"], record["text"], record["recorded_at"])
        return self._portable.find_fact(*told)

    def _settle_fact(self, record: Record) -> Record | None:
        """The fact with what it rests on here; none if it was erased, or all it rested on was."""
        arrival = self._arrival
        if arrival.yard.has_fact(record["bank"], record["text"]):
            return None
        if arrival.was_erased([record["text"], record.get("value", "")]):
            return None
        given = record.get("sources", [])
        sources = [s for source in given if (s := self._settle_source(source)) is not None]
        if given and not sources:
            return None
        settled = record | arrival.believed(record)
        settled["sources"] = sources
        settled["mentions"] = arrival.mentions(record)
        settled["history"] = [self._settle_change(c) for c in record.get("history", ())]
        return settled

    def _settle_source(self, source: Record) -> Record | None:
        arrival, old = self._arrival, source.get("message")
        message = arrival.messages.find(old)
        is_gone = old is not None and message is None and arrival.messages.has(old)
        if is_gone or arrival.was_erased([source["quote"]]):
            return None
        settled = {key: value for key, value in source.items() if key not in ("message", "episode")}
        if message is not None:
            settled["message"] = message
        if (episode := self._talk.find_episode(source.get("episode"))) is not None:
            settled["episode"] = episode
        elif arrival.is_fresh and "episode" in source:
            settled["episode"] = source["episode"]
        return settled | (
            {"trust": arrival.believed(source)["trust"]} if arrival.is_untrusted else {}
        )

    def _settle_change(self, change: Record) -> Record:
        if self._arrival.is_fresh:
            return change
        settled = dict(change)
        for side in ("before", "after"):
            fields = dict(change[side])
            if isinstance(fields.get("superseded_by"), int):
                fields["superseded_by"] = self._arrival.facts.find(fields["superseded_by"])
            settled[side] = fields
        return settled

    def _number_fact(self, settled: Record) -> Record:
        old = settled["id"]
        number = self._arrival.number("fact", old)
        if not self._arrival.is_fresh:
            settled["number"] = self._fact_number(settled["number"])
        if "superseded_by" in settled:
            self._successors.append((number, settled["superseded_by"]))
        for rival in settled.get("contradicts", ()):
            self._rivals.append((number, rival["fact"], rival["at"]))
        return settled | {"id": number}

    def _fact_number(self, old: int) -> int:
        """The number people know it by, if it was never given here."""
        if old > self._portable.get_numbers()["fact_number"]:
            self._portable.raise_numbers({"fact_number": old})
            return old
        return self._portable.reserve("fact_number", 1)

    def _add_held(self, records: Sequence[Record]) -> None:
        outcome = self.report.of(Section.HELD)
        new: list[Record] = []
        for record in records:
            self._arrival.expect_bank(record)
            if self._arrival.was_erased([record["text"], record.get("reason", "")]):
                outcome.erased += 1
            elif not self._arrival.is_fresh and self._portable.has_held(record):
                outcome.same += 1
            else:
                new.append(self._settle_held(record))
        self._portable.put(Section.HELD, new)
        outcome.added += len(new)

    def _settle_held(self, record: Record) -> Record:
        settled = record | self._arrival.believed(record)
        fact = self._arrival.facts.find(settled.pop("fact", None))
        if fact is not None:
            settled["fact"] = fact
        if not self._arrival.is_fresh:
            settled.pop("id")
        return settled

    def _add_events(self, records: Sequence[Record]) -> None:
        outcome = self.report.of(Section.EVENTS)
        new: list[Record] = []
        for record in records:
            self._check_link(record)
            if self._arrival.is_fresh:
                if self._arrival.was_erased([record.get("summary", ""), record.get("details", "")]):
                    self._blank.append(record["id"])
                    outcome.erased += 1
                new.append(record)
            elif not self._is_worth(record):
                outcome.same += 1
            else:
                self._portable.put(Section.EVENTS, [self._relinked(record)])
                outcome.added += 1
        self._portable.put(Section.EVENTS, new)
        outcome.added += len(new)

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
        told = [record.get("summary", ""), record.get("details", "")]
        return '"erases"' not in told[1] and not self._arrival.was_erased(told)

    def _relinked(self, record: Record) -> Record:
        """The line at the end of the log that is here."""
        head = self._tx.events.head()
        link = hash_link(head, record["at"], record["kind"], bytes.fromhex(record["content"]))
        return record | {"id": head.count + 1, "hash": link.hex()}


_ADD: dict[Section, Callable[[Merge, Sequence[Record]], None]] = {
    Section.BANKS: Merge._add_banks,
    Section.ENTITIES: Merge._add_entities,
    Section.BLOBS: Merge._add_blobs,
    Section.SESSIONS: lambda merge, records: merge._talk.add_sessions(records),
    Section.EPISODES: lambda merge, records: merge._talk.add_episodes(records),
    Section.MESSAGES: lambda merge, records: merge._talk.add_messages(records),
    Section.KEYS: Merge._add_keys,
    Section.SUMMARIES: Merge._add_summaries,
    Section.FACTS: Merge._add_facts,
    Section.HELD: Merge._add_held,
    Section.EVENTS: Merge._add_events,
}
