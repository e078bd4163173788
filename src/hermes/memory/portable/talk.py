"""Conversations on their way in: sessions and episodes are made with their first message.

A message is there already if its session holds one said at the same time, by the same role, in the
same words; each counts once.
"""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, field

from hermes.memory.portable.arrival import Arrival, refuse
from hermes.store.base.portable import KnownSession, Record, Section

UPTO = ("extracted_upto", "reflected_upto")


@dataclass(slots=True)
class _There:
    """A session that was here before: its messages by what they say, and whether it grew."""

    session: KnownSession
    said: dict[bytes, list[tuple[int, int]]] = field(default_factory=dict)
    is_grown: bool = False


class Talk:
    def __init__(self, arrival: Arrival) -> None:
        self._arrival = arrival
        self._portable = arrival.portable
        self._sessions: dict[str, Record] = {}
        self._episodes: dict[int, Record] = {}
        self._there: dict[str, _There | None] = {}
        self._numbers: dict[int, int] = {}
        self._joined: dict[int, int] = {}
        self._barred: set[str] = set()
        self._made: dict[Section, list[Record]] = {Section.SESSIONS: [], Section.EPISODES: []}

    def add_sessions(self, records: Sequence[Record]) -> None:
        for record in records:
            self._arrival.expect_bank(record)
            if record["id"] in self._sessions:
                refuse(f"session {record['id']!r} is in it twice")
            self._sessions[record["id"]] = record

    def add_episodes(self, records: Sequence[Record]) -> None:
        for record in records:
            if record["session"] not in self._sessions:
                refuse(f"session {record['session']!r} is referred to, and not in it")
            if record["id"] in self._episodes:
                refuse(f"episode {record['id']} is in it twice")
            self._episodes[record["id"]] = record

    def add_messages(self, records: Sequence[Record]) -> None:
        new: list[Record] = []
        for record in records:
            episode = self._episodes.get(record["episode"])
            if episode is None:
                refuse(f"episode {record['episode']} is referred to, and not in it")
            number = self._find_erased_or_known(record, episode)
            if number is None:
                number = self._arrival.number("message", record["id"])
                new.append(self._settled(record, episode, number))
            self._arrival.messages.add(record["id"], number)
        for section, made in self._made.items():  # together: a store is quickest with many
            self._portable.put(section, made)
            self._made[section] = []
        self._portable.put(Section.MESSAGES, new)
        self._arrival.report.of(Section.MESSAGES).added += len(new)

    def find_episode(self, old: int | None) -> int | None:
        return None if old is None else self._numbers.get(old) or self._joined.get(old)

    def is_new(self, session_id: str) -> bool:
        return session_id in self._there and self._there[session_id] is None

    def list_upto(self, name: str) -> dict[str, int]:
        """Up to which message each new session was dealt with, by its number here."""
        found = {}
        for session_id, record in self._sessions.items():
            upto = self._arrival.messages.find(record.get(name))
            if upto is not None and self.is_new(session_id):
                found[session_id] = upto
        return found

    def finish(self) -> None:
        outcome = self._arrival.report.of(Section.SESSIONS)
        known = [there for there in self._there.values() if there is not None]
        outcome.changed += sum(there.is_grown for there in known)
        outcome.same += sum(not there.is_grown for there in known)
        outcome.erased += len(self._barred - self._there.keys())

    def _find_erased_or_known(self, record: Record, episode: Record) -> int | None:
        """Nought if it was erased, its number if it is there, none if it is new."""
        arrival, session_id = self._arrival, episode["session"]
        said = (session_id, record["at"], record["role"], record["text"])
        calls = [call["arguments"] for call in record.get("calls", ())]
        if arrival.yard.has_message(*said) or arrival.was_erased(
            [record["text"], *calls], record["at"]
        ):
            arrival.report.of(Section.MESSAGES).erased += 1
            self._barred.add(session_id)
            return 0
        there = self._open(session_id)
        if there is None:
            return None
        same = there.said.get(_digest(record))
        if not same:
            there.is_grown = True
            return None
        number, here = same.pop(0)
        self._joined[record["episode"]] = here
        arrival.report.of(Section.MESSAGES).same += 1
        return number

    def _open(self, session_id: str) -> _There | None:
        """The session as it was here before; made if it was not."""
        if session_id not in self._there:
            known = None if self._arrival.is_fresh else self._portable.find_session(session_id)
            self._there[session_id] = None if known is None else self._load(session_id, known)
            if known is None:
                self._make(session_id)
        return self._there[session_id]

    def _load(self, session_id: str, known: KnownSession) -> _There:
        there = _There(known)
        for record in self._portable.list_session(session_id):
            place = (record["id"], record["episode"])
            there.said.setdefault(_digest(record), []).append(place)
        return there

    def _make(self, session_id: str) -> None:
        record = dict(self._sessions[session_id])
        for name in UPTO:
            record.pop(name, None)  # known by number: said at the end
        self._made[Section.SESSIONS].append(record)
        outcome = self._arrival.report.of(Section.SESSIONS)
        outcome.added += 1
        outcome.note(record.get("title") or session_id)

    def _settled(self, record: Record, episode: Record, number: int) -> Record:
        arrival = self._arrival
        given = record | {"id": number, "episode": self._episode(record["episode"], episode)}
        if "mentions" in record:
            given["mentions"] = arrival.mentions(record)
        return given | arrival.believed(record)

    def _episode(self, old: int, episode: Record) -> int:
        """Its number here: made with its first message, or gone on with where it is the last."""
        if old not in self._numbers:
            there = self._there[episode["session"]]
            joined = self._joined.get(old)
            if there is not None and joined == there.session.last_episode:
                self._numbers[old] = joined
            else:
                self._numbers[old] = self._arrival.number("episode", old)
                self._made[Section.EPISODES].append(episode | {"id": self._numbers[old]})
                self._arrival.report.of(Section.EPISODES).added += 1
        return self._numbers[old]


def _digest(record: Record) -> bytes:
    told = [record["at"], record["role"], record["text"], record.get("call_id", "")]
    content = json.dumps([*told, record.get("calls", [])], sort_keys=True)
    return hashlib.blake2b(content.encode(), digest_size=16).digest()
