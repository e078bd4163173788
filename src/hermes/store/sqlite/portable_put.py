"""Records as rows: written in bulk, with the index, sums and references that belong to them."""

from collections.abc import Callable, Mapping, Sequence

from hermes.store.base.portable import Record, Section
from hermes.store.sqlite.banks import SqliteBanks
from hermes.store.sqlite.connection import Connection, scalar
from hermes.store.sqlite.dictionaries import open_dictionaries
from hermes.store.sqlite.portable_cells import log_added
from hermes.store.sqlite.portable_learnt import Learnt
from hermes.store.sqlite.rows import ORIGIN_NUMBER, ROLE_NUMBER, STATES, render_calls
from hermes.store.sqlite.texts import SqliteTexts, index_row
from hermes.store.tables.portable_blobs import ArrivingBlobs
from hermes.store.tables.portable_cells import bank_number, trust_number, wrong
from hermes.store.text import indexed_part
from hermes.types import EpisodeState, Origin, Role, ToolCall

INDEX_AT_ONCE = 10_000  # the index is quickest in bulk, and what waits is held in memory
_MESSAGE = """INSERT INTO messages
  (id, episode, at, role, origin, trust, speaker, call_id, calls, text)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"""
_STATE_NUMBER = {state: n for n, state in enumerate(STATES)}
_SUMMARY = (
    *("id", "session", "episode", "first_at", "last_at", "made_at", "purge_at", "purged_at"),
    *("author", "episodes", "messages", "raw_chars", "chars", "probes", "found"),
)


class Arrivals:
    """What comes in, in one transaction."""

    def __init__(self, connection: Connection, banks: SqliteBanks, texts: SqliteTexts) -> None:
        self._connection = connection
        self._banks = banks
        self._texts = texts
        self._learnt = Learnt(connection, banks, texts)
        self._dictionaries = open_dictionaries(connection)
        self._place_of: dict[int, tuple[int, int]] = {}  # bank and session of an episode
        self._sessions: set[int] = set()
        self._unindexed = 0
        self._blobs = ArrivingBlobs(connection)

    def put(self, section: Section, records: Sequence[Record]) -> None:
        if records:
            _PUT[section](self, records)

    def settle(self) -> None:
        self._texts.flush()
        self._sum_up({})

    def finish(self, extracted: Mapping[str, int], reflected: Mapping[str, int]) -> None:
        self._texts.flush()
        self._sum_up(extracted)
        sql = """INSERT INTO reflected (session, upto) SELECT id, ?2 FROM sessions WHERE uid = ?1
          ON CONFLICT (session) DO UPDATE SET upto = max(upto, excluded.upto)"""
        self._connection.executemany(sql, list(reflected.items()))
        sql = "DELETE FROM blobs WHERE id NOT IN (SELECT blob FROM payloads)"
        self._connection.execute(sql)
        sql = "UPDATE counters SET value = value + 1 WHERE name = 'entity_version'"
        self._connection.execute(sql)

    def _sum_up(self, extracted: Mapping[str, int]) -> None:
        """What sessions say of their messages, and what of them is left to be extracted."""
        said = """FROM episodes e JOIN messages m ON m.episode = e.id
          WHERE e.session = sessions.id"""
        sql = f"""UPDATE sessions SET messages = (SELECT count(*) {said}),
            last_at = max(last_at, ifnull((SELECT max(m.at) {said}), last_at)),
            episodes = (SELECT count(*) FROM episodes e WHERE e.session = sessions.id)
          WHERE id = ?"""
        self._connection.executemany(sql, [(number,) for number in self._sessions])
        sql = """UPDATE extractions SET upto = max(upto, ?1), pending = EXISTS
            (SELECT 1 FROM episodes e JOIN messages m ON m.episode = e.id
             WHERE e.session = extractions.session AND m.id > max(extractions.upto, ?1))
          WHERE session = (SELECT id FROM sessions WHERE uid = ?2)"""
        self._connection.executemany(sql, [(upto, uid) for uid, upto in extracted.items()])

    def _put_banks(self, records: Sequence[Record]) -> None:
        sql = "INSERT INTO banks (name, description, created_at) VALUES (?, ?, ?)"
        rows = [(r["name"], r.get("description", ""), r["created_at"]) for r in records]
        self._connection.executemany(sql, rows)

    def _put_entities(self, records: Sequence[Record]) -> None:
        sql = "INSERT INTO entities (id, bank, kind, created_at) VALUES (?, ?, ?, ?)"
        rows = [
            (r["id"], bank_number(self._banks, r["bank"]), r["kind"], r["created_at"])
            for r in records
        ]
        self._connection.executemany(sql, rows)
        sql = "INSERT INTO entity_names (entity, place, key, name) VALUES (?, ?, ?, ?)"
        names = [
            (r["id"], place, name["key"], name["name"])
            for r in records
            for place, name in enumerate(r["names"])
        ]
        self._connection.executemany(sql, names)
        log_added(self._connection, "entity", records)

    def _put_blobs(self, records: Sequence[Record]) -> None:
        self._blobs.put(records)

    def _put_sessions(self, records: Sequence[Record]) -> None:
        for r in records:
            told = ("platform", "identity", "title", "task", "parent")
            sql = "UPDATE counters SET value = value + 1 WHERE name = 'session' RETURNING value"
            number = scalar(self._connection, sql)
            sql = f"""INSERT INTO sessions (id, uid, bank, started_at, last_at, ended_at, hidden_at,
              {", ".join(told)}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"""
            times = (r["started_at"], r["last_at"], r.get("ended_at"), r.get("hidden_at"))
            words = [r.get(name, "") for name in told]
            bank = bank_number(self._banks, r["bank"])
            self._connection.execute(sql, (number, r["id"], bank, *times, *words))
            self._sessions.add(number)

    def _put_episodes(self, records: Sequence[Record]) -> None:
        sql = """INSERT INTO episodes (id, session, bank, at, state, task)
          SELECT ?, id, bank, ?, ?, ? FROM sessions WHERE uid = ? RETURNING id, bank, session"""
        for r in records:
            state = _STATE_NUMBER[EpisodeState(r["state"])]
            told = (r["id"], r["at"], state, r.get("task") or None, r["session"])
            ((number, bank, session),) = list(self._connection.execute(sql, told))
            self._place_of[number] = (bank, session)
            self._sessions.add(session)

    def _put_messages(self, records: Sequence[Record]) -> None:
        encode, dictionary = self._connection.codec.encode, self._dictionaries.current()
        rows: list[tuple[object, ...]] = []
        index: list[tuple[int, str]] = []
        chars: dict[int, tuple[int, int]] = {}
        for r in records:
            role, text = Role(r["role"]), r["text"]
            who = (ROLE_NUMBER[role], ORIGIN_NUMBER[Origin(r["origin"])], trust_number(r))
            calls = _calls(r)
            named = (r.get("speaker") or None, r.get("call_id") or None, render_calls(calls))
            rows.append((r["id"], r["episode"], r["at"], *who, *named, encode(text, dictionary)))
            bank, session = self._place(r["episode"])
            body = indexed_part(role, text, calls)
            index.append(index_row(r["id"], body, bank=bank, session=session, role=role))
            count, size = chars.get(bank, (0, 0))
            chars[bank] = (count + 1, size + len(text))
        self._connection.executemany(_MESSAGE, rows)
        self._texts.add(index)
        self._unindexed += len(index)
        if self._unindexed >= INDEX_AT_ONCE:
            self._texts.flush()
            self._unindexed = 0
        for bank, sums in chars.items():
            self._banks.add_text(bank, *sums)
        self._put_attachments(records)
        log_added(self._connection, "message", records)

    def _put_attachments(self, records: Sequence[Record]) -> None:
        sql = """INSERT INTO payloads (message, n, media_type, blob)
          SELECT ?, ?, ?, id FROM blobs WHERE sha256 = ?"""
        for r in records:
            for n, payload in enumerate(r.get("payloads", ())):
                digest = bytes.fromhex(payload["sha256"])
                self._connection.execute(sql, (r["id"], n, payload["media_type"], digest))
                if not self._connection.changes():
                    raise wrong(f"message {r['id']} has a payload that is not in the file")
        sql = "INSERT OR IGNORE INTO message_mentions (message, entity, key) VALUES (?, ?, ?)"
        mentions = [
            (r["id"], m["entity"], m["key"]) for r in records for m in r.get("mentions", ())
        ]
        self._connection.executemany(sql, mentions)

    def _put_keys(self, records: Sequence[Record]) -> None:
        sql = "INSERT INTO keys (key, first, more) VALUES (?, ?, ?)"
        rows = [(bytes.fromhex(r["key"]), r["first"], r["last"] - r["first"]) for r in records]
        self._connection.executemany(sql, rows)

    def _put_summaries(self, records: Sequence[Record]) -> None:
        marks = ", ".join("?" * len(_SUMMARY))
        sql = f"INSERT INTO summaries ({', '.join(_SUMMARY)}) VALUES ({marks})"
        for r in records:
            find = "SELECT id FROM sessions WHERE uid = ?"
            session = scalar(self._connection, find, (r["session"],))
            given = r | {"session": session, "purged_at": r["made_at"]}  # the raw rows stay behind
            self._connection.execute(sql, tuple(given.get(name) for name in _SUMMARY))
            number = self._connection.last_insert_rowid()
            parts = [(part["message"], number, part["last"]) for part in r["parts"]]
            add = "INSERT INTO summary_parts (message, summary, last) VALUES (?, ?, ?)"
            self._connection.executemany(add, parts)

    def _put_events(self, records: Sequence[Record]) -> None:
        sql = """INSERT INTO events (id, at, kind, summary, details, ref, salt, content, hash,
          erased_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"""
        rows = [
            (
                *(r["id"], r["at"], r["kind"], r.get("summary", ""), r.get("details", "{}")),
                *(r.get("ref", ""), bytes.fromhex(r.get("salt", ""))),
                *(bytes.fromhex(r["content"]), bytes.fromhex(r["hash"]), r.get("erased_at")),
            )
            for r in records
        ]
        self._connection.executemany(sql, rows)
        sql = "UPDATE event_head SET count = ?, hash = ?"
        self._connection.execute(sql, (rows[-1][0], rows[-1][8]))

    def _place(self, episode: int) -> tuple[int, int]:
        """Bank and session of an episode that was put before, here or long ago."""
        if episode not in self._place_of:
            sql = "SELECT bank, session FROM episodes WHERE id = ?"
            ((bank, session),) = list(self._connection.execute(sql, (episode,)))
            self._place_of[episode] = (bank, session)
            self._sessions.add(session)
        return self._place_of[episode]


_PUT: dict[Section, Callable[[Arrivals, Sequence[Record]], None]] = {
    Section.BANKS: Arrivals._put_banks,
    Section.ENTITIES: Arrivals._put_entities,
    Section.BLOBS: Arrivals._put_blobs,
    Section.SESSIONS: Arrivals._put_sessions,
    Section.EPISODES: Arrivals._put_episodes,
    Section.MESSAGES: Arrivals._put_messages,
    Section.KEYS: Arrivals._put_keys,
    Section.SUMMARIES: Arrivals._put_summaries,
    Section.FACTS: lambda arrivals, records: arrivals._learnt.put_facts(records),
    Section.REFLECTIONS: lambda arrivals, records: arrivals._learnt.put_reflections(records),
    Section.HELD: lambda arrivals, records: arrivals._learnt.put_held(records),
    Section.EVENTS: Arrivals._put_events,
}


def _calls(record: Record) -> tuple[ToolCall, ...]:
    return tuple(ToolCall(c["id"], c["name"], c["arguments"]) for c in record.get("calls", ()))
