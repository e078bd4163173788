"""Recording on PostgreSQL: many turns at once, each table written in one statement."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace

from hermes.clock import new_session_id
from hermes.errors import Conflict, UserError
from hermes.store.codec import SAMPLES
from hermes.store.keys import key_digest, refuse_other
from hermes.store.postgres import rows
from hermes.store.postgres.connection import Connection
from hermes.store.postgres.dictionaries import open_dictionaries
from hermes.store.postgres.parts import Parts
from hermes.store.postgres.words import Entry
from hermes.store.rows import ROLE_NUMBER, render_calls, source_of
from hermes.store.tables.placing import place_turns
from hermes.store.text import index_form, indexed_part
from hermes.types import NewSession, Payload, Recorded, Turn, Utterance

_SESSIONS = (
    "id int8, uid text, bank int8, platform text, identity text, title text, task text, "
    "parent text, started_at int8, last_at int8, messages int8, episodes int8"
)
WORTH_SENDING = 200  # messages; fewer are sent at once
SENT_AT_ONCE = 500  # messages, of many
_EPISODES = "id int8, session int8, bank int8, at int8, task text"
MESSAGES = (
    "id int8, session int8, bank int8, episode int8, at int8, role int8, origin int8, trust int8, "
    "speaker text, call_id text, calls text, packed bool, size int8, text bytea"
)
_KEYS = "bank int8, key bytea, first int8, last int8"


@dataclass(slots=True)
class _OpenSession:
    """A session this recording writes to, and what it has added."""

    number: int
    uid: str
    bank: int
    bank_name: str
    first_at: int
    last_at: int
    last_episode: int
    hidden: int | None = None
    messages: int = 0
    episodes: int = 0
    new: NewSession | None = None

    def row(self, new: NewSession) -> tuple[object, ...]:
        named = (new.platform, new.identity, new.title, new.task, new.parent_id)
        spans = (self.first_at, self.last_at, self.messages, self.episodes)
        return self.number, self.uid, self.bank, *named, *spans


_Said = tuple[int, int, int, int, int, Utterance]
"""A message to be: its number, session, bank, episode and time, and what was said."""


class Recording:
    """Collects the rows of all turns, then writes them table by table."""

    def __init__(self, connection: Connection, parts: Parts) -> None:
        self._connection = connection
        self._parts = parts
        self._banks = parts.banks
        self._counters = parts.counters
        self._now = 0
        self._sessions: dict[str, _OpenSession] = {}
        self._episodes: list[tuple[object, ...]] = []
        self._said: list[_Said] = []
        self._index: list[Entry] = []
        self._payloads: list[tuple[int, int, int, Payload]] = []
        self._known: dict[bytes, tuple[int, int]] = {}
        self._keys: dict[bytes, tuple[int, Recorded]] = {}
        self._text_sums: dict[int, tuple[int, int]] = {}
        self._next_episode = self._counters.get("episode")
        self._next_message = self._first_message = self._counters.get("message")
        self._dictionary = 0

    def record(self, requests: Sequence[tuple[Sequence[Turn], int]]) -> list[list[Recorded]]:
        """Keep the turns of several requests, each made at its time, as if one after the other."""
        self._now = requests[0][1]
        self._dictionary = self._find_dictionary()
        placed = [(place_turns(self._connection, turns), now) for turns, now in requests]
        everything = [turn for turns, _ in placed for turn in turns]
        self._load_known(everything)
        self._load_sessions([turn.session.id for turn in everything if turn.session.id])
        receipts = [self._add_turns(turns, now) for turns, now in placed]
        self._write()
        return receipts

    def _add_turns(self, turns: Sequence[Turn], now: int) -> list[Recorded]:
        self._now = now
        return [self._add_turn(turn, _digest(turn)) for turn in turns]

    def _find_dictionary(self) -> int:
        """The dictionary to write with: none while there is too little to learn one from."""
        known = self._counters.get("newest_dictionary")
        if known or self._next_message < self._counters.get("dictionary"):
            return known
        self._counters.set("dictionary", self._next_message + SAMPLES)  # when to try again
        return open_dictionaries(self._connection, self._counters).learn(self._now)

    def _add_turn(self, turn: Turn, key: bytes) -> Recorded:
        if key and (known := self._find_receipt(key)) is not None:
            first, last = self._known.get(key, (1, len(known.message_ids)))
            refuse_other(turn, known, last - first + 1)
            return replace(known, duplicate=True)
        if not turn.messages:
            raise UserError("A turn needs at least one message.", "Give the messages exchanged.")
        session = self._open(turn)
        episode = self._episode_for(turn, session)
        ids = tuple([self._add_message(m, session, episode) for m in turn.messages])
        count, chars = self._text_sums.get(session.bank, (0, 0))
        said = sum([len(m.text) for m in turn.messages])
        self._text_sums[session.bank] = (count + len(ids), chars + said)
        receipt = Recorded(session.uid, episode, ids)
        if key:
            self._keys[key] = (session.bank, receipt)
        return receipt

    def _load_known(self, turns: Sequence[Turn]) -> None:
        """Which of the keys were kept before, asked for all at once."""
        digests = [_digest(turn) for turn in turns if turn.key]
        if not digests:
            return
        names = dict.fromkeys(turn.session.bank for turn in turns)
        banks = [n for name in names if (n := self._banks.find_number(name)) is not None]
        sql = "SELECT key, first, last FROM keys WHERE bank = ANY(?) AND key = ANY(?)"
        for key, first, last in self._connection.execute(sql, (banks, digests)):
            self._known[bytes(key)] = (first, last)

    def _find_receipt(self, key: bytes) -> Recorded | None:
        """The receipt given when the key was first sent, on disk or earlier in this recording."""
        if key in self._known:
            return self._receipt_of(*self._known[key])
        return self._keys[key][1] if key in self._keys else None

    def _receipt_of(self, first: int, last: int) -> Recorded:
        sql = """SELECT s.uid, m.episode, m.id FROM messages m JOIN sessions s ON s.id = m.session
          WHERE m.id BETWEEN ? AND ? ORDER BY m.id"""
        found = self._connection.execute(sql, (first, last))
        if not found:  # it was kept, and has been erased since
            return Recorded("", 0, ())
        return Recorded(str(found[0][0]), int(found[0][1]), tuple(int(row[2]) for row in found))

    def _open(self, turn: Turn) -> _OpenSession:
        uid = turn.session.id
        session = self._sessions.get(uid) if uid else None
        if session is not None:
            _check_open(session, turn.session.bank)
            return session
        at = turn.session.started_at
        if at is None:
            at = next((m.at for m in turn.messages if m.at is not None), self._now)
        session = self._make(turn.session, uid or new_session_id(at), at)
        self._sessions[session.uid] = session
        return session

    def _load_sessions(self, uids: Sequence[str]) -> None:
        """Those of the sessions that exist, asked for all at once."""
        sql = """SELECT s.id, s.uid, s.bank, b.name, s.started_at, s.last_at,
          coalesce((SELECT max(id) FROM episodes e WHERE e.session = s.id), 0), s.hidden_at
          FROM sessions s JOIN banks b ON b.id = s.bank WHERE s.uid = ANY(?)"""
        for row in self._connection.execute(sql, (list(dict.fromkeys(uids)),)) if uids else ():
            self._sessions[row[1]] = _OpenSession(*row)

    def _make(self, new: NewSession, uid: str, at: int) -> _OpenSession:
        bank = self._banks.number(new.bank, self._now)
        number = self._counters.take("session")
        return _OpenSession(number, uid, bank, new.bank, at, at, 0, new=new)

    def _episode_for(self, turn: Turn, session: _OpenSession) -> int:
        if turn.continues and session.last_episode:
            return session.last_episode
        self._next_episode += 1
        first = turn.messages[0].at
        at = self._now if first is None else first
        row = (self._next_episode, session.number, session.bank, at, turn.task or None)
        self._episodes.append(row)
        session.episodes += 1
        session.last_episode = self._next_episode
        return self._next_episode

    def _add_message(self, said: Utterance, session: _OpenSession, episode: int) -> int:
        self._next_message += 1
        number, bank = self._next_message, session.bank
        at = self._now if said.at is None else said.at
        self._said.append((number, session.number, bank, episode, at, said))
        formed = index_form(indexed_part(said.role, said.text, said.calls))
        self._index.append((bank, number, ROLE_NUMBER[said.role], formed))
        if said.payloads:
            self._payloads.extend(
                (bank, number, n, payload) for n, payload in enumerate(said.payloads)
            )
        session.last_at = max(session.last_at, at)
        session.first_at = min(session.first_at, at)
        session.messages += 1
        return number

    def _write(self) -> None:
        """In this order the server always has rows to write while the next are made ready."""
        self._connection.insert("episodes", _EPISODES, self._episodes)
        spans = [
            (bank, key, receipt.message_ids[0], receipt.message_ids[-1])
            for key, (bank, receipt) in self._keys.items()
        ]
        self._connection.insert("keys", _KEYS, sorted(spans))  # in the order of the tree
        keep_payloads(self._connection, self._payloads)
        self._write_sums()
        words = self._parts.texts.table
        words.add(self._index)
        if len(self._said) >= WORTH_SENDING:
            self._connection.push()
            words.flush()  # which takes longest: meanwhile the rows of messages are made
        for start in range(0, len(self._said), SENT_AT_ONCE):
            self._write_messages(self._said[start : start + SENT_AT_ONCE])

    def _write_messages(self, said: Sequence[_Said]) -> None:
        encode = self._connection.codec.encoder(self._dictionary)
        written = [(*_row(each), *rows.stored_by(encode, each[-1].text)) for each in said]
        self._connection.insert("messages", MESSAGES, written)
        if len(said) == SENT_AT_ONCE:
            self._connection.push()

    def _write_sums(self) -> None:
        grown = [s for s in self._sessions.values() if s.messages]
        new = [s.row(s.new) for s in self._sessions.values() if s.new]
        self._connection.insert("sessions", _SESSIONS, new)
        self._connection.executemany(
            """UPDATE sessions SET last_at = ?, started_at = ?, messages = messages + ?,
               episodes = episodes + ?, ended_at = NULL WHERE bank = ? AND id = ?""",
            [
                (s.last_at, s.first_at, s.messages, s.episodes, s.bank, s.number)
                for s in grown
                if not s.new
            ],
        )
        mark_grown(self._connection, [(s.bank, s.number) for s in grown])
        for bank, (count, chars) in self._text_sums.items():
            self._banks.add_text(bank, count, chars)
        if self._next_message == self._first_message:
            return
        self._counters.set("episode", self._next_episode)
        self._counters.set("message", self._next_message)
        self._parts.changes.record("message", self._first_message + 1, self._next_message, "add")


def _row(message: _Said) -> tuple[object, ...]:
    """A row of messages but for its text."""
    number, session, bank, episode, at, said = message
    origin, trust = source_of(said)
    calls = render_calls(said.calls) if said.calls else None
    placed = (number, session, bank, episode, at, ROLE_NUMBER[said.role], origin, trust)
    return *placed, said.speaker or None, said.call_id or None, calls


def _digest(turn: Turn) -> bytes:
    return key_digest(turn.session.bank, turn.key) if turn.key else b""


def mark_grown(connection: Connection, sessions: Sequence[tuple[int, int]]) -> None:
    """Note that there is more to be extracted from sessions, given with their banks."""
    if sessions:
        banks, numbers = zip(*sessions, strict=True)
        sql = """INSERT INTO extractions (bank, session) SELECT * FROM unnest(?::int8[], ?::int8[])
          ON CONFLICT (profile, bank, session) DO UPDATE SET pending = true"""
        connection.defer(sql, (list(banks), list(numbers)))


def keep_payloads(
    connection: Connection, payloads: Sequence[tuple[int, int, int, Payload]]
) -> None:
    """Keep (bank, message, place, payload), the bytes of each once."""
    for bank, message, n, payload in payloads:
        digest = hashlib.sha256(payload.content).digest()
        sql = "INSERT INTO blobs (sha256, content) VALUES (?, ?) ON CONFLICT DO NOTHING"
        connection.defer(sql, (digest, payload.content))
        sql = """INSERT INTO payloads (bank, message, n, media_type, sha256)
          VALUES (?, ?, ?, ?, ?)"""
        connection.defer(sql, (bank, message, n, payload.media_type, digest))


def _check_open(session: _OpenSession, wanted_bank: str) -> None:
    uid = session.uid
    if session.hidden is not None:
        raise Conflict(
            f"Session {uid!r} was deleted.",
            f"Bring it back with `hermes sessions restore {uid}`, or record under another id.",
        )
    if wanted_bank != session.bank_name:
        raise Conflict(
            f"Session {uid!r} lies in bank {session.bank_name!r}, not in {wanted_bank!r}.",
            "A session stays in the bank it began in; start a new session for another bank.",
        )
