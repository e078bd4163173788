"""Recording on SQLite: many turns at once, each table written in one go."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace

from hermes.clock import new_session_id
from hermes.errors import Conflict, UserError
from hermes.store.codec import SAMPLES, train
from hermes.store.sqlite import rows
from hermes.store.sqlite.banks import SqliteBanks
from hermes.store.sqlite.connection import Connection, scalar
from hermes.store.sqlite.texts import SqliteTexts, scope_words
from hermes.store.text import index_form
from hermes.types import NewSession, Origin, Payload, Recorded, Turn, Utterance

_EPISODE = "INSERT INTO episodes (id, session, bank, at, task) VALUES (?, ?, ?, ?, ?)"
_MESSAGE = """INSERT INTO messages
  (id, episode, at, role, origin, trust, speaker, call_id, calls, text)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"""
CHUNK = 500  # well under SQLite's limit of bound values
_KEY = "INSERT INTO keys (key, first, last) VALUES (?, ?, ?)"


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
    messages: int = 0
    episodes: int = 0
    scopes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        self.scopes = tuple(scope_words(self.bank, role) for role in rows.ROLES)


class Recording:
    """Collects the rows of all turns, then writes them table by table."""

    def __init__(
        self, connection: Connection, banks: SqliteBanks, texts: SqliteTexts, now: int
    ) -> None:
        self._connection = connection
        self._banks = banks
        self._texts = texts
        self._now = now
        self._sessions: dict[str, _OpenSession] = {}
        self._episodes: list[tuple[object, ...]] = []
        self._messages: list[tuple[object, ...]] = []
        self._index: list[tuple[int, str, str]] = []
        self._payloads: list[tuple[int, int, Payload]] = []
        self._known: dict[bytes, tuple[int, int]] = {}
        self._keys: dict[bytes, Recorded] = {}
        self._encode = connection.codec.encode
        self._text_sums: dict[int, tuple[int, int]] = {}
        self._next_episode = self._counter("episode")
        self._next_message = self._first_message = self._counter("message")
        self._dictionary = self._find_dictionary()

    def record(self, turns: Sequence[Turn]) -> list[Recorded]:
        turns = self._placed(turns)
        digests = [key_digest(t.session.bank, t.key) if t.key else b"" for t in turns]
        self._load_known(digests)
        receipts = [self._add_turn(*pair) for pair in zip(turns, digests, strict=True)]
        self._write()
        return receipts

    def _placed(self, turns: Sequence[Turn]) -> list[Turn]:
        """The turns, each with its bank: one that names none goes to where its session lies."""
        banks: dict[str, str] = {}
        placed: list[Turn] = []
        for turn in turns:
            named = turn.session
            bank = named.bank or banks.get(named.id) or self._bank_of(named.id)
            banks.setdefault(named.id, bank if named.id else "")
            there = turn if named.bank else replace(turn, session=replace(named, bank=bank))
            placed.append(there)
        return placed

    def _bank_of(self, uid: str) -> str:
        sql = "SELECT b.name FROM sessions s JOIN banks b ON b.id = s.bank WHERE s.uid = ?"
        found = (str(name) for (name,) in self._connection.execute(sql, (uid,)))
        return next(found, NewSession().bank)

    def _counter(self, name: str) -> int:
        return scalar(self._connection, "SELECT value FROM counters WHERE name = ?", (name,))

    def _find_dictionary(self) -> int:
        """The dictionary to write with: none while there is too little to learn one from."""
        known = scalar(self._connection, "SELECT max(id) FROM dictionaries")
        if known or self._next_message < self._counter("dictionary"):
            return known
        sql = "UPDATE counters SET value = ? WHERE name = 'dictionary'"
        self._connection.execute(sql, (self._next_message + SAMPLES,))  # when to try again
        sql = "SELECT plain(text) FROM messages ORDER BY id DESC LIMIT ?"
        learnt = train([text for (text,) in self._connection.execute(sql, (SAMPLES,))])
        if learnt is None:
            return 0
        sql = "INSERT INTO dictionaries (content, created_at) VALUES (?, ?)"
        self._connection.execute(sql, (learnt, self._now))
        return self._connection.last_insert_rowid()

    def _add_turn(self, turn: Turn, key: bytes) -> Recorded:
        if key and (known := self._find_receipt(key)) is not None:
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
            self._keys[key] = receipt
        return receipt

    def _load_known(self, digests: Sequence[bytes]) -> None:
        """Which of the keys were kept before, asked for all at once."""
        wanted = [digest for digest in digests if digest]
        for start in range(0, len(wanted), CHUNK):
            part = wanted[start : start + CHUNK]
            sql = f"SELECT key, first, last FROM keys WHERE key IN ({','.join('?' * len(part))})"
            for key, first, last in self._connection.execute(sql, part):
                self._known[bytes(key)] = (first, last)

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
        if uid and uid in self._sessions:
            _check_open(uid, turn.session.bank, self._sessions[uid].bank_name, None)
            return self._sessions[uid]
        at = turn.session.started_at
        if at is None:
            at = next((m.at for m in turn.messages if m.at is not None), self._now)
        session = self._find(uid, turn.session.bank) if uid else None
        if session is None:
            session = self._make(turn.session, uid or new_session_id(at), at)
        self._sessions[session.uid] = session
        return session

    def _find(self, uid: str, bank: str) -> _OpenSession | None:
        sql = """SELECT s.id, s.bank, b.name, s.started_at, s.last_at, s.hidden_at,
          (SELECT max(id) FROM episodes e WHERE e.session = s.id)
          FROM sessions s JOIN banks b ON b.id = s.bank WHERE s.uid = ?"""
        for number, bank_number, name, first, last, hidden, episode in self._connection.execute(
            sql, (uid,)
        ):
            _check_open(uid, bank, name, hidden)
            return _OpenSession(number, uid, bank_number, name, first, last, episode or 0)
        return None

    def _make(self, new: NewSession, uid: str, at: int) -> _OpenSession:
        bank = self._banks.number(new.bank, self._now)
        sql = "UPDATE counters SET value = value + 1 WHERE name = 'session' RETURNING value"
        number = next(int(value) for (value,) in self._connection.execute(sql))
        self._connection.execute(
            """INSERT INTO sessions
              (id, uid, bank, platform, identity, title, task, parent, started_at, last_at)
              VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""",
            (
                *(number, uid, bank, new.platform, new.identity),
                *(new.title, new.task, new.parent_id, at, at),
            ),
        )
        return _OpenSession(number, uid, bank, new.bank, at, at, 0)

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
        number = self._next_message
        at = self._now if said.at is None else said.at
        origin = rows.ORIGIN_NUMBER[said.origin or Origin.USER]
        role = rows.ROLE_NUMBER[said.role]
        calls = rows.render_calls(said.calls) if said.calls else None
        text = self._encode(said.text, self._dictionary)
        named = (said.speaker or None, said.call_id or None, calls, text)
        self._messages.append((number, episode, at, role, origin, said.trust, *named))
        self._index.append((number, index_form(said.indexed_text), session.scopes[role]))
        if said.payloads:
            self._payloads.extend((number, n, p) for n, p in enumerate(said.payloads))
        if at > session.last_at:
            session.last_at = at
        elif at < session.first_at:
            session.first_at = at
        session.messages += 1
        return number

    def _write(self) -> None:
        run = self._connection
        run.executemany(_EPISODE, self._episodes)
        run.executemany(_MESSAGE, self._messages)
        self._texts.add(self._index)
        spans = [(key, r.message_ids[0], r.message_ids[-1]) for key, r in self._keys.items()]
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


def key_digest(bank: str, key: str) -> bytes:
    """Sixteen bytes stand for a key of any length; each bank has keys of its own."""
    named = f"{bank}\x1f{key}".encode("utf-8", "surrogatepass")
    return hashlib.blake2b(named, digest_size=16).digest()


def _check_open(uid: str, wanted_bank: str, bank: str, hidden: int | None) -> None:
    if hidden is not None:
        raise Conflict(
            f"Session {uid!r} was deleted.",
            f"Bring it back with `hermes sessions restore {uid}`, or record under another id.",
        )
    if wanted_bank != bank:
        raise Conflict(
            f"Session {uid!r} lies in bank {bank!r}, not in {wanted_bank!r}.",
            "A session stays in the bank it began in; start a new session for another bank.",
        )
