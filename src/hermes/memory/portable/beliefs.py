"""Facts, reflections and held writes on their way in, with what they rest on here.

A fact is known by its bank, text and time. Numbers that people know stay where they were never
given to another.
"""

import json
from collections.abc import Sequence

from hermes.memory.erase.tombs import NEVER
from hermes.memory.portable.arrival import Arrival
from hermes.memory.portable.talk import Talk
from hermes.store.base.portable import Record, Section


class Beliefs:
    def __init__(self, arrival: Arrival, talk: Talk) -> None:
        self._arrival = arrival
        self._portable = arrival.portable
        self._talk = talk
        self._successors: list[tuple[int, int]] = []
        self._rivals: list[tuple[int, int, int]] = []

    def finish(self) -> None:
        """Say which facts took the place of others, and which contradict each other."""
        find = self._arrival.facts.find
        self._portable.link_facts([(f, n) for f, old in self._successors if (n := find(old))])
        rivals = [(f, n, at) for f, old, at in self._rivals if (n := find(old))]
        self._portable.add_contradictions(rivals)

    def add_facts(self, records: Sequence[Record]) -> None:
        outcome = self._arrival.report.of(Section.FACTS)
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
        if new:
            self._arrival.put_facts(new)
        outcome.added += len(new)

    def _find_fact(self, record: Record) -> int | None:
        if self._arrival.is_fresh:
            return None
        told = (record["bank"], record["text"], record["recorded_at"])
        return self._portable.find_fact(*told)

    def _settle_fact(self, record: Record) -> Record | None:
        """The fact with what it rests on here; none if it was erased, or all it rested on was."""
        arrival = self._arrival
        claim = (record.get("subject", ""), record.get("attribute", ""), record.get("value", ""))
        at = record["recorded_at"]
        if arrival.yard.has_fact(record["bank"], record["text"], claim, at=at):
            return None
        if arrival.was_erased([record["text"], *claim], at):
            return None
        given = record.get("sources", [])
        sources = [s for source in given if (s := self._settle_source(source)) is not None]
        if given and not sources:
            return None
        settled = record | arrival.believed(record)
        if "valid_to" in record:  # no fact ends before it began, whoever wrote it down
            settled["valid_to"] = max(record["valid_to"], record.get("valid_from", 0))
        settled["sources"] = sources
        settled["mentions"] = arrival.mentions(record)
        settled["history"] = [
            self._settle_change(change)
            for change in record.get("history", ())
            if not self._quotes_erased(change)
        ]
        return settled

    def _settle_source(self, source: Record) -> Record | None:
        arrival, old = self._arrival, source.get("message")
        message = arrival.messages.find(old)
        is_gone = old is not None and message is None and arrival.messages.has(old)
        if is_gone or arrival.was_erased([source["quote"]], source.get("at", NEVER)):
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

    def _quotes_erased(self, change: Record) -> bool:
        """Whether a line of the history says what a message said that is not let in."""
        source = change["after"].get("source")
        message = source.get("message") if isinstance(source, dict) else None
        messages = self._arrival.messages
        return isinstance(message, int) and messages.has(message) and not messages.find(message)

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
        if "superseded_by" in settled:
            self._successors.append((number, settled["superseded_by"]))
        for rival in settled.get("contradicts", ()):
            self._rivals.append((number, rival["fact"], rival["at"]))
        return settled | {"id": number}

    def add_reflections(self, records: Sequence[Record]) -> None:
        outcome = self._arrival.report.of(Section.REFLECTIONS)
        new: list[Record] = []
        for record in records:
            self._arrival.expect_bank(record)
            texts = [record.get(name, "") for name in ("lesson", "worked", "failed", "next_time")]
            yard, at = self._arrival.yard, record["updated_at"]
            if yard.has_reflection(record["lesson"], at=at) or yard.has_echo(texts, at=at):
                outcome.erased += 1
            elif self._has_reflection(record):
                outcome.same += 1
            else:
                new.append(record | self._arrival.believed(record))
                if not self._arrival.is_fresh:
                    new[-1].pop("id")
        self._portable.put(Section.REFLECTIONS, new)
        outcome.added += len(new)

    def _has_reflection(self, record: Record) -> bool:
        told = (record["bank"], record["task_type"], record["lesson_key"])
        return not self._arrival.is_fresh and self._portable.has_reflection(*told)

    def add_held(self, records: Sequence[Record]) -> None:
        outcome = self._arrival.report.of(Section.HELD)
        new: list[Record] = []
        for record in records:
            self._arrival.expect_bank(record)
            if self._was_erased(record):
                outcome.erased += 1
            elif not self._arrival.is_fresh and self._portable.has_held(record):
                outcome.same += 1
            else:
                new.append(self._settle_held(record))
        self._portable.put(Section.HELD, new)
        outcome.added += len(new)

    def _was_erased(self, held: Record) -> bool:
        """Whether what waits repeats something erased, or is a fact that is not let in."""
        arrival, fact = self._arrival, held.get("fact")
        if fact is not None and arrival.facts.has(fact) and arrival.facts.find(fact) is None:
            return True
        told = [held["text"], held.get("reason", ""), json.dumps(held["payload"])]
        return arrival.yard.has_echo(told, at=held["held_at"])

    def _settle_held(self, record: Record) -> Record:
        settled = record | self._arrival.believed(record)
        fact = self._arrival.facts.find(settled.pop("fact", None))
        if fact is not None:
            settled["fact"] = fact
        if not self._arrival.is_fresh:
            settled.pop("id")
        return settled
