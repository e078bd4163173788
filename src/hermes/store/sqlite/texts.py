"""Postings from FTS5. What is asked for is always quoted: no question is FTS5 syntax."""

from collections.abc import Sequence
from functools import cached_property
from typing import cast

import apsw

from hermes.store.base.texts import Postings, TextScope
from hermes.store.rows import ROLE_NUMBER
from hermes.store.sqlite.banks import SqliteBanks
from hermes.store.sqlite.connection import Connection, scalar
from hermes.store.text import SCOPE_MARK, index_form
from hermes.types import Role

_TOKENIZER = ("porter", ["unicode61", "remove_diacritics", "2"])
_NEWEST = """SELECT rowid FROM message_text WHERE message_text MATCH ? AND rowid BETWEEN ? AND ?
  ORDER BY rowid DESC LIMIT ?"""

_SESSION_NUMBER = "SELECT id FROM sessions WHERE uid = ?"


def quoted(word: str) -> str:
    """A word or phrase as FTS5 takes it literally; a trailing * keeps its meaning."""
    beginning = word.endswith("*")
    literal = word.removesuffix("*").replace('"', '""').replace("\x00", " ")  # NUL would end it
    text = f'"{literal}"'
    return text + " *" if beginning else text


class SqliteTexts:
    def __init__(self, connection: Connection, banks: SqliteBanks) -> None:
        self._connection = connection
        self._banks = banks
        self._pending: list[tuple[int, str]] = []

    def add(self, rows: Sequence[tuple[int, str]]) -> None:
        """Index (message, text in index form with its scope) when the transaction ends.

        FTS5 writes out what it has gathered at every savepoint, and SQLite sets one for many an
        ordinary statement: indexing each turn as it comes makes a group twenty times slower.
        """
        self._pending.extend(rows)

    def flush(self) -> None:
        """Index what was added so far."""
        sql = "INSERT INTO message_text (rowid, body) VALUES (?, ?)"
        rows, self._pending = self._pending, []
        if rows:
            self._connection.executemany(sql, rows)

    def add_now(self, first: int, forms: Sequence[str]) -> None:
        """Index messages from number `first` on, each text in index form with its scope, at once.

        It is one statement: a thread of Python can go on meanwhile. The savepoint has FTS5 write
        out what it has gathered while that is so.
        """
        sql = "INSERT INTO message_text (rowid, body) SELECT ? + rowid, value FROM carray(?)"
        self._connection.execute(sql, (first - 1, apsw.carray(tuple(forms))))
        self._connection.execute("SAVEPOINT written")
        self._connection.execute("RELEASE written")

    def remove(self, rows: Sequence[tuple[int, str]]) -> None:
        """Take messages out of the index; the rows must be what `add` was given.

        They go at once, not at some later merge: where a number is used again (a summary stands
        where its first message stood), removing its new words would bring the old ones back.
        """
        self.flush()
        self.set_secure(on=True)
        sql = "INSERT INTO message_text (message_text, rowid, body) VALUES ('delete', ?, ?)"
        self._connection.executemany(sql, rows)
        self.set_secure(on=False)

    def set_secure(self, *, on: bool) -> None:
        """Have FTS5 forget what is deleted at once, or leave that to a later merge."""
        sql = "INSERT INTO message_text (message_text, rank) VALUES ('secure-delete', ?)"
        self._connection.execute(sql, (int(on),))

    def postings(self, word: str, scope: TextScope, limit: int) -> Postings:
        narrowed = self._narrowed(scope)
        if narrowed is None:
            return Postings([], 0, complete=True)
        ids = self._newest(f"{quoted(word)}{narrowed}", scope, limit)
        if len(ids) < limit:
            return Postings(ids, len(ids), complete=True)
        return Postings(ids, self._estimate(ids), complete=False)

    def postings_all(self, words: Sequence[str], scope: TextScope, limit: int) -> list[int]:
        narrowed = self._narrowed(scope)
        if narrowed is None or not words:
            return []
        match = " AND ".join(map(quoted, words)) + narrowed
        return self._newest(match, scope, limit)

    def size(self, scope: TextScope) -> tuple[int, int]:
        where, bindings = ("WHERE name = ?", (scope.bank,)) if scope.bank else ("", ())
        sql = f"SELECT total(messages), total(chars) FROM banks {where}"
        for messages, chars in self._connection.execute(sql, bindings):
            return int(messages), int(chars)
        return 0, 0

    def tokens(self, text: str) -> list[str]:
        encoded = index_form(text).encode("utf-8", "replace")
        kind = apsw.FTS5_TOKENIZE_DOCUMENT
        found = self._tokenizer(encoded, kind, None, include_offsets=False, include_colocated=False)
        return cast("list[str]", found)

    @cached_property
    def _tokenizer(self) -> apsw.FTS5Tokenizer:
        return self._connection.fts5_tokenizer(*_TOKENIZER)

    def _newest(self, match: str, scope: TextScope, limit: int) -> list[int]:
        self.flush()
        bindings = (match, scope.first_id, scope.last_id, limit)
        return [row for (row,) in self._connection.execute(_NEWEST, bindings)]

    def _narrowed(self, scope: TextScope) -> str | None:
        """The scope as a condition, "" when it narrows nothing, None when nothing can match."""
        parts: list[str] = []
        if scope.bank:
            number = self._banks.find_number(scope.bank)
            if number is None:
                return None
            if not self._banks.is_only(number):
                parts.append(f'"{bank_word(number)}"')
        if scope.session_id:
            found = self._connection.execute(_SESSION_NUMBER, (scope.session_id,))
            number = next((int(row) for (row,) in found), None)
            if number is None:
                return None
            parts.append(f'"{_session_word(number)}"')
        if scope.roles:
            parts.append(f"({' OR '.join(map(role_word, scope.roles))})")
        return "".join(f" AND {part}" for part in parts)

    def _estimate(self, ids: Sequence[int]) -> int:
        """How many match in all, if the older ones lie as densely as the newest."""
        first = scalar(self._connection, "SELECT min(id) FROM messages")  # both at once would scan
        last = scalar(self._connection, "SELECT max(id) FROM messages")
        seen = max(1, last - ids[-1] + 1)
        return max(len(ids), round(len(ids) * (last - first + 1) / seen))


def role_word(role: str) -> str:
    """The word, quoted, that every message of a role is indexed under."""
    return f'"{SCOPE_MARK}r{ROLE_NUMBER[Role(role)]}"'


def bank_word(number: int) -> str:
    return f"{SCOPE_MARK}b{number}"


def _session_word(number: int) -> str:
    return f"{SCOPE_MARK}s{number}"


def scope_start(bank: int, session: int) -> str:
    """What follows a message's words in the index; the number of its role ends it."""
    return f" {bank_word(bank)} {_session_word(session)} {SCOPE_MARK}r"


def index_row(number: int, body: str, *, bank: int, session: int, role: Role) -> tuple[int, str]:
    """A message as the index takes it; `body` is its indexed part."""
    return number, f"{index_form(body)}{scope_start(bank, session)}{ROLE_NUMBER[role]}"
