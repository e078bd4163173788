"""Recording on SQLite: many turns at once, each table written in one go.

A word index takes as long to fill as all else together. So turns are gone through twice: once for
their places and for what the index needs, then for their rows, while SQLite indexes a large batch
on another core.
"""

import hashlib
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import NoReturn

from hermes.clock import new_session_id
from hermes.errors import Conflict, UserError
from hermes.store.codec import SAMPLES
from hermes.store.keys import key_digest, refuse_other
from hermes.store.rows import ROLE_NUMBER, render_calls, source_of
from hermes.store.sqlite.banks import SqliteBanks
from hermes.store.sqlite.connection import Connection, scalar
from hermes.store.sqlite.dictionaries import open_dictionaries
from hermes.store.sqlite.texts import SqliteTexts, scope_start
from hermes.store.tables.placing import place_turns
from hermes.store.text import index_form, indexed_part
from hermes.types import Payload, Recorded, Turn, Utterance

INDEX_BESIDE = 256  # messages from which on a second thread is worth its start
CHUNK = 500  # well under SQLite's limit of bound values
_SESSION = """SELECT s.id, s.uid, s.bank, b.name, s.started_at, s.last_at, s.hidden_at,
  (SELECT max(id) FROM episodes e WHERE e.session = s.id)
  FROM sessions s JOIN banks b ON b.id = s.bank WHERE s.uid = ?"""
_KNOWN = "SELECT key, first, more FROM keys WHERE key = ?"
_NEW_SESSION = """INSERT INTO sessions
  (id, uid, bank, platform, identity, title, task, parent, started_at, last_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"""
_EPISODE = "INSERT INTO episodes (id, session, bank, at, task) VALUES (?, ?, ?, ?, ?)"
_MESSAGE = """INSERT INTO messages
  (id, episode, at, role, origin, trust, speaker, call_id, calls, text)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"""
_KEY = "INSERT INTO keys (key, first, more) VALUES (?, ?, ?)"


@dataclass(slots=True)
class _OpenSession:
    """A session this recording writes to, and what it has added."""

    number: int
    uid: str
    bank: int
    bank_name: str
    first_at: int
    last_at: int
    hidden: int | None
    last_episode: int | None
    messages: int = 0
    episodes: int = 0
    scope: str = field(init=False)

    def __post_init__(self) -> None:
        self.scope = scope_start(self.bank, self.number)


class Recording:
    """Collects the rows of all turns, then writes them table by table."""

    def __init__(self, connection: Connection, banks: SqliteBanks, texts: SqliteTexts) -> None:
        self._connection = connection
        self._banks = banks
        self._texts = texts
        self._now = 0
        self._sessions: dict[str, _OpenSession] = {}
        self._episodes: list[tuple[object, ...]] = []
        self._messages: list[tuple[object, ...]] = []
        self._index: list[str] = []
        self._added: list[tuple[Sequence[Utterance], _OpenSession, int, int]] = []
        self._payloads: list[tuple[int, int, Payload]] = []
        self._known: dict[bytes, tuple[int, int]] = {}
        self._keys: dict[bytes, Recorded] = {}
        self._text_sums: dict[int, tuple[int, int]] = {}
        self._next_episode = self._counter("episode")
        self._next_message = self._first_message = self._counter("message")

    def record(self, requests: Sequence[tuple[Sequence[Turn], int]]) -> list[list[Recorded]]:
        """Keep the turns of several requests, each with its time; a list of receipts for each."""
        self._now = requests[0][1]
        self._encode = self._connection.codec.encoder(self._find_dictionary())
        placed = [place_turns(self._connection, turns) for turns, _ in requests]
        keys = [[_digest(turn) for turn in turns] for turns in placed]
        self._load_known([key for each in keys for key in each if key])
        self._load_sessions(turn.session.id for turns in placed for turn in turns)
        receipts: list[list[Recorded]] = []
        for turns, digests, (_, self._now) in zip(placed, keys, requests, strict=True):
            receipts.append(list(map(self._add_turn, turns, digests)))
        self._make_rows()
        self._write()
        return receipts

    def _counter(self, name: str) -> int:
        return scalar(self._connection, "SELECT value FROM counters WHERE name = ?", (name,))

    def _find_dictionary(self) -> int:
        """The dictionary to write with: none while there is too little to learn one from."""
        known = scalar(self._connection, "SELECT max(id) FROM dictionaries")
        if known or self._next_message < self._counter("dictionary"):
            return known
        sql = "UPDATE counters SET value = ? WHERE name = 'dictionary'"
        self._connection.execute(sql, (self._next_message + SAMPLES,))  # when to try again
        return open_dictionaries(self._connection).learn(self._now)

    def _add_turn(self, turn: Turn, key: bytes) -> Recorded:
        if key and (known := self._find_receipt(key)) is not None:
            first, last = self._known.get(key, (1, len(known.message_ids)))
            refuse_other(turn, known, last - first + 1)
            return replace(known, duplicate=True)
        if not turn.messages:
            raise UserError("A turn needs at least one message.", "Give the messages exchanged.")
        session = self._open(turn)
        episode = self._episode_for(turn, session)
        first = self._next_message + 1
        self._add_messages(turn.messages, session, episode)
        receipt = Recorded(session.uid, episode, tuple(range(first, self._next_message + 1)))
        if key:
            self._keys[key] = receipt
        return receipt

    def _load_known(self, digests: Sequence[bytes]) -> None:
        """Which of the keys were kept before, asked for all at once."""
        asked = [(digest,) for digest in digests]
        for key, first, more in self._connection.executemany(_KNOWN, asked):
            self._known[bytes(key)] = (first, first + more)

    def _find_receipt(self, key: bytes) -> Recorded | None:
        """The receipt given when the key was first sent, on disk or earlier in this recording."""
        if key in self._known:
            return self._receipt_of(*self._known[key])
        return self._keys.get(key)

    def _receipt_of(self, first: int, last: int) -> Recorded:
        sql = """SELECT s.uid, e.id, m.id FROM messages m CROSS JOIN episodes e ON e.id = m.episode
          CROSS JOIN sessions s ON s.id = e.session WHERE m.id BETWEEN ? AND ? ORDER BY m.id"""
        found = list(self._connection.execute(sql, (first, last)))
        if not found:  # it was kept, and has been erased since
            return Recorded("", 0, ())
        return Recorded(str(found[0][0]), int(found[0][1]), tuple(int(row[2]) for row in found))

    def _open(self, turn: Turn) -> _OpenSession:
        uid = turn.session.id
        session = self._sessions.get(uid) if uid else None
        if session is None:
            session = self._make(turn)
        elif session.hidden is not None or session.bank_name != turn.session.bank:
            _refuse(session, turn.session.bank)
        return session

    def _load_sessions(self, uids: Iterable[str]) -> None:
        """Those of the sessions that exist, asked for all at once."""
        asked = [(uid,) for uid in dict.fromkeys(uids) if uid]
        for row in self._connection.executemany(_SESSION, asked):
            self._sessions[row[1]] = _OpenSession(*row)

    def _make(self, turn: Turn) -> _OpenSession:
        new = turn.session
        at = new.started_at
        if at is None:
            at = next((m.at for m in turn.messages if m.at is not None), self._now)
        uid = new.id or new_session_id(at)
        bank = self._banks.number(new.bank, self._now)
        sql = "UPDATE counters SET value = value + 1 WHERE name = 'session' RETURNING value"
        number = next(int(value) for (value,) in self._connection.execute(sql))
        told = (new.platform, new.identity, new.title, new.task, new.parent_id)
        self._connection.execute(_NEW_SESSION, (number, uid, bank, *told, at, at))
        made = _OpenSession(number, uid, bank, new.bank, at, at, None, None)
        self._sessions[uid] = made
        return made

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

    def _add_messages(
        self, messages: Sequence[Utterance], session: _OpenSession, episode: int
    ) -> None:
        self._added.append((messages, session, episode, self._now))
        scope, index = session.scope, self._index.append
        for said in messages:
            body = index_form(indexed_part(said.role, said.text, said.calls))
            index(f"{body}{scope}{ROLE_NUMBER[said.role]}")
        self._next_message += len(messages)
        session.messages += len(messages)

    def _make_rows(self) -> None:
        """The rows of what was added, and the words of it in the index."""
        first = self._first_message + 1
        if len(self._index) < INDEX_BESIDE:
            self._texts.add(list(enumerate(self._index, first)))
            self._fill_rows()
            return
        with ThreadPoolExecutor(1) as beside:
            indexing = beside.submit(self._texts.add_now, first, self._index)
            self._fill_rows()
            indexing.result()

    def _fill_rows(self) -> None:
        """Says nothing to the database, which may be busy with the index."""
        number = self._first_message
        for messages, session, episode, now in self._added:
            self._fill_turn(messages, session, (number, episode, now))
            number += len(messages)

    def _fill_turn(
        self, messages: Sequence[Utterance], session: _OpenSession, place: tuple[int, int, int]
    ) -> None:
        number, episode, now = place
        chars, encode = 0, self._encode
        for said in messages:  # a tight loop: what is done here is done for every message
            number += 1
            at = now if said.at is None else said.at
            text = said.text
            calls = render_calls(said.calls) if said.calls else None
            row = (number, episode, at, ROLE_NUMBER[said.role], *source_of(said))
            named = (said.speaker or None, said.call_id or None, calls, encode(text))
            self._messages.append(row + named)
            if said.payloads:
                self._payloads.extend([(number, n, p) for n, p in enumerate(said.payloads)])
            if at > session.last_at:
                session.last_at = at
            elif at < session.first_at:
                session.first_at = at
            chars += len(text)
        count, sum_before = self._text_sums.get(session.bank, (0, 0))
        self._text_sums[session.bank] = (count + len(messages), sum_before + chars)

    def _write(self) -> None:
        run = self._connection
        run.executemany(_EPISODE, self._episodes)
        run.executemany(_MESSAGE, self._messages)
        spans = [(k, r.message_ids[0], len(r.message_ids) - 1) for k, r in self._keys.items()]
        run.executemany(_KEY, sorted(spans))  # in the order of the tree they go into
        self._write_payloads()
        self._write_sums()

    def _write_payloads(self) -> None:
        for message, n, payload in self._payloads:
            digest = hashlib.sha256(payload.content).digest()
            sql = "INSERT INTO blobs (sha256, content) VALUES (?, ?) ON CONFLICT DO NOTHING"
            self._connection.execute(sql, (digest, payload.content))
            self._connection.execute(
                """INSERT INTO payloads (message, n, media_type, blob)
                   SELECT ?, ?, ?, id FROM blobs WHERE sha256 = ?""",
                (message, n, payload.media_type, digest),
            )

    def _write_sums(self) -> None:
        self._connection.executemany(
            """UPDATE sessions SET last_at = ?, started_at = ?, messages = messages + ?,
               episodes = episodes + ?, ended_at = NULL WHERE id = ?""",
            [
                (s.last_at, s.first_at, s.messages, s.episodes, s.number)
                for s in self._sessions.values()
                if s.messages
            ],
        )
        for bank, (count, chars) in self._text_sums.items():
            self._banks.add_text(bank, count, chars)
        if self._next_message == self._first_message:
            return
        self._connection.executemany(
            "UPDATE counters SET value = ? WHERE name = ?",
            [(self._next_episode, "episode"), (self._next_message, "message")],
        )
        sql = "INSERT INTO changes (kind, first, last, op) VALUES ('message', ?, ?, 'add')"
        self._connection.execute(sql, (self._first_message + 1, self._next_message))


def _digest(turn: Turn) -> bytes:
    return key_digest(turn.session.bank, turn.key) if turn.key else b""


def _refuse(session: _OpenSession, wanted_bank: str) -> NoReturn:
    uid = session.uid
    if session.hidden is not None:
        raise Conflict(
            f"Session {uid!r} was deleted.",
            f"Bring it back with `hermes sessions restore {uid}`, or record under another id.",
        )
    raise Conflict(
        f"Session {uid!r} lies in bank {session.bank_name!r}, not in {wanted_bank!r}.",
        "A session stays in the bank it began in; start a new session for another bank.",
    )
