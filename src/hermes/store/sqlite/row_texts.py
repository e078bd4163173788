"""Postings of whole rows (facts, reflections) from FTS5, as `texts` gives those of messages."""

from collections.abc import Sequence
from dataclasses import dataclass

from hermes.store.base.texts import Postings, TextScope
from hermes.store.sqlite.banks import SqliteBanks
from hermes.store.sqlite.connection import Connection
from hermes.store.sqlite.texts import SqliteTexts, quoted
from hermes.store.text import index_form

_NO_BANK = 0
_NOBODYS = -1


@dataclass(frozen=True, slots=True)
class TextTable:
    """An index of rows: its name, the rows it is of, what is measured of them, which count."""

    name: str
    rows: str
    text: str
    living: str


FACTS = TextTable("fact_text", "facts", "text", "retracted_at IS NULL AND superseded_by IS NULL")
REFLECTIONS = TextTable("reflection_text", "reflections", "lesson", "deleted_at IS NULL")


class SqliteRowTexts:
    def __init__(
        self, connection: Connection, banks: SqliteBanks, texts: SqliteTexts, table: TextTable
    ) -> None:
        self._connection = connection
        self._banks = banks
        self._texts = texts
        self._table = table

    def add(self, number: int, text: str, bank: int) -> None:
        sql = f"INSERT INTO {self._table.name} (rowid, body, scope) VALUES (?, ?, ?)"
        self._connection.execute(sql, (number, index_form(text), _scope(bank)))

    def remove(self, number: int, text: str, bank: int) -> None:
        """Take a row out of the index; the text must be what `add` was given.

        At once, as `texts` does: a row whose text is corrected keeps its number.
        """
        name = self._table.name
        secure = f"INSERT INTO {name} ({name}, rank)"
        self._connection.execute(f"{secure} VALUES ('secure-delete', 1)")
        sql = f"INSERT INTO {name} ({name}, rowid, body, scope) VALUES ('delete', ?, ?, ?)"
        self._connection.execute(sql, (number, index_form(text), _scope(bank)))
        self._connection.execute(f"{secure} VALUES ('secure-delete', 0)")

    def postings(self, word: str, scope: TextScope, limit: int) -> Postings:
        found = self._newest([word], scope, limit + 1)
        return Postings(found[:limit], len(found), complete=len(found) <= limit)

    def postings_all(self, words: Sequence[str], scope: TextScope, limit: int) -> list[int]:
        return self._newest(words, scope, limit) if words else []

    def size(self, scope: TextScope) -> tuple[int, int]:
        table = self._table
        sql = f"""SELECT count(*), total(length({table.text})) FROM {table.rows}
          WHERE {table.living} AND (?1 = {_NO_BANK} OR bank = ?1)"""
        bank = self._bank(scope) if scope.bank else _NO_BANK
        ((count, chars),) = list(self._connection.execute(sql, (bank,)))
        return int(count), int(chars)

    def tokens(self, text: str) -> list[str]:
        return self._texts.tokens(text)

    def _newest(self, words: Sequence[str], scope: TextScope, limit: int) -> list[int]:
        match = " AND ".join(f"body : {quoted(word)}" for word in words)
        if scope.bank:
            match += f' AND scope : "{_scope(self._bank(scope))}"'
        name = self._table.name
        sql = f"SELECT rowid FROM {name} WHERE {name} MATCH ? ORDER BY rowid DESC LIMIT ?"
        return [int(row) for (row,) in self._connection.execute(sql, (match, limit))]

    def _bank(self, scope: TextScope) -> int:
        """The number of the bank; one that no row has, where there is no such bank."""
        return self._banks.find_number(scope.bank) or _NOBODYS


def _scope(bank: int) -> str:
    return f"b{bank}"
